"""Writes and checks files of rows measured on a board, for exchange (contrib/README.md has the
form).

A file is a CSV table of an experiment's keys and rates, which `axiometer calibrate` reads, under a
head of `# key = value` lines with board, design and software.
"""

from __future__ import annotations

import csv
import hashlib
import io
import math
import re
import statistics
from collections.abc import Iterator, Mapping
from pathlib import Path

from axiometer.base import atomic_file, harmless, input_bounds
from axiometer.base.errors import AxiometerError
from axiometer.base.record import BOARD, FIGURES
from axiometer.experiment.points import of_row
from axiometer.platform import Platform
from axiometer.published.reference.table import as_keys, condition
from axiometer.records.store import PointData, RunData

FORM = "axiometer-rows-1"
NEEDED = ("form", "figures", "experiment", "board", "agent", "design", "axiometer", "started_at")
ALSO = ("source", "cite", "model", "kernel", "bitstream", "commit", "sum")
RATES = ("total_MBps", "total_MBps_min", "total_MBps_max", "total_MBps_std")
_BESIDE = ("repeats", "temperature_C", "governor", "cpu_mhz")
_MOST_ROWS = 2000
_HEAD = re.compile(r"# (\w+) = (.+)")
_SLACK = 1e-4  # relative: figures are written with six digits


def write(path: Path, run: RunData) -> None:
    """Write the finished points of a run on a board or an emulated board as a file for exchange.
    AxiometerError if it is another kind of run or has no finished point."""
    atomic_file.write_text(path, text(run))


def text(run: RunData) -> str:
    """The text that `write` writes."""
    if run.backend not in FIGURES:
        raise AxiometerError(
            f"run {run.id} is of the model", remedy="give a run on a board: axiometer measure"
        )
    if not run.points:
        raise AxiometerError(f"no point of run {run.id} has finished")
    if any(point.values.get("masters") for point in run.points):
        raise AxiometerError(
            f"run {run.id} has [[master]] tables, which rows cannot state",
            remedy=f"use axiometer export {run.id}, which writes them",
        )
    made = run.provenance
    said = {
        "form": FORM,
        "figures": FIGURES[run.backend],
        "experiment": run.experiment.name,
        "board": run.platform.name,
        **{name: made[name] for name in (*NEEDED, *ALSO) if made.get(name)},
    }
    keys = list(dict.fromkeys(name for point in run.points for name in point.key))
    keys += [name for name in _usual(run) if name not in keys]
    body = io.StringIO()
    table = csv.writer(body, lineterminator="\n")
    table.writerow([*keys, *_BESIDE, *RATES])
    for point in run.points:
        records = point.records
        each = [record["total_MBps"] for record in records]
        rates = [statistics.fmean(each), min(each), max(each), statistics.pstdev(each)]
        after = records[-1]["board"]["after"]
        warm = after.get("temperature_mC")
        cpu = after.get("cpu_khz")
        beside = [
            len(records),
            "" if not isinstance(warm, int) else f"{warm / 1e3:g}",
            after.get("governor", ""),
            "" if not isinstance(cpu, int) else f"{cpu / 1e3:g}",
        ]
        cells = [_cell(point.key.get(key, values_of(point).get(key))) for key in keys]
        table.writerow([*cells, *beside, *(f"{rate:.6g}" for rate in rates)])
    head = [f"# {name} = {harmless.text(str(value))}" for name, value in said.items()]
    return "\n".join([*head, f"# sum = {sum_of(body.getvalue())}", body.getvalue()])


def values_of(point: PointData) -> dict[str, object]:
    """The values of a measured point in the columns of a row."""
    values: dict[str, object] = {**point.values}
    if values["duration_s"] is not None:
        values["duration"] = f"{values['duration_s']:g}s"
    return values


def _usual(run: RunData) -> Iterator[str]:
    """Keys that are not swept but are needed in a row."""
    values = values_of(run.points[0])
    for name in ("mode", "width_bits", "pl_mhz", "burst_bytes", "transfer_bytes", "duration"):
        if values.get(name) is not None:
            yield name


def _cell(value: object) -> str:
    if isinstance(value, list | tuple):
        return "+".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def sum_of(body: str) -> str:
    """The checksum of a table for the head: 16 digits of its SHA-256."""
    return hashlib.sha256(body.encode()).hexdigest()[:16]


