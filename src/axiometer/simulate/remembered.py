"""Outcomes of the model, cached while one question is answered: an answer may need a run twice, as
a relaxation, as a choice, and as advice. Not for measurements of speed."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar, cast

from axiometer.simulate.scenario import Scenario
from axiometer.simulate.start import Start
from axiometer.simulate.table import Document

T = TypeVar("T")
Outcomes = dict[bytes, object]
_now: ContextVar[Outcomes | None] = ContextVar("remembered", default=None)


def outcomes() -> Outcomes | None:
    """The outcomes that this thread caches now; None outside `remembering`."""
    return _now.get()


@contextmanager
def remembering(those: Outcomes) -> Iterator[None]:
    """Cache outcomes in `those` within the context, and read them from there."""
    token = _now.set(those)
    try:
        yield
    finally:
        _now.reset(token)


def once(key: bytes, simulated: Callable[[], T]) -> T:
    """The outcome cached under `key`, or else that of `simulated`."""
    kept = _now.get()
    if kept is None:
        return simulated()
    if key not in kept:
        kept[key] = simulated()
    return cast("T", kept[key])


def key_of(scenario: Scenario, start: Start) -> bytes:
    """The key for all inputs of a run."""
    return key(scenario.document(), scenario.source_documents(), start.document())


def key(scenario: Document, sources: list[Document], start: Document) -> bytes:
    """The key for all inputs of a run, as documents. Names are for messages: ports that differ in
    nothing else have the same outcome."""
    nameless = {
        part: [{**of, "name": ""} for of in value] if isinstance(value, list) else value
        for part, value in scenario.items()
    }
    return marshal.dumps((nameless, sources, start), 0)


def key_of_transfer(transfer: Document) -> bytes:
    """The key for all inputs of a transfer."""
    return marshal.dumps(transfer, 0)
