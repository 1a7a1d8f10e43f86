"""Masters of all kinds together on the UltraScale+ model, each with its bursts, directions, gaps,
widths, clocks, starts and stops: laws of every mix, and equal runs."""

from copy import deepcopy

import pytest

import fuzz_usp
from axiometer import _model as model
from test_usp_laws import prepared

SEEDS = range(2000, 2060)


def mixes():
    for seed in SEEDS:
        case = fuzz_usp.case(seed)
        yield case.spec, case.starts[0] | {"stop": max(2, case.starts[0]["stop"])}


def period_of(spec, stream):
    return spec["ports"][stream["port"]].get("period") or spec["clocks"]["pl"]


def test_laws_hold_for_every_mix():
    """Time is in exactly one class, data are beats of the port's width, and Little's law holds."""
    for spec, start in mixes():
        result = model.Simulator(spec).run(start)
        assert sum(result["classes"].values()) == result["clocks"]
        for stream, found in zip(spec["streams"], result["streams"], strict=True):
            cycles = sum(found["classes"].values())
            time = result["cycles"] * spec["clocks"]["pl"]
            assert -2 * period_of(spec, stream) < cycles * period_of(spec, stream) - time <= 0
            assert cycles == found["end"]
            width = spec["ports"][stream["port"]]["width_bytes"]
            assert found["bytes"] == found["classes"]["data"] * width
            assert found["latency_sum"] <= stream["outstanding"] * cycles
            assert sum(count for _, count in found["latency"]) == found["bursts"]
        for direction, count in (("read", "reads"), ("write", "writes")):
            both = zip(spec["streams"], result["streams"], strict=True)
            moved = sum(f["bytes"] for s, f in both if s["direction"] == direction)
            under_way = sum(
                s["outstanding"] * s["burst_bytes"] + 64
                for s in spec["streams"]
                if s["direction"] == direction
            )
            stored = spec["controller"]["write_entries"] * 64  # answered, and not yet in the DRAM
            if not spec["controller"]["write_combining"]:
                assert moved <= result["counts"][count] * 64 + under_way + stored


def test_all_that_begins_before_a_stop_is_completed():
    """Bytes in are bytes out: whole bursts, and as many DRAM bursts as they touch."""
    for spec, start in mixes():
        spec = deepcopy(spec)
        for stream in spec["streams"]:
            stream["stop"], stream["pattern"], stream["base"] = 40, "sequential", 0
            stream["outstanding"] = min(stream["outstanding"], 8)
        for port in spec["ports"]:
            port["release_whole_burst"] = False
        spec["measure"]["settle"] = 0
        spec["controller"]["write_combining"] = False
        start = start | {"stop": 40_000, "launch": [0] * len(spec["streams"])}
        result = model.Simulator(spec).run(start)
        touched = {"read": 0, "write": 0}
        for stream, found in zip(spec["streams"], result["streams"], strict=True):
            assert found["bytes"] == found["bursts"] * width_multiple(spec, stream)
            assert found["classes"]["done"] > 0
            assert found["bursts"] <= 40 + 8
            part = spec["ports"][stream["port"]]["part_bytes"]
            touched[stream["direction"]] += columns(stream, found["bursts"], part)
        assert result["counts"]["reads"] == touched["read"]
        assert result["counts"]["writes"] == touched["write"]


def width_multiple(spec, stream):
    """Bytes of a burst in whole beats."""
    width = spec["ports"][stream["port"]]["width_bytes"]
    return -(-stream["burst_bytes"] // width) * width


def columns(stream, bursts, part):
    """DRAM bursts of so many bursts in sequence, cut into parts."""
    lap = -(-stream["region"] // stream["burst_bytes"])
    total = 0
    for number in range(bursts):
        begin = stream["base"] + number % lap * stream["burst_bytes"]
        end = begin + stream["burst_bytes"]
        for at in range(begin, end, part):
            total += (min(at + part, end) - 1) // 64 - at // 64 + 1
    return total


def test_ports_that_all_have_one_clock_are_a_pl_of_that_clock():
    for spec, start in mixes():
        pl = spec["clocks"]["pl"]
        for port in spec["ports"]:
            port["period"] = 0
        other = deepcopy(spec)
        other["clocks"]["pl"] = 1
        other["measure"]["settle"] *= pl
        for port in other["ports"]:
            port["period"] = pl
        expected = model.Simulator(spec).run(start)
        found = model.Simulator(other).run(start | {"stop": start["stop"] * pl})
        if start["stop"] % 2 == 0 or spec["measure"]["settle"] <= start["stop"] // 2:
            assert found["streams"] == expected["streams"]
            assert found["counts"] == expected["counts"]


def lone_reader():
    """A port of 16 bytes on the ZCU102 that its own clock limits."""
    spec, start = prepared("zcu102", mode="read", duration="60us", pl_mhz=300)
    assert len(spec["streams"]) == 1
    spec["measure"] = {"settle": 6000, "block": 0, "confidence": 0}
    return spec, start | {"stop": 18000}


def test_a_port_at_a_third_of_the_clock_moves_a_third_of_the_bytes():
    spec, start = lone_reader()
    fast = model.Simulator(spec).run(start)["streams"][0]
    spec["ports"][spec["streams"][0]["port"]]["period"] = 3 * spec["clocks"]["pl"]
    slow = model.Simulator(spec).run(start)["streams"][0]
    assert slow["bytes"] / fast["bytes"] == pytest.approx(1 / 3, rel=0.05)
    assert (fast["end"], slow["end"]) == (12000, 4000)


def test_a_run_with_a_stream_that_stops_is_measured_as_a_whole():
    spec, start = lone_reader()
    spec["measure"] = {"settle": 0, "block": 50, "confidence": 0.5}
    assert model.Simulator(spec).run(start)["cycles"] < 18000
    spec["streams"][0]["stop"] = 9000
    found = model.Simulator(spec).run(start)
    assert found["cycles"] == 18000 and not found["measured"]["settled"]
    # What was in flight has come.
    assert 8000 < found["streams"][0]["classes"]["done"] < 9000


def test_accelerators_do_not_stop_by_themselves():
    spec, start = lone_reader()
    read = spec["streams"][0] | {"burst_bytes": 64, "port": 0}
    spec["streams"] = [read, read | {"direction": "write", "stop": 5}]
    spec["ports"] = spec["ports"][:1]
    spec["convolution"] = {"lanes": 1, "buffer_bytes": 4096, "turn": 1}
    with pytest.raises(ValueError, match=r"streams\[1\]\.stop: .*accelerators"):
        model.Simulator(spec)
