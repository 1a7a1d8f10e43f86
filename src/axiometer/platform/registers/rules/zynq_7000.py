"""Zynq-7000: figures of several fields. UG585, chapters 10 (DDR) and 25 (clocks)."""

from __future__ import annotations

from fractions import Fraction

from axiometer.platform.registers import tables
from axiometer.platform.registers.rules import geometry, mode
from axiometer.platform.registers.rules.reference import reference_mhz
from axiometer.platform.registers.sheet import Rule, Sheet

_MAP = "DDRC.DRAM_addr_map_"
_UNUSED = 15
# Field, and the base that its value is added to, for each kind of address bit.
_BANK = [(f"bank.bank_b{i}", 5 + i) for i in range(3)]
_COLUMN = [
    *((f"col.col_b{i}", 3 + i) for i in (2, 3, 4)),
    ("bank.col_b5", 8), ("bank.col_b6", 9),
    *((f"col.col_b{i}", 3 + i) for i in (7, 8, 9, 10, 11)),
]  # fmt: skip
_ROW = [
    ("row.row_b0", 9), ("row.row_b1", 10), *(("row.row_b2_11", base) for base in range(11, 21)),
    *((f"row.row_b{i}", 9 + i) for i in (12, 13, 14, 15)),
]  # fmt: skip


def _bits(sheet: Sheet, of: list[tuple[str, int]]) -> list[int]:
    read = [(sheet.field(_MAP + name), base) for name, base in of]
    return [value + base for value, base in read if value != _UNUSED]


def _columns(sheet: Sheet) -> int:
    """Column bits: those that are mapped, and those below (4 on half the width, else 3)."""
    return len(_bits(sheet, _COLUMN)) + (4 if sheet.figure("dram.bus_bits") == 16 else 3)


def _type(sheet: Sheet) -> str:
    if sheet.field("DDRC.DRAM_param_reg3.mobile") or sheet.field("DDRC.lpddr_ctrl0.lpddr2"):
        return "LPDDR2"
    return "DDR3" if sheet.field("DDRC.CHE_T_ZQ.ddr3") else "DDR2"


def _cwl(sheet: Sheet) -> int:
    latency = sheet.field("DDRC.DRAM_param_reg2.write_latency") + 1
    own = sheet.figure_or_none("dram.mode.CWL")
    if own not in (None, latency):
        sheet.note(f"the controller's write latency is {latency}, but MR2 sets {own}")
    return latency


def _after_write(sheet: Sheet, field: str) -> int:
    """What is left of `field` after the write's latency and its data."""
    data = sheet.figure("dram.timing.CWL") + sheet.figure("dram.burst_length") // 2
    return sheet.field(field) - data


def _mapping(sheet: Sheet) -> str | None:
    bits = (_bits(sheet, of) for of in (_COLUMN, _BANK, _ROW))
    found = geometry.mapping(*bits)
    if found is None:
        sheet.note("the address map is neither row-bank-column nor bank-row-column")
    return found


def _size(sheet: Sheet) -> int:
    bits = _columns(sheet) + len(_bits(sheet, _BANK)) + len(_bits(sheet, _ROW))
    return 2**bits * sheet.figure("dram.bus_bits") // 8 // 2**20


def _high_entries(sheet: Sheet) -> int:
    """What is left of the read store's 32 places; none where all reads are of low priority."""
    if not sheet.field("DDRC.DRAM_disable_DQ.force_low_pri_n"):
        return 0
    return 32 - sheet.figure("controller.read_entries")


def _high_reads(sheet: Sheet, path: str) -> bool:
    high = sheet.field(f"ARB.{path}.axi_priority_rd.set_hpr_rd")
    return bool(high) and sheet.figure("controller.high_entries") > 0


def _ddr_multiple(sheet: Sheet) -> Fraction:
    return Fraction(
        sheet.field("SLCR.DDR_PLL_CTRL.PLL_FDIV"),
        sheet.field("SLCR.DDR_CLK_CTRL.DDR_3XCLK_DIVISOR"),
    )


def _reference(sheet: Sheet) -> Fraction:
    usual = tables.load("zynq-7000").about["reference_mhz"]
    return reference_mhz(sheet, usual, lambda: _ddr_multiple(sheet))


def _pll(sheet: Sheet, name: str) -> Fraction:
    return sheet.figure("clocks.reference_mhz") * sheet.field(f"SLCR.{name}_PLL_CTRL.PLL_FDIV")


def _cpu(sheet: Sheet) -> Fraction:
    source = ("ARM", "ARM", "DDR", "IO")[sheet.field("SLCR.ARM_CLK_CTRL.SRCSEL")]
    return _pll(sheet, source) / sheet.field("SLCR.ARM_CLK_CTRL.DIVISOR")


def _of_cpu(sheet: Sheet, true_621: int, else_: int) -> Fraction:
    by = true_621 if sheet.field("SLCR.CLK_621_TRUE.CLK_621_TRUE") else else_
    return sheet.figure("processor.clocks.cpu") / by


def _source(sheet: Sheet, n: int) -> str:
    return ("IO", "IO", "ARM", "DDR")[sheet.field(f"SLCR.FPGA{n}_CLK_CTRL.SRCSEL")]


