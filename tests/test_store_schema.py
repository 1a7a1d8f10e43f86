"""A store's schema is a contract: all readers of stores refuse other files immediately, and neither
execute nor change their content."""

import resource
import sqlite3

import pytest

import kit
from axiometer.__main__ import main
from axiometer.base.errors import AxiometerError
from axiometer.experiment import Experiment
from axiometer.records.store import Store, schema
from axiometer.runs.runner import run

MOST_S = 2  # of processor time, for a refusal
ENDLESS = "WITH RECURSIVE c(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM c)"
COLUMNS = ("id, experiment, number, spec, backend, overlay, experiment_file, experiment_text, "
           "platform_name, platform_file, platform_text, provenance, points_total, "
           "wall_s")  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The bytes of a store with one run, a name and a removed run that had a repeat: all its
    tables."""
    directory = tmp_path_factory.mktemp("made")
    small = Experiment.load(str(kit.write(directory)), ["repeats=1"])
    with Store(directory / "runs.db", create=True) as store:
        for _ in range(2):
            kept = run(small, store, kit.FAKE)
        store.keep_repeat("small-0002", small.points()[0], kept.points[0].records[0])
        store.remove(["small-0002"])
        store.name("latest", "mine")
    return (directory / "runs.db").read_bytes()


@pytest.fixture
def path(made, tmp_path, monkeypatch):
    kit.write(tmp_path)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs.db").write_bytes(made)
    return tmp_path / "runs.db"


def processor_s():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def refused(path, words, capsys):
    """The messages of `words` on the store at `path`, which they do not change."""
    before, since = path.read_bytes(), processor_s()
    capsys.readouterr()
    assert main([*words, "--store", str(path)]) == 2
    assert processor_s() - since < MOST_S
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "Traceback" not in printed.err
    assert len(printed.err.splitlines()) == 2, printed.err
    assert path.read_bytes() == before
    assert sorted(file.name for file in path.parent.iterdir()) == [
        "runs.db",
        "small.toml",
        "tiny.toml",
    ]
    return printed.err


def changed(path, *statements):
    db = sqlite3.connect(path)
    try:
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute("BEGIN")
        for statement in statements:
            db.execute(statement)
        db.commit()
    finally:
        db.close()


def rewritten(path, table, old, new):
    """Another SQL text of a table, as only a stranger's program writes it."""
    changed(path, "PRAGMA writable_schema = ON",
            f"UPDATE sqlite_master SET sql = replace(sql, '{old}', '{new}') "
            f"WHERE name = '{table}'")  # fmt: skip


def endless_view(name, columns):
    """A view without an end in the place of a table."""
    first, *others = columns.split(", ")
    chosen = ", ".join([f"x AS {first}", *(f"'{column}' AS {column}" for column in others)])
    return [f"ALTER TABLE {name} RENAME TO was",
            f"CREATE VIEW {name} AS {ENDLESS} SELECT {chosen} FROM c"]  # fmt: skip


FOREIGN = {
    "endless runs": endless_view("runs", COLUMNS),
    "trigger": ["CREATE TRIGGER t BEFORE INSERT ON points BEGIN DELETE FROM points; END"],
    "one more table": ["CREATE TABLE birds (name TEXT)"],
    "virtual table": ["CREATE VIRTUAL TABLE found USING fts5(words)"],
    "index of an expression": ["CREATE INDEX i ON points (length(records) * 2)"],
    "generated column": ["ALTER TABLE points ADD COLUMN more AS (hex(zeroblob(100000000)))"],
    "one column fewer": ["ALTER TABLE runs DROP COLUMN backend"],
    "no points": ["DROP TABLE points"],
    "no table": [f"DROP TABLE {name}" for name in schema._TABLES],
    "statistics": ["ANALYZE"],
    "a default that is run": ["DROP TABLE writer",
                              "CREATE TABLE writer (who TEXT DEFAULT (hex(randomblob(9))))"],
    "capitals": ["DROP TABLE writer", "CREATE TABLE WRITER (who TEXT NOT NULL)"],
    "of another program": ["PRAGMA application_id = 252006674"],
    **{f"version {n}": [f"PRAGMA user_version = {n}"] for n in (-1, 0, 2, 2**31 - 1)},
}  # fmt: skip


