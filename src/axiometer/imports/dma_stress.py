"""Vieira's files of bandwidth against stream size: MATLAB scripts with the figures as a matrix.

A script is read, never run: the matrix `raw_data`, and the lines that name its columns, such as
`average = raw_data(:,3)'`. Rates are MB/s of 1e6 bytes, both directions together.
"""

from __future__ import annotations

import re
from pathlib import Path

from axiometer.base import input_bounds
from axiometer.base.errors import AxiometerError

TITLE = "Zynq-7010 HP0 and Cyclone V F2S, duplex, 64 bit at 100 MHz, by stream size"
TARGET = "dma_stress"
PATTERN = "*var_stream_size*.m"
MAX_BYTES = 2**20
MAX_ROWS = 10_000
# By the maker's name, which the name of the file or of its directory contains.
_TABLES = {
    "intel": "cyclonev_stream_size_duplex_64bit_100mhz.csv",
    "xilinx": "zynq7010_stream_size_duplex_hp0_64bit_100mhz.csv",
}
_COLUMNS = {
    "stream_size": "stream_bytes",
    "expected": "expected_MBps",
    "average": "avg_MBps",
    "minimum": "min_MBps",
    "maximum": "max_MBps",
    "deviation": "sigma_MBps",
}
_MATRIX = re.compile(r"^\s*raw_data\s*=\s*\[([^\[\]]*)\]", re.M)
_MEANS = re.compile(r"^\s*(\w{1,40})\s*=\s*raw_data\(:,\s*(\d{1,2})\)", re.M)
_NUMBER = re.compile(r"\d{1,15}(?:\.\d{1,15})?(?:[eE][+-]?\d{1,2})?")


def tables(directory: Path) -> dict[str, list[dict[str, str]]]:
    """`{file name: rows}` of every such script in or below `directory`. AxiometerError if there is
    none, or for the first unreadable one."""
    found = sorted(path for path in directory.rglob(PATTERN) if path.is_file())
    if not found:
        raise AxiometerError(
            f"there is no {PATTERN} in {directory}",
            remedy="give the directory with the scripts of the stream sizes",
        )
    out: dict[str, list[dict[str, str]]] = {}
    for path in found:
        table = _table(path, path.relative_to(directory))
        if table in out:
            raise AxiometerError("exists twice", file=path, remedy="give one of its directories")
        out[table] = read(path)
    return out


def _table(path: Path, relative: Path) -> str:
    makers = [maker for maker in _TABLES if maker in str(relative).lower()]
    if len(makers) != 1:
        raise AxiometerError(
            "neither its name nor its directory's contains the maker of the chip",
            file=path,
            remedy=f"rename it or its directory to contain one of {', '.join(_TABLES)}",
        )
    return _TABLES[makers[0]]


def read(path: Path) -> list[dict[str, str]]:
    """The rows of one script, with figures as printed."""
    content = input_bounds.read(path, MAX_BYTES, "the script")
    text = content.decode("utf-8", errors="replace")
    matrix = _MATRIX.search(text)
    if matrix is None:
        raise _wrong(path, None, "it has no raw_data = [...]")
    columns = {name: int(number) - 1 for name, number in _MEANS.findall(text)}
    missing = [name for name in _COLUMNS if name not in columns]
    if missing:
        raise _wrong(path, None, f"no line such as {missing[0]} = raw_data(:,1)' names the column")
    rows: list[dict[str, str]] = []
    line = text.count("\n", 0, matrix.start(1)) + 1
    for number, words in enumerate(matrix[1].split("\n"), start=line):
        if words.strip(" \t\r;"):
            rows.append(_row(path, number, words.strip(" \t\r;"), columns))
        if len(rows) > MAX_ROWS:
            raise _wrong(path, number, f"more than {MAX_ROWS} rows")
        if len(rows) > 1 and int(rows[-1]["stream_bytes"]) <= int(rows[-2]["stream_bytes"]):
            raise _wrong(path, number, "a stream size is not above the previous one")
    if not rows:
        raise _wrong(path, line, "raw_data is empty")
    return rows


def _row(path: Path, line: int, words: str, columns: dict[str, int]) -> dict[str, str]:
    cells = re.split(r"[\s,]+", words)
    odd = next((cell for cell in cells if not _NUMBER.fullmatch(cell)), None)
    if odd is not None:
        raise _wrong(path, line, f"{odd[:40]!r} is not a figure of 0 or above")
    if max(columns.values()) >= len(cells):
        raise _wrong(path, line, f"{len(cells)} figures, but column {max(columns.values()) + 1}")
    row = {made: cells[columns[name]] for name, made in _COLUMNS.items()}
    low, mean, high = (float(row[f"{name}_MBps"]) for name in ("min", "avg", "max"))
    if not 0 < low <= mean <= high:
        raise _wrong(path, line, f"{low:g}, {mean:g}, {high:g} are not minimum, mean and maximum")
    if not row["stream_bytes"].isdigit() or int(row["stream_bytes"]) < 1:
        raise _wrong(path, line, f"a stream of {row['stream_bytes']} bytes")
    return row


def _wrong(path: Path, line: int | None, message: str) -> AxiometerError:
    return AxiometerError(message, file=path, line=line, remedy="use the script as published")
