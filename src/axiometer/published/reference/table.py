"""Published figures: CSV files whose rows are points with the rates that a paper prints.

Lines that start with `#` at the top are the citation. The columns are experiment keys, then
`total_MBps` (the mean), `total_MBps_min`, `_max`, `_std`, and, where printed, the same for
`read_MBps` and `write_MBps`, `expected_MBps` and `efficiency_pct`. A row with a value in the column
`port` is of this port of its configuration (`parts`). The `duration` `free` matches any, because
free runs may have any length. Public datasets are read without changes. Cells may be separated by
`;`, then with decimal commas (`cells`); impossible rows are errors (`plausible`).
"""

from __future__ import annotations

import csv
import itertools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NotRequired

from axiometer.base import data, harmless, input_bounds, packed
from axiometer.base.errors import AxiometerError, did_you_mean
from axiometer.base.units import parse_bytes, parse_seconds
from axiometer.experiment import Experiment, keys_processor
from axiometer.experiment.directions import normal_mode
from axiometer.experiment.keys import KEYS, MAX_BURST_BEATS, split_ports
from axiometer.platform import Platform
from axiometer.published.reference import datasets, nearest, parts, plausible
from axiometer.published.reference.cells import CellError, Numbers, separator
from axiometer.published.reference.parts import Conditions, Means, Parts

if TYPE_CHECKING:
    from _csv import Reader

Values = Mapping[str, object]
"""Values of a point (`experiment.values`) or of its like."""

Accelerated = Literal["convolutions_M", "ddr_efficiency_pct", "imbalance"]
ACCELERATORS: tuple[Accelerated, ...] = ("convolutions_M", "ddr_efficiency_pct", "imbalance")
"""Columns of the work of convolution accelerators: see `analysis.accelerators.figures`."""

_FIGURES = {
    "total_MBps": "mean",
    "total_MBps_min": "min",
    "total_MBps_max": "max",
    "total_MBps_std": "std",
    "expected_MBps": "expected",
    "efficiency_pct": "efficiency_pct",
    **parts.FIGURES,
    # Counts in the fabric, and packets: not shown yet, checked by tests.
    **{
        name: name
        for name in (
            *("fabric_MBps", "frame_cycles", "packets_per_s"),
            *("between_min", "between_typ", "between_max"),
            *ACCELERATORS,
        )
    },
}
_COLUMN_OF = {figure: column for column, figure in _FIGURES.items()}
_OTHER_NAMES = {
    "stream_bytes": "transfer_bytes",
    "avg_MBps": "total_MBps",
    "min_MBps": "total_MBps_min",
    "max_MBps": "total_MBps_max",
    "sigma_MBps": "total_MBps_std",
}
# A public dataset identified by the name of a column, and the conditions of all its rows, which are
# only in the name of its file.
_KNOWN_BY: dict[str, Conditions] = {
    # dma_stress: zynq7010_stream_size_duplex_hp0_64bit_100mhz.csv
    "stream_bytes": {"ports": ["HP0"], "mode": "duplex", "width_bits": 64, "pl_mhz": 100},
}
# Files of such a dataset with other conditions.
_KNOWN_BY_FILE: dict[str, Conditions] = {
    "zynq7010_stream_size_duplex_hp0_64bit_100mhz.csv": {"program": "bare-metal-polling"},
    "cyclonev_stream_size_duplex_64bit_100mhz.csv": {
        "ports": ["F2S"],
        "program": "linux-driver-sleep",
    },
}
# Conditions that papers assume: without a column for one of these, the rows of a file match only
# points with this value.
_ASSUMED: Conditions = {
    name: KEYS[name].default
    for name in (
        *("pattern", "gap_cycles", "outstanding_read", "outstanding_write", "skew_us"),
        *("masters_per_port", "through", "background"),
        *("master", "os", "cache", "dma_program", "cache_control", "io", "ring_depth"),
    )
} | {
    "qos": None,
    "placement": KEYS["placement"].default,
    "burst_beats": MAX_BURST_BEATS,
    "duration_s": None,
}


MASTER_KEYS = ("operation",)
"""Keys of a `[[master]]` table that are columns too, for rows whose master is a processor."""

_TEXTS = ("pattern", "placement", "mapping", "fill", "through", *keys_processor.TEXTS, *MASTER_KEYS)
_RATES = {"total_MBps", "read_MBps", "write_MBps"}  # a table has at least one of them

_FOR_PROGRAMS = re.compile(r"(source|cite|board|like|memory) = ")
MAX_BYTES = 16 * 2**20
LONGEST_LINE = 100_000
MOST_TOLD = 12  # unusable lines in one message