@pytest.mark.parametrize("name", FOREIGN)
def test_files_that_axiometer_does_not_make_are_refused(name, path, capsys):
    changed(path, *FOREIGN[name])
    printed = refused(path, ["list", "runs"], capsys)
    assert "name another file with --store" in printed
    assert "damaged" not in printed


def test_a_schema_without_end_is_not_read(path, capsys):
    """SQLite parses all of it before the first answer: minutes, for a file of 40 MB."""
    many = ", ".join(f"c{n}" for n in range(400))
    fill = f"""{ENDLESS.replace("FROM c)", "FROM c WHERE x < 20000)")}
        INSERT INTO sqlite_master SELECT 'table', 't' || x, 't' || x, 2,
        'CREATE TABLE t' || x || '({many})' FROM c"""
    changed(path, "PRAGMA writable_schema = ON", fill)
    printed = refused(path, ["list", "runs"], capsys)
    assert "it has more tables than a store" in printed


def test_a_schema_of_endless_text_is_not_parsed(path, capsys):
    many = ", ".join(f"c{n} DEFAULT X" for n in range(1900))
    changed(path, f"CREATE TABLE t ({many})")
    refused(path, ["list", "runs"], capsys)


@pytest.mark.parametrize(
    ("table", "old", "new"),
    [
        ("points", "CREATE TABLE points", "CREATE TABLE pointz"),
        ("runs", "spec TEXT", "spec AS (id)"),
        ("runs", "CREATE TABLE runs", "CREATE VIRTUAL TABLE runs USING"),
        ("points", "REFERENCES runs(id)", "REFERENCES runs(id) ON DELETE CASCADE"),
        ("given", "CREATE", "SELECT"),
    ],
)
def test_a_rewritten_schema_is_refused(table, old, new, path, capsys):
    rewritten(path, table, old, new)
    printed = refused(path, ["list", "runs"], capsys)
    assert "damaged" in printed or "differs from a store of Axiometer" in printed


@pytest.mark.parametrize(
    "table", ["runs", "points", "labels", "writer", "sqlite_autoindex_points_1"]
)
@pytest.mark.parametrize("page", [0, 1, 2, 3, 5, 10**9])
def test_a_table_that_begins_elsewhere_is_reported_or_harmless(table, page, path, capsys):
    changed(path, "PRAGMA writable_schema = ON",
            f"UPDATE sqlite_master SET rootpage = {page} WHERE name = '{table}'")  # fmt: skip
    since = processor_s()
    for words in (["list", "runs"], ["show"], ["export"]):
        assert main([*words, "--store", str(path)]) in (0, 2)
    assert processor_s() - since < 3 * MOST_S
    assert "Traceback" not in capsys.readouterr().err


def test_a_statement_without_end_is_stopped(path):
    with (
        Store(path) as store,
        pytest.raises(AxiometerError, match="the store is damaged: reading it does not end"),
        store._db.explained(),
    ):
        store._db.execute(f"{ENDLESS} SELECT x FROM c WHERE x < 0").fetchone()


def test_nothing_of_a_store_is_trusted(path):
    with Store(path) as store:
        notes = [store._db.execute(f"PRAGMA {name}").fetchone()[0]
                for name in ("trusted_schema", "cell_size_check")]  # fmt: skip
    assert notes == [0, 1]


def test_the_contract_is_what_a_full_store_has(path, made):
    """Every table of the contract is in a store that has been used, and a new one is a store."""
    with sqlite3.connect(path) as db:
        assert schema.oddity(schema.entries(db)) is None
        there = {
            name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        }
    db.close()
    assert there == set(schema._TABLES)
    with Store(path.with_name("new.db"), create=True) as store:
        assert store.runs() == []


def test_a_store_of_the_first_version_is_opened(path):
    """It has two tables, and comments that may change since."""
    changed(path, *(f"DROP TABLE {name}" for name in ("given", "labels", "repeats", "writer")))
    rewritten(path, "points", "-- JSON", "-- as JSON, the keys sorted")
    with Store(path) as store:
        assert [info.points_done for info in store.runs()] == [6]
        store.name("latest", "mine")
        assert store.load("mine").complete
