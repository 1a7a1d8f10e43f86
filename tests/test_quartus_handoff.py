"""The handoff of Quartus: the same board as from the headers that Intel's tools write."""

import lzma

import pytest

import design_kit
import kit
from axiometer.base.errors import AxiometerError
from axiometer.designs import load
from axiometer.designs.initialisation import registers_at
from axiometer.designs.platform import platform_of
from axiometer.platform.registers import decode
from axiometer.platform.registers.readers import read_writes

# Values of the handoff of the public DE10-Nano system (miscellaneousbits/DE10_NANO_SOC_MINIMAL,
# hps_isw_handoff/soc_system_hps_0, 17151124 and c3e2aefc).
SYSTEM = """dbctrl_stayosc1 true, main_pll_m 63, main_pll_n 0, main_pll_c0_internal 1,
main_pll_c1_internal 3, main_pll_c2_internal 3, main_pll_c5 15, l4_mp_clk_div 1, l4_sp_clk_div 1,
periph_pll_m 39, periph_pll_n 0, periph_pll_c5 511, eosc1_clk_hz 25000000, eosc2_clk_hz 25000000,
l3_mp_clk_div 1, l3_sp_clk_div 1, periph_pll_source 0, sdram_pll_c5 4,
F2SDRAM_RESET_PORT_USED 0x0"""
MEMORY = """AFI_RATE_RATIO 1, DDR2 0, DDR3 1, LPDDR1 0, LPDDR2 0, PLL_MEM_CLK_MULT 31,
PLL_MEM_CLK_DIV 0, PLL_MEM_CLK_PHASE_DEG 0, PLL_WRITE_CLK_PHASE_DEG 4, ADDR_ORDER 0,
CFG_READ_ODT_CHIP 0, CFG_WRITE_ODT_CHIP 1, DEVICE_DEPTH 1, MEM_BURST_LENGTH 8, MEM_DQ_WIDTH 32,
MEM_IF_BANKADDR_WIDTH 3, MEM_IF_COL_ADDR_WIDTH 10, MEM_IF_DM_PINS_EN true,
MEM_IF_RD_TO_WR_TURNAROUND_OCT 2, MEM_IF_ROW_ADDR_WIDTH 15, MEM_TCL 7, MEM_TFAW 15, MEM_TMRD_CK 4,
MEM_TRAS 14, MEM_TRC 20, MEM_TRCD 6, MEM_TREFI 3120, MEM_TRFC 120, MEM_TRP 6, MEM_TRRD 3,
MEM_TRTP 3, MEM_TWR 6, MEM_TWTR 4, MEM_WTCL_INT 7, USE_HPS_DQS_TRACKING false"""


def listed(text, element):
    pairs = [pair.split() for pair in text.replace("\n", " ").split(",")]
    return "\n".join(f'<{element} name="{name}" value="{value}"/>' for name, value in pairs)


def files(system=SYSTEM, memory=MEMORY):
    return {
        "hps.xml": f"<hps><system>{listed(system, 'config')}</system></hps>",
        "emif.xml": f"<emif><controller>{listed(memory, 'define')}</controller></emif>",
    }


def saved(directory, **texts):
    directory.mkdir(parents=True, exist_ok=True)
    for name, text in files(**texts).items():
        (directory / name).write_text(text)
    return directory


def test_it_is_the_board_of_the_headers(tmp_path):
    writes, name = registers_at(saved(tmp_path))
    assert name == "hps.xml and emif.xml"
    own = decode("cyclone-v", writes)
    board = kit.reference("registers", "cyclone-v/de10-nano.csv")
    theirs = decode("cyclone-v", read_writes(board))
    # What the ports of U-Boot's design are, and the clocks for the fabric, are another design's.
    of_the_design = ("arbiter.", "clocks.h2f_user1", "clocks.h2f_user2")
    given = {p: f.value for p, f in theirs.figures.items() if not p.startswith(of_the_design)}
    assert len(given) > 25
    assert {path: own.value(path) for path in given} == given


