"""Unknown chips are refused immediately, and a design never runs on another chip."""

import zipfile

import pytest

import design_kit
import kit
from axiometer.__main__ import main
from axiometer.base import data, other_chips
from axiometer.base.board_tools import tools
from axiometer.base.errors import AxiometerError
from axiometer.designs import load

DMA = design_kit.module(
    "dma", design_kit.DMA, design_kit.reads("M_AXI_MM2S", "d"), design_kit.writes("M_AXI_S2MM", "e")
)


def test_an_own_board_with_such_a_chip_is_refused(tmp_path, cli):
    (tmp_path / "own.toml").write_text('name = "o"\ntitle = "O"\nchip = "versal"\n')
    words = ["expect", "--ports", "HP0", "--board", tmp_path / "own.toml"]
    assert "chip not supported: 'versal' is AMD Versal" in kit.flat(cli.refused(*words))


def test_boards_that_are_known_are_none_of_them():
    for kind in ("boards", "chips", "experiments"):
        for name in (*data.names(kind), *data.aliases(kind)):
            assert other_chips.named(name) is None, name
    parts = [part for tool in tools().values() for part in (tool.part, *tool.parts) if part]
    assert len(parts) > 10
    for part in parts:
        assert other_chips.named(part) is None, part
        assert other_chips.of_export([part], []) is None, part
    assert other_chips.of_export(["zynq", "zynquplus", "Cyclone V", "Arria V", ""], []) is None


@pytest.mark.parametrize("name", ["kria-k26", "Kria K26", "kv260", "kr260", "kria-k24"])
def test_the_kria_modules_are_known(name):
    assert data.find_toml("boards", name).stem in ("k26", "k24")


def qsys(core, family, device):
    return (
        f'<system name="s"><parameter name="device" value="{device}"/>'
        f'<parameter name="deviceFamily" value="{family}"/>'
        f'<module name="hps" kind="{core}" version="1"/></system>'
    )


TCL = "create_bd_design bd\ncreate_bd_cell -type ip -vlnv {} ps\n"
CIPS = "xilinx.com:ip:versal_cips:3.4"
EXPORTS = {
    "versal.hwh": ("AMD Versal", design_kit.hwh(
        design_kit.module("cips", CIPS), device="xcvc1902", arch="versal")),
    "part.hwh": ("AMD Versal", design_kit.hwh(DMA, device="xcvm1802", arch="")),
    "core.hwh": ("AMD Versal", design_kit.hwh(design_kit.module("cips", CIPS), device="", arch="")),
    "versal.tcl": ("AMD Versal", TCL.format(CIPS)),
    "kintex.hwh": ("AMD FPGA", design_kit.hwh(DMA, device="7k325t", arch="kintex7")),
    "agilex.qsys": ("Altera Agilex", qsys("intel_agilex_hps", "Agilex 7", "AGFB014R24A2E2V")),
    "agilex5.qsys": ("Altera Agilex", qsys("intel_agilex_5_soc", "Agilex 5", "A5ED065BB32AE6SR0")),
    "stratix.qsys": ("Intel Stratix 10", qsys("altera_stratix10_hps", "Stratix 10", "1SX280HU2F5")),
    "arria.qsys": ("Intel Arria 10", qsys("altera_arria10_hps", "Arria 10", "10AS066N3F40E2SG")),
}  # fmt: skip


@pytest.mark.parametrize("name", EXPORTS)
@pytest.mark.parametrize("words", [["expect"], ["check"], ["import", "design"]])
def test_an_export_for_such_a_chip_is_refused(name, words, tmp_path, cli):
    title, text = EXPORTS[name]
    (tmp_path / name).write_text(text)
    printed = kit.flat(cli.refused(*words, tmp_path / name))
    assert "chip not supported: the design" in printed and f"is for {title}" in printed


def test_an_xsa_of_versal_is_refused(tmp_path, cli):
    with zipfile.ZipFile(tmp_path / "d.xsa", "w") as archive:
        archive.writestr("d.hwh", EXPORTS["versal.hwh"][1])
    assert "is for AMD Versal" in kit.flat(cli.refused("expect", tmp_path / "d.xsa"))


@pytest.fixture
def zynq(tmp_path):
    ps = design_kit.zynq(("S_AXI_HP0", "d"), ("S_AXI_HP2", "e"))
    return design_kit.saved(tmp_path, DMA, ps, name="zynq.hwh")


@pytest.fixture
def usp(tmp_path):
    ps = design_kit.usp(("S_AXI_HP0_FPD", "d"), ("S_AXI_HP2_FPD", "e"))
    return design_kit.saved(tmp_path, DMA, ps, name="usp.hwh", device="xczu9eg", arch="zynquplus")


def test_other_ways_to_another_chip(usp, zynq, tmp_path, capsys, cli):
    assert "is a zynq-7000" in kit.flat(cli.refused("expect", usp, "--board", "zybo"))
    assert main(["import", "design", str(zynq), "-o", str(tmp_path / "d.toml")]) == 0
    text = (tmp_path / "d.toml").read_text()
    (tmp_path / "d.toml").write_text(f'platform = "zcu102"\n{text}')
    capsys.readouterr()
    assert "is a zynq-ultrascale-plus" in kit.flat(cli.refused("expect", tmp_path / "d.toml"))
    # A board that the export names, and that has another chip.
    export = zynq.read_text().replace("<SYSTEMINFO ", '<SYSTEMINFO BOARD="x.com:zcu102:part0:1" ')
    zynq.write_text(export)
    assert load(zynq).board
    assert "is a zynq-ultrascale-plus" in kit.flat(cli.refused("expect", zynq))


def test_its_own_chip_and_its_like_are_taken(tmp_path):
    """The HPS of an Arria V is that of a Cyclone V, so designs for either are read alike."""
    from axiometer.designs import platform

    design = load(kit.reference("designs", "vieira-intel-duplex-64bit.qsys.xz"))
    for name in ("de1-soc", "arria5-socdk"):
        assert platform.platform_of(design, name=name).platform.name == name
    with pytest.raises(AxiometerError, match="the design is for Cyclone V SoC"):
        platform.platform_of(design, name="zybo")
