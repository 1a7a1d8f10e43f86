"""Register decoders: laws of writes and sources, on small samples; the data files themselves."""

from collections import Counter
from fractions import Fraction

import pytest

import kit
from axiometer.base.errors import AxiometerError
from axiometer.platform import limits
from axiometer.platform.registers import Write, decode, usable_chips
from axiometer.platform.registers.readers import writes_of
from axiometer.platform.registers.rules import geometry, mode
from axiometer.platform.registers.tables import load
from register_files import ZYNQ

LPR = 0xF800600C
KEYS = {"figure", "unit", "times", "plus", "values", "flag", "selects", "address", "base"}


def zynq(*more: Write, given=None):
    return decode("zynq-7000", [*writes_of(ZYNQ, "sample.csv"), *more], given)


def test_a_field_becomes_a_figure_with_its_source():
    figure = zynq().figures["dram.timing.tRCD"]
    assert (figure.value, figure.unit, figure.reset) == (7, "DRAM clocks", False)
    assert figure.source == "DRAM_param_reg2 (0xF800601C) = 0x720238E5: [31:28] t_rcd = 7"


def test_writes_are_applied_in_their_order_and_under_their_masks():
    before = Write(LPR, 0xFFFFFFFF, 5 << 11 | 3 << 22)
    after = Write(LPR, 0x003FF800, 2 << 11 | 7 << 22)  # the mask holds no run length
    found = zynq(before, after)
    assert found.value("controller.starve_clocks") == 64
    assert found.value("controller.run_length") == 3
    assert zynq(after, before).value("controller.starve_clocks") == 160


def test_what_is_not_written_says_that_it_is_a_reset_value():
    figure = zynq().figures["controller.starve_clocks"]
    assert figure.value == 480 and figure.reset
    assert "not written, reset value 0x03C0780F" in figure.source


def test_a_written_part_of_a_register_is_no_reset_value_but_the_rest_is():
    found = zynq(Write(LPR, 0x003FF800, 2 << 11))
    assert not found.figures["controller.starve_clocks"].reset
    assert found.figures["controller.run_length"].reset
    assert found.value("controller.run_length") == 15


def test_clocks_are_exact():
    found = zynq()
    assert found.value("clocks.ddr_mhz") == Fraction(1600, 3)
    assert found.value("clocks.reference_mhz") == Fraction(100, 3)
    assert any("taken to be 33.3333 MHz" in note for note in found.notes)


@pytest.mark.parametrize("given", [50, "50", Fraction(50)])
def test_a_given_crystal_is_taken(given):
    found = zynq(given={"reference_mhz": given})
    assert found.value("clocks.ddr_mhz") == 800
    assert "(given)" in found.figures["clocks.reference_mhz"].source
    assert not any("taken to be" in note for note in found.notes)


@pytest.mark.parametrize("given", ["quick", 0, -5, 10**9, "1/0", None])
def test_a_crystal_that_is_none_is_refused(given):
    with pytest.raises(AxiometerError, match="reference clock"):
        zynq(given={"reference_mhz": given})


def test_an_unusual_crystal_is_refused_with_a_remedy():
    with kit.refuses(match="no usual crystal", remedy="reference_mhz"):
        zynq(Write(0xF8006004, 0xFFF, 300))


def test_registers_unknown_to_the_chip_are_listed_and_counted():
    found = zynq(*[Write(0xF8ABC000, 1, 1)] * 3, Write(0xF8000304, 1, 1), Write(0xF8000700, 1, 1))
    assert [str(u) for u in found.unknown] == ["0xF8000304: 1 write", "0xF8ABC000: 3 writes"]
    assert "pins (MIO): 1 write, no figure" in found.notes


def test_a_macro_that_is_not_known_is_listed():
    found = zynq(Write(None, 0, 1, "CFG_HPS_NEW"))
    assert [str(u) for u in found.unknown] == ["CFG_HPS_NEW: 1 write"]


@pytest.mark.parametrize("left_out", ["0xF8000104", "0xF8006044"])
def test_half_an_initialisation_is_refused(left_out):
    part = "\n".join(line for line in ZYNQ.split("\n") if left_out not in line)
    with pytest.raises(AxiometerError, match="1 of 11 registers") as caught:
        decode("zynq-7000", writes_of(part, "part.csv"), file="part.csv")
    assert left_out in str(caught.value) and str(caught.value).startswith("part.csv: ")


@pytest.mark.parametrize(
    ("write", "says"),
    [
        (Write(0xF8000124, 0x03F00000, 0), "divide a clock by 0"),
        (Write(0xF8000104, 0x0007F000, 0), "or a clock, of 0"),
        (Write(0xF8006004, 0x00000FFF, 0), "have a refresh interval"),
        (Write(0xF8006000, 0x0000000C, 8), "no memory: dram.bus_bits"),
        (Write(0xF8006014, 0x0000003F, 0), "dram.timing.tRC is 0 .*0xF8006014"),
        (Write(0xF800601C, 0x00007C00, 0), "dram.timing.tWTR is -"),
    ],
)
def test_registers_that_describe_no_memory_are_refused(write, says):
    with pytest.raises(AxiometerError, match=says):
        zynq(write)


