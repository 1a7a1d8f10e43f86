"""Boot scripts of projects: run without a board, and planted mistakes found."""

import dataclasses
import functools
import os
import shutil
import subprocess

import pytest

from axiometer.__main__ import main
from axiometer.base.errors import AxiometerError
from axiometer.bringup.projects import boot, devicetree, plan
from axiometer.bringup.projects.boot import scripts
from project_kit import needs_tclsh
from validate.projects import boot as proof
from validate.projects import prove
from validate.projects.boot import mainline, run_shell, run_tcl


@functools.cache
def made(board, top, ports, width):
    return plan.make(board, top, ports.split("+") if ports else (), width if ports else None)


def written(place, board="zybo", top="dma", ports="HP0+HP2", width=64, memory="reserved"):
    project = made(board, top, ports, width)
    choice = devicetree.choose(project, memory=memory)
    devicetree.write(project, choice, place)
    scripts.write(project, choice, place)
    return project


@needs_tclsh
@pytest.mark.parametrize("width, code", [(128, 0), (64, 1), (32, 2)])
def test_ports_of_ultrascale_have_three_widths(width, code, tmp_path):
    """AFIFM's FABRIC_WIDTH (UG1087): 0, 1, 2 for 128, 64, 32 bits."""
    project = written(tmp_path, "zcu102", "dma", "HP0", width, None)
    assert [(w.address, w.mask, w.value) for w in boot.widths(project)] == [
        (0xFD380000, 3, code),
        (0xFD380014, 3, code),
        (0xFD615000, 0x300, 0),  # FPD_SLCR.AFI_FS: HPM0 has 32 bits
    ]
    assert proof.check(project, tmp_path) == []
    assert (
        run_tcl.run(project, tmp_path, "xsdb.tcl", proof.start(project)).after[0xFD380000] & 3
        == code
    )


def test_both_ports_of_the_processor_have_their_width_in_one_register():
    """A RAM is behind HPM1, which has HPM0's register: it is written and put back once."""
    (one,) = boot.widths(made("zcu102", "slave", "", 32))
    assert (one.address, one.mask, one.value) == (0xFD615000, 0xF00, 0)


def test_a_width_that_no_script_sets_is_found(tmp_path, monkeypatch):
    """By the block design that was recorded: not by the list that the scripts are made of."""
    proven = prove("zcu102", "--top slave", tmp_path)
    assert proof.left_out(proven.recorded, proven.plan) == []
    (whole,) = boot.widths(proven.plan)
    for spoilt in ([], [dataclasses.replace(whole, mask=0x300)],
                   [dataclasses.replace(whole, value=0x800)]):  # fmt: skip
        monkeypatch.setattr(boot, "widths", lambda plan, spoilt=spoilt: spoilt)
        found = proof.left_out(proven.recorded, proven.plan)
        assert any("dw_ss1_sel does not become 32 bits (M_AXI_HPM1_FPD)" in each for each in found)


def test_a_wider_design_has_the_width_of_its_converter():
    project = made("zybo", "dma", "HP0", 256)
    assert {w.value for w in boot.widths(project)} == {0}  # 64 bits at the processor's side


