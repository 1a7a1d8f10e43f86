"""Marks active runs: a process that makes records of a run holds a lock on a file beside the store.

The system releases a lock when its process ends in any way, so a killed run is not active. Several
processes may work at one run; each holds the lock, and the last removes the file.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
from pathlib import Path

LOCKS = importlib.util.find_spec("fcntl") is not None
"""Whether the system has such locks. Windows has none: there no run is marked."""


class AtWork:
    """The locks of one user of the store."""

    def __init__(self, store: Path) -> None:
        self._store = store
        self._held: dict[str, int] = {}

    def begin(self, run: str) -> None:
        """Mark `run` as active. OSError if no lock is available."""
        if run in self._held or not LOCKS:
            return
        import fcntl

        path = lock_of(self._store, run)
        while True:
            lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
            try:
                fcntl.flock(lock, fcntl.LOCK_SH)
                if _is_there(path, lock):  # its last holder did not remove it meanwhile
                    self._held[run] = lock
                    return
                os.close(lock)
            except BaseException:
                os.close(lock)
                raise

    def end(self, run: str) -> None:
        """End this process's mark of `run`."""
        lock = self._held.pop(run, None)
        if lock is not None:
            try:
                if _is_free(lock):
                    lock_of(self._store, run).unlink(missing_ok=True)
            except OSError:
                pass  # a remaining file has no meaning
            finally:
                os.close(lock)

    def end_all(self) -> None:
        for run in list(self._held):
            self.end(run)


def lock_of(store: Path, run: str) -> Path:
    """The file whose lock marks `run` as active."""
    short = hashlib.sha256(run.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return Path(f"{store}-{short}.lock")  # a run's name may be too long for a file


def is_going_on(store: Path, run: str) -> bool:
    """Whether a process, including this one, works at `run`. Removes an unused lock file."""
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
    import fcntl

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
