"""Synthesis reports of Vitis HLS: what is read, the design of a report, misses, bad reports."""

from dataclasses import replace

import pytest

import design_kit
import hls_kit as kit
from axiometer.__main__ import main
from axiometer.base.errors import AxiometerError
from axiometer.designs import design_file, hls, load
from axiometer.designs.checks import check
from axiometer.designs.hls.report import MAX_PORTS

STRIDE = {"status": "Fail", "guide": "214-230", "problem": "Stride is incompatible"}
NEW = kit.tables(
    [
        kit.interface("m_axi_in", beats=64, outstanding=4),
        kit.interface("m_axi_b", beats=32),
        kit.interface("m_axi_out", "READ_WRITE", width=32),
    ],
    [kit.burst("m_axi_in", length=40), kit.burst("m_axi_out", "write")],
    [
        kit.access("m_axi_in,b", "shared", length=24),
        kit.access("m_axi_in", "a", **STRIDE),
        kit.access("m_axi_out", "c", way="write", length="variable"),
        kit.access("m_axi_out", "d", **STRIDE),
        kit.access("m_axi_out", "c", "Widen Fail", "write", guide="214-353", problem=kit.NARROW),
    ],
)
OLD = kit.tables(
    [kit.interface("m_axi_g", beats=16), kit.interface("m_axi_w", width=32, beats=16)],
    [kit.burst("m_axi_w", "write", 200)],
    missed=[
        ["m_axi_g", "x", "L", "Access is clobbered by store, or load", "214-231", "f.cpp:1:2"],
        ["m_axi_w", "y", "L", kit.NARROW, "214-353", "f.cpp:3:4"],
    ],
    arguments=[["x", "in"], ["y", "out"], ["n", "in"]],
    mapping=[["x", "m_axi_g"], ["y", "m_axi_w"], ["n", "s_axi_control"]],
    version=kit.OLD,
)


def bursts(design):
    """Beats and outstanding of each interface and direction."""
    return {
        (m.interface.removeprefix("m_axi_"), way): (c.burst_beats, c.outstanding)
        for m in design.masters
        for way, c in m.channels.items()
    }


def findings(design):
    return {
        (f.code, f.level): f for f in check(design) if f.code in ("missed-burst", "not-widened")
    }


@pytest.fixture
def new(tmp_path):
    return load(kit.saved(tmp_path, NEW))


def test_bursts_are_those_that_the_tool_made(new):
    assert bursts(new) == {
        ("in", "read"): (40, 4),  # of 24 and 40
        ("b", "read"): (24, 16),  # in the accesses of shared code alone
        ("out", "read"): (1, 16),  # its only access is a miss
        ("out", "write"): (64, 16),  # known at run time: the most
    }
    assert [m.width_bits for m in new.masters] == [64, 64, 32]


def test_a_report_alone_is_a_design(new):
    assert (new.chip, new.tool, new.part) == ("zynq-7000", "Vitis HLS 2025.1", "xc7z020-clg400-1")
    assert [clock.mhz for clock in new.clocks] == [pytest.approx(1000 / 6.67, rel=1e-3)]
    assert [m.ports for m in new.masters] == [("HP0",), ("HP1",), ("HP2",)]
    assert all(any("port: S_AXI_HP" in said for said in m.assumed) for m in new.masters)
    assert any("known at run time" in said for said in new.masters[2].assumed)


def test_an_old_report_has_directions_by_its_arguments(tmp_path):
    design = load(kit.saved(tmp_path, OLD, version=kit.OLD))
    assert bursts(design) == {("g", "read"): (1, 16), ("w", "write"): (16, 16)}
    (missed,) = design.masters[0].missed
    assert (missed.direction, missed.place) == ("read", "f.cpp:1:2")
    assert missed.reason == "Access is clobbered by store, or load"  # with its comma


@pytest.mark.parametrize("of", [NEW, OLD])
def test_text_and_xml_say_the_same(tmp_path, of):
    path = kit.saved(tmp_path, of)
    rpt = tmp_path / "scale_csynth.rpt"
    rpt.write_text(kit.text(of))
    written, plain = hls.read(path), hls.read(rpt)
    assert plain.period_ns is None and written.period_ns == 6.67
    assert replace(plain, period_ns=6.67) == written
    (clock,) = load(rpt).clocks
    assert clock.mhz == 100 and "csynth.rpt has no clock" in clock.source


