"""`axiometer import design` and `axiometer check design`; explain, report and curve of a design."""

import json
import time

import pytest

import design_kit as kit
from axiometer.__main__ import main
from axiometer.designs import load
from axiometer.platform import Platform
from test_design_platform import MEMORY


@pytest.fixture
def path(tmp_path):
    """A DMA behind a general port: a mistake."""
    facts = {"C_SG_LENGTH_WIDTH": 26}
    block = kit.module("dma", kit.DMA, kit.reads("M_AXI_MM2S", "d"), parameters=facts)
    return kit.saved(tmp_path, block, kit.zynq(("S_AXI_GP0", "d", 32)))


@pytest.fixture
def good(tmp_path):
    block = kit.module("dma", kit.DMA, kit.reads("M_AXI_MM2S", "d"))
    asked = {"PCW_FPGA1_PERIPHERAL_FREQMHZ": "142.857132"}
    return kit.saved(
        tmp_path, block, kit.zynq(("S_AXI_HP0", "d"), parameters=asked), name="good.hwh"
    )


def test_import_writes_the_design_file(good, tmp_path, cli):
    out = tmp_path / "design.toml"
    assert f"wrote {out}" in cli.both("import design", good, "--out", out).err
    assert load(out) == load(good)
    assert "cannot be written" in cli.refused(
        "import design", out, "-o", tmp_path / "no" / "x.toml", status=1
    )


@pytest.fixture
def known(tmp_path):
    """A reader at HP0, with the memory of a board."""
    block = kit.module("dma", kit.DMA, kit.reads("M_AXI_MM2S", "d"))
    system = kit.zynq(("S_AXI_HP0", "d"), parameters=MEMORY)
    return kit.saved(tmp_path, block, system, name="known.hwh")


def test_the_documents(good, path, known, cli):
    answer = cli.json("import design", good)
    assert answer["masters"][0]["name"] == "dma.M_AXI_MM2S"
    assert answer["command"] == ""  # the export names no board
    answer = cli.json("import design", known)
    (word,) = [w for w in answer["command"].split() if w.startswith("dma=")]
    assert word.split(",")[:2] == ["dma=read", "port=HP0"]
    answer = cli.json("check", path, status=1)
    assert [f["code"] for f in answer["findings"]] == ["dma-at-general-port", "clock-not-as-asked"]
    keys = {"code", "level", "where", "says", "change", "mend"}
    assert set(answer["findings"][0]) == keys
    assert answer["costs"].startswith("No costs: the design's board is unknown")
    answer = cli.json("check", path, "--board", "zedboard", status=1)
    assert set(answer["findings"][0]) == keys | {"cost"}
    assert "costs" not in cli.json("check", path, "--no-costs", status=1)
    point = cli.json("expect", known)
    judged = cli.json("check", known, "--no-costs", "--need", "100")
    assert set(point) <= set(judged) and judged["needs"][0]["met"] and "findings" in judged
    of_board = cli.json("expect zybo HP0 read")
    assert set(of_board) <= set(point)
    assert point["schema_version"] == of_board["schema_version"]


@pytest.fixture
def design(tmp_path):
    """A reader and a narrower writer at HP0, and a reader at HP2."""
    way = kit.interconnect("ic", [("a", 64), ("b", 32)], "h")
    blocks = [
        kit.module("one", kit.DMA, kit.reads("M_AXI_MM2S", "a")),
        kit.module("two", kit.DMA, kit.writes("M_AXI_S2MM", "b", 32)),
        kit.module("three", kit.DMA, kit.reads("M_AXI_MM2S", "c")),
    ]
    system = kit.zynq(("S_AXI_HP0", "h"), ("S_AXI_HP2", "c"), parameters=MEMORY)
    return kit.saved(tmp_path, *blocks, way, system)


def test_explain_of_a_design_shows_where_its_time_goes(design, cli):
    found = cli.json("explain", design)
    assert [p["of"] for p in found["points"]] == [
        *("one alone", "two alone", "three alone"),
        *("HP0, all masters", "all at once"),
    ]
    assert found["board"] == "zybo"
    for point in found["points"]:
        assert sum(point["dram"]["shares"].values()) == pytest.approx(1, abs=1e-5)


