"""Manev, Vaishnav and Koch, ZynqUSp-AXI-Speedtest: its workbooks as tables of rates.

Read is the sheet `TerminalOut`, the measuring program's output: the first row names the ports, the
second the counters of each, with a column for each repeat; below, blocks of a title such as
`Test_HP0_HP1` and a row for each burst size, with the beats of a write, the bytes from one write to
the next, and the same for reads. `Latency` is the sum over all reads, in PL clocks; `Max Latency`
is the program's name for the greatest inactivity. Cells beside the blocks and sheets of charts are
the authors' calculations.

Rates of a configuration are sums over its ports, repeat by repeat, so that their spread is that of
the sums. Its latency is the mean over the read bursts of all ports. A workbook that is not as it
was published ends in an AssertionError with the row.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import openpyxl

TARGET = "zynq_usp_axi_speedtest"
BEAT_BYTES = 16
FIRST_COUNTER = 6
COUNTERS = ("Write", "Read", "Runtime", "Latency", "Max Latency")
RATES = ("read", "write", "total")
_BLOCK = re.compile(r"Test((?:_HP[0-3])+)")


class Conditions(NamedTuple):
    """Of a whole workbook. A burst begins `skipped` bytes after the end of the one before."""

    table: str
    platform: str
    mode: str = "duplex"
    skipped: int = 0
    mapping: str = "row-bank-column"

    @property
    def pl_hz(self) -> int:
        """The PL clocks that the boards' PLLs make, from the authors' driver and dataset."""
        return 99_999_999 if self.table.endswith("_100mhz") else 299_999_997


# Where the name lacks the PL clock, that of the board's base experiment is assumed. Left out are
# AXI_Ultra96_HP3SmartConnect_*: no public source states which of their masters share a port.
WORKBOOKS = {
    "AXI_Ultra96_Base": Conditions("ultra96__base_100mhz", "ultra96"),
    "AXI_Ultra96_300MHZ": Conditions("ultra96__mixed_300mhz", "ultra96"),
    "AXI_Ultra96_300MHZ_ReadOnly": Conditions("ultra96__read_only_300mhz", "ultra96", "read"),
    "AXI_Ultra96_300MHZ_WriteOnly": Conditions("ultra96__write_only_300mhz", "ultra96", "write"),
    "AXI_Ultra96_BankRowCol": Conditions(
        "ultra96__bank_row_column_100mhz", "ultra96", mapping="bank-row-column"
    ),
    "AXI_Ultra96_Base_HP0_Priorities_Changed": Conditions(
        "ultra96__hp0_priorities_changed_100mhz", "ultra96"
    ),
    "AXI_Ultra96_Random": Conditions("ultra96__random_100mhz", "ultra96", skipped=69632),
    "AXI_ZCU102_Base_300MHZ": Conditions("zcu102__base_300mhz", "zcu102"),
    "AXI_ZCU102_Base_300MHZ_ReadOnly": Conditions("zcu102__read_only_300mhz", "zcu102", "read"),
    "AXI_ZCU102_Base_300MHZ_WriteOnly": Conditions("zcu102__write_only_300mhz", "zcu102", "write"),
    "AXI_ZCU102_100MHz": Conditions("zcu102__mixed_100mhz", "zcu102"),
    "AXI_ZCU102_Bank_Row_Column": Conditions(
        "zcu102__bank_row_column_300mhz", "zcu102", mapping="bank-row-column"
    ),
    "AXI_ZCU102_Random": Conditions("zcu102__stride_300mhz", "zcu102", skipped=8192),
}

Row = dict[str, str | int | float]
Figures = dict[str, list[float]]  # by quantity, a number a repeat


def tables(directory: Path) -> dict[str, list[Row]]:
    """`{file name: rows}` of every known workbook in or below `directory`."""
    found = sorted(p for p in directory.rglob("AXI_*.xlsx") if p.stem in WORKBOOKS)
    return {f"{WORKBOOKS[p.stem].table}.csv": read(p, WORKBOOKS[p.stem]) for p in found}


def read(path: Path, conditions: Conditions) -> list[Row]:
    """The rows of one workbook: of configurations, then of their ports."""
    book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    sheet = [list(row) for row in book["TerminalOut"].iter_rows(values_only=True)]
    width = max(map(len, sheet))
    sheet = [row + [None] * (width - len(row)) for row in sheet]
    places = _places(sheet)
    wholes, parts = [], []
    for ports, number in _blocks(sheet):
        burst = _burst(sheet, number, conditions)
        for name, columns in places.items():
            used = name in ports or not any(_cells(sheet[number], columns["Write"]))
            assert used, f"row {number + 1} has writes of {name}, which is not in use"
        figures = [_figures(sheet[number], places[port], burst, conditions) for port in ports]
        wholes.append((ports, burst, "", _sum(figures)))
        parts += [(ports, burst, *one) for one in zip(ports, figures, strict=True)]
    assert wholes, f"{path} has no block such as Test_HP0"
    ordered = sorted(wholes, key=_order) + sorted(parts, key=_order)
    return [_row(conditions, *one) for one in ordered]


def _order(row: tuple) -> tuple:
    return len(row[0]), row[0], row[1], row[2]


def _places(sheet: list[list]) -> dict[str, dict[str, range]]:
    """The columns of each port's counters, a column a repeat."""
    starts = [c for c in range(FIRST_COUNTER, len(sheet[1])) if sheet[1][c]]
    width = starts[1] - starts[0]
    places: dict[str, dict[str, range]] = {}
    port = ""
    for start in starts:
        port = sheet[0][start] or port
        name = sheet[1][start]
        if re.fullmatch("HP[0-3]", port):
            assert name in COUNTERS, f"column {start + 1} counts {name!r}"
            assert name not in places.setdefault(port, {}), f"{port} has two counters of {name}"
            places[port][name] = range(start, start + width)
    assert places and all(len(columns) == len(COUNTERS) for columns in places.values())
    return places


