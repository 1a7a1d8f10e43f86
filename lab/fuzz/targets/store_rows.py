"""Stores that a stranger gave: any value in any column, and bytes of the file."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
import zlib
from pathlib import Path

TITLE = "stores: values of each column, the schema, bytes of the file, records"
WORDS = [
    b"../../x-0001", b"small-0001", b'"ports":', b'"mode":', b"null", b"-1", b"1e999", b"NaN",
    b'{"started_at": ""}', b'"total_MBps":', b'"hist":', b"[]", b"{}", b'[{"repeat": 0}]',
    b"\x1b[31m", b"\\u001b", b"[defaults]", b"zybo", b'"classes_s":', b'"by_port":',
]  # fmt: skip
MAX_BYTES = 30_000
_RUNS = ("id", "experiment", "number", "spec", "backend", "overlay", "experiment_file",
         "experiment_text", "platform_name", "platform_file", "platform_text", "provenance",
         "points_total", "wall_s")  # fmt: skip
_POINTS = ("run", "number", "point_key", "point_values")
_COLUMNS = [*(("runs", c) for c in _RUNS), *(("points", c) for c in _POINTS)]
RECORDS, SCHEMA, FILE = len(_COLUMNS), 254, 255
_OF_SCHEMA = ("sql", "type", "name", "tbl_name", "rootpage")
_ENDLESS = b"WITH RECURSIVE c(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM c) SELECT x"
_SCHEMAS = (
    b"CREATE VIEW points AS " + _ENDLESS + b" AS run, x AS number, x AS records FROM c",
    b"CREATE TRIGGER points BEFORE INSERT ON runs BEGIN DELETE FROM runs; END",
    b"CREATE VIRTUAL TABLE points USING fts5(run, number)",
    b"CREATE INDEX points ON runs (hex(zeroblob(wall_s)))",
    b"CREATE TABLE points (run AS (hex(zeroblob(99999999))), number, records)",
)
_EXPERIMENT = """name = "small"
title = "t"
platform = "zybo"
[defaults]
transfer_bytes = "4KiB"
repeats = 1
[sweep]
ports = ["HP0", "HP0+HP1"]
"""
_made: list[Path] = []


def _folder() -> Path:
    """With a store of one small run, once in the life of the process."""
    if not _made:
        from axiometer.experiment import Experiment
        from axiometer.records.store import Store
        from axiometer.runs.runner import run

        keep = tempfile.TemporaryDirectory()
        folder = Path(keep.name)
        _made.append(folder)
        _kept.append(keep)
        with Store(folder / "made.db", create=True) as store:
            run(Experiment(_EXPERIMENT, "small.toml"), store)
    return _made[0]


_kept: list = []


def seeds() -> list[bytes]:
    """The first byte is the column, that of the records, of the schema or of the file; the second
    its type; the rest the value (for the file: position, then bytes)."""
    import axiometer.present.html  # noqa: F401 (loaded now, so that its time is no input's)

    found = []
    with sqlite3.connect(_folder() / "made.db") as db:
        for number, (table, column) in enumerate(_COLUMNS):
            (value,) = db.execute(f"SELECT {column} FROM {table}").fetchone()
            found.append(bytes([number, 0]) + str(value).encode())
        (packed,) = db.execute("SELECT records FROM points").fetchone()
    found.append(bytes([RECORDS, 0]) + zlib.decompress(packed))
    found += [bytes([SCHEMA, 0]) + text for text in _SCHEMAS]
    found += [
        bytes([SCHEMA, how]) + text for how, text in enumerate((b"view", b"a", b"b", b"2"), 1)
    ]
    found.append(bytes([FILE, 0, 0, 100]) + b"\xff\x00")
    return found


def one(data: bytes) -> None:
    if len(data) < 2:
        return
    path = _folder() / "run.db"
    for name in ("run.db", "run.db-wal", "run.db-shm"):
        (_folder() / name).unlink(missing_ok=True)
    shutil.copy(_folder() / "made.db", path)
    _damage(path, data)
    _look(path)


def _damage(path: Path, data: bytes) -> None:
    kind, how, rest = data[0], data[1], data[2:]
    if kind == FILE:
        with path.open("r+b") as file:
            file.seek(int.from_bytes(rest[:2], "big") * 8)
            file.write(rest[2:])
        return
    if kind == SCHEMA:
        column = _OF_SCHEMA[how % len(_OF_SCHEMA)]
        with sqlite3.connect(path) as db:
            db.execute("PRAGMA writable_schema = ON")
            names = ("points", "runs", "sqlite_autoindex_points_1")
            name = names[how // len(_OF_SCHEMA) % len(names)]
            text = rest.decode("utf-8", "replace")
            db.execute(f"UPDATE sqlite_master SET {column} = ? WHERE name = ?", (text, name))
        db.close()
        return
    table, column = [*_COLUMNS, ("points", "records")][kind % (RECORDS + 1)]
    value: object = rest
    if column == "records" and how % 4:
        value = zlib.compress(rest, 1)
    elif how % 4 == 0:
        value = rest.decode("utf-8", "replace")
    elif how % 4 == 1:
        value = int.from_bytes(rest[:8], "big", signed=True)
    elif how % 4 == 2:
        value = None
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA foreign_keys = OFF")
        db.execute(f"UPDATE OR IGNORE {table} SET {column} = ?", (value,))
    db.close()


def _look(path: Path) -> None:
    from axiometer.answer.analysis import collect
    from axiometer.answer.verdicts.explained import explained
    from axiometer.present import explanation, flat, html, latex, tables
    from axiometer.present.run_document import document
    from axiometer.present.text import Style
    from axiometer.records.store import Store

    with Store(path) as store:
        store.runs()
        data = store.load("latest")
    view = collect.view(data)
    shown = "\n".join([*tables.title(view, Style()), *tables.results(view, Style())])
    if "\x1b" in shown:
        raise AssertionError("a control character is shown")
    document(data)
    explanation.document(view, explained(view, view.done, explanation.label))
    flat.to_csv(flat.repeats(view))
    latex.document(view)
    if len(shown) % 16 == 0:  # it takes most of the time, and little of it is about the store
        html.page([view])
    name = f"{view.run_id}.html"
    if Path(name).name != name:
        raise AssertionError(f"a report would be written to {name}")
