"""Which runs are going on: whoever makes records of one holds a lock on a file beside the store.

The system lets go of a lock when its process ends, however it ends: a run that was killed is not
going on. Several processes may work at one run; each holds the lock, and the last takes the file
away.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
from pathlib import Path


class AtWork:
    """The locks that a store's user holds."""

    def __init__(self, store: Path) -> None:
        self._store = store
        self._held: dict[str, int] = {}

    def begin(self, run: str) -> None:
        """From now on `run` is going on. OSError where no lock can be had."""
        if run in self._held:
            return
        path = lock_of(self._store, run)
        while True:
            lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
            try:
                fcntl.flock(lock, fcntl.LOCK_SH)
                if _is_there(path, lock):  # not taken away meanwhile, by the last that held it
                    self._held[run] = lock
                    return
                os.close(lock)
            except BaseException:
                os.close(lock)
                raise

    def end(self, run: str) -> None:
        """`run` is not going on any more, as far as this process is concerned."""
        lock = self._held.pop(run, None)
        if lock is not None:
            try:
                if _is_free(lock):
                    lock_of(self._store, run).unlink(missing_ok=True)
            except OSError:
                pass  # a file that is left over says nothing
            finally:
                os.close(lock)

    def end_all(self) -> None:
        for run in list(self._held):
            self.end(run)


def lock_of(store: Path, run: str) -> Path:
    """The file whose lock says that `run` is going on."""
    short = hashlib.sha256(run.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return Path(f"{store}-{short}.lock")  # a run's own name may be too long for a file's


def is_going_on(store: Path, run: str) -> bool:
    """Whether somebody works at `run`, this process too. A file that is left over is taken away."""
    path = lock_of(store, run)
    try:
        lock = os.open(path, os.O_RDWR)
    except OSError:
        return False
    try:
        if not _is_free(lock):
            return True
        path.unlink(missing_ok=True)
        return False
    finally:
        os.close(lock)


def _is_free(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_there(path: Path, lock: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(lock))
    except FileNotFoundError:
        return False
