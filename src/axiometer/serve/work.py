"""Bounded work: a few answers at a time, none for a browser that is gone, none computed twice."""

from __future__ import annotations

import json
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress

from axiometer.base import progress
from axiometer.base.errors import RUN_FAILED, AxiometerError

Document = Mapping[str, object]
Gone = Callable[[], bool]
"""Whether the browser no longer waits."""

MOST_S = 120.0
"""An answer that takes longer is given up: the command has no such limit."""
WAIT_S = 0.05


class BusyError(Exception):
    """Too many answers are being computed."""


class Desk:
    """At most `at_once` answers at a time and `waiting` that wait; the latest `kept` ones are
    remembered."""

    def __init__(self, at_once: int, waiting: int, kept: int) -> None:
        self._free = threading.Semaphore(at_once)
        self._room = threading.BoundedSemaphore(at_once + waiting)
        self._kept: OrderedDict[str, Document] = OrderedDict()
        self._most = kept
        self._lock = threading.Lock()

    def answer(self, question: object, work: Callable[[], Document], gone: Gone) -> Document:
        """The answer to a question, which is JSON: remembered, or of `work`. StoppedError if the
        browser is gone before; BusyError if too many wait; AxiometerError as of `work`, or after
        `MOST_S`."""
        key = json.dumps(question, sort_keys=True)
        with self._lock:
            known = self._kept.get(key)
            if known is not None:
                self._kept.move_to_end(key)
                return known
        if not self._room.acquire(blocking=False):
            raise BusyError
        try:
            self._wait(gone)
            try:
                found = _within_time(work, gone)
            finally:
                self._free.release()
        finally:
            self._room.release()
        with self._lock:
            self._kept[key] = found
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return found

    def _wait(self, gone: Gone) -> None:
        while not self._free.acquire(timeout=WAIT_S):
            if gone():
                raise progress.StoppedError


def _within_time(work: Callable[[], Document], gone: Gone) -> Document:
    end = time.monotonic() + MOST_S
    late = threading.Event()

    def unwanted() -> bool:
        if time.monotonic() > end:
            late.set()
        return late.is_set() or gone()

    with suppress(progress.StoppedError), progress.stopping(unwanted):
        return work()
    if late.is_set():
        raise AxiometerError(
            f"this takes longer than {MOST_S:g} s",
            remedy="ask for less, or use the command, which has no such limit",
            status=RUN_FAILED,
        )
    raise progress.StoppedError
