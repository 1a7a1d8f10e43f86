"""Written projects are proven, planted mistakes are found, and what is written is that of the
snapshots."""

import functools
import os
import re
import shutil
import subprocess
import tempfile
import tomllib
from pathlib import Path

import pytest

import kit
from axiometer.base import chip_files
from axiometer.bringup.projects import boot as written_boot
from axiometer.bringup.projects import plan
from axiometer.designs import ps_facts
from project_proof import (
    DESIGNS,
    boards,
    boot,
    check,
    designs,
    facts,
    mainline,
    scripts,
    snapshot,
    trees,
    vivado,
    written,
)

needs_tools = pytest.mark.skipif(
    not all(map(shutil.which, ("tclsh", "dtc", "fdtoverlay"))),
    reason="tclsh or dtc is not installed: apt-get install tcl device-tree-compiler",
)
DMA = "zybo --top dma --ports HP0+HP2"
EACH = [(board, design) for board in ("zybo", "zcu102", "de1-soc") for design in designs(board)]
OTHERS = [(board, designs(board)[1]) for board in boards()]
MUTANTS = [
    pytest.param(project, *mutant, id=name)
    for project, named in tomllib.loads(
        Path(__file__).with_name("mutants.toml").read_text("utf-8")
    ).items()
    for name, mutant in named.items()
]
_kept: list[tempfile.TemporaryDirectory] = []  # removed when the tests end


@functools.cache
def project(words):
    """(plan, directory) of a written project: "BOARD OPTIONS"."""
    _kept.append(tempfile.TemporaryDirectory(prefix="axiometer-project-"))
    place = Path(_kept[-1].name)
    return written(*words.split(" ", 1), place), place


@needs_tools
@pytest.mark.parametrize(("board", "design"), dict.fromkeys([*EACH, *OTHERS]))
def test_a_project_is_proven(board, design, tmp_path):
    made = written(board, design, tmp_path)
    assert check(made, tmp_path)[1] == []
    if made.tool == "Vivado":
        assert vivado.check(made, tmp_path, vivado.OLD)[1] == []
    own = {path.name for path in (*made.headers, *made.sources)}
    for path in tmp_path.rglob("*"):
        if path.is_file() and path.name not in own and "software" not in path.parts:
            assert made.never_run in path.read_text("utf-8"), path


def test_every_top_is_proven_and_in_a_snapshot():
    tops = {name: about for name, about in plan.facts("tops").items() if name != "limits"}
    for tool, chips in (
        ("Vivado", ["zynq-7000", "zynq-ultrascale-plus"]),
        ("Quartus", ["cyclone-v"]),
    ):
        wanted = {name for name, about in tops.items() if about.get("tool", tool) == tool}
        assert {design.split()[1] for design in DESIGNS[tool]} == wanted
        for chip in chips:
            assert {top.split()[0] for _, top in snapshot.DESIGNS[chip]} == wanted


@pytest.mark.parametrize("chip", snapshot.DESIGNS)
def test_what_is_written_is_what_was_reviewed(chip):
    same = snapshot.text(chip) == snapshot.file(chip).read_text("utf-8")
    assert same, "python -m project_proof --write, and look at git diff lab/project_proof/snapshots"


@needs_tools
@pytest.mark.parametrize(("words", "file", "finds", "changes"), [
    pytest.param(*mutant.values[:3], mutant.values[3:], id=mutant.id) for mutant in MUTANTS
])  # fmt: skip
def test_a_planted_mistake_is_found(words, file, finds, changes):
    made, place = project(words)
    path = next(iter(sorted(place.glob(file))))
    whole = text = path.read_text("utf-8")
    for old, new in zip(changes[::2], changes[1::2], strict=True):
        assert old in text, f"{file} has no {old!r} to be spoilt"
        text = text.replace(old, new)
    path.write_text(text, "utf-8")
    try:
        found = check(made, place)[1]
    finally:
        path.write_text(whole, "utf-8")
    assert any(finds in finding for finding in found), found


@needs_tools
@pytest.mark.parametrize(("answers", "why"), [
    ({"version": "2018.3"}, "this needs Vivado 2019.1"),
    ({"get_property CONFIG.FREQ_HZ": "50000000"}, "another rate than the board's"),
    ({"get_board_parts": ""}, "no board files"),
    ({"get_property PROGRESS": "50%"}, "synthesis failed"),
    ({"get_property SLACK": "-0.1"}, "timing is not met"), ({}, None),
])  # fmt: skip
def test_the_script_stops_where_vivado_says_that_something_is_wrong(answers, why):
    usual = {"get_property CONFIG.FREQ_HZ": "100000000"}
    _, wrong = scripts.run(project(DMA)[1] / "build.tcl", usual | answers)
    assert (why is None and wrong == []) or why in wrong[0]


@needs_tools
def test_a_command_of_another_version_is_found():
    made, place = project(DMA)
    script = place / "build.tcl"
    text = script.read_text("utf-8")
    script.write_text(text.replace("set old [expr", "set old 1 ;# [expr"), "utf-8")
    found = vivado.check(made, place)[1]
    script.write_text(text, "utf-8")
    assert any("does not have this write_hwdef" in each for each in found)


