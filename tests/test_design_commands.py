"""`axiometer import design` and `axiometer check design`."""

import pytest

import design_kit as kit
from axiometer.designs import load


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


def test_import_shows_the_parts_of_a_design(path, cli, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")  # so that a row is a line
    shown = cli("import design", path, "--plain")
    assert shown.isascii()
    for words in (
        "bd (bd.hwh)",
        "Zynq-7000, xc7z020clg400-1, Vivado 2022.1; no initialisation file",
        "parameters, IO PLL: 1000 MHz / 5 / 2",
        "dma.M_AXI_MM2S AXI DMA, 26-bit length SGP0 read",
        "Assumed, since the design does not state it:",
    ):
        assert words in " ".join(shown.split())


def test_import_writes_the_design_file(good, tmp_path, cli):
    out = tmp_path / "design.toml"
    assert f"wrote {out}" in cli.both("import design", good, "--out", out).err
    assert load(out) == load(good)
    assert "cannot be written" in cli.refused(
        "import design", out, "-o", tmp_path / "no" / "x.toml", status=1
    )


def test_the_documents(good, path, cli):
    answer = cli.json("import design", good)
    assert answer["masters"][0]["name"] == "dma.M_AXI_MM2S"
    assert answer["points"][0]["keys"]["ports"] == "HP0"
    assert answer["together"]["keys"]["mode"] == "ps_to_pl"
    answer = cli.json("check", path, status=1)
    assert [f["code"] for f in answer["findings"]] == ["dma-at-general-port", "clock-not-as-asked"]
    keys = {"code", "level", "where", "says", "change", "mend"}
    assert set(answer["findings"][0]) == keys
    assert answer["costs"].startswith("No costs: the design's board is unknown")
    answer = cli.json("check", path, "--board", "zedboard", status=1)
    assert set(answer["findings"][0]) == keys | {"cost"}
    assert "costs" not in cli.json("check", path, "--no-costs", status=1)


def test_check_names_the_changes_and_fails_on_mistakes(path, good, cli):
    shown = cli("check", path, status=1)
    assert shown.startswith("bd (bd.hwh): 2 mistakes, 0 advice\n")
    said = " ".join(shown.split())
    assert "mistake dma-at-general-port: dma.M_AXI_MM2S (AXI DMA) moves data through" in said
    assert " Connect it to S_AXI_HP0." in said
    shown = cli("check", path, "-v", status=1)
    assert "bd (bd.hwh): 2 mistakes, 0 advice" in shown
    assert "mistake dma-at-general-port: dma.M_AXI_MM2S (AXI DMA) moves data through" in shown
    assert "\n  Connect it to S_AXI_HP0.\n" in shown
    assert "0 mistakes, 0 advice" in cli("check", good)