def _blocks(sheet: list[list]) -> Iterator[tuple[tuple[str, ...], int]]:
    """The ports and the number of each row with counters."""
    title = None
    for number, row in enumerate(sheet):
        found = _BLOCK.fullmatch(str(row[0] or ""))
        if found:
            assert sheet[number + 1][1] == found[1], f"row {number + 2} is not of {found[1]}"
            title = found[1]
        elif title and row[1] == title:
            yield tuple(title.strip("_").split("_")), number
        else:
            title = None


def _burst(sheet: list[list], number: int, conditions: Conditions) -> int:
    """Bytes of a burst; the bytes from burst to burst must be those of the experiment."""
    writes, write_stride, reads, read_stride = sheet[number][2:6]
    assert writes == reads and 1 <= writes <= 256, f"row {number + 1}: {writes}, {reads} beats"
    burst = int(writes) * BEAT_BYTES
    stride = burst + conditions.skipped
    assert write_stride == read_stride == stride, f"row {number + 1}: not {stride} B a burst"
    return burst


def _cells(row: list, columns: range) -> list:
    return row[columns.start : columns.stop]


def _figures(row: list, places: dict[str, range], burst: int, c: Conditions) -> Figures:
    counts = {name: _cells(row, columns) for name, columns in places.items()}
    for name, values in counts.items():
        assert all(isinstance(v, int | float) and v >= 0 for v in values), (name, values)
    seconds = [clocks / c.pl_hz for clocks in counts["Runtime"]]
    mbps = {
        way: [n * burst / s / 1e6 for n, s in zip(counts[way.title()], seconds, strict=True)]
        for way in ("read", "write")
    }
    assert c.mode == "duplex" or not any(mbps["write" if c.mode == "read" else "read"])
    figures = mbps | {"total": [sum(both) for both in zip(*mbps.values(), strict=True)]}
    if all(counts["Read"]):
        cycles = [a / n for a, n in zip(counts["Latency"], counts["Read"], strict=True)]
        figures["latency"] = cycles
        figures["flight"] = [
            t * r * 1e6 / burst / c.pl_hz for t, r in zip(cycles, mbps["read"], strict=True)
        ]
        figures["inactivity"] = counts["Max Latency"]
    return figures


def _sum(parts: list[Figures]) -> Figures:
    """The figures of all ports together, without those that a single port has."""
    whole = {name: [sum(n) for n in zip(*(p[name] for p in parts), strict=True)] for name in RATES}
    if all("latency" in part for part in parts):
        whole["latency"] = [
            sum(part["latency"][r] * part["read"][r] for part in parts) / rate
            for r, rate in enumerate(whole["read"])
        ]
    return whole


def _row(c: Conditions, ports: tuple[str, ...], burst: int, port: str, figures: Figures) -> Row:
    row: Row = {
        "platform": c.platform, "ports": "+".join(ports), "mode": c.mode, "pl_mhz": c.pl_hz / 1e6,
        "burst_bytes": burst, "stride_bytes": burst + c.skipped, "mapping": c.mapping,
        "repeats": len(figures["total"]), "port": port,
    }  # fmt: skip
    for name in RATES:
        for suffix, of in (("", statistics.mean), ("_min", min), ("_max", max),
                           ("_std", statistics.stdev)):  # fmt: skip
            row[f"{name}_MBps{suffix}"] = round(of(figures[name]), 4)
    latency, flight, quiet = (figures.get(n) for n in ("latency", "flight", "inactivity"))
    row["read_latency_avg_cycles"] = round(statistics.mean(latency), 2) if latency else ""
    row["reads_in_flight"] = round(statistics.mean(flight), 3) if flight else ""
    row["max_read_inactivity_cycles"] = round(max(quiet), 1) if quiet else ""
    return row
