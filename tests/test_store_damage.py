"""Stores that are damaged, crafted, copied without their -wal, or not writable."""

import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import kit
from axiometer.__main__ import main
from axiometer.answer.analysis import collect
from axiometer.base.errors import AxiometerError
from axiometer.experiment import Experiment
from axiometer.present import flat, tables
from axiometer.present.run_document import document
from axiometer.present.text import Style
from axiometer.records.store import Store, pack, row_checks, unpack
from axiometer.runs.runner import run

FLIPS = 12  # of each column


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A store with one finished run of the fake backend, closed."""
    directory = tmp_path_factory.mktemp("made")
    experiment = kit.write(directory)
    with Store(directory / "runs.db", create=True) as store:
        run(Experiment.load(str(experiment), ["repeats=2"]), store, kit.FAKE)
    return directory / "runs.db"


@pytest.fixture
def path(made, tmp_path):
    return Path(shutil.copy(made, tmp_path / "runs.db"))


def look(path):
    """Everything that is done with a store that somebody gave."""
    with Store(path) as store:
        store.runs()
        data = store.load("latest")
    view = collect.view(data)
    tables.results(view, Style())
    flat.to_csv(flat.points(view))
    flat.to_csv(flat.repeats(view))
    json.dumps(document(data), allow_nan=False)


def replace(path, table, column, value):
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA foreign_keys = OFF")
        db.execute(f"UPDATE OR IGNORE {table} SET {column} = ? WHERE rowid = 1", (value,))
    db.close()


@pytest.mark.parametrize("table", ["runs", "points"])
def test_a_flipped_bit_is_reported_or_harmless(table, path):
    """In any column."""
    with sqlite3.connect(path) as db:
        columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
    for column in columns:
        flip(path, table, column)


def flip(path, table, column):
    with sqlite3.connect(path) as db:
        (old,) = db.execute(f"SELECT {column} FROM {table} WHERE rowid = 1").fetchone()
    draw = random.Random(f"{table}.{column}")
    refused = 0
    content = old if isinstance(old, bytes) else str(old).encode()
    for _ in range(FLIPS):
        at = draw.randrange(len(content))
        damaged = bytearray(content)
        damaged[at] ^= 1 << draw.randrange(8)
        for value in (bytes(damaged), bytes(damaged).decode("latin-1")):
            replace(path, table, column, value)
            try:
                look(path)
            except AxiometerError as error:
                refused += 1
                assert "\x1b" not in str(error)
    if column in ("id", "provenance", "overlay", "records", "point_key", "point_values"):
        assert refused  # bytes are no text, and a changed JSON is rarely one
    replace(path, table, column, old)
    look(path)


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("runs", "provenance", "{}"),
        ("runs", "provenance", "[" * 100_000),
        ("runs", "provenance", '{"started_at": "\x1b[31m"}'),
        ("runs", "overlay", '{"a": 1}'),
        ("runs", "overlay", "[1]"),
        ("runs", "id", "../../evil-0001"),
        ("runs", "backend", "\x1b]0;owned\x07"),
        ("runs", "number", 7),
        ("runs", "points_total", -1),
        ("runs", "points_total", 5),
        ("runs", "wall_s", "soon"),
        ("runs", "experiment_text", kit.EXPERIMENT.replace("A small", "\\u001b[31mA")),
        ("runs", "experiment_text", kit.EXPERIMENT.replace('"duplex", "ps_to_pl"', '"read"')),
        ("points", "number", 77),
        ("points", "point_key", "[]"),
        ("points", "point_values", '{"ports": "HP0"}'),
        ("points", "point_values", "\x1b"),
        ("points", "point_values", '{"ports": ["\\u001b[31mP0"]}'),
        ("points", "records", pack([])),
        ("points", "records", pack([{"repeat": 0}])),
        ("points", "records", pack([3])),
        ("points", "records", b""),
        ("points", "records", "text"),
    ],
)
def test_content_that_axiometer_does_not_write_is_reported(table, column, value, path, capsys):
    replace(path, table, column, value)
    with pytest.raises(AxiometerError, match="damaged|no run is called"):
        look(path)
    for words in (["list", "runs"], ["show"], ["explain"], ["export"], ["compare"]):
        assert main([*words, "--store", str(path)]) in (0, 1, 2)
    printed = capsys.readouterr()
    assert "\x1b" not in printed.out + printed.err


def test_invalid_figures_are_reported(path):
    with sqlite3.connect(path) as db:
        (packed,) = db.execute("SELECT records FROM points WHERE rowid = 1").fetchone()
    good = unpack(packed)
    for change in (
        {"total_MBps": "many"}, {"elapsed_s": 0}, {"elapsed_s": True}, {"by_port": {}},
        {"by_port": {"P0": {}}}, {"latency_cycles": {"mean": 1}}, {"bytes": 10**30},
        {"latency_cycles": {**good[0]["latency_cycles"], "hist": {"-1": 3}}},
        {"streams": [{}]}, {"dram": {"classes_s": {"refresh": None}, "counts": {}}},
    ):  # fmt: skip
        replace(path, "points", "records", pack([good[0] | change, *good[1:]]))
        with pytest.raises(AxiometerError, match="the store is damaged"):
            look(path)


def test_a_bomb_of_records_is_refused(path, monkeypatch):
    monkeypatch.setattr(row_checks, "MAX_UNPACKED", 2**16)
    import zlib

    replace(path, "points", "records", zlib.compress(b"[" + b" " * 2**22 + b"]"))
    with pytest.raises(AxiometerError, match="the store is damaged"):
        look(path)


def test_a_crafted_run_id_writes_nothing_outside(path, tmp_path, monkeypatch, cli):
    inside = tmp_path / "inside"
    inside.mkdir()
    monkeypatch.chdir(inside)
    for run_id in ("../evil-0001", f"{tmp_path}/evil-0001", "evil", "a\0b-0001", "..", ""):
        with sqlite3.connect(path) as db:
            db.execute("PRAGMA foreign_keys = OFF")
            db.execute("UPDATE runs SET id = ?, experiment = 'small'", (run_id,))
            db.execute("UPDATE points SET run = ?", (run_id,))
        db.close()
        assert "damaged" in cli.refused("report --store", path)
    assert list(inside.iterdir()) == []
    assert sorted(p.name for p in tmp_path.iterdir()) == ["inside", "runs.db"]


def test_a_run_that_came_to_nothing_is_not_the_latest(experiment, tmp_path, monkeypatch, capsys):
    path = tmp_path / "runs.db"
    arguments = kit.run_arguments(experiment, path)
    assert main(arguments) == 0
    monkeypatch.setenv("AXIOMETER_FAKE_RAISE", "3/0")  # the most expensive point comes first
    assert main([*arguments, "--set", "ports=P0", "--set", "mode=duplex"]) == 0
    monkeypatch.setenv("AXIOMETER_FAKE_RAISE", "0/0")
    assert main([*arguments, "--set", "ports=P0", "--set", "mode=duplex"]) == 1
    with Store(path) as store:
        assert [info.id for info in store.runs()] == ["small-0001", "small-0002"]
    env = kit.environment(AXIOMETER_FAKE_DIE="0/0")
    words = [
        sys.executable,
        "-m",
        "axiometer",
        *arguments,
        "--set",
        "ports=P0",
        "--set",
        "mode=read",
    ]
    assert subprocess.run(words, env=env, capture_output=True).returncode == -9
    capsys.readouterr()
    with Store(path) as store:
        assert store.runs()[-1].points_done == 0
        assert store.load("latest").id == store.load("small").id == "small-0002"
    assert "killed" in capsys.readouterr().err


def killed(experiment, path):
    """Leaves a store as a kill leaves it: five of six points are kept."""
    env = kit.environment(AXIOMETER_FAKE_DIE="3/0")
    words = [sys.executable, "-m", "axiometer", *kit.run_arguments(experiment, path)]
    assert subprocess.run(words, env=env, capture_output=True).returncode == -9
    assert path.with_name("runs.db-wal").exists()


def points_of(path):
    with Store(path) as store:
        return store.runs()[0].points_done


def test_a_copy_without_its_wal_says_so(experiment, tmp_path, capsys, cli):
    path = tmp_path / "runs.db"
    killed(experiment, path)
    alone, both = tmp_path / "alone.db", tmp_path / "both.db"
    shutil.copy(path, alone)
    shutil.copy(path, both)
    shutil.copy(tmp_path / "runs.db-wal", tmp_path / "both.db-wal")
    assert points_of(alone) < 5
    assert "alone.db-wal is not beside it" in capsys.readouterr().err
    for whole in (both, path):
        assert points_of(whole) == 5
        assert "was killed" in capsys.readouterr().err
        assert not whole.with_name(f"{whole.name}-wal").exists()
        # From now on the file alone is the whole store, and nothing is left to be said.
        shutil.copy(whole, tmp_path / "again.db")
        assert points_of(tmp_path / "again.db") == 5
        assert capsys.readouterr().err == ""
    cli(*kit.run_arguments(experiment, alone, "--resume"))
    assert points_of(alone) == 6
    assert capsys.readouterr().err == ""


def test_while_a_run_is_at_work_nothing_is_said(experiment, tmp_path, capsys):
    with Store(tmp_path / "runs.db", create=True) as store:
        run(Experiment.load(str(experiment), ["repeats=1"]), store, kit.FAKE)
        assert points_of(tmp_path / "runs.db") == 6
    assert points_of(tmp_path / "runs.db") == 6
    assert capsys.readouterr().err == ""


@pytest.fixture
def out_of_reach():
    """A directory in which this process may not write, even if it is root's."""
    directory = Path(tempfile.mkdtemp(prefix="axiometer-test-"))
    yield directory
    os.seteuid(os.getuid())
    directory.chmod(0o755)
    shutil.rmtree(directory)


@pytest.mark.parametrize("with_wal", [False, True])
def test_a_store_in_a_directory_that_is_read_only_is_shown(
    with_wal, experiment, tmp_path, out_of_reach, cli
):
    path = tmp_path / "runs.db"
    killed(experiment, path)
    if not with_wal:
        points_of(path)
    for file in tmp_path.glob("runs.db*"):
        shutil.copy(file, out_of_reach)
        (out_of_reach / file.name).chmod(0o444)
    out_of_reach.chmod(0o555)
    if os.getuid() == 0:
        os.seteuid(65534)
    there = out_of_reach / "runs.db"
    with pytest.raises(OSError):
        (out_of_reach / "x").touch()
    assert points_of(there) == 5
    assert "Incomplete: 5 of 6 points" in cli("show --store", there)
    arguments = kit.run_arguments("zybo-hp-bandwidth", there)
    assert "cannot be opened" in cli.refused(*arguments)
