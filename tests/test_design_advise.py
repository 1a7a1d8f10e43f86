"""`axiometer advise DESIGN`: changes in the user's own terms, each simulated, the best first."""

import pytest

import design_kit as kit
from axiometer.advice import of_design
from axiometer.advice.search import Search
from axiometer.designs import load
from axiometer.platform import Platform
from test_design_platform import MEMORY

FACTS = {"C_MM2S_BURST_SIZE": 4, "C_M_AXI_MM2S_DATA_WIDTH": 64}


@pytest.fixture
def crowded(tmp_path):
    """Two readers share HP0; the bursts of one are short."""
    way = kit.interconnect("ic", [("a", 64), ("b", 64)], "h")
    blocks = [
        kit.module("slow", kit.DMA, kit.reads("M_AXI_MM2S", "a"), parameters=FACTS),
        kit.module("fast", kit.DMA, kit.reads("M_AXI_MM2S", "b")),
    ]
    system = kit.zynq(("S_AXI_HP0", "h"), parameters=MEMORY)
    return kit.saved(tmp_path, *blocks, way, system)


def test_a_master_of_a_crowded_port_is_moved(crowded, cli):
    answer = cli.json("advise", crowded)
    assert cli.json("expect", crowded)["bottleneck"] == answer["bottleneck"]
    best = answer["trials"][0]
    (change,) = best["changes"]
    assert "move slow from HP0 to HP" in change["change"] or "move fast" in change["change"]
    assert change["how"].startswith("connect it to S_AXI_HP")
    assert best["after_MBps"] > 1.5 * best["before_MBps"]
    assert best["gain_pct"] == pytest.approx((best["after_MBps"] / best["before_MBps"] - 1) * 100)
    band = best["band"]
    assert band["low_MBps"] <= band["high_MBps"]
    assert band["low_MBps"] < 1.01 * best["after_MBps"] < 1.2 * band["high_MBps"]
    gains = [p["gain_pct"] for p in answer["trials"] if len(p["changes"]) == 1]
    assert gains == sorted(gains, reverse=True) and min(gains) > 1


def test_a_gain_is_what_the_changed_design_gets(crowded, cli):
    """The change made by hand with --set gives the rate that is promised."""
    start = of_design.start(load(crowded), Platform.load("zybo"))
    best = Search(start).run().trials[0]
    again = [w for key, value in best.keys.items() for w in ("--set", f"{key}={value}")]
    got = cli.json("advise", crowded, *again)["start"]["total_MBps"]
    assert got == pytest.approx(best.after.total, rel=1e-9)
    told = cli.json("expect", crowded, *again)["total_MBps"]["mean"]
    assert told == pytest.approx(best.after.total, rel=0.01)


def test_bursts_are_raised_by_their_parameter(crowded, cli):
    answer = cli.json("advise", crowded, "--set", "fast.port=HP2")
    raised = [c for p in answer["trials"] for c in p["changes"] if "bursts of slow" in c["change"]]
    assert not raised or raised[0]["how"] == "C_MM2S_BURST_SIZE = 16"
    changes = [c["change"] for p in answer["trials"] for c in p["changes"]]
    assert not any("move" in change for change in changes)


def test_narrow_masters_are_widened_by_their_parameters(tmp_path, cli):
    facts = {"C_M_AXI_MM2S_DATA_WIDTH": 32}
    block = kit.module("d", kit.DMA, kit.reads("M_AXI_MM2S", "a", 32), parameters=facts)
    way = kit.interconnect("ic", [("a", 32)], "h")
    path = kit.saved(tmp_path, block, way, kit.zynq(("S_AXI_HP0", "h"), parameters=MEMORY))
    best = cli.json("advise", path)["trials"][0]
    assert best["changes"][0]["change"] == "widen d from 32 to 64 bits"
    both = "C_M_AXI_MM2S_DATA_WIDTH = 64, C_M_AXIS_MM2S_TDATA_WIDTH = 64"
    assert best["changes"][0]["how"] == both
    assert best["after_MBps"] == pytest.approx(2 * best["before_MBps"], rel=0.02)


def test_halves_of_a_pair_change_together(cli):
    path = kit.reference("vieira-intel-duplex-64bit.qsys.xz")
    best = cli.json("advise", path)["trials"][0]
    assert "f2h_sdram0+f2h_sdram1" in best["changes"][0]["change"]
    halves = [*best["by_master"].values()]
    assert halves[0] == pytest.approx(halves[1], rel=0.01)


def test_registers_are_named_with_what_they_hold(cli):
    path = kit.reference("vieira-duplex-64bit.hdf")
    answer = cli.json("advise", path)
    hows = {c["change"]: c["how"] for p in answer["trials"] for c in p["changes"]}
    (how,) = {how for change, how in hows.items() if "controller.starve_clocks" in change}
    assert "LPR_reg[21:11] lpr_max_starve_x32 = 2" in how
    assert any("start each buffer" in how for how in hows.values())


def test_nothing_to_gain_is_said(tmp_path, cli):
    block = kit.module("d", kit.DMA, kit.reads("M_AXI_MM2S", "h"))
    path = kit.saved(tmp_path, block, kit.zynq(("S_AXI_HP0", "h"), parameters=MEMORY))
    assert "tried changes of bd helps" in cli("advise", path, "--plain")


def test_the_slowest_master_is_what_minimum_is_about(crowded, cli):
    answer = cli.json("advise", crowded, "--objective", "minimum", "--set", "slow.burst_beats=8")
    before = min(answer["start"]["by_master"].values())
    for trial in answer["trials"]:
        after = min(trial["by_master"].values())
        assert trial["objective_before_MBps"] == pytest.approx(before)
        assert trial["objective_after_MBps"] == pytest.approx(after) and after > before
    assert answer["trials"]
    assert "MB/s for the slowest (+" in cli("advise", crowded, "--objective", "minimum", "--plain")
