"""Programs that this one starts end with it, and it tidies up when it is told to end.

Not for: programs that end by themselves when their input does.
"""

from __future__ import annotations

import shutil
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

TOLD = (signal.SIGTERM, signal.SIGHUP)


def tied(command: Sequence[str], by: str = "KILL") -> list[str]:
    """`command`, which the kernel ends by the signal `by` as soon as the thread that starts it has
    ended, even by SIGKILL. Where there is no setpriv (util-linux) it is `command` as it was."""
    setpriv = shutil.which("setpriv")
    return [*([setpriv, "--pdeathsig", by, "--"] if setpriv else []), *command]


@contextmanager
def tidied() -> Iterator[None]:
    """In the block SIGTERM and SIGHUP raise SystemExit with 128 and the signal's number, as SIGINT
    raises KeyboardInterrupt. A signal that was ignored stays so; only the main thread can do it."""
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
    for each in TOLD:  # a second one would interrupt the tidying
        signal.signal(each, signal.SIG_IGN)
    raise SystemExit(128 + number)