@pytest.mark.parametrize(("tool", "others"), [
    ("vivado", ("as ",)), ("quartus", ("as ", "683130", "Cyclone V", "Quartus", "public")),
])  # fmt: skip
def test_each_fact_has_a_source(tool, others):
    table = facts.table(tool)
    for rest in table["sources"].values():
        assert re.fullmatch(r"[0-9a-f]{7,40}", rest[2 if tool == "vivado" else 1])
    for source in (str(each) for names in table["shown"].values() for each in names.values()):
        assert source in table["sources"] or source.startswith(others), source


@pytest.mark.parametrize("chip", ["zynq-7000", "zynq-ultrascale-plus"])
def test_what_is_known_of_a_processor_system_is_what_exports_show(chip):
    """Two lists, made apart: documents, and what Vivado wrote."""
    system, own = ps_facts.system(chip), chip_files.read(chip, "project")
    known = facts.table("vivado")["cores"][system.cores[0]]
    ports = ("HP0", "HP1", "HP2", "HP3", *own["coherent"]["ports"])
    for interface, port in system.ports.items():
        if port["name"] not in ports:
            continue
        shown = known["interfaces"][interface]
        assert shown["of"] == port["clock_pin"]
        assert shown.get("protocol", port["protocol"]) == port["protocol"]
        if port["name"].startswith("HP") and port["name"][2:].isdigit():
            widths = known["settings"][port["width_setting"]]["choices"]
            assert [int(bits) for bits in widths] == own["port_widths"]
        names = {"n": port["number"], "m": port.get("segment", "").removeprefix("SAXIGP"),
                 "name": port["name"]}  # fmt: skip
        for part in own["memory"]:
            assert known["segments"][part["segment"].format(**names)] == part["base"]
    for interface, master in system.masters.items():
        windows = [[low, high - low + 1] for low, high in master["addresses"]]
        assert known["windows"][interface] == windows


def test_without_devmem_python_reads_and_writes_the_registers(tmp_path):
    """As on Debian, whose busybox has none. A file of 4 GiB with holes stands for /dev/mem."""
    made, place = project(DMA)
    board = boot.Board(place, tmp_path / "board", {})
    (tmp_path / "board" / "bin" / "devmem").unlink()
    with (tmp_path / "mem").open("w+b") as memory:
        memory.truncate(1 << 32)
        for address, word in boot.start(made).items():
            memory.seek(address)
            memory.write(word.to_bytes(4, "little"))
        memory.flush()
        assert board.run("afi.sh", "set", AXM_MEM=str(tmp_path / "mem"))[:2] == (0, "")
        for width in written_boot.widths(made):
            memory.seek(width.address)
            now, was = int.from_bytes(memory.read(4), "little"), boot.start(made)[width.address]
            assert now == was & width.keep | width.value


@needs_tools
@pytest.mark.skipif(shutil.which("dt-validate") is None, reason="dt-schema is not installed")
@pytest.mark.parametrize("spoilt", [False, True])
@pytest.mark.parametrize("board", ["zybo", "zcu102"])
def test_our_drivers_node_is_what_its_binding_says(board, spoilt, tmp_path):
    made = written(board, "--top dma --ports HP1 --set RINGS=1", tmp_path / "project")
    path = tmp_path / "project" / "linux" / "axm.dtso"
    if spoilt:
        path.write_text(re.sub(r"\t\tinterrupts = .*\n", "", path.read_text("utf-8")), "utf-8")
    assert trees.applied(made, tmp_path / "project", tmp_path)[0] == []
    bindings = kit.ROOT / "drivers" / "linux" / "bindings"
    done = subprocess.run(["dt-validate", "-s", bindings, tmp_path / "tree.dtb"],
                          capture_output=True, text=True, check=False)  # fmt: skip
    printed = [line for line in (done.stdout + done.stderr).splitlines() if "axiometer,dma" in line]
    assert bool(printed) == spoilt, printed


@pytest.mark.parametrize(("old", "new", "finds"), [
    ("", "", None),
    (" || exit 1", "", "it ends where the fabric refuses, and sets no width"),
    ("0x08000000", "${loadaddr}", "the fabric gets the bitstream"),
    ("0x07f00000", "${fdtoverlay_addr_r}", "memory is reserved"),
    ("fdt get value bootargs", "fdt get value others", "Linux has the tree's root= and console="),
    ('"|" 0x00000001', '"|" 0x00000000', "the ports' widths are set"),
    ("mw.l 0xf8000170", "echo", "the fabric's clock is 1000 MHz / 10"),
    ('!= "14000"', '= "0"', "it ends at a PLL of another rate"),
])  # fmt: skip
def test_boot_cmd_works_in_mainline_s_u_boot(old, new, finds):
    """On QEMU's chip, found on a card by U-Boot's own boot flow; with its own environment."""
    if os.environ.get("AXIOMETER_TEST_FETCH"):
        mainline.make()
    elif not mainline.FOLDER.is_dir() or shutil.which(mainline.QEMU) is None:
        pytest.skip("no U-Boot: python -m project_proof.mainline fetches and builds it")
    found = mainline.check(old, new)
    assert found == [] if finds is None else finds in found
