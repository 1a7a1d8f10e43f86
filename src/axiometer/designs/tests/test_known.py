"""What threads ask: each is found, and not found after its correction or where it is unknown."""

import pytest

import design_kit as kit
from axiometer.designs import design_file, load
from axiometer.designs.checks import check, known

HPC, ON = "S_AXI_HPC0_FPD", {"PSU__AFI0_COHERENCY": 1}
CDMA = "xilinx.com:ip:axi_cdma:4.1"
MAKER = "me.org:user:adc:1.0"


def engine(*more, side="S2MM", core=kit.DMA, **given):
    ports = {"S2MM": kit.writes("M_AXI_S2MM", "d"), "MM2S": kit.reads("M_AXI_MM2S", "d"),
             "copy": kit.bus("M_AXI", "d", True, 64, PROTOCOL="AXI4")}  # fmt: skip
    return kit.module("e", core, ports[side], *more, parameters=given)


def stream(tlast=None, name="S_AXIS_S2MM", drives=False):
    given = {} if tlast is None else {"HAS_TLAST": tlast}
    return kit.bus(name, "s", drives, kind=kit.AXIS, **given)


def source(*more, **given):
    return kit.module("adc", MAKER, *more, parameters=given)


def found(tmp_path, *modules):
    path = kit.saved(tmp_path, *modules, kit.zynq(("S_AXI_HP0", "d")))
    return {f.code: f for f in check(load(path))}


OUT = "m_axis"
FETCH = kit.bus("M_AXI_SG", "__NOC__", True, 32, PROTOCOL="AXI4")
FETCHES = kit.bus("M_AXI_SG", "bram", True, 32, PROTOCOL="AXI4")
# code: modules with it, its level, words, and lists of modules without it
CASES = {
    "no-tlast": (
        [engine(stream(0))],
        "mistake",
        "e.M_AXI_S2MM: the stream that it writes has no TLAST",
        [
            [engine(stream(1))],
            [engine(stream())],  # unknown
            [engine(stream(0), C_MICRO_DMA=1)],
            [engine(stream(0, "M_AXIS_MM2S", True), side="MM2S")],
        ],
    ),
    "descriptors-open": (
        [engine(FETCH, C_INCLUDE_SG=1)],
        "mistake",
        "(C_INCLUDE_SG = 1), and nothing is connected",
        [
            [engine(FETCHES, C_INCLUDE_SG=1)],  # descriptors in the fabric's memory
            [engine(FETCH, C_INCLUDE_SG=0)],
        ],
    ),
    "driver-length": (
        [engine(C_SG_LENGTH_WIDTH=20)],
        "advice",
        "the register has fewer (C_SG_LENGTH_WIDTH)",
        [[engine(C_SG_LENGTH_WIDTH=23)], [engine()]],
    ),
    "aligned-only": (
        [engine(side="copy", core=CDMA, C_INCLUDE_DRE=0)],
        "advice",
        "each address must be a multiple of its width",
        [
            [engine(side="copy", core=CDMA, C_INCLUDE_DRE=1)],
            [engine(side="copy", core=CDMA)],
        ],
    ),
}


@pytest.mark.parametrize("code", CASES)
def test_each_is_found_and_its_correction_is_not(tmp_path, code):
    wrong, level, words, rights = CASES[code]
    finding = found(tmp_path, *wrong)[code]
    assert finding.level == level
    assert words in finding.says
    assert finding.no_rate
    for right in rights:
        assert code not in found(tmp_path, *right)


@pytest.mark.parametrize(
    ("block", "without"),
    [
        (source(stream(0, OUT, True)), True),
        (source(stream(1, OUT, True)), False),
        (source(stream(None, OUT, True), HAS_TLAST=0), True),  # as a Tcl has it
        (source(stream(None, OUT, True), M_HAS_TLAST=0), True),
        (source(stream(None, OUT, True)), False),
    ],
)
def test_a_stream_is_that_of_its_source(tmp_path, block, without):
    assert ("no-tlast" in found(tmp_path, block, engine(stream()))) == without


def test_the_default_of_a_core_is_no_reason_to_warn(tmp_path):
    path = tmp_path / "d.tcl"
    path.write_text(
        "create_bd_cell -type ip -vlnv xilinx.com:ip:processing_system7:5.5 ps\n"
        "create_bd_cell -type ip -vlnv xilinx.com:ip:axi_dma:7.1 e\n"
        "connect_bd_intf_net [get_bd_intf_pins e/M_AXI_MM2S] [get_bd_intf_pins ps/S_AXI_HP0]\n"
    )
    assert not {f.code for f in check(load(path))} & set(known._words())


def test_what_a_design_file_keeps(tmp_path):
    path = tmp_path / "d.toml"
    wrong = kit.saved(tmp_path, engine(stream(0)), kit.zynq(("S_AXI_HP0", "d")))
    path.write_text(design_file.dumps(load(wrong)))
    assert "no-tlast" in {f.code for f in check(load(path))}


QSYS = """<system name="s"><module name="hps" kind="altera_hps"/><module name="m" kind="mine"/>
<connection kind="avalon" start="m.go" end="hps.{port}"/></system>"""


def needs(path):
    return next((f for f in check(load(path)) if f.code == "port-needs"), None)


def test_ports_that_the_boot_loader_or_software_must_open(tmp_path):
    path = tmp_path / "s.qsys"
    for port, words in (("f2h_sdram2_data", "fpgaportrst"), ("f2h_axi_slave", "0x80000000")):
        path.write_text(QSYS.format(port=port))
        got = needs(path)
        assert got.level == "advice"
        assert got.says.startswith(f"{port}: only ")
        assert words in got.says


def test_a_coherent_port_needs_broadcast_and_the_device_tree(tmp_path):
    block = kit.module("e", CDMA, kit.reads("M_AXI", "d", 128))
    got = needs(kit.saved(tmp_path, block, kit.usp((HPC, "d"), parameters=ON)))
    assert "LPD_APU, 0xFF41A040" in got.says
    assert "dma-coherent" in got.change
    # Without its coherence, as a port of HP, or with nothing behind it.
    assert needs(kit.saved(tmp_path, block, kit.usp((HPC, "d")))) is None
    assert needs(kit.saved(tmp_path, kit.usp((HPC, "d"), parameters=ON))) is None
    assert needs(kit.saved(tmp_path, block, kit.usp(("S_AXI_HP0_FPD", "d")))) is None
