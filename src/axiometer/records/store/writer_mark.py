"""Detects a store that was not closed, and warns.

Finished points are in runs.db-wal until they move into runs.db: when the last process closes the
store, and when the next one opens it. A copy of runs.db alone, made after a kill, would lack them
without notice. So a process that writes marks this in runs.db itself before it writes anything
beside it.
"""

from __future__ import annotations

import os
import socket
import sqlite3
from pathlib import Path

from axiometer.records.store import schema


def wal_of(path: Path) -> Path:
    return Path(f"{path}-wal")


def mark(db: sqlite3.Connection) -> bool:
    """In a transaction: mark that this process writes. Returns whether the mark is new."""
    if _who(db):
        return False
    db.execute(schema.create("writer"))
    db.execute("DELETE FROM writer")
    db.execute("INSERT INTO writer VALUES (?)", (f"{socket.gethostname()}:{os.getpid()}",))
    return True


def unmark(db: sqlite3.Connection) -> None:
    """Remove the mark; another process that writes marks it again."""
    if _who(db):
        db.execute("DELETE FROM writer")


def note(db: sqlite3.Connection, path: Path, wal_was_there: bool) -> str | None:
    """The warning for a store that was not closed; None if there is none."""
    who = _who(db)
    host, _, number = who.rpartition(":")
    if not who or (host == socket.gethostname() and _is_alive(number)):
        return None
    if wal_was_there:
        return (
            f"{path}: a run was killed or is active on {host or 'another machine'}; its finished "
            f"points are here, from {wal_of(path).name}"
        )
    return (
        f"{path}: was not closed by its last run, and {wal_of(path).name} is not beside it: "
        "finished points may be missing\n  if this is a copy, copy both files, or open the "
        "original once (axiometer list runs) and copy it then; --resume runs the missing points"
    )


def _who(db: sqlite3.Connection) -> str:
    row = None
    if schema.has(db, "writer"):
        row = db.execute("SELECT who FROM writer LIMIT 1").fetchone()
    return str(row[0]) if row else ""


def _is_alive(number: str) -> bool:
    try:
        os.kill(int(number), 0)
    except (ValueError, OverflowError, ProcessLookupError):
        return False
    except OSError:
        return True
    return True