# (board, file, the text that is spoilt, what stands there then, words of what is found)
MISTAKES = [
    ("zybo", "afi.sh", "0xf800a000", "0xf800b000", "0xf800b000 is no width"),
    ("zybo", "afi.sh", "0xfffffffe 0x00000000", "0xfffffffe 0x00000001", "wanted is"),
    ("zybo", "afi.sh", "0xfffffffe", "0x00000000", "wanted is"),
    ("zybo", "afi.sh", "(was & keep) | value", "was | value", "wanted is"),
    ("zybo", "afi.sh", 'echo "$address $was"', 'echo "$address 0"', "not put back"),
    ("zybo", "afi.sh", '[ ! -e "$state" ]', "true", "twice is not refused"),
    ("zybo", "afi.sh", 'rm "$state"', "true", "what is not there is not refused"),
    ("zybo", "afi.sh", "esac", "", "afi.sh: "),
    ("zybo", "overlay.sh", '"$here/afi.sh" set', "true", "becomes"),
    ("zybo", "overlay.sh", '"$here/afi.sh" back\n  rmdir', "rmdir", "not put back"),
    ("zybo", "overlay.sh", 'rmdir "$overlays/axm"\n  "$here/afi.sh" back', '"$here/afi.sh" back',
     "unload does"),
    ("zybo", "overlay.sh", "apply axm ||", "true ||", "in order it is"),
    ("zybo", "overlay.sh", 'apply axm || {\n    "$here/afi.sh" back', "apply axm || {\n",
     "refused axm.dtbo"),
    ("zybo", "overlay.sh", '[ "$(cat "$overlays/$1/status")" = applied ]', "true",
     "kernel refused"),
    ("zybo", "overlay.sh", '"$here/afi.sh" back 2>', "true 2>", "cannot be written"),
    ("zybo", "overlay.sh", 'cp "$here/system.bit.bin"', "true", "no bitstream"),
    ("zybo", "overlay.sh", '[ ! -d "$overlays/bitstream" ]', "true", "overlay.sh: "),
    ("zybo", "boot.cmd", "fpga loadb 0 0x08000000", "fpga loadb 0 ${fdt_addr_r}", "no system.bit"),
    ("zybo", "boot.cmd", "fpga loadb 0 0x08000000 ${filesize} || exit 1", "", "before the bitst"),
    ("zybo", "boot.cmd", "0x00100a00", "0x00100500", "200 MHz, the design's is 100"),
    ("zybo", "boot.cmd", "mw.l 0xf8000170", "# mw.l", "50 MHz, the design's is 100"),
    ("zybo", "boot.cmd", "mw.l 0xf8000008 0x0000df0d", "", "are locked"),
    ("zybo", "boot.cmd", "${filesize} || exit 1", "${filesize}", "goes on if that fails"),
    ("zybo", "boot.cmd", "0x07f00000", "${fdtoverlay_addr_r}", "is not set"),
    ("zybo", "boot.cmd", '"${bootargs} uio', '"uio', "of the tree are lost"),
    ("zybo", "boot.cmd", '"&"', "&", "in quotes"),
    ("zcu102", "boot.cmd", '"|"', '"&"', "wanted is"),
    ("zybo", "boot.cmd", "0xfffffffe", "0xffffffff", "wanted is"),
    ("zybo", "boot.cmd", "setexpr.l axm_was1", "setexpr.l axm_was7", "is not set"),
    ("zybo", "boot.cmd", "setexpr.l", "setexpr", "other than 32 bits"),
    ("zybo", "boot.cmd", "; mw.l 0xf800a014 ${axm_was3}", "", "not put back"),
    ("zybo", "boot.cmd", "fdt apply 0x07f00000 || exit 1", "", "not applied"),
    ("zybo", "boot.cmd", "fdt addr ${fdt_addr_r} || exit 1", "", "no tree"),
    ("zybo", "boot.cmd", "bootz", "booti", "no Image"),
    ("zybo", "boot.cmd", "uio_pdrv_genirq.of_id=generic-uio", "", "not told"),
    ("zybo", "boot.cmd", "mw.l", "mwl", "no command"),
    ("zybo", "xsdb.tcl", "fpga -file $bitstream\nps7_post_config",
     "ps7_post_config\nfpga -file $bitstream", "in order"),
    ("zybo", "xsdb.tcl", "ps7_post_config\n", "", "before processor and fabric"),
    ("zybo", "xsdb.tcl", "\nps7_init\n", "\n", "in order"),
    ("zybo", "xsdb.tcl", "rst -system", "rst", "rst"),
    ("zybo", "xsdb.tcl", "*A9*#0", "*A53*#0", "there is no target"),
    ("zybo", "xsdb.tcl", "0xf8008014 0xfffffffe", "0xf8008014 0xfffffffc", "wanted is"),
    ("zybo", "xsdb.tcl", "lappend axm_saved $address $was", "", "not put back"),
    ("zybo", "xsdb.tcl", "mrd -force -value", "mrd", "mrd"),
    ("zybo", "xsdb.tcl", "  con\n", "", "in order"),
    ("zybo", "xsdb.tcl", "connect\n", "", "before connect"),
    ("zybo", "openocd.cfg", "pld load zynq_pl.pld", "pld load 0", "pld load 0"),
    ("zybo", "openocd.cfg", "zynq.cpu0", "zynq.cpu", "there is no target"),
    ("zybo", "openocd.cfg", "reset halt", "reset run", "reset run"),
    ("zybo", "openocd.cfg", "0xf800a014", "0xf800b014", "no width of these ports"),
    ("zybo", "openocd.cfg", "ps7_post_config\n", "", "before processor and fabric"),
    ("zcu102", "xsdb.tcl", "psu_ps_pl_isolation_removal\npsu_ps_pl_reset_config\n", "",
     "before processor and fabric"),
    ("zcu102", "xsdb.tcl", "rst -processor", "rst -srst", "rst -srst"),
    ("zcu102", "afi.sh", "0x00000001", "0x00000000", "wanted is"),
    ("zcu102", "boot.cmd", "booti", "bootz", "no zImage"),
]  # fmt: skip