def check(path: Path) -> str:
    """A line that describes a file of rows. AxiometerError at its first mistake."""
    try:
        whole = input_bounds.read(path, example="a file of rows").decode()
    except UnicodeDecodeError as error:
        raise AxiometerError(f"is not text: {error}", file=path) from None
    said, body, above = _parts(path, whole)
    platform = Platform.load(said["board"])
    rows = list(csv.reader(io.StringIO(body)))
    if not 1 < len(rows) <= _MOST_ROWS + 1:
        raise AxiometerError(
            f"has {len(rows) - 1} rows", file=path, remedy=f"give 1 to {_MOST_ROWS}"
        )
    columns = rows[0]
    if missing := [name for name in ("ports", *RATES) if name not in columns]:
        raise AxiometerError(f"lacks the columns {', '.join(missing)}", file=path, line=above)
    for number, cells in enumerate(rows[1:], above + 1):
        if len(cells) != len(columns):
            raise AxiometerError(
                f"has {len(cells)} cells, {len(columns)} columns", file=path, line=number
            )
        row = dict(zip(columns, cells, strict=True))
        try:
            _check_row(platform, row, said["figures"] == FIGURES[BOARD])
        except AxiometerError as error:
            raise AxiometerError(
                error.message, file=path, line=number, remedy=error.remedy
            ) from None
    return f"{len(rows) - 1} rows of {said['board']}, {said['figures']}, design {said['design']}"


def is_one(content: str) -> bool:
    """Whether a text begins like a file of rows."""
    return content.startswith(f"# form = {FORM}\n")


def table(path: Path) -> str:
    """The table of a file in the form for `axiometer calibrate`: keys and rates, line by line.
    AxiometerError as from `check`, and where its figures are not measured."""
    check(path)
    said, body, above = _parts(path, path.read_text(encoding="utf-8"))
    if said["figures"] != FIGURES[BOARD]:
        raise AxiometerError(
            f"its figures are {said['figures']}, not measured", file=path,
            remedy="give rows that were measured on a board",
        )  # fmt: skip
    columns = next(csv.reader(io.StringIO(body)))
    kept = [at for at, name in enumerate(columns) if name not in _BESIDE]
    rows = ([row[at] for at in kept] for row in csv.reader(io.StringIO(body)) if row)
    return "\n" * (above - 1) + "".join(",".join(row) + "\n" for row in rows)


def _parts(path: Path, whole: str) -> tuple[dict[str, str], str, int]:
    """The head, the table, and the line of the table's heading."""
    said: dict[str, str] = {}
    lines = whole.split("\n")
    above = 0
    while above < len(lines) and lines[above].startswith("#"):
        found = _HEAD.fullmatch(lines[above])
        if found is None or found[1] in said or found[1] not in (*NEEDED, *ALSO):
            raise AxiometerError(
                "is not a line of the head", file=path, line=above + 1,
                remedy="write # key = value, each key once: contrib/README.md",
            )  # fmt: skip
        said[found[1]] = found[2]
        above += 1
    if missing := [name for name in (*NEEDED, "sum") if name not in said]:
        raise AxiometerError(f"the head lacks {', '.join(missing)}", file=path)
    if said["form"] != FORM:
        raise AxiometerError(f"has the form {said['form']!r}, not {FORM}", file=path)
    if said["figures"] not in FIGURES.values():
        raise AxiometerError(
            f"figures are {said['figures']!r}", file=path,
            remedy=f"write {' or '.join(FIGURES.values())}",
        )  # fmt: skip
    body = "\n".join(lines[above:])
    if sum_of(body) != said["sum"]:
        raise AxiometerError(
            "the table was changed after it was written: its sum differs", file=path,
            remedy="send the file that axiometer measure --rows wrote, without changes",
        )  # fmt: skip
    return said, body, above + 1


def _check_row(platform: Platform, row: Mapping[str, str], on_a_board: bool) -> None:
    """AxiometerError unless the row is a point of the platform with possible rates."""
    mean, least, most, spread = (_number(row, name) for name in RATES)
    if not (0 < least <= mean * (1 + _SLACK) and mean <= most * (1 + _SLACK)):
        raise AxiometerError(f"rates are out of order: {least:g}, {mean:g}, {most:g}")
    if spread > (most - least) * (1 + _SLACK) + _SLACK * mean:
        raise AxiometerError(f"σ is {spread:g}, but the range is {most - least:g}")
    keys: dict[str, object] = {}
    for name, cell in row.items():
        if cell and name not in (*RATES, *_BESIDE, "duration"):
            try:
                keys[name] = condition(name, cell)
            except ValueError:
                raise AxiometerError(f"{name} cannot be {cell!r}") from None
    asked = as_keys(keys) | ({"duration": row["duration"]} if row.get("duration") else {})
    values = of_row(platform, asked).values
    ports, beat = len(values["ports"]), values["width_bits"] / 8
    peak = 2 * ports * beat * values["pl_mhz"]
    if most > peak * (1 + _SLACK):
        raise AxiometerError(f"{most:g} MB/s: {ports} ports have {peak:g} in both directions")
    bus = platform.whole("dram.bus_bits") / 4 * platform.number("clocks.ddr_mhz")
    if on_a_board and most > bus * (1 + _SLACK):
        raise AxiometerError(f"{most:g} MB/s: the DRAM's bus has {bus:g}")


def _number(row: Mapping[str, str], name: str) -> float:
    try:
        value = float(row[name])
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or value < 0:
        raise AxiometerError(f"{name} is {row[name]!r}", remedy="give MB/s")
    return value
