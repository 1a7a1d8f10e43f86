"""UviDTE-FPSoC, Zynq7000-time-measurements: its main workbook as a table of rates.

The workbook's "MB/s" are 2^20 bytes a second; `rate_MBps_1e6` is converted. Its sheet has a column
for each series: 21 rows of writes with sizes from 2 B to 2 MiB, then 21 rows of reads, as seen by
the processor. Headings are prose; `SERIES` describes the columns.
"""

from __future__ import annotations

from pathlib import Path

import openpyxl

TARGET = "zynq7000_time_measurements"
WORKBOOK, SHEET = "Zynq7000_HPS-FPGA.xlsx", "Hoja1"
SIZES = tuple(2**n for n in range(1, 22))
FIRST_ROW = {"WR": 9, "RD": 30}
# System, method, caches, PL clocks in MHz and their columns.
SERIES = (
    ("baremetal", "memcpy", "off", (50, 100, 150, 200, 250), "D F H J L"),
    ("baremetal", "memcpy", "on", (50, 100, 150, 200, 250), "M O Q S U"),
    *(("linux(Linaro)", "memcpy", "on", (50, 100, 125, 150, 175, 200, 225, 250),
       "V X Y Z AA AB AC AD"),),
    ("linux(Linaro)", "forloop", "on", (100, 125, 150, 175, 200, 225, 250), "AG AH AI AJ AK AL AM"),
    ("baremetal", "dmac", "off", (50, 100, 150, 200), "AN AP AR AT"),
    ("baremetal", "dmac", "on", (50, 100, 150, 200), "AW AY BA BC"),
    ("linux(Linaro)", "dmac", "on", (50, 100, 125, 150, 175, 200, 225), "BF BH BI BJ BK BL BM"),
)  # fmt: skip


def tables(directory: Path) -> dict[str, list[dict[str, str | int | float]]]:
    """The table of the workbook in or below `directory`. AssertionError with the cell that has no
    rate."""
    path = next(directory.rglob(WORKBOOK))
    sheet = openpyxl.load_workbook(path, data_only=True)[SHEET]
    rows = []
    for system, method, cache, clocks, columns in SERIES:
        for mhz, column in zip(clocks, columns.split(), strict=True):
            for direction, first in FIRST_ROW.items():
                for offset, size in enumerate(SIZES):
                    cell = f"{column}{first + offset}"
                    rate = sheet[cell].value
                    assert isinstance(rate, int | float) and rate > 0, f"{cell} is {rate!r}"
                    rows.append({
                        "cell": cell, "os": system, "method": method, "bridge": "GP1",
                        "direction": direction, "cache": cache, "fpga_mhz": mhz,
                        "size_bytes": size, "rate_given": rate,
                        "rate_MBps_1e6": round(rate * 2**20 / 1e6, 5),
                    })  # fmt: skip
    return {"z7_ps_to_pl_main.csv": rows}
