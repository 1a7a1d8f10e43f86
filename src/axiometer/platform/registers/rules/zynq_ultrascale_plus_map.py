"""Zynq UltraScale+: size and order of the memory. UG1087, ADDRMAP0 to ADDRMAP11: an address bit of
the controller (words of 64 bits) is a field's value plus a base that belongs to the field."""

from __future__ import annotations

from axiometer.platform.registers.rules import geometry
from axiometer.platform.registers.sheet import Rule, Sheet

_WORD = 3  # bits of a byte address below the controller's own
_ALL_ROWS = 15  # in row_b2_10: rows 2 to 10 have fields of their own
_COLUMN = [
    (f"ADDRMAP{2 + (i - 2) // 4}.addrmap_col_b{i}", i, 15) for i in range(2, 12)
]  # fmt: skip
_GROUP = [("ADDRMAP8.addrmap_bg_b0", 2, 31), ("ADDRMAP8.addrmap_bg_b1", 3, 31)]
_BANK = [(f"ADDRMAP1.addrmap_bank_b{i}", 2 + i, 31) for i in range(3)]
_LOW_ROW = [("ADDRMAP5.addrmap_row_b0", 6, 15), ("ADDRMAP5.addrmap_row_b1", 7, 15)]
_OWN_ROWS = [
    (f"ADDRMAP{9 + (i - 2) // 4}.addrmap_row_b{i}", 6 + i, 15) for i in range(2, 11)
]  # fmt: skip
_SAME_ROWS = [("ADDRMAP5.addrmap_row_b2_10", 6 + i, 15) for i in range(2, 11)]
_HIGH_ROW = [
    ("ADDRMAP5.addrmap_row_b11", 17, 15),
    *((f"ADDRMAP6.addrmap_row_b{i}", 6 + i, 15) for i in range(12, 16)),
    *((f"ADDRMAP7.addrmap_row_b{i}", 6 + i, 15) for i in (16, 17)),
]
_RANK = ("ADDRMAP0.addrmap_cs_bit0", 6, 31)

_Fields = list[tuple[str, int, int]]


def _bits(sheet: Sheet, of: _Fields) -> list[int]:
    """Byte-address bits of the fields that are in use."""
    read = [(sheet.field(f"DDRC.{name}"), base, unused) for name, base, unused in of]
    return [value + base + _WORD for value, base, unused in read if value != unused]


def _row(sheet: Sheet) -> list[int]:
    own = sheet.field("DDRC.ADDRMAP5.addrmap_row_b2_10") == _ALL_ROWS
    return _bits(sheet, [*_LOW_ROW, *(_OWN_ROWS if own else _SAME_ROWS), *_HIGH_ROW])


def _groups(sheet: Sheet) -> list[int]:
    return _bits(sheet, _GROUP) if sheet.figure("dram.type") == "DDR4" else []


def _bank(sheet: Sheet) -> list[int]:
    return _groups(sheet) + _bits(sheet, _BANK)


def _column_bits(sheet: Sheet) -> int:
    """Mapped column bits, and those below: one more on half of the bus."""
    return len(_bits(sheet, _COLUMN)) + (2 if sheet.figure("dram.bus_bits") == 64 else 3)


def _rank(sheet: Sheet) -> int | None:
    found = _bits(sheet, [_RANK])
    return found[0] if found and sheet.figure("dram.ranks") > 1 else None


def _gap(sheet: Sheet, way: str) -> int | None:
    """Clocks of the bus when the rank changes; of one rank there are none."""
    return 2 * sheet.field(f"DDRC.RANKCTL.{way}") if sheet.figure("dram.ranks") > 1 else None


def _size(sheet: Sheet) -> int:
    bits = _column_bits(sheet) + len(_bank(sheet)) + len(_row(sheet))
    bytes_ = 2**bits * sheet.figure("dram.bus_bits") // 8 * sheet.figure("dram.ranks")
    if sheet.field("DDRC.ADDRMAP6.lpddr3_6gb_12gb"):
        bytes_ = bytes_ * 3 // 4
    return bytes_ // 2**20


_CLOCKS = "DRAM clocks"
RULES = [
    Rule("dram.size_MiB", "MiB", "column, bank, row and rank bits on the bus", _size),
    Rule("dram.banks", None, "two to the mapped bank bits", lambda s: 2 ** len(_bank(s))),
    Rule("dram.bank_groups", None, "two to the mapped bank group bits",
         lambda s: 2 ** len(_groups(s)) if s.figure("dram.type") == "DDR4" else None),
    Rule("dram.row_bytes", "bytes", "two to the column bits, times the bus",
         lambda s: 2 ** _column_bits(s) * s.figure("dram.bus_bits") // 8),
    Rule("dram.bank_address_bits", "bits", "value, base and 3; bank groups first", _bank),
    Rule("dram.row_address_bits", "bits", "value, base and 3",
         lambda s: geometry.first_and_last(_row(s))),
    Rule("dram.rank_address_bit", "bits", "value, base and 3", _rank),
    Rule("dram.rank_gap", _CLOCKS, "twice", lambda s: _gap(s, "diff_rank_rd_gap")),
    Rule("dram.rank_gap_write", _CLOCKS, "twice", lambda s: _gap(s, "diff_rank_wr_gap")),
    Rule("mapping.default", None, "",
         lambda s: geometry.mapping_of_groups(s, _bank(s), _row(s))),
]  # fmt: skip
