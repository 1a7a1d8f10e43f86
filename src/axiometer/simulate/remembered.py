"""What the model gave, kept while one question is answered: an answer asks for some runs twice, as
a relaxation, as a choice, and as what is advised. Not for measurements of speed."""

from __future__ import annotations

import marshal
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from axiometer.simulate.outcome import Outcome
from axiometer.simulate.table import Document

Outcomes = dict[bytes, Outcome]
_now: ContextVar[Outcomes | None] = ContextVar("remembered", default=None)


def outcomes() -> Outcomes | None:
    """What is kept at present by this thread; None where nothing is."""
    return _now.get()


@contextmanager
def remembering(those: Outcomes) -> Iterator[None]:
    """Keeps outcomes in `those` within, and takes them from there."""
    token = _now.set(those)
    try:
        yield
    finally:
        _now.reset(token)


def key(*documents: Document | list[Document]) -> bytes:
    """Of all that a run depends on."""
    return marshal.dumps(documents, 0)
