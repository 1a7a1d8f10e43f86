"""Reports steps of long work to a listener, and ends work that nobody waits for any longer; the
library itself shows nothing.

The command line listens (`standard_streams.transient`); without a listener a step costs a
comparison.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")


class _Loop:
    def __init__(self, what: str, of: int) -> None:
        self.what, self.of, self.done = what, of, 0


class _State:
    """The running loops of this process. Simulations end in several threads."""

    def __init__(self) -> None:
        self.listener: Callable[[str], None] | None = None
        self.loops: list[_Loop] = []
        self.simulated = 0
        self.lock = threading.Lock()


_state = _State()


@contextmanager
def heard(listener: Callable[[str], None] | None) -> Iterator[None]:
    """Call `listener` with words such as "gaps: 3 of 18, 4 simulations" at each step within the
    block, from any thread, one call at a time. None: no listener, where others show progress."""
    before = _state.listener
    _state.listener, _state.simulated = listener, 0
    try:
        yield
    finally:
        _state.listener = before


def each(items: Iterable[T], what: str, of: int | None = None) -> Iterator[T]:
    """Yields the items, each as a step; `of`: their number, for items without a length."""
    if of is None:
        assert isinstance(items, Sized)
        of = len(items)
    loop = _Loop(what, of)
    _state.loops.append(loop)
    try:
        for item in items:
            yield item
            loop.done += 1
            _tell()
    finally:
        _state.loops.remove(loop)


class StoppedError(Exception):
    """The work was ended, since nobody waits for its result."""


_unwanted: ContextVar[Callable[[], bool] | None] = ContextVar("unwanted", default=None)


@contextmanager
def stopping(unwanted: Callable[[], bool]) -> Iterator[None]:
    """End work within the block with StoppedError after the simulated repeat at which `unwanted()`
    is true. It is called from any thread of the work."""
    token = _unwanted.set(unwanted)
    try:
        yield
    finally:
        _unwanted.reset(token)


def simulated() -> None:
    """Counts a simulated repeat. StoppedError if `stopping` says so."""
    unwanted = _unwanted.get()
    if unwanted is not None and unwanted():
        raise StoppedError
    if _state.listener is not None:
        with _state.lock:
            _state.simulated += 1
        _tell()


def words() -> str:
    """The progress so far in words, from the outermost loop on."""
    parts = [f"{loop.what}: {loop.done} of {loop.of}" for loop in list(_state.loops)]
    if _state.simulated:
        parts.append(f"{_state.simulated} simulation{'s' * (_state.simulated != 1)}")
    return ", ".join(parts)


def _tell() -> None:
    if _state.listener is not None and _state.lock.acquire(blocking=False):
        try:
            _state.listener(words())
        finally:
            _state.lock.release()
