"""The blocks between masters and ports in the netlist of a real export."""

import pytest

import design_kit as kit
from axiometer.designs import load
from axiometer.designs.plan import planned
from axiometer.designs.simulation import simulate
from axiometer.experiment import between
from axiometer.platform import Platform


def through(name):
    return {of.master.name: of.through for of in planned(load(kit.reference(name))).masters}


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
    plan = planned(load(kit.reference("pynqcv-pynq-z1-xv2filter2dremap.hwh.xz")))
    (dm,) = (of for of in plan.masters if of.master.name == "dm_0.M_AXI_MM2S")
    assert (dm.master.read.burst_beats * dm.master.width_bits // 8, dm.burst_bytes) == (512, 128)
    assert dm.outstanding == {"read": 4}


def test_it_costs_what_it_takes():
    plan = planned(load(kit.reference("pynqcv-ultra96-xv2filter2ddilate.hwh.xz"))).at(("HP0",))
    platform = Platform.load("ultra96")
    clocks = between.cycles("upsizer", "read", 100)
    mhz = plan.loads[0].port_mhz
    times = [simulate(platform, p, 1, False, 0, "0.3ms").latency_ns() for p in (plan, plan.bare)]
    assert times[0] - times[1] == pytest.approx(clocks * 1e3 / mhz, abs=1e3 / mhz)
