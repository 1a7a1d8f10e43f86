"""Size and order of a memory from the bits of an address, for all address maps."""

from __future__ import annotations

from collections.abc import Sequence


def mapping(column: Sequence[int], bank: Sequence[int], row: Sequence[int]) -> str | None:
    """`row-bank-column` or `bank-row-column`, from the byte address's bits of each; None for other
    orders."""
    if not bank or not row or not column:
        return None
    if max(column) < min(bank) and max(bank) < min(row):
        return "row-bank-column"
    if max(column) < min(row) and max(row) < min(bank):
        return "bank-row-column"
    return None


def mapping_of_groups(bank: Sequence[int], row: Sequence[int]) -> str | None:
    """The mapping if bank groups may be among the columns: the bits above decide. None if bank bits
    are between row bits."""
    upper = [bit for bit in bank if bit > min(row)]
    if not upper:
        return "row-bank-column"
    if len(upper) == len(bank) or min(upper) > max(row):
        return "bank-row-column"
    return None


def first_and_last(bits: Sequence[int]) -> list[int] | None:
    """[first, last] of consecutive address bits; None for others."""
    rising = list(range(bits[0], bits[0] + len(bits))) if bits else []
    return [bits[0], bits[-1]] if bits and list(bits) == rising else None
