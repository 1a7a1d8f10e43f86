"""`axiometer import board`: a board file from an initialisation or a running board's registers."""

import re
import zipfile

import pytest

import kit
from axiometer.__main__ import main
from axiometer.base import data
from axiometer.base.errors import AxiometerError
from axiometer.designs.initialisation import registers_at
from axiometer.experiment import points
from axiometer.platform import Platform
from axiometer.platform.registers import board_file, chip_of, own_board, usable_chips
from axiometer.platform.registers.contents import Contents
from axiometer.platform.registers.readers import writes_of
from axiometer.platform.registers.tables import load
from axiometer.simulate import run
from axiometer.simulate.scenario import Scenario
from register_files import ZYNQ

WRITES = writes_of(ZYNQ, "x")


def words():
    """What the registers of the sample hold, as a running board has them."""
    contents = Contents(load("zynq-7000"), WRITES)
    return [(r.address, contents.word(r)) for r in contents.chip.by_address.values()]


DUMPS = {
    "devmem": "".join(f"# devmem 0x{a:08X}\n0x{v:08X}\n" for a, v in words()),
    "xsdb": "".join(f"xsdb% mrd 0x{a:08X}\n{a:08X}:   {v:08X}\n" for a, v in words()),
    "U-Boot": "".join(f"{a:08x}: {v:08x}    ....\n" for a, v in words()),
    "pairs": "".join(f"0x{a:08X} 0x{v:08X}\n" for a, v in words()),
}
INIT = (
    "proc ps7_ddr_init_data_3_0 {} {\n"
    + "".join(f"    mask_write {' '.join(row.split(','))}\n" for row in ZYNQ.splitlines()[1:])
    + "}\nproc ps7_init {} {\n    ps7_ddr_init_data_3_0\n}\n"
)


def board(text, name="mine", **more):
    return own_board.board(name, writes_of(text, "dump.txt"), "dump.txt", "dump.txt", **more)


@pytest.mark.parametrize("tool", DUMPS)
def test_a_running_board_says_what_its_initialisation_does(tool):
    wanted, found = board(ZYNQ), board(DUMPS[tool])
    assert found.decoded.chip == "zynq-7000"
    values = {path: figure.value for path, figure in wanted.decoded.figures.items()}
    assert {p: found.decoded.value(p) for p in values} == values
    for path, leaf in wanted.platform.leaves():
        assert found.platform.value(path) == leaf.value


@pytest.mark.parametrize("tool", ["devmem", "U-Boot"])
def test_half_a_dump_is_refused(tool):
    text = DUMPS[tool]
    place = text.lower().index("f8006018")
    with pytest.raises(AxiometerError) as caught:
        board(text[: text.rindex("\n", 0, place) + 1])
    assert re.search(
        r"\d of 11 registers that describe the memory of zynq-7000 are missing", str(caught.value)
    )
    assert "0xF8006000 to 0xF80062B4" in caught.value.remedy


def test_a_dump_that_ends_in_a_word_is_refused_with_its_line():
    text = DUMPS["pairs"]
    cut = text[: text.index("0xF8006018") + 11]
    with pytest.raises(AxiometerError) as caught:
        board(cut)
    assert caught.value.line == len(cut.splitlines())


def test_the_chip_follows_from_the_registers_and_another_is_refused():
    assert chip_of(WRITES) == "zynq-7000"
    with pytest.raises(AxiometerError) as caught:
        board(ZYNQ, chip="zynq-ultrascale-plus")
    assert "belong to zynq-7000, not to zynq-ultrascale-plus" in str(caught.value)
    with pytest.raises(AxiometerError, match="Axiometer makes no boards with the chip 'versal'"):
        board(ZYNQ, chip="versal")
    with kit.refuses("no registers that describe a memory", remedy="0xFD070000"):
        board("0xE0001000 0x00000114\n")
    both = ZYNQ + "0xFD070000,0xFFFFFFFF,0x41040010\n"
    with pytest.raises(AxiometerError, match="registers of zynq-7000 and zynq-ultrascale-plus"):
        board(both)


