"""The SQLite file of the store: opening, transactions, and explanations of errors."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from axiometer.base import harmless, input_bounds, standard_streams
from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.records.store import row_checks, schema, writer_mark
from axiometer.records.store.steps import EVERY, Steps

_MAGIC = b"SQLite format 3\0"
_LEAST_BYTES = 512  # the smallest page of SQLite
_STEPS_OF_A_SCHEMA = 3000
_BUSY_TIMEOUT_S = 60.0
_NOT_WRITABLE = ("readonly", "unable to open", "disk I/O")  # SQLite's words for such places


class Database:
    """An open store file. Every use of it is inside `explained` or `transaction`."""

    def __init__(self, path: Path, *, create: bool) -> None:
        """Open the file at `path`; with `create`, make it and its directory if needed. Without
        `create`, a file without write permission is only read.

        AxiometerError if it is not a store, is damaged, or cannot be opened.
        """
        self.path = path
        self._copy: tempfile.TemporaryDirectory[str] | None = None
        self._marked = False
        self._steps = Steps(self._bytes)
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
            standard_streams.tell(f"axiometer: {note}")
            # Closing finishes its -wal; if that is missing, the warning stays until a run ends
            # well.
            self._marked = wal_was_there and self._copy is None

    def _open(self, name: str, *, writable: bool = True) -> None:
        uri = name.startswith("file:")
        self._db = sqlite3.connect(name, timeout=_BUSY_TIMEOUT_S, isolation_level=None, uri=uri)
        self._db.row_factory = sqlite3.Row
        try:
            self._distrust()
            self._prepare(writable)
        except BaseException:
            self._db.close()
            raise

    def _open_to_read(self, wal: Path | None) -> None:
        """Open without write permission: SQLite needs a file beside one with a -wal, so such a
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

    def _distrust(self) -> None:
        """Treat the file as hostile: run nothing in it, and bound every read."""
        # SQLite reads a schema of any size before the first answer; a store needs some 200 steps.
        self._db.set_progress_handler(self._steps.stop, _STEPS_OF_A_SCHEMA)
        for limit, most in (
            (sqlite3.SQLITE_LIMIT_LENGTH, row_checks.MAX_UNPACKED),
            (sqlite3.SQLITE_LIMIT_SQL_LENGTH, schema.LONGEST_SQL),
        ):
            self._db.setlimit(limit, most)
        if sys.version_info >= (3, 12):
            self._db.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)
        self._db.execute("PRAGMA trusted_schema = OFF")
        self._db.execute("PRAGMA cell_size_check = ON")

    def _bytes(self) -> int:
        files = (self.path, writer_mark.wal_of(self.path))
        return sum(file.stat().st_size for file in files if file.is_file())

    def execute(self, statement: str, values: tuple[object, ...] = ()) -> sqlite3.Cursor:
        """Run one SQL statement."""
        self._steps.begin()
        return self._db.execute(statement, values)

    def has(self, table: str) -> bool:
        """Whether the store has `table`."""
        return schema.has(self._db, table)

    def close(self) -> None:
        """Move finished work into the file, and close it."""
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
                f"a store cannot be here: {odd}",
                file=self.path,
                remedy="name another file with --store",
            )
        # SQLite takes a file of a few bytes for an empty one, and then waits for it endlessly.
        if not self.path.is_file():
            return
        with self.path.open("rb") as file:
            start = file.read(_LEAST_BYTES)
        if start and (len(start) < _LEAST_BYTES or not start.startswith(_MAGIC)):
            raise sqlite3.DatabaseError("file is not a database")

    def _prepare(self, writable: bool) -> None:
        # In one transaction: another process may be creating the tables now.
        self._db.execute("BEGIN")
        try:
            there = self._entries()
            (application,) = self._db.execute("PRAGMA application_id").fetchone()
            (version,) = self._db.execute("PRAGMA user_version").fetchone()
        finally:
            self._db.execute("ROLLBACK")
        self._check_schema(there, application, version)
        self._db.set_progress_handler(self._steps.look, EVERY)
        if not writable:
            return
        self._journal()
        self._db.execute("PRAGMA foreign_keys = ON")
        if not there:
            self._lay_out()
        elif not self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone():
            raise sqlite3.OperationalError("the journal cannot be moved into the file")

    def _check_schema(self, there: list[schema.Entry], application: int, version: int) -> None:
        """AxiometerError unless the file is exactly a store of this version."""
        if not there and not application and not version:  # a new file
            return
        if application != schema.APPLICATION_ID:
            raise self._no_store("is a database of another program")
        if version > schema.FORMAT:
            raise self._no_store(
                f"was written by a newer Axiometer (format {version}; this version supports "
                f"{schema.FORMAT})",
                "update Axiometer",
            )
        if version != schema.FORMAT:
            raise self._no_store(f"is a store of format {version}, which no Axiometer writes")
        if odd := schema.oddity(there):
            raise self._changed(odd)

    def _entries(self) -> list[schema.Entry]:
        try:
            return schema.entries(self._db)
        except sqlite3.OperationalError:
            if not self._steps.over:
                raise
            raise self._changed("it has more tables than a store") from None

    def _changed(self, what: str) -> AxiometerError:
        return self._no_store(
            f"differs from a store of Axiometer: {what}",
            "another program changed it: restore a copy",
        )

    def _no_store(self, what: str, remedy: str = "") -> AxiometerError:
        ways = [remedy] if remedy else []
        ways.append("name another file with --store")
        return AxiometerError(what, file=self.path, remedy=", or ".join(ways))

    def _journal(self) -> None:
        # SQLite answers "locked" without its busy timeout when two processes switch a new file to
        # WAL at the same moment.
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
            for table in schema.MADE_AT_ONCE:
                self._db.execute(schema.create(table))
            self._db.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
            self._db.execute(f"PRAGMA user_version = {schema.FORMAT}")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All writes inside it, or none."""
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

    @contextmanager
    def explained(self) -> Iterator[None]:
        """`explained` for this file."""
        with explained(self.path):
            try:
                yield
            except sqlite3.OperationalError as error:
                if getattr(error, "sqlite_errorcode", 0) != sqlite3.SQLITE_INTERRUPT:
                    raise
                if not self._steps.over:  # Ctrl-C during a check
                    raise KeyboardInterrupt from None
                raise row_checks.DamagedError("reading it does not end") from error


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and the file system at `path` into errors with a remedy."""
    try:
        yield
    except row_checks.DamagedError as error:
        raise row_checks.damaged(path, str(error)) from error
    except UnicodeDecodeError as error:  # a name of a table, or a message about one
        raise row_checks.damaged(path, "a name in it is not text") from error
    except (sqlite3.Error, OSError, OverflowError) as error:
        raise _explain(error, path) from error


def _explain(error: Exception, path: Path) -> AxiometerError:
    text = harmless.text(str(error), 200)
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the other bits are details
    if (
        code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
        or getattr(error, "errno", 0) == errno.ENOSPC
    ):
        return AxiometerError(
            f"cannot be written: {text}",
            file=path,
            remedy="free some space, or name another file with --store",
            status=RUN_FAILED,
        )
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return AxiometerError(
            f"another process has kept the store locked for {_BUSY_TIMEOUT_S:.0f} s",
            file=path,
            remedy="wait for it to finish, or name another file with --store",
            status=RUN_FAILED,
        )
    is_damage = code == sqlite3.SQLITE_CORRUPT or "decode to UTF-8" in text
    if isinstance(error, sqlite3.OperationalError | OSError) and not is_damage:
        return AxiometerError(
            f"the store cannot be opened: {text}",
            file=path,
            remedy="check the path and its permissions, or name another file with --store",
        )
    return row_checks.damaged(path, text)
