"""Where the time went: the time classes of the DRAM bus and of every stream, averaged over repeats.

The classes of one record add up to its elapsed time. That is checked for every
record, and a stack that does not add up is an error, not a picture.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from axiometer.errors import RUN_FAILED, AxiometerError
from axiometer.present.text import Style, percent


@dataclass(frozen=True)
class TimeClass:
    """A class of time: its key in a record, its name, letter and colours (terminal, picture,
    picture on a dark page if another)."""

    key: str
    label: str
    letter: str
    paint: str
    colour: str
    dark: str = ""


DRAM_CLASSES = (
    TimeClass("read_data", "read data", "R", "cyan", "#2f7ed8"),
    TimeClass("write_data", "write data", "W", "green", "#2aa198"),
    TimeClass("read_to_write", "read-to-write turnaround", ">", "yellow", "#f0b44c"),
    TimeClass("write_to_read", "write-to-read turnaround", "<", "yellow", "#d98a29"),
    TimeClass("activate_precharge", "activate/precharge", "A", "red", "#cf5c54"),
    TimeClass("refresh", "refresh", "F", "red", "#9a6fb5"),
    TimeClass("idle_no_request", "idle: nothing asked", ".", "dim", "#d9dde3", "#2f3847"),
    TimeClass("idle_port", "idle: port busy", "p", "dim", "#b9c0ca", "#465164"),
    TimeClass("idle_path", "idle: path full", "i", "dim", "#8b94a3", "#6d7a90"),
)
STREAM_CLASSES = (
    TimeClass("data", "data on the port", "D", "cyan", "#2f7ed8"),
    TimeClass("path", "waiting for the shared path", "P", "red", "#cf5c54"),
    TimeClass("controller", "in the controller", "C", "yellow", "#f0b44c"),
    TimeClass("latency", "travelling", "L", "green", "#2aa198"),
    TimeClass("master", "the master's own limit", "M", "yellow", "#d98a29"),
    TimeClass("partner", "waiting for its partner", "2", "yellow", "#9a6fb5"),
    TimeClass("launch", "not started yet", "s", "dim", "#b9c0ca", "#465164"),
    TimeClass("done", "finished, the rest is not", ".", "dim", "#d9dde3", "#2f3847"),
)
PROCESSOR_CLASSES = (
    TimeClass("data", "data moves", "D", "cyan", "#2f7ed8"),
    TimeClass("fabric", "slave or master in the fabric", "F", "green", "#2aa198"),
    TimeClass("crossing", "clock crossing", "x", "yellow", "#d98a29"),
    TimeClass("interconnect", "interconnect", "I", "yellow", "#f0b44c"),
    TimeClass("memory", "DRAM", "M", "red", "#cf5c54"),
    TimeClass("queue", "behind earlier transfers", "Q", "dim", "#8b94a3", "#6d7a90"),
    TimeClass("software", "instructions", "S", "dim", "#b9c0ca", "#465164"),
    TimeClass("fetch", "fetching instructions", "f", "red", "#9a6fb5"),
    TimeClass("engine", "DMA engine's program", "E", "yellow", "#c9a227"),
    TimeClass("setup", "setting up the transfer", "s", "dim", "#7b8794", "#5b6675"),
    TimeClass("cache_control", "cache control", "C", "red", "#b5476b"),
    TimeClass("system", "operating system", "O", "dim", "#5f6b7a", "#8b97a6"),
    TimeClass("copy", "copies by the system", "c", "red", "#d06fa8"),
)
"""The time of a transfer that the processor starts, carries or pays for."""
TOLERANCE = 1e-6
"""Relative: sums of floating-point seconds; an integer picosecond base leaves far less."""


@dataclass(frozen=True)
class Stack:
    """Mean seconds of each class, in the order of `classes`; they add up to `elapsed_s`."""

    title: str
    classes: Sequence[TimeClass]
    seconds: Mapping[str, float]
    elapsed_s: float
    port: str | None = None
    direction: str | None = None

    def share(self, *keys: str) -> float:
        """The share (0–1) of the elapsed time that the named classes take together."""
        return sum(self.seconds[key] for key in keys) / self.elapsed_s if self.elapsed_s else 0.0


@dataclass(frozen=True)
class PointStacks:
    """The stacks of one point. `dram` is the DRAM bus; for a transfer of the processor's side,
    which the DRAM bus says nothing about, the transfer's own time."""

    dram: Stack
    streams: Sequence[Stack]

    @property
    def of_processor(self) -> bool:
        """Whether the point is a transfer of the processor's side."""
        return self.dram.classes is PROCESSOR_CLASSES