def _fabric_pll(sheet: Sheet, n: int) -> Fraction:
    return _pll(sheet, _source(sheet, n))


def _pll_name(sheet: Sheet, n: int) -> str | None:
    written = sheet.written(f"SLCR.FPGA{n}_CLK_CTRL")
    return f"{_source(sheet, n)} PLL" if written else None


def _fabric(sheet: Sheet, n: int) -> Fraction | None:
    clock = f"SLCR.FPGA{n}_CLK_CTRL"
    if n and not sheet.written(clock):
        return None
    dividers = [sheet.field(f"{clock}.DIVISOR{i}") or 1 for i in (0, 1)]
    return _fabric_pll(sheet, n) / (dividers[0] * dividers[1])


def _ddr(sheet: Sheet, which: str) -> Fraction:
    return _pll(sheet, "DDR") / sheet.field(f"SLCR.DDR_CLK_CTRL.DDR_{which}XCLK_DIVISOR")


_MHZ = "MHz"
_CLOCKS = "DRAM clocks"
RULES = [
    Rule("clocks.reference_mhz", _MHZ, "PS_CLK", _reference),
    Rule("clocks.ddr_mhz", _MHZ, "DDR PLL / 3X divisor", lambda s: _ddr(s, "3")),
    Rule("clocks.ddr_2x_mhz", _MHZ, "DDR PLL / 2X divisor", lambda s: _ddr(s, "2")),
    Rule("clocks.pl_mhz", _MHZ, "FCLK0", lambda s: _fabric(s, 0)),
    Rule("clocks.pl_pll_mhz", _MHZ, "PLL of FCLK0", lambda s: _fabric_pll(s, 0)),
    *(
        Rule(f"clocks.pl{n}_mhz", _MHZ, f"FCLK{n}", lambda s, n=n: _fabric(s, n))
        for n in range(4)
    ),
    *(Rule(f"clocks.pl{n}_pll", None, f"PLL of FCLK{n}", lambda s, n=n: _pll_name(s, n))
      for n in range(4)),
    *(Rule(f"clocks.pl{n}_pll_mhz", _MHZ, f"PLL of FCLK{n}", lambda s, n=n: _fabric_pll(s, n))
      for n in range(4)),
    Rule("processor.clocks.cpu", _MHZ, "CPU_6x4x", _cpu),
    Rule("processor.clocks.interconnect", _MHZ, "CPU_2x", lambda s: _of_cpu(s, 3, 2)),
    Rule("processor.clocks.apb", _MHZ, "CPU_1x", lambda s: _of_cpu(s, 6, 4)),
    Rule("processor.clocks.pl_pll", _MHZ, "PLL of FCLK0", lambda s: _fabric_pll(s, 0)),
    *(
        Rule(f"path.{path}.clock_mhz", _MHZ, "interconnect at DDR_2x (UG585, chapter 25)",
             lambda s: s.figure("clocks.ddr_2x_mhz"))
        for path in ("hp01", "hp23")
    ),
    Rule("controller.high_entries", "commands", "32 less those of low priority, 0 where "
         "force_low_pri_n is 0", _high_entries),
    *(
        Rule(f"path.{path}.high_priority_reads", None, "and high-priority reads have places",
             lambda s, path=path: _high_reads(s, path))
        for path in ("hp01", "hp23", "l2", "central")
    ),
    Rule("dram.type", None, "", _type),
    Rule("dram.ranks", None, "one chip select (UG585, section 10.1)", lambda s: 1),
    Rule("dram.banks", None, "two to the mapped bank bits", lambda s: 2 ** len(_bits(s, _BANK))),
    Rule("dram.row_bytes", "bytes", "two to the column bits, times the bus",
         lambda s: 2 ** _columns(s) * s.figure("dram.bus_bits") // 8),
    Rule("dram.size_MiB", "MiB", "column, bank and row bits on the bus", _size),
    Rule("dram.bank_address_bits", "bits", "value plus base", lambda s: _bits(s, _BANK)),
    Rule("dram.row_address_bits", "bits", "value plus base",
         lambda s: geometry.first_and_last(_bits(s, _ROW))),
    Rule("dram.mode.CL", _CLOCKS, "MR0", lambda s: mode.read_latency(
        s.figure("dram.type"), s.field("DDRC.DRAM_EMR_MR_reg.mr"))),
    Rule("dram.mode.CWL", _CLOCKS, "MR2", lambda s: mode.write_latency(
        s.figure("dram.type"), s.field("DDRC.DRAM_EMR_reg.emr2"))),
    Rule("dram.timing.CWL", _CLOCKS, "write_latency plus 1", _cwl),
    Rule("dram.timing.tWTR", _CLOCKS, "wr2rd less CWL and BL/2",
         lambda s: _after_write(s, "DDRC.DRAM_param_reg2.wr2rd")),
    Rule("dram.timing.tWR", _CLOCKS, "wr2pre less CWL and BL/2",
         lambda s: _after_write(s, "DDRC.DRAM_param_reg1.wr2pre")),
    Rule("mapping.default", None, "", _mapping),
]  # fmt: skip
