"""Size and order of a memory from the bits of an address: what address maps have in common."""

from __future__ import annotations

from collections.abc import Sequence


def mapping(column: Sequence[int], bank: Sequence[int], row: Sequence[int]) -> str | None:
    """`row-bank-column` or `bank-row-column`, from the byte address's bits of each; None where
    they are interleaved in another way."""
    if not bank or not row or not column:
        return None
    if max(column) < min(bank) and max(bank) < min(row):
        return "row-bank-column"
    if max(column) < min(row) and max(row) < min(bank):
        return "bank-row-column"
    return None


def mapping_of_groups(bank: Sequence[int], row: Sequence[int]) -> str | None:
    """The mapping where bank groups may lie among the columns: what is above decides. None where
    bank bits lie between row bits."""
    upper = [bit for bit in bank if bit > min(row)]
    if not upper:
        return "row-bank-column"
    if len(upper) == len(bank) or min(upper) > max(row):
        return "bank-row-column"
    return None


def first_and_last(bits: Sequence[int]) -> list[int] | None:
    """[first, last] of address bits that follow one another; None where they do not."""
    rising = list(range(bits[0], bits[0] + len(bits))) if bits else []
    return [bits[0], bits[-1]] if bits and list(bits) == rising else None