def test_figures_of_a_small_board_by_hand(tmp_path):
    memory = MEMORY.replace("MEM_DQ_WIDTH 32", "MEM_DQ_WIDTH 16").replace("MULT 31", "MULT 23")
    memory = memory.replace("ROW_ADDR_WIDTH 15", "ROW_ADDR_WIDTH 14").replace(
        "MEM_TCL 7", "MEM_TCL 6"
    )
    found = decode("cyclone-v", registers_at(saved(tmp_path, memory=memory))[0])
    assert found.value("clocks.ddr_mhz") == 300  # 25 MHz x 24 / 2
    assert found.value("dram.bus_bits") == 16
    assert found.value("dram.size_MiB") == 256  # 2^14 rows, 8 banks, 1024 columns of 2 bytes
    assert found.value("dram.timing.CL") == 6
    # CL 6 + 4 of data + 2 - CWL 7 + 2 of the controller
    assert found.value("dram.timing.read_to_write") == 7
    half = memory.replace("AFI_RATE_RATIO 1", "AFI_RATE_RATIO 2")
    found = decode("cyclone-v", registers_at(saved(tmp_path, memory=half))[0])
    assert found.value("dram.timing.read_to_write") == 6


BAD = {
    "cut short": ("emif.xml", lambda t: t[: len(t) // 2], "not a whole XML file"),
    "a value missing": ("emif.xml", lambda t: t.replace("MEM_TRFC", "OTHER"), "no MEM_TRFC"),
    "no clock": ("hps.xml", lambda t: t.replace("main_pll_m", "x"), "hps.xml has no main_pll_m"),
    "no number": ("emif.xml", lambda t: t.replace('"3120"', '"many"'), "MEM_TREFI"),
    "another memory": (
        "emif.xml",
        lambda t: t.replace('"DDR3" value="1"', '"DDR3" value="0"'),
        "no kind of memory on '32' bits",
    ),
    "another width": (
        "emif.xml",
        lambda t: t.replace('DQ_WIDTH" value="32"', 'DQ_WIDTH" value="20"'),
        "DDR3 on '20' bits",
    ),
    "entities": (
        "emif.xml",
        lambda t: '<!DOCTYPE a [<!ENTITY x "ha">]>' + t,
        "defines a document type",
    ),
    "an entity": (
        "emif.xml",
        lambda t: t.replace("<controller>", "<controller>&x;"),
        "not a whole XML file",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_mistakes_are_reported_with_their_file(tmp_path, name):
    file, edit, message = BAD[name]
    saved(tmp_path)
    path = tmp_path / file
    path.write_text(edit(path.read_text()))
    with kit.refuses(message, file):
        registers_at(tmp_path)


@pytest.mark.parametrize("encoding", ["UTF-7", "gb2312", "utf-32", "x-nope", "hex_codec"])
def test_what_encoding_it_says_to_be_in_does_not_matter(encoding, tmp_path):
    saved(tmp_path)
    right = [(w.name, w.value) for w in registers_at(tmp_path)[0]]
    for name in ("hps.xml", "emif.xml"):
        text = (tmp_path / name).read_text()
        text = text[text.index("?>") + 2 :] if text.startswith("<?xml") else text
        (tmp_path / name).write_text(f'<?xml version="1.0" encoding="{encoding}"?>{text}')
    assert [(w.name, w.value) for w in registers_at(tmp_path)[0]] == right


def test_one_of_its_files_leads_to_both(tmp_path):
    inside = saved(tmp_path / "hps_isw_handoff" / "soc_hps_0")
    whole = [(w.name, w.value) for w in registers_at(inside)[0]]
    for path in (inside / "hps.xml", inside / "emif.xml", inside.parent, tmp_path):
        assert [(w.name, w.value) for w in registers_at(path)[0]] == whole
    saved(tmp_path / "hps_isw_handoff" / "other_hps_0")
    with pytest.raises(AxiometerError):  # which of them?
        registers_at(tmp_path)


def test_alone_it_has_no_masters(tmp_path):
    inside = saved(tmp_path / "hps_isw_handoff" / "soc_hps_0")
    for path in (inside, inside / "hps.xml", inside.parent, tmp_path):
        with pytest.raises(AxiometerError) as caught:
            load(path)
        assert "a handoff of Quartus has no masters" in caught.value.remedy
        assert "give the .qsys" in caught.value.remedy


def test_with_a_system_beside_it_both_are_taken(tmp_path):
    system = design_kit.reference("vieira-intel-duplex-64bit.qsys.xz")
    (tmp_path / "soc.qsys").write_bytes(lzma.decompress(system.read_bytes()))
    inside = saved(tmp_path / "hps_isw_handoff" / "soc_hps_0")
    alone = load(tmp_path / "soc.qsys")
    for path in (tmp_path, inside.parent, inside):
        design = load(path)
        assert [m.name for m in design.masters] == [m.name for m in alone.masters]
        assert design.initialised == "hps.xml and emif.xml"
    placed = platform_of(load(tmp_path), tmp_path, None)
    assert placed.compared > 20 or placed.platform.value("clocks.ddr_mhz") == 400