def test_a_chip_that_is_not_known_is_refused_with_those_that_are():
    with kit.refuses(match="no register decoder", remedy="zynq-7000"):
        decode("zynq7000", [])


def test_half_of_the_bus_moves_columns_and_halves_the_size():
    half = Write(0xF8006000, 0xC, 0x4)
    narrow = zynq(half, Write(0xF8006040, 0x000F0000, 0x000F0000))
    assert zynq().value("dram.size_MiB") == 512 and narrow.value("dram.size_MiB") == 256
    assert narrow.value("dram.bus_bits") == 16
    assert narrow.value("dram.row_bytes") == 2048


def test_orders_of_rows_and_banks():
    assert zynq().value("mapping.default") == "row-bank-column"
    assert geometry.mapping([3, 11], [12, 14], [15, 28]) == "row-bank-column"
    assert geometry.mapping([3, 11], [26, 28], [12, 25]) == "bank-row-column"
    assert geometry.mapping([3, 11], [12, 20], [15, 28]) is None


def test_banks_between_the_rows_are_no_mapping_and_are_reported():
    found = zynq(Write(0xF8006044, 0xFFFFFFFF, 0x0FF33333), Write(0xF800603C, 0xFFF, 0xDDD))
    assert found.value("mapping.default") is None
    assert any("address map" in note for note in found.notes)
    assert found.value("dram.bank_address_bits") == [18, 19, 20]


def test_caches_are_reported_only_where_they_are_written():
    assert zynq().value("l2.enabled") is None
    assert zynq(Write(0xF8F02100, 1, 1)).value("l2.enabled") is True


def test_port_settings_of_the_fabric_side():
    found = zynq(Write(0xF8008000, 1, 1), Write(0xF8008004, 7, 3))
    assert found.value("afi.HP0.width_bits_read") == 32
    assert found.value("afi.HP0.issue_commands_read") == 4


def test_high_priority_reads_need_a_port_places_and_the_switch():
    port, places, switch = (
        Write(0xF8006224, 0x803FF, 0x80100),
        Write(0xF8006060, 0x7E, 0x2E),
        Write(0xF800603C - 4, 1, 1),
    )
    found = zynq(port, places, switch)
    assert found.value("path.hp01.high_priority_reads") is True
    assert found.value("path.hp23.high_priority_reads") is False
    assert found.value("path.hp01.priority_read") == 0x100
    assert found.value("controller.high_entries") == 8
    assert found.value("controller.read_entries") == 24
    for without in ((places, switch), (port, switch), (port, places)):
        assert zynq(*without).value("path.hp01.high_priority_reads") is False


@pytest.mark.parametrize("chip", usable_chips())
def test_data_of_a_chip_are_whole(chip):
    table = load(chip)
    addresses = Counter(r.address for r in table.registers.values() if r.address is not None)
    assert [hex(a) for a, n in addresses.items() if n > 1] == []
    figures = Counter()
    for register in table.registers.values():
        taken = 0
        for field in register.fields.values():
            assert 0 <= field.low <= field.high <= 31, (register.key, field.name)
            assert not taken & field.mask, f"{register.key}: {field.name} overlaps another field"
            taken |= field.mask
            assert set(field.makes) <= KEYS
            if "figure" in field.makes:
                figures[field.makes["figure"].replace("{instance}", str(register.instance))] += 1
        assert register.address is None or register.address % 4 == 0
    assert [path for path, n in figures.items() if n > 1] == []
    assert set(table.about["needed"]) <= set(table.registers)


@pytest.mark.parametrize("chip", usable_chips())
def test_ranges_of_no_weight_hold_no_register_that_makes_a_figure(chip):
    table = load(chip)
    for register in table.registers.values():
        made = any("figure" in field.makes for field in register.fields.values())
        for part in table.about["elsewhere"]:
            inside = "first" in part and part["first"] <= (register.address or 0) <= part["last"]
            assert not (made and inside), (register.key, part["what"])


CHIPS = kit.ROOT / "chips"


@pytest.mark.parametrize("path", sorted(CHIPS.glob("*/registers/*.toml")))
def test_each_file_of_registers_names_its_document(path):
    opening = path.read_text(encoding="utf-8").split("module =")[0]
    assert opening.startswith("#")
    assert "Document: " in opening or "pll_config.h" in opening


def test_figures_keep_todays_limits():
    for path, figure in zynq().figures.items():
        limit = limits.of_figure(path)
        value = figure.value
        if limit is not None and not isinstance(value, Fraction):
            limit.check(path, str(value) if path == "processor.clocks.cpu" else value)


@pytest.mark.parametrize(
    ("kind", "mr_read", "cl", "mr_write", "cwl"),
    [
        ("DDR3", 0x930, 7, 0x8, 6),
        ("DDR3", 0x170, 11, 0x18, 8),
        ("DDR4", 0x730, 15, 0x20, 14),
        ("DDR4", 0x301, 9, 0x10, 11),
        ("LPDDR4", 0x12, 14, 0x12, 8),
        ("LPDDR3", 0x12, None, 0x12, None),
    ],
)
def test_latencies_of_mode_registers(kind, mr_read, cl, mr_write, cwl):
    assert mode.read_latency(kind, mr_read) == cl
    assert mode.write_latency(kind, mr_write) == cwl
