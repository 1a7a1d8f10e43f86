"""Manev, Vaishnav and Koch, ZynqUSp-AXI-Speedtest (FPT 2019): its workbooks as reference tables.

The names of the workbooks are those of the public repository. The reader of the sheet of counters
(`usp_terminal`) was written from three workbooks. A workbook without this sheet is read by its
headings (`usp_sheet`). Workbooks of the SmartConnect experiments are left out, because no public
source states which of their masters share a port.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from axiometer.base import harmless, standard_streams
from axiometer.base.errors import AxiometerError
from axiometer.imports import workbook
from axiometer.imports.usp_rows import Conditions, Row, rows
from axiometer.imports.usp_sheet import Sample, Sheet
from axiometer.imports.usp_terminal import Terminal

TITLE = "Zynq UltraScale+ (ZCU102, Ultra96), HP ports, free runs of 5 s"
TARGET = "zynq_usp_axi_speedtest"
# The PL clocks that the boards' PLLs make, from the authors' driver and dataset.
_MHZ = {100: 99.999999, 300: 299.999997}
# The paper's "random" pattern: bytes skipped after each burst.
_SKIPPED = {"zcu102": 8192, "ultra96": 69632}
_BANKS_HIGHEST = "bank-row-column"


def _of(
    platform: str,
    mhz: int,
    mode: str = "duplex",
    skipped_bytes: int = 0,
    mapping: str = "row-bank-column",
) -> Conditions:
    return Conditions(platform, mode, _MHZ[mhz], skipped_bytes, mapping)


# Workbook: its table and conditions. Where the name lacks the PL clock, that of the board's base
# experiment is assumed (100 MHz on the Ultra96, 300 MHz on the ZCU102).
WORKBOOKS: dict[str, tuple[str, Conditions]] = {
    "AXI_Ultra96_Base": ("ultra96__base_100mhz", _of("ultra96", 100)),
    "AXI_Ultra96_300MHZ": ("ultra96__mixed_300mhz", _of("ultra96", 300)),
    "AXI_Ultra96_300MHZ_ReadOnly": ("ultra96__read_only_300mhz", _of("ultra96", 300, "read")),
    "AXI_Ultra96_300MHZ_WriteOnly": ("ultra96__write_only_300mhz", _of("ultra96", 300, "write")),
    "AXI_Ultra96_BankRowCol": (
        *("ultra96__bank_row_column_100mhz", _of("ultra96", 100, mapping=_BANKS_HIGHEST)),
    ),
    "AXI_Ultra96_Base_HP0_Priorities_Changed": (
        *("ultra96__hp0_priorities_changed_100mhz", _of("ultra96", 100)),
    ),
    "AXI_Ultra96_Random": (
        *("ultra96__random_100mhz", _of("ultra96", 100, skipped_bytes=_SKIPPED["ultra96"])),
    ),
    "AXI_ZCU102_Base_300MHZ": ("zcu102__base_300mhz", _of("zcu102", 300)),
    "AXI_ZCU102_Base_300MHZ_ReadOnly": ("zcu102__read_only_300mhz", _of("zcu102", 300, "read")),
    "AXI_ZCU102_Base_300MHZ_WriteOnly": ("zcu102__write_only_300mhz", _of("zcu102", 300, "write")),
    "AXI_ZCU102_100MHz": ("zcu102__mixed_100mhz", _of("zcu102", 100)),
    "AXI_ZCU102_Bank_Row_Column": (
        *("zcu102__bank_row_column_300mhz", _of("zcu102", 300, mapping=_BANKS_HIGHEST)),
    ),
    "AXI_ZCU102_Random": (
        *("zcu102__stride_300mhz", _of("zcu102", 300, skipped_bytes=_SKIPPED["zcu102"])),
    ),
}
LEFT_OUT = ("AXI_Ultra96_HP3SmartConnect_HP0", "AXI_Ultra96_HP3SmartConnect_HP3")


def tables(directory: Path) -> dict[str, list[Row]]:
    """`{file name: rows}` of every workbook in or below `directory`; notes on stderr name the parts
    that are left out. AxiometerError if there is none, or for the first unreadable one."""
    found = sorted(p for p in directory.rglob("AXI_*.xlsx") if p.is_file())
    if not found:
        raise AxiometerError(
            f"there is no AXI_<board>_*.xlsx in {directory}",
            remedy="give the directory of the unpacked dataset",
        )
    out: dict[str, list[Row]] = {}
    for path in found:
        if path.stem in LEFT_OUT:
            _note(f"{path}: left out: no public source states which of its masters share a port")
            continue
        if path.stem not in WORKBOOKS:
            raise AxiometerError(
                "is not a workbook of the published dataset",
                file=path,
                remedy=f"keep the published names: {', '.join(WORKBOOKS)}",
            )
        target, conditions = WORKBOOKS[path.stem]
        if f"{target}.csv" in out:
            raise AxiometerError("exists twice", file=path, remedy="give one of its directories")
        out[f"{target}.csv"] = read(path, conditions)
    return out


def read(path: Path, conditions: Conditions) -> list[Row]:
    """The rows of one workbook."""
    notes: list[str] = []
    book = workbook.load(path)
    samples = _samples(path, book, conditions, notes)
    if not samples:
        raise AxiometerError(
            "no sheet has a heading of a burst size over rates: " + "; ".join(_seen(book)),
            file=path,
            remedy="use the workbook as published, saved with its values",
        )
    made = rows(samples, conditions, path)
    for note in notes:
        _note(note)
    return made


def _samples(
    path: Path, book: list[workbook.Page], conditions: Conditions, notes: list[str]
) -> list[Sample]:
    """The samples of the sheet of counters if there is one (the other sheets have the same figures
    prepared for charts), else of all sheets."""
    counters = [page for page in book if Terminal.knows(page)]
    if counters:
        found = (Terminal(path, page, conditions.skipped_bytes).samples() for page in counters)
    else:
        found = (Sheet(path, page, notes).samples() for page in book)
    return [sample for samples in found for sample in samples]


def _seen(book: list[workbook.Page]) -> Iterator[str]:
    """The first texts of each sheet, for the error message."""
    for page in book:
        texts = [
            f"{harmless.quoted(value)} in row {row + 1}"
            for (row, _), value in sorted(page.cells.items())
            if isinstance(value, str) and row < 5
        ]
        yield f"sheet {page.title!r} has {', '.join(texts[:6]) or 'no text in its first rows'}"


def _note(text: str) -> None:
    standard_streams.tell(f"axiometer: {text}")