def test_explain_of_one_part_is_in_full(design, cli):
    assert "all at once" in cli("explain", design, "--plain")
    shown = cli("explain", design, "all at once", "--plain", "-v")
    assert "all at once" in shown and "two write" in shown and "DRAM bus" in shown
    assert "no finished point 'nobody'" in cli.refused("explain", design, "nobody")


def test_explain_does_not_advise_ports_that_the_design_uses(design, cli):
    (alone,) = [p for p in cli.json("explain", design)["points"] if p["of"] == "one alone"]
    assert alone["advice"].startswith("Try: one: ") and "HP2" not in alone["advice"]


def test_report_of_a_design(design, tmp_path, capsys, cli):
    page = tmp_path / "mine.html"
    cli("report", design, "-o", page)
    text = page.read_text(encoding="utf-8")
    assert "all at once" in text and "HP0, all masters" in text
    main(["check", str(design), "--json", "--no-costs"])
    found = json.loads(capsys.readouterr().out)["findings"]
    findings = [of["change"] for of in sorted(found, key=lambda of: of["level"] != "mistake")]
    places = [text.index(part) for part in (" MB/s", "Limit: ", *findings, 'class="tiles"')]
    assert findings and places == sorted(places)


def test_curve_of_masters_that_are_alike_is_one(tmp_path, cli):
    blocks = [kit.module(n, kit.DMA, kit.reads("M_AXI_MM2S", n)) for n in ("x", "y")]
    system = kit.zynq(("S_AXI_HP0", "x"), ("S_AXI_HP2", "y"), parameters=MEMORY)
    path = kit.saved(tmp_path, *blocks, system)
    (curve,) = cli.json("curve", path, "--gaps", "0,256")["curves"]
    assert curve["points"][0]["total_MBps"] > curve["points"][1]["total_MBps"]


def test_curve_of_others_is_one_each(design, cli):
    found = cli.json("curve", design, "--gaps", "0,256")["curves"]
    assert [curve["of"] for curve in found] == ["all at once", "HP0", "one", "two", "three"]
    assert [curve["ratio"] for curve in found] == ["1:1", "1:1", "1:0", "0:1", "1:0"]
    assert "a design" in cli("curve", design, "--gaps", "0,256", "--plain")


def test_curve_of_all_at_once_has_each_master_as_it_is(design, cli):
    slower = ["--set", "HP2.clock_mhz=50", "--set", "three.clock_mhz=50"]
    first = cli.json("curve", design, *slower, "--gaps", "0,1024")["curves"][0]
    assert first["of"] == "all at once"
    near, far = first["points"]
    # One at a time, each burst is 16 beats and the gap: 128 B in 1040 clocks of 10 or 20 ns.
    assert far["by_port_MBps"]["HP2"] == pytest.approx(128 / (1040 * 0.020), rel=0.02)
    assert far["total_MBps"] < near["total_MBps"] / 10
    kept = Platform.load("zybo").value("master.outstanding_read")
    assert near["in_flight"] <= 3 * kept  # three masters
    # Little's law: what is in flight is what arrives in the time that it takes.
    rate = far["read_MBps"] / 128 * far["latency_ns"]["read"]["mean"]
    rate += far["write_MBps"] / 64 * far["latency_ns"]["write"]["mean"]
    assert far["in_flight"] == pytest.approx(rate * 1e-3, rel=0.02)


def test_curve_of_a_design_has_its_own_directions(design, cli):
    refused = cli.refused("curve", design, "--ports", "HP2", "--ratio", "2:1")
    assert "masters of a design have their own directions" in refused
    (curve,) = cli.json("curve", design, "--ports", "HP2", "--gaps", "0,64")["curves"]
    assert curve["ratio"] == "1:0"


@pytest.mark.parametrize(
    ("command", "name", "most"),
    [
        ("expect", "pynqcv-pynq-z1-xv2filter2dremap.hwh.xz", 10),  # eight masters
        ("advise", "pynqcv-ultra96-xv2filter2ddilate.hwh.xz", 20),  # four
    ],
)
def test_an_answer_takes_seconds(command, name, most):
    path = kit.reference(name)
    started = time.process_time()
    assert main([command, str(path), "--json"]) == 0
    assert time.process_time() - started < most
