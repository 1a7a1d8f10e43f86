"""`[[master]]` tables on boards of UltraScale+: clocks, widths, rates, starts and stops of each
master, in records that keep the laws (the backend refuses others)."""

import pytest

import kit
from axiometer.platform import Platform


def record(board, masters, duration="60us"):
    return kit.record(board, masters=masters, duration=duration, pl_mhz=100)


def engine(name, **keys):
    return {"kind": "engine", "name": name, "burst_bytes": 128, **keys}


def test_a_master_that_starts_and_stops_is_counted_whole():
    """At 400 MB/s from 5 us to 25 us: 8000 bytes, whatever the others do and the run lasts."""
    masters = [
        engine("camera", port="HP0", direction="write", rate_mbs=400, start_us=5, stop_us=25),
        engine("beside", port="HP3", direction="read", pl_mhz=250, stop_us=40),
    ]
    for board in ("zcu102", "ultra96"):
        found = record(board, masters)
        assert found["by_master"]["camera"]["bytes"] == pytest.approx(8000, abs=200)
        assert found["by_master"]["camera"]["bytes"] % 128 == 0
        assert found["by_master"]["beside"]["bytes"] > 8000
        classes = found["streams"][0]["classes_s"]
        assert classes["launch"] == pytest.approx(5e-6, abs=1e-7)
        assert 30e-6 < classes["done"] < 35.5e-6


@pytest.mark.parametrize("board", ["zcu102", "ultra96"])
@pytest.mark.parametrize(("name", "rates"), [("DisplayPort", (300, 0)), ("FPD_DMA", (300, 300))])
def test_the_chip_s_own_masters_meet_the_others(board, name, rates):
    """Each has a row of its own, and alone beside a port that leaves room what it asks for."""
    own = {"kind": "neighbour", "name": "own", "port": name, "rate_mbs": 300}
    other = {"kind": "engine", "name": "e", "port": "HP1", "direction": "read", "gap_cycles": 100}
    found = kit.record(board, masters=[own, other], duration="900us", repeats=1)["by_master"]["own"]
    assert found["read_MBps"] == pytest.approx(rates[0], rel=0.03)
    assert found["write_MBps"] == pytest.approx(rates[1], rel=0.03)


def test_a_neighbour_shares_its_path_as_an_engine_there_does():
    """On an engine's path, with its bursts, class and AXI QoS value, it is one more engine, to the
    bit."""
    platform = Platform.load("ultra96").with_overrides({"neighbour.FPD_DMA.qos": 3})
    usual = {"name": "own", "direction": "both", "rate_mbs": 400, "base": 0, "region": "1MiB"}
    engine = {"kind": "engine", "port": "HP3", "burst_bytes": 256, "outstanding": 16}
    other = {"kind": "engine", "name": "e", "port": "HP1", "direction": "read", "base": "64MiB"}
    found = []
    for own in ({"kind": "neighbour", "port": "FPD_DMA"}, engine):
        given = {"masters": [usual | own, other], "duration": "300us", "repeats": 1, "skew_us": 0}
        found.append(kit.record(platform, **given)["by_master"])
    assert found[0] == found[1]
