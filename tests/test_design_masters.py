"""The list of masters of a design: the papers' designs ask the papers' measured points, and a list,
the keys that name it and the printed command are one question."""

import shlex

import pytest

import axiometer as axm
import design_kit as kit
from axiometer.api import design_answers
from axiometer.designs import load, masters
from axiometer.designs.changes import changed
from axiometer.designs.plan import planned
from axiometer.experiment import Experiment, listed, master_keys
from axiometer.platform import Platform
from axiometer.published import asked, measured

TABLE3, TABLE4, TABLE5 = "zybo-hp-bandwidth", "zybo-hp-read-150mhz", "de1-soc-f2s-bandwidth"
ZYBO_BOARD = Platform.load("zybo")
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
ASKED = ("ports", "mode", "width_bits", "burst_bytes", "pl_mhz", "masters_per_port")
FIGURES = ("stats", "total", "read", "write", "latency", "range", "band", "anchored", "measured")


def of(design, platform, ports=None):
    """The list of the masters behind `ports` (None: all)."""
    return masters.of(platform, planned(design_answers.behind(design, ports and "+".join(ports))))


def keys_of(own):
    """The keys that name the masters of a list."""
    return listed.as_keys(master_keys.of(own.point().values))


@pytest.mark.parametrize("name", PAPERS)
def test_the_papers_designs_ask_the_rows_that_they_measured(name):
    experiment, mode, width, started = PAPERS[name]
    design = load(kit.reference(name))
    platform = Platform.load(Experiment.load(experiment).platform_name)
    rows = [point.values for point in Experiment.load(experiment).points()]
    for ports in started:
        own = of(design, platform, ports)
        assert own.apart == ()
        values = own.point().values
        found = asked.of(values)
        (row,) = [r for r in rows if all(r[key] == found[key] for key in ASKED)]
        assert (row["mode"], row["width_bits"]) == (mode, width)
        assert row["transfer_bytes"] == values["transfer_bytes"]
        assert len(row["ports"]) == len(ports or rows[-1]["ports"])
        for direction in ("read", "write"):
            kept = found[f"outstanding_{direction}"]
            if "intel" in name and kept is not None:
                # The FIFO of an mSGDMA has room for 64, more than the model keeps.
                assert (direction, kept) == ("read", 63)
            else:
                assert kept is None  # the default of the board's engines


def test_the_published_ultra96_design_asks_what_its_experiment_has():
    platform = Platform.load("ultra96")
    found = asked.of(of(load(kit.reference("ultra96-memory-test.hdf")), platform).point().values)
    rows = [point.values for point in Experiment.load("ultra96-mixed").points()]
    assert any(all(row[key] == found[key] for key in ASKED) for row in rows)
    assert found["outstanding_read"] is found["outstanding_write"] is None


def engine(name, port, direction, **more):
    return {"kind": "engine", "name": name, "port": port, "direction": direction, **more}


SAME = {
    "two loop-backs": (
        "zybo",
        {"ports": "HP0+HP2", "mode": "duplex"},
        [engine("a", "HP0", "pair"), engine("b", "HP2", "pair")],
    ),
    "partners": (
        "zybo",
        {"ports": "HP0", "mode": "duplex"},
        [engine("w", "HP0", "write"), engine("r", "HP0", "read", partner="w")],
    ),
    "readers": (
        "zybo",
        {"ports": "HP0+HP1", "mode": "read"},
        [engine("a", "HP0", "read"), engine("b", "HP1", "read")],
    ),
    "both ways": (
        "zybo",
        {"ports": "HP0", "mode": "mixed"},
        [engine("a", "HP0", "both")],
    ),
    "free": (
        "ultra96",
        {"ports": "HP0+HP1", "mode": "mixed", "burst_bytes": 256},
        [engine("a", "HP0", "both", burst_bytes=256), engine("b", "HP1", "both", burst_bytes=256)],
    ),
    "Cyclone V": ("de1-soc", {"ports": "F2S", "mode": "duplex"}, [engine("a", "F2S", "pair")]),
}


