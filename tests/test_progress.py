"""Long work shows its progress on a terminal, in one line that disappears, and nowhere else."""

import os
import pty
import select
import subprocess
import sys
import time

import pytest

from axiometer.answer.analysis import load_sweep
from axiometer.base import progress, standard_streams
from axiometer.platform import Platform

LOAD = load_sweep.Load(
    Platform.load("zybo"), {"ports": "HP0", "width_bits": 64, "duration": "20us"}, (1, 0)
)


def test_a_curve_tells_each_gap_and_each_simulation():
    notes = []
    with progress.heard(notes.append):
        assert len(list(load_sweep.sweep(LOAD, (0, 8, 64)))) == 3
    assert notes == [
        *("gaps: 0 of 3, 1 simulation", "gaps: 1 of 3, 1 simulation"),
        *("gaps: 1 of 3, 2 simulations", "gaps: 2 of 3, 2 simulations"),
        *("gaps: 2 of 3, 3 simulations", "gaps: 3 of 3, 3 simulations"),
    ]


def test_nested_loops_are_reported_from_the_outermost():
    notes = []
    with progress.heard(notes.append):
        for _ in progress.each("ab", "runs"):
            for _ in progress.each(iter("xy"), "points", 2):
                pass
    assert notes[0] == "runs: 0 of 2, points: 1 of 2"
    assert notes[2] == "runs: 1 of 2"


def test_nothing_is_reported_without_a_listener_and_a_broken_loop_is_over():
    notes = []
    for _ in progress.each("ab", "runs"):
        break
    with progress.heard(notes.append), progress.heard(None):
        progress.simulated()
    assert not notes and progress.words() == ""


SLOW = """
import sys, time
from axiometer.base import progress, standard_streams
with progress.heard(standard_streams.transient):
    for _ in progress.each(range(4), "things"):
        time.sleep(0.6)
standard_streams.tell("done")
"""


def read_all(terminal: int) -> str:
    found, until = b"", time.monotonic() + 60
    while time.monotonic() < until and select.select([terminal], [], [], 30)[0]:
        try:
            more = os.read(terminal, 4096)
        except OSError:  # the other side is closed
            break
        if not more:
            break
        found += more
    return found.decode()


def test_a_terminal_shows_one_line_that_goes_away():
    ours, theirs = pty.openpty()
    child = subprocess.Popen([sys.executable, "-c", SLOW], stderr=theirs, stdout=theirs)
    os.close(theirs)
    shown = read_all(ours)
    os.close(ours)
    assert child.wait(60) == 0
    assert "\rthings: " in shown and shown.count("\n") == 1
    assert shown.endswith("\rdone\r\n")


def test_a_pipe_gets_nothing_of_it():
    done = subprocess.run([sys.executable, "-c", SLOW], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("", "done\n")


@pytest.mark.parametrize("error", [OSError, ValueError])
def test_a_broken_stderr_stops_nothing(monkeypatch, error):
    class Gone:
        def isatty(self):
            raise error("gone")

    monkeypatch.setattr(standard_streams.sys, "stderr", Gone())
    monkeypatch.setattr(standard_streams, "_next_show", 1e-9)
    standard_streams.transient("x")
    standard_streams.clear()