def test_a_report_without_accesses_keeps_the_longest(tmp_path):
    narrow = kit.access("m_axi_h", "a", "Widen Fail", guide="214-353", problem=kit.NARROW)
    rows = [kit.interface("m_axi_g", beats=32), kit.interface("m_axi_h", beats=8)]
    design = load(kit.saved(tmp_path, kit.tables(rows, accesses=[narrow])))
    assert bursts(design) == {("g", "read"): (32, 16), ("h", "read"): (8, 16)}
    assert any("the report has no access" in said for said in design.masters[0].assumed)


def test_names_that_begin_with_others(tmp_path):
    rows = [kit.interface(f"m_axi_{name}") for name in ("g", "g1", "g11")]
    of = kit.tables(rows, accesses=[kit.access("m_axi_g11,g", "a", length=5)])
    for content in (kit.xml(of), kit.text(of)):
        (tmp_path / "csynth.xml").write_text(content)
        beats = {at: beats for (at, _), (beats, _) in bursts(load(tmp_path / "csynth.xml")).items()}
        assert beats == {"g": 5, "g1": 64, "g11": 5}


def test_columns_that_are_missing_are_unknown(tmp_path):
    """A report of another version, or a damaged one."""
    of = kit.tables([kit.interface("m_axi_g")])
    of["SW I/O Information"]["SW-to-HW Mapping"] = (["HW Interface"], [["m_axi_g"]])
    of["M_AXI Burst Information"]["All M_AXI Variable Accesses"] = (
        ["HW Interface", "Burst Status"],
        [["m_axi_g", "Fail"], ["m_axi_g,g,g", "Inferred"], ["m_axi_x", "Fail"]],
    )
    for content in (kit.xml(of), kit.text(of)):
        (tmp_path / "csynth.xml").write_text(content)
        assert bursts(load(tmp_path / "csynth.xml")) == {("g", "read"): (1, 16)}
        assert main(["check", "--no-costs", str(tmp_path / "csynth.xml")]) == 1


def test_a_port_is_not_asked_to_be_wider_than_it_can_be(tmp_path):
    wide = load(kit.saved(tmp_path, kit.tables([kit.interface("m_axi_g", width=512)])))
    assert "narrow-port" not in {f.code for f in check(wide)}
    port = replace(wide.ports[0], width_bits=32)
    (finding,) = (f for f in check(replace(wide, ports=(port,))) if f.code == "narrow-port")
    assert finding.mend == (("HP0.width_bits", 64),) and "6 %" in finding.says


def test_the_directory_of_a_solution(tmp_path):
    folder = tmp_path / "solution1" / "syn" / "report"
    folder.mkdir(parents=True)
    (folder / "csynth.rpt").write_text(kit.text(NEW))
    assert load(tmp_path / "solution1").clocks[0].mhz == 100
    kit.saved(folder, NEW)
    assert bursts(load(tmp_path)) == bursts(load(folder)) == bursts(load(folder / "csynth.xml"))
    assert load(tmp_path / "solution1").clocks[0].mhz != 100  # the XML has the clock


def test_misses_are_findings_with_reason_and_change(new):
    got = findings(new)
    whole = got["missed-burst", "mistake"]
    assert "m_axi_out: no bursts for reads of d (f.cpp:10:2): stride is incompatible" in whole.says
    assert "It reads beat by beat." in whole.says and "consecutive" in whole.change
    assert whole.mend == (("scale.m_axi_out.read.burst_beats", 64),)
    some = got["missed-burst", "advice"]
    assert "reads of a " in some.says and "beat by beat" not in some.says and some.no_rate
    widened = got["not-widened", "advice"]
    assert "writes of c " in widened.says and "max_widen_bitwidth" in widened.change
    assert widened.mend == (("scale.m_axi_out.width_bits", 64),)


def test_a_core_without_misses_has_no_such_finding(tmp_path):
    good = kit.tables(
        [kit.interface("m_axi_g")],
        [kit.burst("m_axi_g", length=64)],
        # At the width of the port: it need not be wider.
        [kit.access("m_axi_g", "a", "Widen Fail", guide="214-353", problem=kit.NARROW)],
    )
    assert not findings(load(kit.saved(tmp_path, good)))


def test_a_design_file_keeps_the_misses(new, tmp_path):
    (tmp_path / "d.toml").write_text(design_file.dumps(new))
    assert load(tmp_path / "d.toml") == new
    assert new.masters[2].missed


def core(*interfaces, instance="scale_0", vlnv="xilinx.com:hls:scale:1.0"):
    return design_kit.module(instance, vlnv, *interfaces)


