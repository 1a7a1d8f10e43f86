"""The ZC702 at part load, as AMD measured it, against the model: rate and latency of generators.

AMD, *System Performance Analysis* (Embedded Design Tutorials): AXI traffic generators at the HP
ports, 64 bit at 100 MHz, bursts of 16 beats at a fixed interval, reads and writes independent,
both in one region of each port. A generator begins a burst no sooner than its interval after the
last and does not catch up (PG125, OP_DELAY). No figure of the model is fitted. Three facts of the
bench are not published. The regions' addresses are assumed (`BASES`): four banks apart all rates
are right, in one bank they are not. The other two are selected with the rows in sight. The
outstanding bursts of a generator: by rate and mean latency of the reads that get less than
requested, 6.1 are in flight on average (Little's law). The start of each: generators of one
interval keep their phase, so that one that starts directly behind another waits for it with each
burst; over 250 random starts the model's mean latencies from on-chip memory are 31 to 43 clocks,
the published ones 31.9 to 43.0. A write's published latency is to its last data beat, which a port
takes as fast as the generator sends; the model's is to the response. They are not compared. The
rows are read below AXIOMETER_REFERENCE.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from axiometer.answer.analysis import stats
from axiometer.base import data
from axiometer.base.record import by_master
from axiometer.experiment.points import Point, single
from axiometer.platform import Platform
from axiometer.records import laws
from axiometer.runs.backends import model
from validate import compared
from validate.compared import Outcome, mean

BOARD = "zc702"
FILE = "amd_spm/zc702_spm.csv"
BURST_BYTES, WIDTH_BITS, PL_MHZ = 128, 64, 100
REPEATS = 5
OUTSTANDING = 6
"""Bursts of a generator: rate times mean latency of reads, in the rows where they wait, is 6.1."""
# When each port's generators start: their phases, of which there are 25 clocks at 512 MB/s.
START_US = {"HP0": 0.03, "HP1": 0.05, "HP2": 0.01, "HP3": 0.01}
ERRORS = {"rate": "rates", "mean": "mean latency of reads", "min": "least"}
_REGION = 2**26
OCM = "ocm"
OCM_REGION = 2**16  # a quarter of it for each port
# Bytes from one port's region to the next: in the same DRAM bank, or four banks apart.
BASES = {"regions in one bank": _REGION, "regions in different banks": _REGION + 4 * 4096}


@dataclass(frozen=True)
class Row:
    """A generator: what was measured and what is simulated. Rates in MB/s, latency in PL clocks."""

    scenario: str
    port: str
    direction: str
    asked: float
    measured: Mapping[str, float]
    simulated: Mapping[str, float]

    def error(self, key: str) -> float | None:
        """In percent; None for latencies of writes, which end elsewhere."""
        if self.direction == "write" and key != "rate":
            return None
        return compared.error(self.simulated[key], self.measured[key])


def published() -> list[Mapping[str, str]]:
    """The published rows; none where the file is not at hand."""
    path = data.find_external(FILE)
    if path is None:
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def scenarios(published_rows: Iterable[Mapping[str, str]]) -> dict[str, list[Mapping[str, str]]]:
    """The generators of each scenario."""
    found: dict[str, list[Mapping[str, str]]] = {}
    for row in published_rows:
        found.setdefault(row["scenario"], []).append(row)
    return found


def rows(published_rows: Iterable[Mapping[str, str]], apart: int) -> Iterator[Row]:
    """Each published row with what the model gives, regions `apart` bytes from port to port."""
    for name, generators in scenarios(published_rows).items():
        found = _simulated(generators, apart)
        for row in generators:
            yield Row(
                name,
                row["port"],
                row["direction"],
                float(row["asked_MBps"]),
                {
                    "rate": float(row["MBps"]),
                    **{key: float(row[f"latency_{key}"]) for key in ("mean", "min", "max")},
                },
                found[_name(row)],
            )


def _name(row: Mapping[str, str]) -> str:
    return f"{row['port']}-{row['direction']}"


def _gap(row: Mapping[str, str]) -> int:
    """Idle clocks behind the beats of a burst, one of which begins every interval."""
    beats = BURST_BYTES * 8 // WIDTH_BITS
    return round(BURST_BYTES * PL_MHZ / float(row["asked_MBps"])) - beats


def asked(platform: Platform, generators: list[Mapping[str, str]], apart: int) -> Point:
    """The point of one scenario's generators."""
    if platform.target == OCM:
        apart = OCM_REGION
    masters = [
        {
            "kind": "engine",
            "name": _name(row),
            "port": row["port"],
            "direction": row["direction"],
            "width_bits": WIDTH_BITS,
            "pl_mhz": PL_MHZ,
            "burst_bytes": BURST_BYTES,
            "gap_cycles": _gap(row),
            "start_us": START_US[row["port"]],
            "outstanding": OUTSTANDING,
            "base": platform.ports.index(row["port"]) * apart,
            "region": min(apart, _REGION),
        }
        for row in generators
    ]
    return single(platform, {"masters": masters, "duration": "2ms", "repeats": REPEATS})


def at(scenario: str) -> Platform:
    """The board, its masters at the memory that the scenario has the name of; else at the DRAM."""
    board = Platform.load(BOARD)
    return board.with_overrides({"memory.target": OCM}) if scenario == OCM else board


def _simulated(generators: list[Mapping[str, str]], apart: int) -> dict[str, Mapping[str, float]]:
    platform = at(generators[0]["scenario"])
    point = asked(platform, generators, apart)
    masters = point.values["masters"]
    records = model.run_repeats(platform, point, 0, 0, REPEATS)
    laws.check(platform, point, records)
    found = {}
    for n, master in enumerate(masters):
        latency = stats.latency([record["streams"][n]["latency_cycles"] for record in records])
        rates = [by_master(record)[master["name"]]["total_MBps"] for record in records]
        found[master["name"]] = {"rate": math.fsum(rates) / REPEATS, **(latency or {})}
    return found


def lines(found: list[Row]) -> list[str]:
    """A table of the rows, and their mean errors; latency in PL clocks, from a read's address to
    its last beat."""
    heads = ("scenario", "generator", "requested", "MB/s", "model", "error, %")
    body = []
    for row in found:
        cells = [row.scenario, f"{row.port} {row.direction}", f"{row.asked:.0f}"]
        for key in ("rate", "mean", "min", "max"):
            cells += [f"{row.measured[key]:.1f}", f"{row.simulated[key]:.1f}"]
            if key in ERRORS:
                error = row.error(key)
                cells.append("" if error is None else f"{error:+.1f}")
        body.append(cells)
    more = [name for key in ("mean", "min") for name in (f"latency, {key}", "model", "error, %")]
    parts = []
    for key, words in ERRORS.items():
        errors = [error for row in found if (error := row.error(key)) is not None]
        parts.append(f"{words} {mean(errors):.1f} % (worst {max(errors, key=abs):+.1f} %)")
    table = compared.table((*heads, *more, "latency, max", "model"), body)
    return [*table, "", f"Mean absolute error: {', '.join(parts)}."]


def run() -> Outcome:
    """The rows, with regions in one bank and in different banks."""
    said, figure = [], ""
    for title, apart in BASES.items():
        found = lines(list(rows(published(), apart)))
        said += ["", f"{title}:", "", *found]
        figure = found[-1]
    return Outcome(figure, True, said)
