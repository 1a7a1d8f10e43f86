"""A user's measurements as a source: points of the same set-up are anchored on them.

The model's parameters do not change. A table has the columns of an experiment's keys and
`total_MBps`, like those in `reference/`; each row is simulated once to find its error.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from axiometer.base import input_bounds
from axiometer.base.errors import AxiometerError
from axiometer.experiment.points import Point, of_row
from axiometer.platform import Platform
from axiometer.published import anchors, asked, contributed, own
from axiometer.published.anchors import errors
from axiometer.published.anchors.errors import RowError
from axiometer.published.bands import bounds
from axiometer.published.reference import Reference
from axiometer.published.reference.table import Row, as_keys
from axiometer.runs.backends import model

MOST_ROWS = 2000
REPEATS = 3
OVER = 0.02
"""Share by which a measured rate may exceed its wires' peak: the PLL's clock is not quite the
requested one, and counts include bursts in flight."""
_HEAD = ("source", "cite", "board")
_SAID = (
    *("mode", "width_bits", "pl_mhz", "burst_bytes", "pattern", "mapping", "transfer_bytes"),
    *("master", "os", "slave", "memory_type"),
)


@dataclass(frozen=True)
class Calibrated:
    """A row of the user's: its line, its point, and rates in MB/s."""

    line: int
    point: Point
    measured: float
    simulated: float


def calibrate(file: str | Path, board: str | Platform, name: str = "") -> list[Calibrated]:
    """Save the rows of a CSV file as measurements of a board, under a name (default: the file's),
    replacing those of the same name. AxiometerError names the line of a bad row."""
    path = Path(file)
    name = name or path.stem
    own.path_of(name)
    platform = board if isinstance(board, Platform) else Platform.load(board)
    if platform.overrides:
        raise AxiometerError(
            "figures of the board are overridden",
            remedy="calibrate the board with the figures in its file",
        )
    content = input_bounds.read(path, example="the CSV file")
    try:
        text = content.decode("utf-8-sig")
        if contributed.is_one(text):
            text = contributed.table(path)
        rows = Reference(text, path).rows
    except UnicodeDecodeError as error:
        raise AxiometerError(
            f"the file cannot be read: {error}", file=path, remedy="save it as UTF-8"
        ) from None
    if not 0 < len(rows) <= MOST_ROWS:
        raise AxiometerError(
            f"the file has {len(rows)} rows",
            file=path,
            remedy=f"give 1 to {MOST_ROWS} measured points",
        )
    found = [_simulated(row, platform, path) for row in rows]
    text, lines = table(name, platform.name, rows, found)
    off = {n: _error(platform, each) for n, each in zip(lines, found, strict=True)}
    own.keep(name, text, errors.text(off))
    anchors.forget()
    return found


def _simulated(row: Row, platform: Platform, file: Path) -> Calibrated:
    try:
        point = of_row(platform, as_keys(row.conditions))
        count = 1 if point.values["duration_s"] else REPEATS
        records = model.run_repeats(platform, point, 0, 0, count)
    except AxiometerError as error:
        raise AxiometerError(error.message, file=file, line=row.line, remedy=error.remedy) from None
    rate = statistics.fmean(record["total_MBps"] for record in records)
    was, most = row.figures.get("mean"), bounds.total(platform, point.values)
    if was and most and was > most * (1 + OVER):
        raise AxiometerError(
            f"total_MBps is {was:g}, but the ports and the memory carry at most {most:g} MB/s",
            file=file, line=row.line,
            remedy="check its unit (MB/s: 1e6 bytes a second), ports, width_bits and pl_mhz",
        )  # fmt: skip
    if not was or not rate:
        raise AxiometerError(
            f"total_MBps is {was:g}" if was is not None else "total_MBps is missing",
            file=file, line=row.line, remedy="give the measured rate, MB/s, more than 0",
        )  # fmt: skip
    return Calibrated(row.line, point, was, rate)


def _error(platform: Platform, of: Calibrated) -> RowError:
    most = bounds.total(platform, of.point.values)
    share = min(1.0, of.simulated / most) if most else 1.0
    return RowError(share, math.log(of.simulated / of.measured))


def table(
    name: str, board: str, rows: Sequence[Row], found: Sequence[Calibrated]
) -> tuple[str, list[int]]:
    """The text of the saved table, and the lines of its rows."""
    cells = [dict(_cells(row, each)) for row, each in zip(rows, found, strict=True)]
    columns = list(dict.fromkeys(column for row in cells for column in row))
    columns = [*(c for c in columns if c != "total_MBps"), "total_MBps"]
    head = [f"# {key} = {value}" for key, value in zip(_HEAD, (name, name, board), strict=True)]
    body = [",".join(row.get(column, "") for column in columns) for row in cells]
    first = len(head) + 2
    return "\n".join([*head, ",".join(columns), *body, ""]), list(range(first, first + len(body)))


def _cells(row: Row, of: Calibrated) -> Iterator[tuple[str, str]]:
    """All conditions of a row, including the board's defaults."""
    values: Mapping[str, object] = {**of.point.values}
    yield "ports", "+".join(of.point.values["ports"])
    for key in dict.fromkeys((*_SAID, *row.conditions)):
        value = values.get(key)
        if key not in ("ports", "duration_s") and value not in (None, ""):
            yield key, f"{value:.12g}" if isinstance(value, float) else str(value)
    if of.point.values["duration_s"]:
        yield "duration", "free" if asked.is_endless(values) else f"{values['duration_s']}s"
    yield "total_MBps", f"{of.measured:.6g}"
