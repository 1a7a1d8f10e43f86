"""The platform of a design: its board, its own registers, or the board with such a memory."""

import dataclasses

import pytest

import design_kit as kit
from axiometer.base.board_tools import tools
from axiometer.base.errors import AxiometerError
from axiometer.designs import load
from axiometer.designs.platform import own_board, platform_of, registers_of
from axiometer.platform import Platform

MEMORY = {
    "PCW_UIPARAM_DDR_MEMORY_TYPE": "DDR 3",
    "PCW_UIPARAM_DDR_BUS_WIDTH": "32 Bit",
    "PCW_UIPARAM_ACT_DDR_FREQ_MHZ": "525.000000",
    "PCW_UIPARAM_DDR_DRAM_WIDTH": "16 Bits",
    "PCW_UIPARAM_DDR_DEVICE_CAPACITY": "2048 MBits",
}
EXPECTED = {
    **dict.fromkeys([f"vieira-duplex-{n}" for n in ("32bit", "64bit", "var-stream-size")], "zybo"),
    **dict.fromkeys([f"vieira-p{n}bit" for n in ("s2pl-32", "s2pl-64", "l2ps-32")], "zybo"),
    "vieira-pl2ps-64bit": "zybo",
    "vieira-max-performance": "zybo",
    "ultra96-memory-test": "ultra96",
}
QSYS = [*(f"duplex-{bits}bit" for bits in (32, 64, 128, 256)), "h2f-128bit", "f2h-128bit"]


def saved(tmp_path, **parameters):
    block = kit.module("dma", kit.DMA, kit.reads("M_AXI_MM2S", "d"))
    return kit.saved(tmp_path, block, kit.zynq(("S_AXI_HP0", "d"), parameters=parameters))


@pytest.mark.parametrize("name", EXPECTED)
def test_an_export_names_its_board(name):
    path = kit.reference(f"{name}.hdf")
    placed = platform_of(load(path), path)
    assert placed.platform.name == EXPECTED[name]
    assert placed.compared > 30


@pytest.mark.parametrize("name", QSYS)
def test_a_part_that_is_one_board_s_names_it(name):
    path = kit.reference(f"vieira-intel-{name}.qsys.xz")
    placed = platform_of(load(path), path)
    assert (placed.platform.name, placed.compared) == ("de1-soc", 0)


@pytest.mark.parametrize(
    ("name", "kind", "bits"),
    [
        ("pynq-z1-base", "DDR3", 16),
        ("pynq-z2-base", "DDR3", 16),
        ("pynq-zcu104-base", "DDR4", 64),
        ("pynqcv-pynq-z1-xv2filter2dremap", "DDR3", 16),
        ("pynqcv-ultra96-xv2filter2ddilate", "LPDDR4", 32),
        ("pynqcv-zcu104-xv2remapstereobm", "LPDDR4", 32),  # so its parameters say
    ],
)
def test_an_overlay_has_the_memory_that_it_asks_for(name, kind, bits):
    path = kit.reference(f"{name}.hwh.xz")
    platform = platform_of(load(path), path).platform
    assert (platform.value("dram.type"), platform.value("dram.bus_bits")) == (kind, bits)


def test_of_boards_with_the_same_memory_one_with_the_design_s_part_is_taken():
    path = kit.reference("pynq-z1-base.hwh.xz")
    design = load(path)
    part = dataclasses.replace(design, part="xc7z010clg400-1")
    boards = [platform_of(of, path).platform.name for of in (design, part)]
    assert [tools()[board].part for board in boards] == [design.part, part.part]


def test_registers_that_differ_from_the_board_s_are_listed():
    path = kit.reference("ultra96-memory-test.hdf")
    found = {d.path: d for d in platform_of(load(path), path).differences}
    assert (found["dram.timing.tRC"].board, found["dram.timing.tRC"].design) == (36, 34)
    assert "DRAMTMG1" in found["dram.timing.tRC"].source
    # What was fitted may differ; of what the board has from registers nothing else does.
    assert {d.path for d in found.values() if d.origin == "register"} == {"dram.timing.tRC"}


