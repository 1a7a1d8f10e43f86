"""The SQLite file under the store: its layout, opening it, transactions, and what errors mean."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from axiometer import harmless, input_bounds, streams
from axiometer.errors import RUN_FAILED, AxiometerError
from axiometer.store import row_checks, writer_mark

_APPLICATION_ID = 0x41584D31  # "AXM1": tells an Axiometer store from any other SQLite file
_FORMAT = 1
_MAGIC = b"SQLite format 3\0"
_LEAST_BYTES = 512  # the smallest page of SQLite
_BUSY_TIMEOUT_S = 60.0
_NOT_WRITABLE = ("readonly", "unable to open", "disk I/O")  # what SQLite says of such places
_LAYOUT = """
CREATE TABLE runs (
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
);
CREATE TABLE points (
  run TEXT NOT NULL REFERENCES runs(id),
  number INTEGER NOT NULL,        -- the point's index in the experiment
  point_key TEXT NOT NULL,        -- JSON
  point_values TEXT NOT NULL,     -- JSON
  records BLOB NOT NULL,          -- zlib-compressed JSON, one record a repeat
  PRIMARY KEY (run, number)
);
"""


class Database:
    """An open store file. Every use of it stands in `explained` or in `transaction`."""

    def __init__(self, path: Path, *, create: bool) -> None:
        """Open the file at `path`; with `create`, make it and its directory if need be. Without
        it, a file that may not be written is read.

        AxiometerError if it is something else, damaged, or cannot be opened.
        """
        self.path = path
        self._copy: tempfile.TemporaryDirectory[str] | None = None
        self._marked = False
        with self.explained():
            if create:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._check_header()
            wal = writer_mark.wal_of(path)
            wal_was_there = wal.is_file()
            try:
                self._open(str(path))
            except sqlite3.OperationalError as error:
                if create or not any(word in str(error) for word in _NOT_WRITABLE):
                    raise
                self._open_to_read(wal if wal_was_there else None)
            note = writer_mark.note(self._db, path, wal_was_there)
        if note:
            streams.tell(f"axiometer: {note}")
            # Closing carries it over; where it is missing, that is said until a run ends well.
            self._marked = wal_was_there and self._copy is None

    def _open(self, name: str, *, writable: bool = True) -> None:
        uri = name.startswith("file:")
        self._db = sqlite3.connect(name, timeout=_BUSY_TIMEOUT_S, isolation_level=None, uri=uri)
        self._db.row_factory = sqlite3.Row
        try:
            self._prepare(writable)
        except BaseException:
            self._db.close()
            raise

    def _open_to_read(self, wal: Path | None) -> None:
        """Where nothing can be written: SQLite wants a file beside one with a -wal, so such a
        store is read from a copy."""
        if wal is None:
            self._open(
                f"file:{quote(os.fsencode(self.path.resolve()))}?immutable=1", writable=False
            )
            return
        self._copy = tempfile.TemporaryDirectory(prefix="axiometer-")
        copy = Path(self._copy.name) / self.path.name
        shutil.copyfile(self.path, copy)
        shutil.copyfile(wal, writer_mark.wal_of(copy))
        self._open(str(copy))

    def execute(self, statement: str, values: tuple[Any, ...] = ()) -> sqlite3.Cursor:
        """Run one SQL statement."""
        return self._db.execute(statement, values)

    def close(self) -> None:
        """Carry over what is finished into the file, and let go of it."""
        try:
            if self._marked:
                with suppress(sqlite3.Error):
                    self._unmark()
        finally:
            self._db.close()
            if self._copy is not None:
                self._copy.cleanup()

    def _unmark(self) -> None:
        self._db.execute("BEGIN IMMEDIATE")
        writer_mark.unmark(self._db)
        self._db.execute("COMMIT")
        self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _check_header(self) -> None:
        odd = input_bounds.not_a_file(self.path)
        if odd is not None:
            raise AxiometerError(
                f"no store can be there: {odd}",
                file=self.path,
                remedy="name another file with --store",
            )
        # SQLite takes a file of a few bytes for an empty one, and then waits for it for ever.
        if not self.path.is_file():
            return
        with self.path.open("rb") as file:
            start = file.read(_LEAST_BYTES)
        if start and (len(start) < _LEAST_BYTES or not start.startswith(_MAGIC)):
            raise sqlite3.DatabaseError("file is not a database")

    def _prepare(self, writable: bool) -> None:
        # In one transaction: another process may be laying out the file at this moment.
        self._db.execute("BEGIN")
        try:
            (tables,) = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()
            (application,) = self._db.execute("PRAGMA application_id").fetchone()
            (version,) = self._db.execute("PRAGMA user_version").fetchone()
        finally:
            self._db.execute("ROLLBACK")
        if tables and application != _APPLICATION_ID:
            raise AxiometerError(
                "is a database of another program",
                file=self.path,
                remedy="name another file with --store",
            )
        if version > _FORMAT:
            raise AxiometerError(
                f"was written by a newer Axiometer (format {version}; this one knows {_FORMAT})",
                file=self.path,
                remedy="update Axiometer, or name another file with --store",
            )
        if not writable:
            return
        self._journal()
        self._db.execute("PRAGMA foreign_keys = ON")
        if not tables:
            self._lay_out()
        elif not self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone():
            raise sqlite3.OperationalError("the journal cannot be carried over")

    def _journal(self) -> None:
        # SQLite answers "locked" at once, without its busy timeout, when two processes switch
        # a new file to WAL at the same moment.
        deadline = time.monotonic() + _BUSY_TIMEOUT_S
        while True:
            try:
                self._db.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > deadline:
                    raise
                time.sleep(0.02)

    def _lay_out(self) -> None:
        with self._alone():
            (tables,) = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if tables:  # another process was first
                return
            for statement in _LAYOUT.split(";"):
                self._db.execute(statement)
            self._db.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
            self._db.execute(f"PRAGMA user_version = {_FORMAT}")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All that is written in it, or nothing."""
        with self.explained():
            with self._alone():
                new = writer_mark.mark(self._db)
                yield
            self._marked = True
            if new:
                self._db.execute("PRAGMA wal_checkpoint(PASSIVE)")

    @contextmanager
    def _alone(self) -> Iterator[None]:
        with self.explained():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def explained(self) -> AbstractContextManager[None]:
        """`explained` for this file."""
        return explained(self.path)


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turns what SQLite and the file system say of `path` into what to do about it."""
    try:
        yield
    except row_checks.DamagedError as error:
        raise row_checks.damaged(path, str(error)) from error
    except UnicodeDecodeError as error:  # a name of a table, or a message about one
        raise row_checks.damaged(path, "a name in it is no text") from error
    except (sqlite3.Error, OSError, OverflowError) as error:
        raise _explain(error, path) from error


def _explain(error: Exception, path: Path) -> AxiometerError:
    text = harmless.text(str(error), 200)
    if (
        "disk is full" in text
        or "disk I/O error" in text
        or getattr(error, "errno", 0) == errno.ENOSPC
    ):
        return AxiometerError(
            f"cannot be written: {text}",
            file=path,
            remedy="free some space; finished points are kept, --resume goes on from them",
            status=RUN_FAILED,
        )
    if "locked" in text:
        return AxiometerError(
            f"another process has kept the store locked for {_BUSY_TIMEOUT_S:.0f} s",
            file=path,
            remedy="wait for it to finish, or name another file with --store",
            status=RUN_FAILED,
        )
    is_damage = "malformed" in text or "decode to UTF-8" in text
    if isinstance(error, sqlite3.OperationalError | OSError) and not is_damage:
        return AxiometerError(
            f"the store cannot be opened: {text}",
            file=path,
            remedy="check the path and its permissions, or name another file with --store",
        )
    return row_checks.damaged(path, text)