@pytest.fixture
def export(tmp_path):
    """A block design with the core of the report `NEW`, as the tool writes it by default."""
    given = {"MAX_READ_BURST_LENGTH": 64, "NUM_READ_OUTSTANDING": 16}
    inner = design_kit.bus("m_axi_out", "o", True, 32, PROTOCOL="AXI4", **given)
    block = core(design_kit.reads("m_axi_in", "i", **given), inner)
    system = design_kit.zynq(("S_AXI_HP0", "i"), ("S_AXI_HP2", "o"))
    return design_kit.saved(tmp_path, block, system)


def test_a_report_completes_an_export(export, tmp_path, capsys):
    before = load(export)
    assert bursts(before)["in", "read"] == (64, 16)
    out = tmp_path / "mine.toml"
    report = kit.saved(tmp_path, NEW)
    words = ["import", "design", str(export), "--hls", str(report), "--out", str(out)]
    assert main(words) == 0, capsys.readouterr().err
    after = load(out)
    assert bursts(after)["in", "read"] == (40, 4) and bursts(after)["out", "read"][0] == 1
    assert after.masters[0].routes == before.masters[0].routes and after.clocks == before.clocks
    assert {code for code, _ in findings(after)} == {"missed-burst", "not-widened"}


def test_a_report_of_another_core_is_refused(export, tmp_path):
    report = hls.read(kit.saved(tmp_path, NEW, top="scaled"))
    with pytest.raises(AxiometerError, match="no master of bd belongs to the core 'scaled'") as one:
        hls.completed(load(export), report)
    assert one.value.remedy == "did you mean 'scale'?"
    other = design_kit.module("dma", design_kit.DMA, design_kit.reads("M_AXI_MM2S", "d"))
    path = design_kit.saved(tmp_path, other, design_kit.zynq(("S_AXI_HP0", "d")), name="n.hwh")
    with pytest.raises(AxiometerError, match="no master") as one:
        hls.completed(load(path), report)
    assert "no HLS core" in one.value.remedy


BAD = {
    "no XML": ("<profile><a></profile>", "mismatched tag"),
    "another text": ("Design Timing Summary\n| WNS | TNS |\n", "no table of m_axi"),
    "no m_axi": (kit.xml(kit.tables([])), "no table of m_axi"),
    "wide": (kit.xml(kit.tables([kit.interface("m_axi_g", width=4096)])), "has the width"),
    "many": (
        kit.xml(kit.tables([kit.interface(f"m_axi_{n}") for n in range(MAX_PORTS + 1)])),
        "more than 64",
    ),
    "columns": ("* M_AXI\n" + "+-" * 100 + "+\n", "more than 64 columns"),
    "heading": ("* M_AXI\n+-+\n" + "|a|\n" * 9, "more than 8 lines"),
    "rows": (
        kit.xml(kit.tables([kit.interface("m_axi_g")], [kit.burst("m_axi_g")] * 20_001)),
        "more than 20000 rows",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_report_is_refused(name, tmp_path, capsys):
    content, says = BAD[name]
    path = tmp_path / "csynth.xml"
    path.write_text(content)
    for command in (["expect"], ["check"], ["import", "design"]):
        assert main([*command, str(path)]) == 2
        told = capsys.readouterr().err
        assert says in told and "give csynth.xml" in told


def test_words_of_a_report_are_harmless(tmp_path, capsys):
    problem = "Stride\x1b[31m is\x85 bad, or not | or so"
    rows = [kit.access("m_axi_g", "a\x9b", status="Fail", guide="1-1", problem=problem)]
    of = kit.tables([kit.interface("m_axi_g")], accesses=rows)
    path = tmp_path / "csynth.rpt"
    path.write_text(kit.text(of), encoding="utf-8")
    assert main(["check", str(path), "-v", "--no-costs"]) == 1
    out = capsys.readouterr().out
    assert not {"\x1b", "\x9b", "\x85"} & set(out)
    assert "bad, or not | or so" in " ".join(out.split())


def test_more_interfaces_than_ports_share_them(tmp_path, capsys):
    ways = ["READ_ONLY", *["READ_WRITE"] * 4]
    rows = [kit.interface(f"m_axi_g{n}", way, width=128) for n, way in enumerate(ways)]
    family = {"part": "xczu9eg-ffvb1156-2-e", "family": "zynquplus"}
    path = kit.saved(tmp_path, kit.tables(rows), **family)
    design = load(path)
    assert [m.ports for m in design.masters][-1] == ("HP0",)
    # Two reads and one write at a port are no point of an experiment: they run as masters.
    assert main(["expect", str(path), "--board", "zcu102", "--repeats", "1", "--ports", "HP0"]) == 0
    assert "(simulated)" in capsys.readouterr().out