def test_vieira_s_registers_are_the_boot_loader_s():
    path = kit.reference("vieira-duplex-64bit.hdf")
    (found,) = platform_of(load(path), path).differences
    # The fabric's clock is the design's own: its PLL runs at another rate, 100 MHz of either.
    assert (found.path, found.board, found.design) == ("clocks.pl_pll_mhz", 1000, 1600)


def test_without_a_board_its_own_registers_count(tmp_path):
    path = kit.reference("vieira-duplex-64bit.hdf")
    design = dataclasses.replace(load(path), board="")
    platform = platform_of(design, path).platform
    zybo = Platform.load("zybo")
    assert "registers" in platform_of(design, path).why
    for figure in ("clocks.ddr_mhz", "dram.timing.tRC", "dram.row_bytes", "controller.run_length"):
        assert platform.value(figure) == zybo.value(figure)
    assert platform.leaf("dram.timing.tRC").register.startswith("ps7_init.tcl: ")
    file = tmp_path / "own.toml"
    file.write_text(own_board(design, registers_of(design, path)), encoding="utf-8")
    assert Platform.load(str(file)).value("dram.timing.tRC") == zybo.value("dram.timing.tRC")


def test_a_platform_that_is_named_counts_first(tmp_path):
    design = load(saved(tmp_path, **MEMORY))
    assert platform_of(design, name="zedboard").platform.name == "zedboard"
    asked = dataclasses.replace(design, platform="zc702")
    assert platform_of(asked).platform.name == "zc702"
    with pytest.raises(AxiometerError):
        platform_of(design, name="no-such-board")


def test_parameters_choose_the_board_with_such_a_memory(tmp_path):
    design = load(saved(tmp_path, **MEMORY))
    assert (design.memory.type, design.memory.size_MiB) == ("DDR3", 512)
    placed = platform_of(design)
    assert placed.platform.name == "zybo"
    assert "nearest to" in placed.why and ", not" not in placed.why.partition("MHz)")[2]
    slower = {**MEMORY, "PCW_UIPARAM_ACT_DDR_FREQ_MHZ": "400.0"}
    assert "MHz, not 400" in platform_of(load(saved(tmp_path, **slower))).why


def test_no_board_and_no_memory_is_reported(tmp_path):
    design = load(saved(tmp_path))
    with pytest.raises(AxiometerError, match="the design's board is unknown") as caught:
        platform_of(design)
    assert "--board" in caught.value.remedy
    strange = load(saved(tmp_path, **{**MEMORY, "PCW_UIPARAM_DDR_BUS_WIDTH": "24 Bit"}))
    with pytest.raises(
        AxiometerError,
        match="no shipped board of zynq-7000 has the memory of its parameters: DDR3, 24 bits",
    ):
        platform_of(strange)


def test_a_design_file_keeps_memory_and_platform(tmp_path, cli):
    path = saved(tmp_path, **MEMORY)
    out = tmp_path / "mine.toml"
    assert "Platform: zybo, the board of this chip" in " ".join(
        cli("import design", path, "--out", out, "--plain").split()
    )
    out.write_text('platform = "zedboard"\n' + out.read_text())
    assert load(out).memory == load(path).memory
    assert cli.json("import design", out)["runs_on"]["board"] == "zedboard"


def test_the_board_of_a_design_is_chosen_as_elsewhere(tmp_path, cli):
    """And no file is written that is called like it."""
    path = saved(tmp_path)
    found = cli.json("import design", path, "--board", "zedboard")
    assert found["runs_on"]["board"] == "zedboard"
    assert "is called" in cli.refused("import design", path, "--board", "nonesuch")
    assert not list(tmp_path.glob("zed*"))