def check(classes: Sequence[TimeClass], found: Mapping[str, float], elapsed: float, what: str):
    """Raise AxiometerError unless `found` has exactly `classes` and adds up to `elapsed` s."""
    wanted = {c.key for c in classes}
    if set(found) != wanted:
        missing, extra = sorted(wanted - set(found)), sorted(set(found) - wanted)
        raise AxiometerError(
            f"{what}: the time classes are not the documented ones "
            f"(missing: {', '.join(missing) or 'none'}; unknown: {', '.join(extra) or 'none'})",
            remedy="run the experiment again with this version; if it stays, report it as a bug",
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


def stacks(records: Sequence[Mapping], what: str) -> PointStacks:
    """The checked stacks of a point's records; `what` names the point in an error."""
    if not records:
        raise AxiometerError(
            f"{what}: no finished repeat, so there is no time to explain", status=RUN_FAILED
        )
    n = len(records)
    elapsed = math.fsum(r["elapsed_s"] for r in records) / n
    if records[0].get("processor"):
        return PointStacks(_processor(records, what, elapsed), [])
    dram: dict[str, float] = {c.key: 0.0 for c in DRAM_CLASSES}
    streams: dict[tuple[str, str, int], dict[str, float]] = {}
    if any(not record.get("dram") or not record.get("streams") for record in records):
        raise AxiometerError(
            f"{what}: its records say nothing of time",
            status=RUN_FAILED,
            remedy="run the experiment again with --backend model or rtl",
        )
    several = any(s.get("master", 0) for s in records[0]["streams"])
    for record in records:
        label = f"{what}, repeat {record['repeat']}"
        check(DRAM_CLASSES, record["dram"]["classes_s"], record["elapsed_s"], f"{label}, DRAM")
        for key, value in record["dram"]["classes_s"].items():
            dram[key] += value / n
        for s in record["streams"]:
            name = (s["port"], s["direction"], s.get("master", 0))
            where = f"{label}, {s['port']} {s['direction']}"
            check(STREAM_CLASSES, s["classes_s"], record["elapsed_s"], where)
            into = streams.setdefault(name, {c.key: 0.0 for c in STREAM_CLASSES})
            for key, value in s["classes_s"].items():
                into[key] += value / n
    return PointStacks(
        Stack("DRAM bus", DRAM_CLASSES, dram, elapsed),
        [
            Stack(
                f"{port}.{master} {direction}" if several else f"{port} {direction}",
                *(STREAM_CLASSES, found, elapsed, port, direction),
            )
            for (port, direction, master), found in streams.items()
        ],
    )


def _processor(records: Sequence[Mapping], what: str, elapsed: float) -> Stack:
    spent: dict[str, float] = {c.key: 0.0 for c in PROCESSOR_CLASSES}
    for record in records:
        found = record["processor"]["classes_s"]
        label = f"{what}, repeat {record['repeat']}"
        check(PROCESSOR_CLASSES, found, record["elapsed_s"], f"{label}, processor")
        for key, value in found.items():
            spent[key] += value / len(records)
    return Stack("transfer", PROCESSOR_CLASSES, spent, elapsed)


def apportion(shares: Sequence[float], cells: int) -> list[int]:
    """`cells` whole cells shared out by `shares` (largest remainders), so that none is lost.

    All zeros when the shares are all zero.
    """
    total = math.fsum(shares)
    if total <= 0:
        return [0] * len(shares)
    exact = [s / total * cells for s in shares]
    out = [int(e) for e in exact]
    by_remainder = sorted(range(len(exact)), key=lambda i: out[i] - exact[i])
    for i in by_remainder[: cells - sum(out)]:
        out[i] += 1
    return out


def bar(stack: Stack, cells: int, style: Style) -> str:
    """One stack as a bar of letters, `cells` wide; each letter is explained by `legend`."""
    counts = apportion([max(0.0, stack.seconds[c.key]) for c in stack.classes], cells)
    return "".join(
        style.paint(c.letter * k, c.paint) for c, k in zip(stack.classes, counts, strict=True)
    )


def legend(found: Sequence[Stack], style: Style, smallest: float = 0.0005) -> list[str]:
    """One line a class that takes at least `smallest` of some stack, with its share in each."""
    lines = []
    label_width = max(len(s.title) for s in found)
    for c in found[0].classes:
        shares = [s.share(c.key) for s in found]
        if max(shares) < smallest:
            continue
        cells = "  ".join(f"{percent(x, 1):>{max(7, label_width)}}" for x in shares)
        lines.append(f"  {style.paint(c.letter, c.paint)} {c.label:<28}{cells}")
    heads = "  ".join(f"{s.title:>{max(7, label_width)}}" for s in found)
    return [f"    {'':<28}{style.paint(heads, 'dim')}", *lines]


def terminal(found: PointStacks, style: Style) -> list[str]:
    """The DRAM bus and every stream as bars with legends, as lines of text."""
    name_width = max(len(s.title) for s in [found.dram, *found.streams])
    cells = max(20, min(100, style.columns - name_width - 4))
    lines = [f"  {found.dram.title:<{name_width}}  {bar(found.dram, cells, style)}"]
    lines += [f"  {s.title:<{name_width}}  {bar(s, cells, style)}" for s in found.streams]
    lines += ["", *legend([found.dram], style)]
    if found.streams:
        per_line = max(1, (style.columns - 32) // (max(7, name_width) + 2))
        for i in range(0, len(found.streams), per_line):
            lines += ["", *legend(found.streams[i : i + per_line], style)]
    return lines


def letters(classes: Sequence[TimeClass], style: Style) -> list[str]:
    """What the letters of a bar mean, three to a line."""
    cells = [f"{style.paint(c.letter, c.paint)} {c.label:<26}" for c in classes]
    return ["".join(cells[i : i + 3]).rstrip() for i in range(0, len(cells), 3)]
