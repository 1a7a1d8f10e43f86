"""Where the time went: the time classes of the DRAM bus and of every stream, averaged over repeats.

The classes of one record add up to its elapsed time. Every record is checked; a stack that does not
add up is an error.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.base.record import DRAM_CLASSES as DRAM_CLASSES
from axiometer.base.record import Record, owner

STREAM_CLASSES = (
    "data",
    "path",
    "controller",
    "latency",
    "master",
    "partner",
    "launch",
    "done",
)
PROCESSOR_CLASSES = (
    "data",
    "fabric",
    "crossing",
    "interconnect",
    "memory",
    "queue",
    "software",
    "fetch",
    "engine",
    "setup",
    "cache_control",
    "system",
    "copy",
)
"""The time of a transfer that the processor starts, carries or pays for."""

SMALLEST = 0.0005
"""Least share of the time of a class that is shown."""

TOLERANCE = 1e-6
"""Relative: sums of floating-point seconds; an integer picosecond base leaves far less."""


@dataclass(frozen=True)
class Stack:
    """Mean seconds of each class, in the order of `classes` (their keys in a record); they add up
    to `elapsed_s`."""

    title: str
    classes: Sequence[str]
    seconds: Mapping[str, float]
    elapsed_s: float

    def share(self, *keys: str) -> float:
        """The share (0–1) of the elapsed time that the named classes take together."""
        return sum(self.seconds[key] for key in keys) / self.elapsed_s if self.elapsed_s else 0.0

    def shows(self, key: str) -> bool:
        """Whether a class has the least share to be shown."""
        return self.share(key) >= SMALLEST


@dataclass(frozen=True)
class StreamStack(Stack):
    """The stack of a stream. owner: its master's name. latency: mean of its bursts, in cycles of
    its port; None where it is not known."""

    port: str
    direction: str
    owner: str
    latency: float | None = None


@dataclass(frozen=True)
class PointStacks:
    """The stacks of one point. `dram`: the time of the DRAM bus; for a transfer of the processor's
    side, the transfer's own time."""

    dram: Stack
    streams: Sequence[StreamStack]

    @property
    def of_processor(self) -> bool:
        """Whether the point is a transfer of the processor's side."""
        return self.dram.classes is PROCESSOR_CLASSES


def check(classes: Sequence[str], found: Mapping[str, float], elapsed: float, what: str) -> None:
    """Raise AxiometerError unless `found` has exactly `classes` and adds up to `elapsed` s."""
    wanted = set(classes)
    if set(found) != wanted:
        missing, extra = sorted(wanted - set(found)), sorted(set(found) - wanted)
        raise AxiometerError(
            f"{what}: the time classes are not the documented ones "
            f"(missing: {', '.join(missing) or 'none'}; unknown: {', '.join(extra) or 'none'})",
            remedy="run the experiment again with this version; if it fails again, report a bug",
            status=RUN_FAILED,
        )
    for key, value in found.items():
        if not value >= -TOLERANCE * elapsed:
            raise AxiometerError(
                f"{what}: the time class {key} is {value:.9g} s",
                remedy="the record is damaged or the backend has a bug: run the experiment again",
                status=RUN_FAILED,
            )
    total = math.fsum(found.values())
    if not math.isclose(total, elapsed, rel_tol=TOLERANCE, abs_tol=1e-12):
        raise AxiometerError(
            f"{what}: the time classes add up to {total:.9g} s, but {elapsed:.9g} s elapsed",
            remedy="the record is damaged or the backend has a bug: run the experiment again",
            status=RUN_FAILED,
        )


def stacks(records: Sequence[Record], what: str) -> PointStacks:
    """The checked stacks of a point's records; `what` names the point in an error."""
    if not records:
        raise AxiometerError(
            f"{what}: no finished repeat, so there is no time to explain", status=RUN_FAILED
        )
    n = len(records)
    elapsed = math.fsum(r["elapsed_s"] for r in records) / n
    if records[0].get("processor"):
        return PointStacks(_processor(records, what, elapsed), [])
    dram: dict[str, float] = dict.fromkeys(DRAM_CLASSES, 0.0)
    streams: dict[tuple[str, str, str], dict[str, float]] = {}
    latencies: dict[tuple[str, str, str], list[float]] = {}
    for record in records:
        label, of_dram = f"{what}, repeat {record['repeat']}", record.get("dram")
        if not of_dram or not record.get("streams"):
            raise AxiometerError(
                f"{what}: its records have no time classes",
                status=RUN_FAILED,
                remedy="run the experiment again with --backend model or rtl",
            )
        check(DRAM_CLASSES, of_dram["classes_s"], record["elapsed_s"], f"{label}, DRAM")
        for key, value in of_dram["classes_s"].items():
            dram[key] += value / n
        for s in record["streams"]:
            name = (s["port"], s["direction"], owner(s))
            where = f"{label}, {s['port']} {s['direction']}"
            check(STREAM_CLASSES, s["classes_s"], record["elapsed_s"], where)
            of_bursts = s.get("latency_cycles")
            if of_bursts:
                latencies.setdefault(name, []).append(of_bursts["mean"])
            into = streams.setdefault(name, dict.fromkeys(STREAM_CLASSES, 0.0))
            for key, value in s["classes_s"].items():
                into[key] += value / n
    return PointStacks(
        Stack("DRAM bus", DRAM_CLASSES, dram, elapsed),
        [
            StreamStack(
                f"{master} {direction}",
                STREAM_CLASSES,
                found,
                elapsed,
                port,
                direction,
                master,
                _mean(latencies.get((port, direction, master), [])),
            )
            for (port, direction, master), found in streams.items()
        ],
    )


def _mean(found: Sequence[float]) -> float | None:
    return math.fsum(found) / len(found) if found else None


def _processor(records: Sequence[Record], what: str, elapsed: float) -> Stack:
    spent: dict[str, float] = dict.fromkeys(PROCESSOR_CLASSES, 0.0)
    for record in records:
        found = record["processor"]["classes_s"]
        label = f"{what}, repeat {record['repeat']}"
        check(PROCESSOR_CLASSES, found, record["elapsed_s"], f"{label}, processor")
        for key, value in found.items():
            spent[key] += value / len(records)
    return Stack("transfer", PROCESSOR_CLASSES, spent, elapsed)
