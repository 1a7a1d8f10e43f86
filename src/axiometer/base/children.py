"""Ends child programs with this one, and turns termination signals into exceptions.

Not for: programs that end when their input ends.
"""

from __future__ import annotations

import shutil
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

TOLD = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


def tied(command: Sequence[str], by: str = "KILL") -> list[str]:
    """`command` with setpriv (util-linux), so that the kernel sends it the signal `by` when the
    thread that started it ends, even by SIGKILL. `command` unchanged where setpriv is missing."""
    setpriv = shutil.which("setpriv")
    return [*([setpriv, "--pdeathsig", by, "--"] if setpriv else []), *command]


@contextmanager
def tidied() -> Iterator[None]:
    """Within the block SIGTERM and SIGHUP raise SystemExit with 128 + the signal's number, as
    SIGINT raises KeyboardInterrupt. Ignored signals stay ignored. No effect outside the main
    thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {each: signal.getsignal(each) for each in TOLD}
    for each in TOLD:
        if before[each] is not signal.SIG_IGN:
            signal.signal(each, _end)
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _end(number: int, frame: FrameType | None) -> NoReturn:
    for each in TOLD:  # a second signal would interrupt the cleanup
        signal.signal(each, signal.SIG_IGN)
    raise SystemExit(128 + number)
