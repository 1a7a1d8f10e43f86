"""Vieira's files of bandwidth against stream size: MATLAB scripts with the figures as a matrix.

A script is read, never run: the matrix `raw_data`, and the lines that name its columns, such as
`average = raw_data(:,3)'`. Rates are MB/s of 1e6 bytes, both directions together.
"""

from __future__ import annotations

import re
from pathlib import Path

TARGET = "dma_stress"
# By the maker's name, which the name of the file or of its directory contains.
TABLES = {
    "intel": "cyclonev_stream_size_duplex_64bit_100mhz.csv",
    "xilinx": "zynq7010_stream_size_duplex_hp0_64bit_100mhz.csv",
}
_COLUMNS = {
    "stream_size": "stream_bytes", "expected": "expected_MBps", "average": "avg_MBps",
    "minimum": "min_MBps", "maximum": "max_MBps", "deviation": "sigma_MBps",
}  # fmt: skip


def tables(directory: Path) -> dict[str, list[dict[str, str]]]:
    """`{file name: rows}` of every such script in or below `directory`, figures as printed."""
    found = {}
    for path in sorted(directory.rglob("*var_stream_size*.m")):
        (maker,) = (m for m in TABLES if m in str(path.relative_to(directory)).lower())
        found[TABLES[maker]] = read(path)
    return found


def read(path: Path) -> list[dict[str, str]]:
    """The rows of one script. AssertionError with the row that cannot be."""
    text = path.read_text(encoding="utf-8", errors="replace")
    columns = dict(re.findall(r"^\s*(\w+)\s*=\s*raw_data\(:,\s*(\d+)\)", text, re.M))
    matrix = re.search(r"^\s*raw_data\s*=\s*\[([^\[\]]*)\]", text, re.M)[1]
    rows = []
    for line in filter(None, (line.strip(" \t\r;") for line in matrix.split("\n"))):
        cells = re.split(r"[\s,]+", line)
        row = {column: cells[int(columns[name]) - 1] for name, column in _COLUMNS.items()}
        low, mean, high = (float(row[f"{name}_MBps"]) for name in ("min", "avg", "max"))
        assert 0 < low <= mean <= high, line
        assert not rows or int(row["stream_bytes"]) > int(rows[-1]["stream_bytes"]), line
        rows.append(row)
    return rows
