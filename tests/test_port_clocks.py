"""Clocks of single ports and stops of single streams, against equivalent cases."""

from copy import deepcopy

import pytest

from axiometer import _model as model
from law_cases import cases


def test_ports_that_all_have_one_clock_are_a_pl_of_that_clock():
    """The PL's own clock counts the time of the run, and nothing else."""
    for spec, start in cases():
        other = deepcopy(spec)
        other["clocks"]["pl"] = 1
        for port in other["ports"]:
            port["period"] = spec["clocks"]["pl"]
        expected, found = model.Simulator(spec).run(start), model.Simulator(other).run(start)
        assert found["streams"] == expected["streams"]
        assert found["cycles"] == expected["cycles"] * spec["clocks"]["pl"]
        assert found["counts"] == expected["counts"]


def test_streams_that_all_stop_together_are_a_run_that_stops():
    for spec, start in cases():
        for stop in (0, 50, 700):
            other = deepcopy(spec)
            for stream in other["streams"]:
                stream["stop"] = stop
            expected = model.Simulator(spec).run(start | {"stop": stop})
            assert model.Simulator(other).run(start) == expected


def test_a_stream_that_stops_leaves_the_others_alone():
    """Two ports that share nothing but the DRAM: the one that goes on moves all that it has."""
    spec, start = next(
        (spec, start)
        for spec, start in cases()
        if len(spec["streams"]) == 2 and all(s["partner"] < 0 for s in spec["streams"])
    )
    stopped = deepcopy(spec)
    stopped["streams"][0]["stop"] = start["launch"][0] + 1
    whole, found = model.Simulator(spec).run(start), model.Simulator(stopped).run(start)
    assert found["streams"][1]["bytes"] == whole["streams"][1]["bytes"]
    assert found["streams"][0]["bursts"] == 1


def test_times_of_a_stream_are_in_its_port_s_cycles():
    """A slower clock of one port: that port's classes add up to the run in its own cycles."""
    for spec, start in cases():
        other = deepcopy(spec)
        pl = spec["clocks"]["pl"]
        other["ports"][0]["period"] = 3 * pl
        found = model.Simulator(other).run(start)
        for stream, result in zip(other["streams"], found["streams"], strict=True):
            cycles = found["cycles"] // (3 if stream["port"] == 0 else 1)
            assert sum(result["classes"].values()) == cycles
            assert result["end"] <= cycles


def test_a_loop_back_has_one_clock_and_one_stop():
    spec = next(s for s, _ in cases() if s["streams"][0]["partner"] == 1 and len(s["ports"]) > 1)
    wrong = deepcopy(spec)
    wrong["streams"][0]["stop"] = 100
    with pytest.raises(ValueError, match=r"streams\[0\]\.partner: .*stop"):
        model.Simulator(wrong)
    wrong = deepcopy(spec)
    wrong["streams"][0]["port"] = 1
    wrong["ports"][1] = wrong["ports"][0] | {"period": 12345}
    with pytest.raises(ValueError, match=r"partner: .*clock|ports\[1\]"):
        model.Simulator(wrong)


def test_a_clock_is_not_thousands_of_times_another():
    spec, _ = next(cases())
    spec["ports"][0]["period"] = 10_000 * spec["clocks"]["ddr"]
    with pytest.raises(ValueError, match=r"ports\[0\]\.period: .*8192"):
        model.Simulator(spec)