def test_a_board_file_says_where_its_figures_come_from(tmp_path):
    made = board(ZYNQ)
    path = tmp_path / "mine.toml"
    path.write_text(made.text)
    platform = Platform.load(str(path))
    assert (platform.name, platform.family) == ("mine", "zynq-7000")
    leaf = platform.leaf("dram.timing.tRCD")
    assert leaf.register.startswith("dump.txt: DRAM_param_reg2 (0xF800601C) = 0x720238E5")
    assert "dram.timing.tRCD" not in {p for p, lf in platform.leaves() if lf.file != str(path)}
    point = points.single(platform, {"ports": "HP0", "duration": "20us"})
    assert run.repeat(Scenario.of(platform, point.values), 1, 0)


def test_unknown_registers_are_listed(cli, tmp_path):
    path = tmp_path / "dump.txt"
    path.write_text(DUMPS["pairs"] + "0xF8005000 0x00000001\n")
    shown = cli("import board", path, "--plain")
    assert shown.isascii()
    assert "Registers that are not known:\n  0xF8005000: 1 write\n" in shown
    assert "Write it with --out FILE.toml." in shown
    assert "0xF8005000: 1 write" in board(path.read_text()).text


def test_the_command_writes_a_board_that_platform_takes(cli, tmp_path):
    export, out = tmp_path / "x.xsa", tmp_path / "my board.toml"
    with zipfile.ZipFile(export, "w") as archive:
        archive.writestr("sub/ps7_init.tcl", INIT)
    printed = cli.both("import board", export, "--out", out, "--crystal", "50")
    assert (
        f"Use it with --board {out}." in " ".join(printed.out.split())
        and "at 800 MHz" in printed.out
    )
    assert Platform.load(str(out)).name == "my-board"
    asked = ["--ports", "HP0", "--repeats", "1", "--set", "duration=20us"]
    assert main(["expect", "--board", str(out), *asked]) == 0
    found = cli.json("import board", export)
    assert found["figures"]["dram.timing.tRCD"]["value"] == 7 and found["unknown"] == []


def test_a_directory_without_an_initialisation_names_what_is_looked_for(tmp_path):
    (tmp_path / "pll_config.h").write_text("#define CFG_HPS_CLK_OSC1_HZ 25000000\n")
    with kit.refuses(
        remedy="pll_config.h with sdram_config.h, hps.xml with emif.xml, ps7_init.tcl"
    ):
        registers_at(tmp_path)


def test_names_of_files_cannot_leave_the_board_file(tmp_path):
    odd = 'a"b\n# x = [\u202e\U0001f600'
    made = own_board.board(odd, WRITES, odd, "f")
    assert made.platform.name == "a-b-x"
    assert made.text.isascii()


PUBLISHED = ["zynq-7000/zynq-zybo-z7", "zynq-ultrascale-plus/zynqmp-zcu104-revA",
             "cyclone-v/de10-nano"]  # fmt: skip


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_registers_make_the_shipped_board(name):
    path = kit.reference("registers", f"{name}.csv")
    made = own_board.board("mine", *registers_at(path), path)
    shipped = {"zybo-z7": "zybo-z7", "zcu104-revA": "zcu104", "nano": "de10-nano"}
    board = next(v for k, v in shipped.items() if name.endswith(k))
    for path, leaf in Platform.load(board).leaves():
        assert made.platform.value(path) == leaf.value, path


def test_the_registers_of_a_published_export_make_a_board():
    path = kit.reference("designs", "ultra96-memory-test.hdf")
    made = own_board.board("mine", *registers_at(path), path)
    assert made.decoded.value("dram.type") == "LPDDR4"
    assert made.decoded.value("clocks.pl_mhz") == 100


def test_every_chip_with_boards_has_a_decoder_and_a_file():
    assert set(board_file.chips()) <= set(usable_chips()) & set(data.names("chips"))