@pytest.mark.parametrize("name", SAME)
def test_a_list_and_the_keys_that_name_it_have_one_answer_and_the_same_measured_rows(name):
    board, keys, tables = SAME[name]
    one, other = axm.expect(board, **keys), axm.expect(board, masters=tables)
    assert (one.total, one.range, one.band) == (other.total, other.range, other.band)
    assert one.measured == other.measured and one.anchored == other.anchored
    assert one.sampling == other.sampling
    if keys["mode"] != "mixed" or board == "ultra96":
        assert one.measured  # a published row
    kept = listed.as_keys(master_keys.of(other.point.values))
    assert [kept[key] for key in ASKED[1:]] == [one.point.values[key] for key in ASKED[1:]]
    assert one.point.values["ports"] == other.point.values["ports"]


@pytest.mark.parametrize(
    "change",
    [{"through": "smartconnect"}, {"rate_mbs": 100}, {"burst_bytes": 64}, {"outstanding": 1}],
)
def test_a_list_that_differs_from_a_row_is_not_measured(change):
    """A mutant of `as_keys` that leaves a key out would find the row again."""
    board, _, (own,) = SAME["Cyclone V"]
    assert axm.expect(board, masters=[own], repeats=1).measured
    point = axm.expect(board, masters=[{**own, **change}], repeats=1).point
    assert not measured.of_point(Platform.load(board), point.values)


@pytest.mark.parametrize(
    ("tables", "words"),
    [
        ([engine("w", "HP0", "write", partner="x")], "no master is called 'x'"),
        ([engine("w", "HP0", "write", partner="w")], "name the engine at the other end"),
        (
            [engine("w", "HP0", "write", partner="r"), engine("r", "HP0", "write")],
            "not the two ends of one stream",
        ),
        (
            [engine("w", "HP0", "write", partner="r"), engine("r", "HP1", "read", burst_bytes=64)],
            "not the two ends of one stream",
        ),
        (
            [
                engine("w", "HP0", "write", partner="r"),
                engine("r", "HP0", "read"),
                engine("v", "HP1", "write", partner="r"),
            ],
            "not the two ends of one stream",
        ),
    ],
)
def test_what_is_no_stream_is_refused(tables, words):
    with pytest.raises(axm.AxiometerError, match=words):
        axm.expect("zybo", masters=tables)


def test_partners_at_two_ports_move_at_one_rate():
    halves = [engine("w", "HP0", "write"), engine("r", "HP2", "read", partner="w", rate_mbs=200)]
    found = axm.expect("zybo", masters=halves, duration="1ms", repeats=1)
    assert found.read == pytest.approx(200, rel=0.01)
    assert found.write == pytest.approx(200, rel=0.01)
    apart = [{key: value for key, value in half.items() if key != "partner"} for half in halves]
    assert axm.expect("zybo", masters=apart, duration="1ms", repeats=1).write > 700


DESIGNS = [
    "pynq-z1-base.hwh.xz", "pynq-zcu104-base.hwh.xz", "pynqcv-pynq-z1-xv2filter2dremap.hwh.xz",
    "pynqcv-ultra96-xv2filter2ddilate.hwh.xz", "ultra96-memory-test.hdf", "vieira-pl2ps-64bit.hdf",
    "vieira-intel-duplex-64bit.qsys.xz",
]  # fmt: skip


@pytest.mark.parametrize("name", DESIGNS)
def test_the_printed_command_asks_the_same_to_the_bit(name, cli):
    path = kit.reference(name)
    answer = cli.json("expect", path)
    program, *words = shlex.split(answer["command"])
    asked_again = cli.json(*words)
    assert (
        program == "axiometer" and cli.json("import design", path)["command"] == answer["command"]
    )
    # Worded as options of a command, which a design has not; a command leaves usual values out. A
    # design knows what lies behind a rate, and its own clocks.
    worded = ("headline", "sentence", "advice", "question", "assumed", "clock")
    assert {k: answer[k] for k in asked_again if k not in worded} == {
        k: v for k, v in asked_again.items() if k not in worded
    }
    design = axm.Design.load(path)
    of_design = axm.expect(design)
    tables = [
        {"kind": "engine", "name": name, **row}
        for name, row in of(design.read, design.platform).rows.items()
    ]
    clock = {"pl_mhz": answer["values"]["pl_mhz"]}
    point = axm.expect(design.platform, masters=tables, **clock)
    assert of_design == point
    assert all(getattr(of_design, figure) == getattr(point, figure) for figure in FIGURES)