class _Meets(Enum):
    """Conditions without a value. An enumeration, so that identity holds across processes."""

    ANY = "any value, but none"


ANY = _Meets.ANY


class Published(Parts):
    """The figures of a row in MB/s, None where not printed; printed figures of accelerators,
    directions and ports."""

    mean: float | None
    min: float | None
    max: float | None
    std: float | None
    expected: float | None
    convolutions_M: NotRequired[float]  # noqa: N815 (as the column)
    ddr_efficiency_pct: NotRequired[float]
    imbalance: NotRequired[float]


@dataclass(frozen=True)
class Row:
    """One published row: its conditions (normalised experiment keys) and its figures in MB/s."""

    conditions: Conditions
    figures: Means
    parts: Parts = field(default_factory=Parts)
    line: int = field(default=0, compare=False)
    """The row's line in the file."""

    def published(self) -> Published:
        of = self.figures
        found: Published = {
            "mean": of.get("mean"),
            "min": of.get("min"),
            "max": of.get("max"),
            "std": of.get("std"),
            "expected": of.get("expected"),
        }
        for name in ACCELERATORS:
            if name in of:
                found[name] = of[name]
        for part in parts.PARTS:
            if part in self.parts:
                found[part] = self.parts[part]
        if "by_port" in self.parts:
            found["by_port"] = self.parts["by_port"]
        return found


