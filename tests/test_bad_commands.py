"""Hundreds of impossible command lines: each gives one message with a remedy, within two seconds of
processor time; none hangs, leaves or changes a file."""

import hashlib
import resource
import shlex
import signal
from contextlib import contextmanager
from pathlib import Path

import pytest

import kit
from axiometer.__main__ import main
from axiometer.base import wrap
from bad_commands import files

LINES = [
    line
    for line in (Path(__file__).parent / "bad_commands/lines.txt").read_text().splitlines()
    if line and not line.startswith("#")
]
LONGEST_S = 30
MOST_S = 2  # of processor time, whatever else the machine does
MOST_LINES = 14


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bad")
    store = folder / "store.db"
    files.make(folder, store)
    return folder, store


@contextmanager
def within(seconds):
    """A test that hangs ends here; no test depends on how fast it is otherwise."""

    def over(*_):
        raise AssertionError(f"it went on for {seconds} s")

    before = signal.signal(signal.SIGALRM, over)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def held(folder):
    """What is in the folder, but for the index files that readers of a store make beside it."""
    return {
        str(path): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "other"
        for path in sorted(folder.rglob("*"))
        if not path.name.endswith(("-wal", "-shm"))
    }


def answered(line, capfd):
    """Status, stdout and stderr of one command line, and the processor time that it took."""
    capfd.readouterr()
    begun = processor_s()
    with within(LONGEST_S):
        try:
            status = main(shlex.split(line))
        except SystemExit as end:  # argparse
            status = end.code
    return status, *capfd.readouterr(), processor_s() - begun


def processor_s():
    """Of this process and of those that it waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def test_there_are_enough():
    assert len({line.split(" => ")[0] for line in LINES}) == len(LINES) >= 400


@pytest.mark.parametrize("line", LINES)
def test_refused_and_nothing_left(line, place, monkeypatch, capfd):
    folder, store = place
    line, *said = line.split(" => ")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("AXIOMETER_STORE", str(store))
    monkeypatch.setenv("COLUMNS", "80")
    before = held(folder)
    status, out, err, took = answered(line, capfd)
    if took > MOST_S:  # the first also loads modules and fills memories
        *_, took = answered(line, capfd)
    assert took < MOST_S
    assert status in (1, 2, 3, 4), (status, out[:500])
    assert out == ""
    assert "Traceback" not in err
    printed = err.splitlines()
    assert printed[0].startswith(("axiometer", "usage: axiometer")), err
    assert len(printed) >= 2, err
    assert len(wrap.lines(printed, 80)) <= MOST_LINES, err
    assert not [words for words in said if words.lower() not in kit.flat(err).lower()], err
    assert held(folder) == before
