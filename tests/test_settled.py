"""Duration of a free run: as given, or until its rate has settled; the note in each case."""

import pytest

import axiometer as axm
import kit
from axiometer.answer.analysis import stats
from axiometer.answer.analysis.load_sweep import Load, sweep
from axiometer.base import data
from axiometer.base.errors import AxiometerError
from axiometer.experiment import Experiment, expect_command, points
from axiometer.experiment.keys_shared import runs_freely
from axiometer.platform import Platform
from axiometer.present import steady as steady_words
from axiometer.runs.backends import model

ZCU = Platform.load("zcu102")


def record(ports, mode, burst, **more):
    return kit.record(ZCU, ports=ports, mode=mode, burst_bytes=burst, **more)


def test_a_given_duration_is_simulated_in_full():
    """A run until it has settled ends after 0.7 ms here."""
    whole = record("HP0", "write", 256, duration="3ms")["steady"]
    assert whole["settled"] and whole["simulated_s"] == pytest.approx(0.003)
    keys = {"ports": "HP0", "mode": "write", "burst_bytes": 256}
    answer = axm.expect("zcu102", **keys, duration="3ms")
    of = answer.stats["steady"]
    assert of["simulated_s"] == pytest.approx(0.003 * answer.stats["total_MBps"]["n"])
    curve = Load(ZCU, {"ports": "HP0", "burst_bytes": 256, "duration": "3ms"}, (0, 1))
    usual = Load(ZCU, {"ports": "HP0", "burst_bytes": 256}, (0, 1))
    bursts = [next(sweep(load, (0,))).latency["write"].bursts for load in (curve, usual)]
    assert bursts[0] > 4 * bursts[1]  # 2.9 ms are counted, and 0.6


def test_shipped_experiments_run_until_they_have_settled():
    """Their published tables are of such runs."""
    free = [e for e in map(Experiment.load, data.names("experiments")) if runs_freely(e.platform)]
    assert len(free) == 20
    for experiment in free:
        values = experiment.points()[0].values
        assert (values["duration_s"], values["until_settled"]) == (0.02, True), experiment.name


def test_settled_is_for_runs_without_an_end():
    with pytest.raises(AxiometerError, match="runs on zybo have an end"):
        points.single(Platform.load("zybo"), {"ports": "HP0", "duration": "settled"})
    with pytest.raises(AxiometerError, match="'settled:1y'|is '1y'"):
        points.single(ZCU, {"ports": "HP0", "duration": "settled:1y"})


DRIFTING = [
    ("HP2+HP3", "mixed", {"burst_bytes": 640}),
    ("HP0+HP1", "read", {"burst_bytes": 368}),
    ("HP0+HP3", "mixed", {"burst_bytes": 1152}),
    ("HP2+HP3", "mixed", {"burst_bytes": 4096, "pattern": "stride:128", "outstanding_write": 4}),
]
"""Ports, mode and keys at 300 MHz of points that settle while streams wander."""


@pytest.mark.parametrize(("ports", "mode", "keys"), DRIFTING)
def test_a_rate_that_may_drift_says_so(ports, mode, keys):
    point = points.single(ZCU, {"ports": ports, "mode": mode, "pl_mhz": 300, **keys})
    starts = model.run_repeats(ZCU, point, 0, 0, 3)
    assert all(r["steady"]["settled"] and r["steady"]["may_drift"] for r in starts)
    summary = stats.summarise(starts)
    assert "MAY DRIFT" in steady_words.sentence(summary)
    assert steady_words.cells(summary)[1] == steady_words.MAY_DRIFT


def test_a_rate_that_may_drift_does():
    early = record("HP0+HP3", "read", 80, pl_mhz=300)
    whole = record("HP0+HP3", "read", 80, pl_mhz=300, duration="20ms")
    assert whole["total_MBps"] > 1.03 * early["total_MBps"]


def test_a_design_notes_what_a_long_run_may_change():
    sure = {"settled": True, "may_drift": False}
    assert steady_words.note(None) == steady_words.note(sure) == ""
    assert "may drift" in steady_words.note({**sure, "may_drift": True})
    assert "still changed" in steady_words.note({**sure, "settled": False})


def test_ports_that_keep_step_do_not_drift():
    for ports, mode in (("HP2+HP3", "write"), ("HP0+HP1+HP3", "read"), ("HP0", "mixed")):
        steady = record(ports, mode, 3328, pl_mhz=300, duration="settled")["steady"]
        assert steady["settled"] and not steady["may_drift"], ports


@pytest.mark.parametrize("length", ["3ms", "settled", "settled:3ms"])
def test_the_command_that_runs_a_point_again_has_its_length(length):
    point = points.single(ZCU, {"ports": "HP0", "duration": length})
    command = expect_command.command(ZCU, point.values)
    assert ("duration" in command) == (length != "settled")  # which is the usual length
    assert length == "settled" or f"duration={length}" in command
    older = {k: v for k, v in point.values.items() if k != "until_settled"}
    assert "settled:3ms" in expect_command.command(ZCU, older) or length == "settled"


def test_two_lengths_are_two_points():
    """20 ms in full, and until the rate has settled, which is after 20 ms at most."""
    found = Experiment.load("zcu102-read", ["duration=20ms,settled", "ports=HP0", "burst_bytes=64"])
    assert [p.values["until_settled"] for p in found.points()] == [False, True]
