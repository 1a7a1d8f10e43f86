"""`axiometer import design` and `axiometer check design`."""

import json

import pytest

import design_kit as kit
from axiometer.__main__ import main
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


def test_import_shows_what_is_in_a_design(path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")  # so that a row is a line
    assert main(["import", "design", str(path), "--plain"]) == 0
    shown = capsys.readouterr().out
    assert shown.isascii()
    for words in (
        "bd (bd.hwh)",
        "Zynq-7000, xc7z020clg400-1, Vivado 2022.1; no initialisation file",
        "parameters, IO PLL: 1000 MHz / 5 / 2",
        "dma.M_AXI_MM2S AXI DMA, 26-bit length SGP0 read",
        "Assumed, as the design does not tell:",
    ):
        assert words in " ".join(shown.split())


def test_import_writes_the_design_file(good, tmp_path, capsys):
    out = tmp_path / "design.toml"
    assert main(["import", "design", str(good), "--out", str(out)]) == 0
    assert f"wrote {out}" in capsys.readouterr().err
    assert load(out) == load(good)
    assert main(["import", "design", str(out), "-o", str(tmp_path / "no" / "x.toml")]) == 1
    assert "cannot be written" in capsys.readouterr().err


def test_the_documents(good, path, capsys):
    assert main(["import", "design", str(good), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["masters"][0]["name"] == "dma.M_AXI_MM2S"
    assert told["points"][0]["keys"]["ports"] == "HP0"
    assert told["together"]["keys"]["mode"] == "ps_to_pl"
    assert main(["check", str(path), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert [f["code"] for f in told["findings"]] == ["dma-at-general-port", "clock-not-as-asked"]
    keys = {"code", "level", "where", "says", "change", "mend"}
    assert set(told["findings"][0]) == keys
    assert told["costs"].startswith("No costs: the design's board is unknown")
    assert main(["check", str(path), "--json", "--board", "zedboard"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert set(told["findings"][0]) == keys | {"cost"}
    assert main(["check", str(path), "--json", "--no-costs"]) == 1
    assert "costs" not in json.loads(capsys.readouterr().out)


def test_check_says_what_to_change_and_fails_on_mistakes(path, good, capsys):
    assert main(["check", str(path)]) == 1
    shown = capsys.readouterr().out
    assert shown.startswith("bd (bd.hwh): 2 mistakes, 0 advice\n")
    said = " ".join(shown.split())
    assert "mistake dma-at-general-port: dma.M_AXI_MM2S (AXI DMA) moves data through" in said
    assert " Connect it to S_AXI_HP0." in said
    assert main(["check", str(path), "-v"]) == 1
    shown = capsys.readouterr().out
    assert "bd (bd.hwh): 2 mistakes, 0 advice" in shown
    assert "mistake dma-at-general-port: dma.M_AXI_MM2S (AXI DMA) moves data through" in shown
    assert "\n  Connect it to S_AXI_HP0.\n" in shown
    assert main(["check", str(good)]) == 0
    assert "0 mistakes, 0 advice" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["import", "design", "nothing.xsa"], "there is no file nothing.xsa"),
        (["check", "nothing.xsa"], "give an .xsa or .hdf"),
        (["import", "desing", "x"], "did you mean 'design'?"),
        (["check"], "file"),
        (["check", "nothing.doc"], "there is no file nothing.doc"),
        (["import", "zynq7000-time-measurements", ".", "--json"], "leave --json out"),
    ],
)
def test_mistakes_of_the_command_line(words, message, capsys):
    assert main(words) == 2
    assert message.lower() in capsys.readouterr().err.lower()