class Reference:
    """A file of published figures: `name`, `citation` and `rows`."""

    def __init__(self, text: str, file: object) -> None:
        """Read CSV `text`; AxiometerError with file and line of a mistake."""
        self.file = str(file)
        self.name = Path(self.file).name
        self._by_key: dict[tuple[object, object], list[Row]] | None = None
        for number, line in enumerate(text.split("\n"), start=1):
            shown = harmless.found_in(line.rstrip("\r"))
            if shown or len(line) > LONGEST_LINE:
                what = f"the control character {shown}" if shown else f"{len(line)} characters"
                raise self._wrong_part(number, what, "give a CSV file, saved as UTF-8")
        lines = datasets.standard(text).splitlines()
        head = 0
        while head < len(lines) and (lines[head].startswith("#") or not lines[head].strip()):
            head += 1
        self.citation = citation(lines[:head])
        between = separator(lines[head]) if head < len(lines) else ","
        self._numbers = Numbers(between)
        reader = csv.reader(lines[head:], delimiter=between)
        header = self._header(reader, head + 1)
        columns = self._columns(header, head + 1)
        self._constants = _constants(header, self.name)
        lines_of = self._lines(reader, columns, head)
        self.rows: list[Row] = [Row(*row) for row in parts.joined(lines_of, self._wrong_part)]

    @classmethod
    def load(cls, name: str | Path) -> Reference:
        """The shipped file `name`, or the file at this path."""
        path = data.find_reference(str(name))
        if not path.is_file():  # a shipped one, packed
            return cls(packed.text(path), path)
        content = input_bounds.read(path, MAX_BYTES, "the CSV file")
        try:
            return cls(content.decode("utf-8-sig"), path)
        except UnicodeDecodeError as error:
            raise AxiometerError(
                f"cannot be read: {error}", file=path, remedy="give a CSV file in UTF-8"
            ) from None

    def match(self, values: Values) -> Row | None:
        """The row measured under the conditions in `values` (see `Point.values`); None if there is
        none.

        Every column of the file must match; conditions without a column must have their usual
        value. Settings of the platform are ignored: a point with a changed setting is compared with
        the published row.
        """
        for row in self._near(values):
            # Most rows differ in printed conditions, so these are compared first.
            if _meets(values, row.conditions) and _meets(values, wanted(row.conditions, values)):
                return row
        return None

    def why_none(self, points: Iterable[Values]) -> str:
        """A sentence on why no row matches any of `points` (their values), with the differences of
        the nearest row."""
        return f"no row of {self.name} has its points: " + nearest.why(
            self.rows, points, wanted, same
        )

    def _near(self, values: Values) -> Iterable[Row]:
        """The rows with the ports and the size of `values`, or without their own, because a table
        may be long."""
        if self._by_key is None:
            self._by_key = {}
            for row in self.rows:
                self._by_key.setdefault(_key(row.conditions), []).append(row)
        ports, size = _key(values)
        keys = itertools.product(dict.fromkeys((ports, None)), dict.fromkeys((size, None)))
        return itertools.chain.from_iterable(self._by_key.get(key, ()) for key in keys)

    def role(self, values: Values, platform: Platform) -> str:
        """See `role`."""
        return role(self.name, values, platform)

    def _header(self, reader: Reader, line: int) -> list[str]:
        try:
            return next(reader, [])
        except csv.Error as error:
            raise self._wrong_part(line, str(error), "close its quotes") from None

    def _columns(self, header: list[str], line: int) -> list[str]:
        if not header:
            raise AxiometerError("has no rows", file=self.file, remedy="give a header line")
        columns = [_OTHER_NAMES.get(name.strip(), name.strip()) for name in header]
        known = (*KEYS, *MASTER_KEYS, "port", *_FIGURES, *_OTHER_NAMES)
        for name in columns:
            if name not in known:
                raise AxiometerError(
                    f"unknown column {name!r}",
                    file=self.file,
                    line=line,
                    remedy=did_you_mean(name, known, "known columns"),
                )
        if not _RATES & set(columns) or len(set(columns)) != len(columns):
            raise AxiometerError(
                f"columns are {', '.join(columns)}",
                file=self.file,
                line=line,
                remedy="give total_MBps, and each column once",
            )
        return columns

    def _lines(self, reader: Reader, columns: list[str], head: int) -> list[tuple[int, parts.Line]]:
        """All rows with their lines. AxiometerError that lists the first MOST_TOLD unusable
        lines."""
        found: list[tuple[int, parts.Line]] = []
        wrong: list[AxiometerError] = []
        try:
            for cells in reader:
                line = head + reader.line_num
                if not any(cell.strip() for cell in cells):
                    continue
                try:
                    found.append((line, self._row(columns, cells, line)))
                except AxiometerError as error:
                    wrong.append(error)
                    if len(wrong) == MOST_TOLD:
                        break
        except csv.Error as error:
            raise self._wrong_part(head + reader.line_num, str(error), "close its quotes") from None
        if len(wrong) == 1:
            raise wrong[0]
        if wrong:
            count = f"{len(wrong)} lines" if len(wrong) < MOST_TOLD else "many lines"
            listed = "\n  ".join(f"line {e.line}: {e.message}: {e.remedy}" for e in wrong)
            raise self._wrong_part(wrong[0].line or 0, f"{count} cannot be used", listed)
        return found

    def _wrong_part(self, line: int, message: str, remedy: str) -> AxiometerError:
        return AxiometerError(message, file=self.file, line=line, remedy=remedy)

    def _row(self, columns: list[str], cells: list[str], line: int) -> parts.Line:
        """Conditions, figures, and their port ("": all ports)."""
        if len(cells) != len(columns):
            raise AxiometerError(
                f"{len(cells)} cells under {len(columns)} columns",
                file=self.file,
                line=line,
                remedy="give one cell per column; numbers with decimal commas need ; between cells",
            )
        conditions: Conditions = dict(self._constants)
        figures: Means = {}
        port = ""
        for name, cell in zip(columns, cells, strict=True):
            if not cell.strip():
                continue
            try:
                if name in _FIGURES:
                    figures[_FIGURES[name]] = self._numbers.number(cell, line)
                elif name == "port":
                    port = cell.strip()
                elif name == "duration":
                    free = cell.strip() == "free"
                    conditions["duration_s"] = ANY if free else parse_seconds(cell)
                else:
                    conditions[name] = condition(name, self._numbers.plain(cell, line))
            except CellError as error:
                raise self._wrong_part(line, f"{name}: {error.message}", error.remedy) from None
            except ValueError:
                raise AxiometerError(
                    f"{name} is {cell!r}",
                    file=self.file,
                    line=line,
                    remedy="give a number" if name in _FIGURES else f"give {KEYS[name].expects}",
                ) from None
        try:
            plausible.check(figures, port, _COLUMN_OF)
        except CellError as error:
            raise self._wrong_part(line, error.message, error.remedy) from None
        return conditions, figures, port


def citation(head: Iterable[str]) -> str:
    """The head of a table for people, without the keys for programs (`tables.py`)."""
    said = (line.lstrip("#").strip() for line in head)
    kept = (line.removeprefix("title = ") for line in said if not _FOR_PROGRAMS.match(line))
    return "\n".join(kept).strip()


def wanted(conditions: Values, values: Values) -> Conditions:
    """All conditions of a row that prints `conditions`, including those that papers assume, for a
    point with `values`."""
    assumed = dict(_ASSUMED)
    if "burst_bytes" in conditions:
        del assumed["burst_beats"]
    if "master" in conditions:
        # The processor's side: the model splits its accesses.
        for name in ("burst_beats", "outstanding_read", "outstanding_write"):
            assumed.pop(name, None)
    if "transfer_bytes" not in conditions and values.get("transfer_bytes") is None:
        del assumed["duration_s"]  # a free run, and a file without its duration
    return {**assumed, **conditions}


