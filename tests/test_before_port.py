"""Simulated blocks before a port: laws for every chip, and what a design has there."""

from dataclasses import replace

import pytest

import design_kit
import kit
from axiometer import expect
from axiometer.designs import load
from axiometer.designs.plan import planned
from axiometer.experiment import between
from axiometer.experiment.points import single
from axiometer.platform import Platform

BOARDS = {"zedboard": "HP0", "de1-soc": "F2S", "zcu102": "HP0"}
CLOCKS = 20


def record(board, **keys):
    length = {"duration": "100us"} if board == "zcu102" else {"transfer_bytes": "64KiB"}
    return kit.record(board, **{"ports": BOARDS[board], "repeats": 1, **length, **keys})


@pytest.mark.parametrize("mode", ["read", "write"])
@pytest.mark.parametrize("board", BOARDS)
def test_a_lone_burst_is_later_by_so_many_clocks(board, mode):
    alone = {"mode": mode, f"outstanding_{mode}": 1}
    bare = record(board, **alone)["latency_cycles"]
    more = record(board, **alone, through=CLOCKS)["latency_cycles"]
    known = 4 if board == "zedboard" else 0  # what the measured designs have is in the port's
    assert CLOCKS - known <= more["min"] - bare["min"] <= CLOCKS


@pytest.mark.parametrize("board", BOARDS)
def test_many_bursts_in_flight_hide_it(board):
    keys = {"mode": "read", "outstanding_read": 16}
    bare, more = (record(board, **keys, **x) for x in ({}, {"through": CLOCKS}))
    assert more["total_MBps"] == pytest.approx(bare["total_MBps"], rel=0.02)


def test_little_s_law_holds_of_one_burst_in_flight():
    keys = {"mode": "read", "outstanding_read": 1, "pl_mhz": 100, "burst_bytes": 256}
    one = record("zcu102", **keys, through="smartconnect")
    bursts = one["total_MBps"] * 1e6 / 256
    # A burst's time, and the clock until the next one's address.
    assert 1e8 / bursts == pytest.approx(one["latency_cycles"]["mean"] + 1, rel=0.01)


def test_a_crossbar_holds_back_single_beats():
    keys = {"mode": "read", "burst_bytes": 16, "pl_mhz": 100}
    found = record("zcu102", **keys, through="axi_crossbar")
    assert found["total_MBps"] == pytest.approx(1600 / 3, rel=0.01)


def test_a_simple_master_has_it_in_place_of_its_board_s():
    keys = {"ports": "HP0", "master": "lite", "mode": "read", "transfer_bytes": 4096}
    rates = [
        expect("zynq7000-650", **keys, repeats=1, **x).total
        for x in ({}, {"through": "17"}, {"through": "40"})
    ]
    assert rates[0] == rates[1] > rates[2]  # 17 clocks: interconnect_cycles of the board


def test_the_answer_says_what_it_costs():
    keys = {"ports": "HP0", "mode": "write", "outstanding_write": 1, "burst_bytes": 128}
    found = expect("zcu106", **keys, repeats=1, duration="100us", through="smartconnect")
    before = found.to_dict()["before_port"]
    assert before["words"] == "a SmartConnect"
    assert before["gain"] == pytest.approx(before["without_MBps"] / found.total - 1)
    assert "Before the port: a SmartConnect; without it" in found.text
    many = expect("zcu106", ports="HP0", mode="read", repeats=1, through="smartconnect")
    assert many.to_dict()["before_port"] is None


def test_rtl_has_none():
    from axiometer.base.errors import AxiometerError
    from axiometer.runs.backends import rtl_tops

    platform = Platform.load("zybo")
    values = single(platform, {"ports": "HP0", "through": "register_slice"}).values
    with pytest.raises(AxiometerError, match="through = 'register_slice'"):
        rtl_tops.choose(platform, values)


def through(name):
    plan = planned(load(design_kit.reference(name)))
    return {of.master: of.through for of in plan.loads}


@pytest.mark.parametrize(
    ("name", "blocks"),
    [
        # Its interconnects have two masters and a port of 64 bits: a crossbar, and AXI3 behind it.
        ("vieira-duplex-64bit.hdf", {"axi4_to_axi3+axi_interconnect"}),
        # One master each: no crossbar.
        ("vieira-max-performance.hdf", {"axi4_to_axi3"}),
        ("pynqcv-ultra96-xv2filter2ddilate.hwh.xz", {"upsizer"}),
        ("pynqcv-zcu104-xv2remapstereobm.hwh.xz", {"upsizer+axi_interconnect"}),
        ("ultra96-memory-test.hdf", {None}),
        ("vieira-intel-duplex-64bit.qsys.xz", {None}),
    ],
)
def test_the_way_is_that_of_the_netlist(name, blocks):
    assert set(through(name).values()) == blocks


def test_the_measured_ports_have_what_the_measured_designs_have():
    """Zynq-7000: what the exports have adds nothing to the ports' figures."""
    known = Platform.load("zybo").word("master.through")
    for text in through("vieira-duplex-64bit.hdf").values():
        for way in ("read", "write"):
            assert between.cycles(text, way, 100) <= between.cycles(known, way, 100)


def test_bursts_that_a_converter_splits_pass_one_at_a_time():
    plan = planned(load(design_kit.reference("pynqcv-pynq-z1-xv2filter2dremap.hwh.xz")))
    (dm,) = (of for of in plan.masters if of.master.name == "dm_0.M_AXI_MM2S")
    (own,) = dm.loads
    assert (dm.master.read.burst_beats * dm.master.width_bits // 8, own.burst_bytes) == (512, 128)
    assert own.outstanding == 4


def test_it_costs_what_it_takes():
    plan = planned(load(design_kit.reference("pynqcv-ultra96-xv2filter2ddilate.hwh.xz"))).at(
        ("HP0",)
    )
    clocks = between.cycles("upsizer", "read", 100)
    mhz = plan.loads[0].port_mhz
    bare = [
        replace(of, loads=tuple(replace(o, through=None) for o in of.loads)) for of in plan.masters
    ]
    both = plan, replace(plan, masters=tuple(bare))
    times = [
        design_kit.outcome_of("ultra96", p, repeats=1, duration="0.3ms").latency_ns() for p in both
    ]
    assert times[0] - times[1] == pytest.approx(clocks * 1e3 / mhz, abs=1e3 / mhz)