@pytest.mark.parametrize(
    "name",
    ["pynq-z1-base.hwh.xz", "pynqcv-ultra96-xv2filter2ddilate.hwh.xz", "pynq-zcu104-base.hwh.xz"],
)
def test_each_master_alone_is_a_list_of_its_chips_platform(name):
    design = load(kit.reference(name))
    platform = Platform.load({"zynq-7000": "zybo"}.get(design.chip, "zcu102"))
    for plan in planned(design).asked.alone():
        (master,) = masters.of(platform, plan).point().values["masters"]
        own = plan.masters[0].master
        assert (master["port"],) == own.ports and (master["direction"],) == own.directions


def dma(instance, net, width=64, **given):
    return kit.module(
        instance, kit.DMA, kit.reads("M_AXI_MM2S", net, width), parameters={"C_MM2S_BURST_SIZE": 16}
    )


def test_the_narrowest_link_counts(tmp_path):
    way = kit.interconnect("ic", [("d", 64)], "hp0", 32)
    port = kit.zynq(("S_AXI_HP0", "hp0", 32), parameters={"PCW_S_AXI_HP0_DATA_WIDTH": 32})
    own = of(load(kit.saved(tmp_path, dma("a", "d"), way, port)), ZYBO_BOARD)
    keys = keys_of(own)
    assert (keys["width_bits"], keys["burst_bytes"]) == (32, 64)


def test_a_hop_limits_what_is_outstanding(tmp_path):
    way = kit.interconnect("ic", [("d", 64)], "hp0", STRATEGY=1)
    design = load(kit.saved(tmp_path, dma("a", "d"), way, kit.zynq(("S_AXI_HP0", "hp0"))))
    assert keys_of(of(design, ZYBO_BOARD))["outstanding_read"] == 1


def test_masters_that_no_keys_name_are_a_list_too(tmp_path):
    writes = kit.module("b", kit.DMA, kit.writes("M_AXI_S2MM", "e", 32))
    ports = kit.zynq(("S_AXI_HP0", "d"), ("S_AXI_HP1", "e"))
    own = of(load(kit.saved(tmp_path, dma("a", "d"), writes, ports)), ZYBO_BOARD)
    assert keys_of(own) is None and list(own.rows) == ["a", "b"]
    general = load(kit.saved(tmp_path, dma("a", "d"), kit.zynq(("S_AXI_GP0", "d", 32))))
    with pytest.raises(axm.AxiometerError, match="which the platform does not model"):
        of(general, ZYBO_BOARD)


def test_a_requested_rate_of_a_master_is_in_the_list(tmp_path):
    path = kit.saved(tmp_path, dma("a", "d"), kit.zynq(("S_AXI_HP0", "d")))
    as_exported = load(path)
    assert keys_of(of(as_exported, ZYBO_BOARD))
    own = of(changed(as_exported, "a.rate_mbs", 200), ZYBO_BOARD)
    assert own.rows["a"]["rate_mbs"] == 200 and keys_of(own) is None


def test_masters_of_one_port_and_direction_are_counted(tmp_path):
    way = kit.interconnect("ic", [("d", 128), ("e", 128)], "h", 128)
    engines = dma("a", "d", 128), dma("b", "e", 128)
    design = load(kit.saved(tmp_path, *engines, way, kit.usp(("S_AXI_HP3_FPD", "h"))))
    keys = keys_of(of(design, Platform.load("zcu102")))
    assert (keys["masters_per_port"], keys["mode"]) == (2, "ps_to_pl")


def test_halves_that_no_stream_joins_are_independent(tmp_path):
    both = kit.module("v", kit.DMA, kit.reads("M_AXI_MM2S", "d"), kit.writes("M_AXI_S2MM", "e"))
    way = kit.interconnect("ic", [("d", 64), ("e", 64)], "h")
    own = of(load(kit.saved(tmp_path, both, way, kit.zynq(("S_AXI_HP0", "h")))), ZYBO_BOARD)
    assert keys_of(own)["mode"] == "mixed" and own.joined == own.apart == ()
