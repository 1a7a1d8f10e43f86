"""Names and notes that people give to runs. Their table is made with the first of them: a store
without it, also of an earlier version, has none."""

from __future__ import annotations

import re
from dataclasses import dataclass

from axiometer.base import data, harmless
from axiometer.base.errors import AxiometerError
from axiometer.records.store import schema
from axiometer.records.store.database import Database

_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,59}", re.ASCII)
_LIKE_AN_ID = re.compile(r".*-\d{4,9}", re.ASCII)  # a future run may get such an id
LATEST = "latest"
MOST_NOTE = 500
"""Characters of a note."""


@dataclass(frozen=True)
class Label:
    """A run's name, "" if none, and its note."""

    name: str = ""
    note: str = ""


def of_runs(db: Database) -> dict[str, Label]:
    """The labels of all runs that have one. Invalid labels are left out: a damaged name hides no
    run."""
    if not db.has("labels"):
        return {}
    return {
        row["run"]: Label(_checked_name(row["name"]), _checked_note(row["note"]))
        for row in db.execute("SELECT run, name, note FROM labels").fetchall()
    }


def run_named(db: Database, name: str) -> str | None:
    """The id of the run with that name."""
    row = (
        db.has("labels") and db.execute("SELECT run FROM labels WHERE name = ?", (name,)).fetchone()
    )
    return row["run"] if row else None


def names(db: Database) -> list[str]:
    return [label.name for label in of_runs(db).values() if label.name]


def give_name(db: Database, run: str, name: str) -> None:
    """In a transaction: name `run`; "" removes its name. AxiometerError if the name is not valid or
    has another meaning."""
    if name and not _NAME.fullmatch(name):
        raise AxiometerError(
            f"{harmless.quoted(name)} is not a valid name of a run",
            remedy="use at most 60 letters, digits, '.', '_' and '-', first a letter or a digit",
        )
    taken = run_named(db, name) if name else None
    if taken not in (None, run):
        raise AxiometerError(
            f"run {taken} has the name {name!r}",
            remedy=f'remove it with: axiometer runs name {taken} ""',
        )
    known = db.execute("SELECT 1 FROM runs WHERE id = ? OR experiment = ?", (name, name)).fetchone()
    if name == LATEST or known or name in data.names("experiments") or _LIKE_AN_ID.fullmatch(name):
        raise AxiometerError(
            f"{name!r} may mean other runs",
            remedy="use a name that is not an experiment's and does not look like a run's id",
        )
    _change(db, run, "name", name or None)


def give_note(db: Database, run: str, note: str) -> None:
    """In a transaction: set the note of `run`; "" removes it."""
    bad = harmless.found_in(note)
    if bad is not None or "\n" in note or len(note) > MOST_NOTE:
        what = f"has {bad}" if bad else "has several lines" if "\n" in note else "is too long"
        raise AxiometerError(
            f"the note {what}", remedy=f"give one line of at most {MOST_NOTE} characters"
        )
    _change(db, run, "note", note)


def forget(db: Database, run: str) -> None:
    """In a transaction: free the name of a removed run."""
    if db.has("labels"):
        db.execute("DELETE FROM labels WHERE run = ?", (run,))


def _change(db: Database, run: str, column: str, value: str | None) -> None:
    db.execute(schema.create("labels"))
    db.execute("INSERT OR IGNORE INTO labels (run) VALUES (?)", (run,))
    db.execute(f"UPDATE labels SET {column} = ? WHERE run = ?", (value, run))


def _checked_name(name: object) -> str:
    return name if isinstance(name, str) and _NAME.fullmatch(name) else ""


def _checked_note(note: object) -> str:
    fits = isinstance(note, str) and len(note) <= MOST_NOTE and "\n" not in note
    return harmless.text(str(note)) if fits else ""
