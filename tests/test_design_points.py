"""What a design asks in keys of an experiment: the papers' designs ask what the papers measured."""

import pytest

import design_kit as kit
from axiometer.designs import load
from axiometer.designs.changes import changed
from axiometer.designs.points import points, together
from axiometer.experiment import Experiment
from axiometer.experiment.keys import Given
from axiometer.experiment.points import normalise
from axiometer.platform import Platform

TABLE3, TABLE4, TABLE5 = "zybo-hp-bandwidth", "zybo-hp-read-150mhz", "de1-soc-f2s-bandwidth"
ZYBO = [("HP0",), ("HP0", "HP1"), ("HP0", "HP2"), ("HP0", "HP1", "HP2"), None]
# design: the experiment, the mode and width of its rows, the ports that were started
PAPERS = {
    "vieira-duplex-32bit.hdf": (TABLE3, "duplex", 32, ZYBO),
    "vieira-duplex-64bit.hdf": (TABLE3, "duplex", 64, ZYBO),
    "vieira-duplex-var-stream-size.hdf": (TABLE3, "duplex", 64, ZYBO),
    "vieira-ps2pl-32bit.hdf": (TABLE3, "ps_to_pl", 32, ZYBO),
    "vieira-ps2pl-64bit.hdf": (TABLE3, "ps_to_pl", 64, ZYBO),
    "vieira-pl2ps-32bit.hdf": (TABLE3, "pl_to_ps", 32, ZYBO),
    "vieira-pl2ps-64bit.hdf": (TABLE3, "pl_to_ps", 64, ZYBO),
    "vieira-max-performance.hdf": (TABLE4, "ps_to_pl", 64, ZYBO),
    "vieira-intel-duplex-32bit.qsys.xz": (TABLE5, "duplex", 32, [None]),
    "vieira-intel-duplex-64bit.qsys.xz": (TABLE5, "duplex", 64, [None]),
    "vieira-intel-duplex-128bit.qsys.xz": (TABLE5, "duplex", 128, [None]),
    "vieira-intel-duplex-256bit.qsys.xz": (TABLE5, "duplex", 256, [None]),
    "vieira-intel-h2f-128bit.qsys.xz": (TABLE5, "ps_to_pl", 128, [None]),
    "vieira-intel-f2h-128bit.qsys.xz": (TABLE5, "pl_to_ps", 128, [None]),
}
ASKED = ("ports", "mode", "width_bits", "burst_bytes", "pl_mhz")


def values(keys, platform):
    return normalise({name: Given(value) for name, value in keys.items()}, platform)


@pytest.mark.parametrize("name", PAPERS)
def test_the_papers_designs_ask_the_rows_that_they_measured(name):
    experiment, mode, width, started = PAPERS[name]
    design = load(kit.reference(name))
    platform = Platform.load(Experiment.load(experiment).platform_name)
    rows = [point.values for point in Experiment.load(experiment).points()]
    for ports in started:
        question = together(design, ports)
        assert question.reasons == question.notes == ()
        found = values(question.keys, platform)
        (row,) = [r for r in rows if all(r[key] == found[key] for key in ASKED)]
        assert (row["mode"], row["width_bits"]) == (mode, width)
        assert len(row["ports"]) == len(ports or rows[-1]["ports"])
        for direction in ("read", "write"):
            kept = question.keys.get(f"outstanding_{direction}")
            if "intel" in name and kept is not None:
                # The FIFO of an mSGDMA has room for 64, more than the model keeps.
                assert (direction, kept) == ("read", 63)
            else:
                assert kept in (None, platform.value(f"master.outstanding_{direction}"))


def test_the_published_ultra96_design_asks_what_its_experiment_has():
    question = together(load(kit.reference("ultra96-memory-test.hdf")))
    platform = Platform.load("ultra96")
    found = values(question.keys, platform)
    rows = [point.values for point in Experiment.load("ultra96-mixed").points()]
    assert any(all(row[key] == found[key] for key in ASKED) for row in rows)
    for direction in ("read", "write"):
        kept = question.keys[f"outstanding_{direction}"]
        assert kept == platform.value(f"master.outstanding_{direction}")


