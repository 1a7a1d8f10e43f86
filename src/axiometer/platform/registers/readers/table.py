"""CSV tables: `part,address,mask,value`, or `part,name,mask,value` with the macros of a preloader
(no mask). Columns may have any order; `part` and `mask` may be absent."""

from __future__ import annotations

import csv
import io

from axiometer.base.errors import AxiometerError
from axiometer.platform.registers.readers.numbers import needed, register_address
from axiometer.platform.registers.results import Write, unknown_value

_ALL = 0xFFFFFFFF


def understands(text: str) -> bool:
    """Whether the first line is a heading with `value`, and `address` or `name`."""
    columns = _columns(text)
    return "value" in columns and bool({"address", "name"} & set(columns))


def read(text: str, file: object) -> list[Write]:
    """The rows as writes, in their order."""
    columns = _columns(text)
    found = []
    rows = csv.reader(io.StringIO(text))
    try:
        next(rows)
        for cells in rows:
            if cells:
                found.append(_write(columns, cells, file, rows.line_num))
    except csv.Error as error:
        raise AxiometerError(
            f"not a CSV table: {error}", file=file, line=rows.line_num, remedy="save it again"
        ) from None
    return found


def _columns(text: str) -> list[str]:
    first = text.partition("\n")[0]
    return [cell.strip().lower() for cell in first[:1000].split(",")]


def _write(columns: list[str], cells: list[str], file: object, line: int) -> Write:
    if len(cells) != len(columns):
        raise AxiometerError(
            f"{len(cells)} cells, but the heading has {len(columns)}",
            file=file,
            line=line,
            remedy="give the whole file",
        )
    row = dict(zip(columns, cells, strict=True))
    if row["value"].startswith("$"):  # a variable of the script behind the table
        return unknown_value(register_address(row.get("address", ""), file, line), line)
    value = needed(row["value"].rstrip("; "), "a value", file, line)
    if row.get("name", "").strip():
        return Write(None, _ALL, value, row["name"].strip(), line)
    address = register_address(row.get("address", ""), file, line)
    mask = needed(row["mask"], "a mask", file, line) if row.get("mask", "").strip() else _ALL
    return Write(address, mask, value, None, line)