def role(file: str, values: Values, platform: Platform) -> str:
    """ "fitted" if a figure of the platform was fitted on the row of `file` with these conditions,
    else "predicted"."""
    for _, leaf in platform.fitted():
        if any(selects(selector, file, values) for selector in leaf.fitted or ()):
            return "fitted"
    return "predicted"


def _constants(header: list[str], file: str) -> Conditions:
    """The common conditions of all rows of a public dataset; empty if `file` is none."""
    found: Conditions = {}
    for name in header:
        found |= _KNOWN_BY.get(name.strip(), {})
    return found | _KNOWN_BY_FILE.get(file, {})


def condition(name: str, text: str) -> object:
    """The normalised value of experiment key `name` in a table; ValueError if it is invalid."""
    text = text.strip()
    if name == "ports":
        return split_ports(text)
    if name == "mode":
        mode = normal_mode(text)
        if mode is None:
            raise ValueError(text)
        return mode
    if name in _TEXTS:
        return text
    if name == "qos" and text == "changed":
        return ANY
    if name in ("transfer_bytes", "burst_bytes"):
        return parse_bytes(text)
    return float(text) if "." in text else int(text)


def within(mean: float, low: float, high: float, widened: float = 0.0) -> bool:
    """Whether `mean` is in the published range `low` to `high` (MB/s), widened by the share
    `widened` of each end. Published figures have two decimals: half of the last one is
    tolerance."""
    half = 0.005
    return low * (1 - widened) - half <= mean <= high * (1 + widened) + half


def selects(selector: str, file: str, values: Values) -> bool:
    """Whether "FILE.csv: key=value, ..." selects the row of `file` with conditions `values`.

    A key that the selector lacks matches all; "key=a|b" matches either. AxiometerError if the
    selector is invalid.
    """
    name, _, pairs = selector.partition(":")
    if name.strip() != file:
        return False
    for pair in _split(pairs):
        key, equals, text = pair.partition("=")
        key = key.strip()
        try:
            if not equals or key not in KEYS:
                raise ValueError(pair)
            wanted = [condition(key, one) for one in text.split("|")]
        except ValueError:
            raise AxiometerError(
                f"{selector!r} does not select published rows",
                remedy='write "FILE.csv: mode=duplex, width_bits=64, ports=HP0+HP1"',
            ) from None
        if not any(same(values.get(key), one) for one in wanted):
            return False
    return True


def as_keys(conditions: Mapping[str, object]) -> dict[str, object]:
    """The conditions of a row as keys of its point. A condition that any value meets is left out; a
    run without an end becomes one that runs until it has settled."""
    asked = {
        name: "+".join(value) if isinstance(value, list) else value
        for name, value in conditions.items()
        if value is not ANY and name != "duration_s"
    }
    duration = conditions.get("duration_s")
    if duration is not None:
        asked["duration"] = "settled" if duration is ANY else f"{duration}s"
    return asked


def _key(conditions: Values) -> tuple[object, object]:
    """The index key of a row: ports and size, None for a missing one."""
    ports, size = conditions.get("ports"), conditions.get("transfer_bytes")
    return tuple(sorted(ports)) if isinstance(ports, list) else None, None if size is ANY else size


def _meets(values: Values, conditions: Values) -> bool:
    return all(same(values.get(name), value) for name, value in conditions.items())


def same(value: object, condition: object) -> bool:
    """Whether the values are equal, or the same ports in another order."""
    if isinstance(value, list) and isinstance(condition, list):
        return sorted(value) == sorted(condition)
    return value is not None if condition is ANY else value == condition


def _split(pairs: str) -> Iterable[str]:
    return (pair.strip() for pair in pairs.split(",") if pair.strip())


def for_experiment(experiment: Experiment) -> tuple[Reference | None, str]:
    """The published figures of an experiment and "", or None and the reason."""
    if experiment.reference:
        return Reference.load(experiment.reference), ""
    if not experiment.external_reference:
        return None, f"{experiment.name} names no published figures"
    path = data.find_external(experiment.external_reference)
    if path is None:
        return None, (
            f"{experiment.external_reference} is a public dataset that does not ship with "
            "Axiometer: set AXIOMETER_REFERENCE to its directory"
        )
    return Reference.load(path), ""
