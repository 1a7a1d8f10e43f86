"""Block designs as Vivado saves them (.bd, JSON)."""

import json

import pytest

import tcl_kit as kit
from axiometer.base.errors import AxiometerError
from axiometer.designs import load


def values(**settings):
    return {"parameters": {name: {"value": str(value)} for name, value in settings.items()}}


def pin(mode, **settings):
    return {"mode": mode, "vlnv": "xilinx.com:interface:aximm_rtl:1.0", **values(**settings)}


def nets(kind, *joined):
    return {f"n{number}": {kind: list(ends)} for number, ends in enumerate(joined)}


def design():
    """A DMA in a hierarchy at HP0, and HP1 brought out with a clock of its own."""
    clock = {"type": "clk", "direction": "I"}
    mover = {
        "interface_ports": {"M_AXI": pin("Master")},
        "ports": {"clk": clock},
        "components": {"dma": {"vlnv": kit.DMA, **values(C_M_AXI_MM2S_DATA_WIDTH=64)}},
        "interface_nets": nets("interface_ports", ("M_AXI", "dma/M_AXI_MM2S")),
        "nets": nets("ports", ("clk", "dma/m_axi_mm2s_aclk")),
    }
    ps = {"vlnv": kit.PS, **values(PCW_FPGA0_PERIPHERAL_FREQMHZ=125, PCW_S_AXI_HP1_DATA_WIDTH=32)}
    return {
        "design_info": {"name": "d", "device": "xc7z020clg400-1", "tool_version": "2022.1"},
        "interface_ports": {"S_AXI": pin("Slave", DATA_WIDTH=32, MAX_BURST_LENGTH=8)},
        "ports": {"adc": {**clock, **values(FREQ_HZ=122880000)}},
        "components": {"ps": ps, "mover": mover, "ic": {"vlnv": kit.IC, "components": {"x": {}}}},
        "interface_nets": nets(
            "interface_ports",
            ("mover/M_AXI", "ic/S00_AXI"),
            ("ps/S_AXI_HP0", "ic/M00_AXI"),
            ("S_AXI", "ps/S_AXI_HP1"),
        ),
        "nets": nets(
            "ports",
            ("ps/FCLK_CLK0", "mover/clk", "ps/S_AXI_HP0_ACLK", "ic/ACLK"),
            ("adc", "ps/S_AXI_HP1_ACLK"),
        ),
        "addressing": {
            "/mover/dma": {
                "address_spaces": {
                    "Data_MM2S": {
                        "segments": {
                            "s": {
                                "address_block": "/ps/S_AXI_HP0/HP0_DDR_LOWOCM",
                                "offset": "0x00000000",
                                "range": "512M",
                            }
                        }
                    }
                }
            }
        },
    }


def test_a_saved_block_design_is_read(tmp_path):
    (tmp_path / "d.bd").write_text(json.dumps({"design": design()}))
    read = load(tmp_path / "d.bd")
    assert (read.part, read.tool) == ("xc7z020clg400-1", "Vivado 2022.1, as .bd")
    found = {m.name: (m.ports, m.width_bits, read.clock(m.clock).mhz) for m in read.masters}
    assert found == {
        "mover/dma.M_AXI_MM2S": (("HP0",), 64, 125),
        "S_AXI.S_AXI": (("HP1",), 32, 122.88),
    }
    (route,) = read.masters[0].routes
    assert [hop.instance for hop in route.hops] == ["ic"] and route.segments[0].high == 2**29 - 1
    (tmp_path / "other.tcl").write_text(kit.simple())
    assert load(tmp_path).name == "d"  # the tool's own file counts, of a directory too


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("\ufeff<?xml version='1.0'?>", "before 2018.3, as XML"),
        ("{", "not the JSON"),
        ('{"design": {}}', "no design_info"),
        ("[" * 100_000, "not the JSON"),
        (
            '{"design": {"design_info": {"name": 3}, "components": {"a": 1}, "nets": [1]}}',
            "no cell",
        ),
    ],
)
def test_what_is_no_block_design_is_refused(tmp_path, content, words):
    (tmp_path / "d.bd").write_text(content)
    with pytest.raises(AxiometerError, match=words):
        load(tmp_path / "d.bd")
