"""High-priority reads and port priorities of the Zynq-7000 controller have the effects of UG585,
sections 10.4.3 to 10.4.6."""

import pytest

import axiometer as axm

HIGH = {
    "path.hp01.high_priority_reads": True,
    "controller.high_entries": 8,
    "controller.read_entries": 24,
}
LIGHT = {"name": "light", "kind": "engine", "port": "HP0", "direction": "read", "rate_mbs": 100}
HEAVY = [{"name": port, "kind": "engine", "port": port} for port in ("HP2", "HP3")]


def expect(masters, **figures):
    return axm.expect(
        "zc702", masters=masters, set=figures, pl_mhz=200, duration="200us", repeats=2
    )


def p99(found, name):
    return found.to_dict()["latency_ns"][name]["p99"]


def rates(found):
    """MB/s of each master, in the order in which they stand."""
    return [m["total_MBps"]["mean"] for m in found.to_dict()["by_master"].values()]


def test_high_priority_shortens_the_tail_of_a_light_reader():
    usual = expect([LIGHT, *HEAVY])
    # Their store is critical after 32 clocks, or else it waits longer for writes than others do.
    high = expect([LIGHT, *HEAVY], **HIGH, **{"controller.high_starve_clocks": 32})
    assert p99(high, "light") < 0.75 * p99(usual, "light")
    assert high.total == pytest.approx(usual.total, rel=0.02)
    late = expect([LIGHT, *HEAVY], **HIGH, **{"controller.high_starve_clocks": 480})
    assert p99(late, "light") > 1.5 * p99(high, "light")


def test_places_of_their_own_are_a_limit_as_well():
    readers = [{**LIGHT, "name": p, "port": p, "rate_mbs": 2000} for p in ("HP0", "HP1", "HP2")]
    few, more = (rates(expect(readers, **{**HIGH, "controller.high_entries": n})) for n in (2, 8))
    # Two readers share two places, and one has 24.
    assert few[0] < 0.8 * few[2]
    assert more[0] > 1.2 * few[0]


def test_a_port_of_lower_priority_value_is_served_sooner():
    """Where more waits than the store holds: here with paths that bring more than they do."""
    readers = [
        {**LIGHT, "name": p, "port": p, "rate_mbs": 2000, "outstanding": 16}
        for p in ("HP0", "HP1", "HP2", "HP3")
    ]
    many = {f"path.{path}.inflight_bytes_read": 1536 for path in ("hp01", "hp23")}
    equal = rates(expect(readers, **many))
    assert equal[0] == pytest.approx(equal[2], rel=0.02)
    first, _, second, _ = rates(expect(readers, **many, **{"path.hp01.priority_read": 0}))
    assert first > 1.3 * second
    # Nobody starves: the other port's counter comes down to 0.
    assert second > 0.02 * first


def test_high_priority_without_places_says_what_to_set():
    with pytest.raises(axm.AxiometerError, match="controller.high_entries must hold a part"):
        expect([LIGHT], **{"path.hp01.high_priority_reads": True})
