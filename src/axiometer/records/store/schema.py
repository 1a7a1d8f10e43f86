"""The exact layout of a store: a file with other tables or entries is not a store.

A view, a trigger or an index that a stranger puts into a store would run when it is read. So
nothing is read before the whole schema is known to be Axiometer's. Not for: the rows
(`row_checks.py`).
"""

from __future__ import annotations

import re
import sqlite3
from functools import cache

from axiometer.base import harmless

APPLICATION_ID = 0x41584D31  # "AXM1": distinguishes a store from other SQLite files
FORMAT = 1
MADE_AT_ONCE = ("runs", "points")
"""The tables of a new store; the others are made when first needed."""

LONGEST_SQL = 20_000
"""Characters of a statement, including those of the schema."""

_TABLES = {
    "runs": """
  id TEXT PRIMARY KEY,            -- EXPERIMENT-NUMBER
  experiment TEXT NOT NULL,
  number INTEGER NOT NULL,        -- counts the runs of the experiment
  spec TEXT NOT NULL,             -- equal for runs that would give the same records
  backend TEXT NOT NULL,
  overlay TEXT NOT NULL,          -- JSON list of the settings laid over the experiment
  experiment_file TEXT NOT NULL,
  experiment_text TEXT NOT NULL,
  platform_name TEXT NOT NULL,
  platform_file TEXT NOT NULL,
  platform_text TEXT NOT NULL,
  provenance TEXT NOT NULL,       -- JSON
  points_total INTEGER NOT NULL,
  wall_s REAL NOT NULL DEFAULT 0
""",
    "points": """
  run TEXT NOT NULL REFERENCES runs(id),
  number INTEGER NOT NULL,        -- the point's index in the experiment
  point_key TEXT NOT NULL,        -- JSON
  point_values TEXT NOT NULL,     -- JSON
  records BLOB NOT NULL,          -- zlib-compressed JSON, one record a repeat
  PRIMARY KEY (run, number)
""",
    # Repeats of a board's unfinished points, each saved immediately.
    "repeats": """
  run TEXT NOT NULL REFERENCES runs(id),
  number INTEGER NOT NULL,        -- the point's index in the experiment
  repeat INTEGER NOT NULL,
  record BLOB NOT NULL,           -- as one of `points`, in a list
  PRIMARY KEY (run, number, repeat)
""",
    # The highest number of each experiment's removed runs.
    "given": "experiment TEXT PRIMARY KEY, number INTEGER NOT NULL",
    "labels": "run TEXT PRIMARY KEY, name TEXT UNIQUE, note TEXT NOT NULL DEFAULT ''",
    "writer": "who TEXT NOT NULL",
}
_COMMENT = re.compile(r"--[^\n]*")
_MOST = 50  # entries that are read; a store has twelve

Entry = tuple[str, str, str, str | None]


def create(table: str) -> str:
    """The SQL statement that makes `table` if it is missing."""
    return f"CREATE TABLE IF NOT EXISTS {table} ({_TABLES[table]})"


def has(db: sqlite3.Connection, table: str) -> bool:
    """Whether a store has `table`."""
    wanted = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
    return db.execute(wanted, (table,)).fetchone() is not None


def entries(db: sqlite3.Connection) -> list[Entry]:
    """Kind, name, table and SQL of each entry of a file's schema."""
    found = db.execute(f"SELECT type, name, tbl_name, sql FROM sqlite_master LIMIT {_MOST}")
    return [(row[0], row[1], row[2], _plain(row[3])) for row in found]


def oddity(found: list[Entry]) -> str | None:
    """The difference of `found` from a store's entries, in words; None for a store's."""
    ours = _ours()
    for entry in found:
        kind, name = entry[:2]
        if entry not in ours:
            known = any(entry[:3] == its[:3] for its in ours)
            shown = f"the {harmless.text(str(kind), 40)} {harmless.quoted(name)}"
            return f"{shown} is {'other than' if known else 'nothing that'} Axiometer makes"
    if len(set(found)) < len(found):
        return "it has two tables of one name"
    there = set(found)
    for entry in ours:
        needed = entry[2] in MADE_AT_ONCE or any(its[1] == entry[2] for its in found)
        if needed and entry not in there:
            return f"it lacks the {entry[0]} '{entry[1]}'"
    return None


@cache
def _ours() -> list[Entry]:
    db = sqlite3.connect(":memory:")
    try:
        for table in _TABLES:
            db.execute(create(table))
        return entries(db)
    finally:
        db.close()


def _plain(sql: object) -> str | None:
    """A statement without comments and spacing, which may differ between versions."""
    return None if sql is None else " ".join(_COMMENT.sub("", str(sql)).split())
