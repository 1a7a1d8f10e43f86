"""UviDTE-FPSoC, Zynq7000-time-measurements: its main workbook as a table of rates.

The workbook's "MB/s" are 2^20 bytes a second; `rate_MBps_1e6` is converted. Its sheet has a column
for each series: 21 rows of writes with sizes from 2 B to 2 MiB, then 21 rows of reads, as seen by
the processor. Headings are prose; `SERIES` describes the columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from axiometer.base.errors import AxiometerError
from axiometer.imports import workbook

TITLE = "Zynq-7000 (Zedboard), processor and its DMA as masters at M_AXI_GP1"
TARGET = "zynq7000_time_measurements/z7_ps_to_pl_main.csv"
WORKBOOK = "Zynq7000_HPS-FPGA.xlsx"
SHEET = "Hoja1"
SIZES = tuple(2**n for n in range(1, 22))
FIRST_ROW = {"WR": 9, "RD": 30}
# System, method, caches, and the column for each PL clock in MHz.
SERIES: tuple[tuple[str, str, str, dict[int, str]], ...] = (
    ("baremetal", "memcpy", "off", {50: "D", 100: "F", 150: "H", 200: "J", 250: "L"}),
    ("baremetal", "memcpy", "on", {50: "M", 100: "O", 150: "Q", 200: "S", 250: "U"}),
    (
        *("linux(Linaro)", "memcpy", "on"),
        {50: "V", 100: "X", 125: "Y", 150: "Z", 175: "AA", 200: "AB", 225: "AC", 250: "AD"},
    ),
    (
        *("linux(Linaro)", "forloop", "on"),
        {100: "AG", 125: "AH", 150: "AI", 175: "AJ", 200: "AK", 225: "AL", 250: "AM"},
    ),
    ("baremetal", "dmac", "off", {50: "AN", 100: "AP", 150: "AR", 200: "AT"}),
    ("baremetal", "dmac", "on", {50: "AW", 100: "AY", 150: "BA", 200: "BC"}),
    (
        *("linux(Linaro)", "dmac", "on"),
        {50: "BF", 100: "BH", 125: "BI", 150: "BJ", 175: "BK", 200: "BL", 225: "BM"},
    ),
)
MIB = 2**20


def read(directory: Path) -> list[dict[str, str | int | float]]:
    """The table of the workbook in `directory` or its `results`. AxiometerError if the workbook is
    missing or invalid, or a cell has no rate where one belongs."""
    path = next((p for p in _places(directory) if p.is_file()), None)
    if path is None:
        raise AxiometerError(
            f"there is no {WORKBOOK} in {directory} or its results",
            remedy="give the directory of the unpacked dataset",
        )
    sheet = _sheet(path)
    return [row for series in SERIES for row in _series(path, sheet, *series)]


def _places(directory: Path) -> Iterator[Path]:
    yield from (directory / WORKBOOK, directory / "results" / WORKBOOK)
    yield directory / "z7" / "results" / WORKBOOK


def _sheet(path: Path) -> workbook.Page:
    pages = {page.title: page for page in workbook.load(path)}
    if SHEET not in pages:
        raise AxiometerError(
            f"has no sheet {SHEET!r} but {', '.join(pages) or 'none'}",
            file=path,
            remedy="use the workbook as published",
        )
    return pages[SHEET]


def _series(
    path: Path, sheet: workbook.Page, system: str, method: str, cache: str, columns: dict[int, str]
) -> Iterator[dict[str, str | int | float]]:
    for mhz, column in columns.items():
        for direction, first in FIRST_ROW.items():
            for offset, size in enumerate(SIZES):
                cell = f"{column}{first + offset}"
                rate = sheet.value(cell)
                if isinstance(rate, bool) or not isinstance(rate, int | float) or rate <= 0:
                    raise AxiometerError(
                        f"cell {cell} of {SHEET} is {rate!r}, not a rate",
                        file=path,
                        remedy="use the workbook as published, saved with its values",
                    )
                yield {
                    "cell": cell,
                    "os": system,
                    "method": method,
                    "bridge": "GP1",
                    "direction": direction,
                    "cache": cache,
                    "fpga_mhz": mhz,
                    "size_bytes": size,
                    "rate_given": rate,
                    "rate_MBps_1e6": round(rate * MIB / 1e6, 5),
                }
