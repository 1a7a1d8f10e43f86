"""Repeats of unfinished points. A board's points take turns, so all stay unfinished until the end:
each repeat is saved immediately, and removed when its point is saved."""

from __future__ import annotations

import json
import zlib

from axiometer.base.record import Record
from axiometer.records.store import row_checks, schema
from axiometer.records.store.database import Database


def keep(db: Database, run: str, number: int, record: Record) -> None:
    """In a transaction: save a repeat of the point `number`; a saved one stays."""
    packed = zlib.compress(json.dumps([record], allow_nan=False).encode(), 6)
    db.execute(schema.create("repeats"))
    db.execute(
        "INSERT OR IGNORE INTO repeats VALUES (?, ?, ?, ?)",
        (run, number, record["repeat"], packed),
    )


def kept(db: Database, run: str) -> dict[int, dict[int, Record]]:
    """The repeats of a run by point and number. DamagedError for a bad one."""
    found: dict[int, dict[int, Record]] = {}
    if not db.has("repeats"):
        return found
    for row in db.execute("SELECT * FROM repeats WHERE run = ? ORDER BY repeat", (run,)).fetchall():
        (record,) = row_checks.records(row["record"])
        found.setdefault(row["number"], {})[row["repeat"]] = record
    return found


def forget(db: Database, run: str, number: int | None = None) -> None:
    """In a transaction: remove those of a finished point, or of a whole run."""
    if not db.has("repeats"):
        return
    of = "run = ?" if number is None else "run = ? AND number = ?"
    db.execute(f"DELETE FROM repeats WHERE {of}", (run, *([] if number is None else [number])))