@needs_tclsh
@pytest.mark.parametrize("board, file, old, new, message", MISTAKES)
def test_a_planted_mistake_is_found(board, file, old, new, message, tmp_path):
    project = written(tmp_path, board)
    path = tmp_path / "boot" / file
    text = path.read_text()
    assert old in text, f"{file} has no {old!r} to be spoilt"
    path.write_text(text.replace(old, new))
    found = proof.check(project, tmp_path, (file,))
    assert any(message in finding for finding in found), found
    assert all(finding.startswith(file) for finding in found)


@pytest.fixture(scope="module")
def real_u_boot():
    if os.environ.get("AXIOMETER_TEST_FETCH"):
        mainline.make(print)
    elif not mainline.built():
        pytest.skip("no U-Boot: python -m validate.projects.boot.mainline fetches and builds it")


@pytest.mark.parametrize(("old", "new", "finds"), [
    ("", "", None),
    (" || exit 1", "", "it ends where the fabric refuses"),
    ("0x08000000", "${loadaddr}", "the fabric gets the bitstream"),
    ("0x07f00000", "${fdtoverlay_addr_r}", "memory is reserved"),
    ("fdt get value bootargs", "fdt get value others", "root= and console="),
    ('"|" 0x00000001', '"|" 0x00000000', "widths are set"),
    ("setenv axm_back", "setenv axm_undo", "widths are set"),
    ("mw.l 0xf8000170", "echo", "clock is 1000 MHz / 10"),
    ('!= "14000"', '= "0"', "PLL of another rate"),
])  # fmt: skip
def test_boot_cmd_works_in_mainline_s_u_boot(real_u_boot, old, new, finds):
    """On QEMU's chip, found on a card by U-Boot's own boot flow; with its own environment."""
    found = mainline.check(lambda said: None, (old, new))
    assert found == [] if finds is None else any(finds in what for what in found), found


@needs_tclsh
def test_a_script_for_jtag_stops_before_it_touches_anything_where_a_file_is_missing(tmp_path):
    written(tmp_path)
    done = subprocess.run(
        ["tclsh"], input="source boot/xsdb.tcl\n", cwd=tmp_path, capture_output=True, text=True
    )
    assert "ps7_init.tcl is missing: unzip system.xsa" in done.stderr
    assert "connect" not in done.stderr


def test_a_script_for_linux_names_missing_files(tmp_path):
    project = written(tmp_path / "project")
    board = run_shell.Board(tmp_path / "project", tmp_path / "board", proof.start(project))
    assert "usage: afi.sh set, back or show" in board.run("afi.sh", "")[1]
    assert board.run("afi.sh", "show")[0] == 0
    (tmp_path / "board" / "boot" / "axm.dtbo").unlink()
    assert "axm.dtbo is missing" in board.run("overlay.sh", "load")[1]
    shutil.rmtree(tmp_path / "board" / "config" / "device-tree")
    (tmp_path / "board" / "config" / "device-tree").mkdir()
    assert "no overlays in configfs" in board.run("overlay.sh", "load")[1]


def test_without_devmem_python_reads_and_writes_the_registers(tmp_path):
    """As on Debian, whose busybox has none. A file of 4 GiB with holes stands for /dev/mem."""
    project = written(tmp_path / "project")
    board = run_shell.Board(tmp_path / "project", tmp_path / "board", {})
    (tmp_path / "board" / "bin" / "devmem").unlink()
    with (tmp_path / "mem").open("wb") as memory:
        memory.truncate(1 << 32)
        for address, word in proof.start(project).items():
            memory.seek(address)
            memory.write(word.to_bytes(4, "little"))
    assert board.run("afi.sh", "set", AXM_MEM=str(tmp_path / "mem"))[:2] == (0, "")
    with (tmp_path / "mem").open("rb") as memory:
        for width in boot.widths(project):
            memory.seek(width.address)
            now, was = int.from_bytes(memory.read(4), "little"), proof.start(project)[width.address]
            assert now == was & width.keep | width.value


def test_a_width_that_cannot_be_written_can_be_put_back(tmp_path):
    project = written(tmp_path / "project")
    board = run_shell.Board(tmp_path / "project", tmp_path / "board", proof.start(project))
    assert board.run("afi.sh", "set", dead="0xf800a000")[0] != 0
    assert board.words() != proof.start(project)
    assert board.run("afi.sh", "back", dead="0xf800a000")[0] == 0
    assert board.words() == proof.start(project)


def test_the_command_writes_them(tmp_path):
    place = tmp_path / "project"
    assert main(["build", "zybo", "--top", "dma", "-o", str(place)]) == 0
    assert {path.name for path in (place / "boot").iterdir()} == {
        "afi.sh", "overlay.sh", "boot.cmd", "xsdb.tcl", "openocd.cfg"}  # fmt: skip


def test_without_tclsh_it_is_said(tmp_path, monkeypatch):
    project = written(tmp_path)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(AxiometerError, match="not installed"):
        run_tcl.run(project, tmp_path, "xsdb.tcl", {})