def test_a_question_gives_the_rate_of_the_row_to_the_bit():
    from axiometer.experiment.points import single
    from axiometer.runs.backends import model

    design = load(kit.reference("vieira-duplex-64bit.hdf"))
    platform = Platform.load("zybo")
    small = {"transfer_bytes": "256KiB"}
    asked = single(platform, dict(together(design, ["HP0", "HP2"]).keys) | small)
    row = {"ports": "HP0+HP2", "mode": "duplex", "width_bits": 64, "pl_mhz": 100, "burst_beats": 16}
    published = single(platform, row | small)
    one, other = (model.run_repeats(platform, p, 0, 0, 2) for p in (asked, published))
    assert one == other


@pytest.mark.parametrize(
    "name",
    ["pynq-z1-base.hwh.xz", "pynqcv-ultra96-xv2filter2ddilate.hwh.xz", "pynq-zcu104-base.hwh.xz"],
)
def test_each_master_alone_is_a_point_of_its_chips_platform(name):
    design = load(kit.reference(name))
    platform = Platform.load({"zynq-7000": "zybo"}.get(design.chip, "zcu102"))
    for master, question in points(design):
        found = values(question.keys, platform)
        assert found["ports"] == list(master.ports)
        assert found["mode"] == {"read": "ps_to_pl", "write": "pl_to_ps"}[master.directions[0]]


def dma(instance, net, width=64, **told):
    return kit.module(
        instance, kit.DMA, kit.reads("M_AXI_MM2S", net, width), parameters={"C_MM2S_BURST_SIZE": 16}
    )


def test_the_narrowest_link_counts(tmp_path):
    way = kit.interconnect("ic", [("d", 64)], "hp0", 32)
    port = kit.zynq(("S_AXI_HP0", "hp0", 32), parameters={"PCW_S_AXI_HP0_DATA_WIDTH": 32})
    ((_, question),) = points(load(kit.saved(tmp_path, dma("a", "d"), way, port)))
    assert (question.keys["width_bits"], question.keys["burst_bytes"]) == (32, 64)


def test_a_hop_limits_what_is_outstanding(tmp_path):
    way = kit.interconnect("ic", [("d", 64)], "hp0", STRATEGY=1)
    design = load(kit.saved(tmp_path, dma("a", "d"), way, kit.zynq(("S_AXI_HP0", "hp0"))))
    assert together(design).keys["outstanding_read"] == 1


def test_what_keys_cannot_say_is_said(tmp_path):
    writes = kit.module("b", kit.DMA, kit.writes("M_AXI_S2MM", "e", 32))
    ports = kit.zynq(("S_AXI_HP0", "d"), ("S_AXI_HP1", "e"))
    question = together(load(kit.saved(tmp_path, dma("a", "d"), writes, ports)))
    assert not question.keys
    assert "the ports differ in direction" in question.reasons[0]
    assert "width_bits differs between masters: 32, 64" in question.reasons
    general = load(kit.saved(tmp_path, dma("a", "d"), kit.zynq(("S_AXI_GP0", "d", 32))))
    assert "which the platform does not model" in together(general).reasons[0]
    assert together(general, ["HP0"]).reasons == ("no master moves data at these ports",)


def test_a_rate_that_a_master_asks_for_is_told(tmp_path):
    path = kit.saved(tmp_path, dma("a", "d"), kit.zynq(("S_AXI_HP0", "d")))
    as_exported = load(path)
    assert not together(as_exported).notes
    (note,) = together(changed(as_exported, "a.rate_mbs", 200)).notes
    assert "reads at 200 MB/s" in note


def test_masters_of_one_port_and_direction_are_counted(tmp_path):
    way = kit.interconnect("ic", [("d", 128), ("e", 128)], "h", 128)
    engines = dma("a", "d", 128), dma("b", "e", 128)
    design = load(kit.saved(tmp_path, *engines, way, kit.usp(("S_AXI_HP3_FPD", "h"))))
    keys = together(design).keys
    assert (keys["masters_per_port"], keys["ports"], keys["mode"]) == (2, "HP3", "ps_to_pl")


def test_halves_that_are_no_pair_are_told(tmp_path):
    both = kit.module("v", kit.DMA, kit.reads("M_AXI_MM2S", "d"), kit.writes("M_AXI_S2MM", "e"))
    way = kit.interconnect("ic", [("d", 64), ("e", 64)], "h")
    question = together(load(kit.saved(tmp_path, both, way, kit.zynq(("S_AXI_HP0", "h")))))
    assert question.keys["mode"] == "duplex"
    assert question.notes[0].startswith("v.M_AXI_MM2S, v.M_AXI_S2MM: treated as halves of pairs")
