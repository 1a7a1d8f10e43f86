"""The presentation of time classes: names, letters, colours; stacks as bars in the terminal."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from axiometer.answer.analysis import time_classes
from axiometer.answer.analysis.time_classes import PointStacks, Stack
from axiometer.present.text import Style, percent


@dataclass(frozen=True)
class TimeClass:
    """How a class of time is shown: its key in a record, its name, letter and colours (terminal,
    picture, picture on a dark page if another)."""

    key: str
    label: str
    letter: str
    paint: str
    colour: str
    dark: str = ""


_DRAM = (
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
_STREAM = (
    TimeClass("data", "data on the port", "D", "cyan", "#2f7ed8"),
    TimeClass("path", "waiting for the shared path", "P", "red", "#cf5c54"),
    TimeClass("controller", "in the controller", "C", "yellow", "#f0b44c"),
    TimeClass("latency", "travelling", "L", "green", "#2aa198"),
    TimeClass("master", "the master's own limit", "M", "yellow", "#d98a29"),
    TimeClass("partner", "waiting for its partner", "2", "yellow", "#9a6fb5"),
    TimeClass("launch", "not started yet", "s", "dim", "#b9c0ca", "#465164"),
    TimeClass("done", "finished, the rest is not", ".", "dim", "#d9dde3", "#2f3847"),
)
_PROCESSOR = (
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
_SHOWN: Mapping[tuple[str, ...], Mapping[str, TimeClass]] = {
    keys: {c.key: c for c in looks}
    for keys, looks in (
        (time_classes.DRAM_CLASSES, _DRAM),
        (time_classes.STREAM_CLASSES, _STREAM),
        (time_classes.PROCESSOR_CLASSES, _PROCESSOR),
    )
}


def shown(classes: Sequence[str]) -> list[TimeClass]:
    """How each of `classes` (one of the tuples of `analysis.time_classes`) is shown, in its
    order."""
    looks = _SHOWN[tuple(classes)]
    return [looks[key] for key in classes]


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
    looks = shown(stack.classes)
    counts = apportion([max(0.0, stack.seconds[c.key]) for c in looks], cells)
    return "".join(style.paint(c.letter * k, c.paint) for c, k in zip(looks, counts, strict=True))


def legend(found: Sequence[Stack], style: Style) -> list[str]:
    """One line a class that some stack shows, with its share in each."""
    lines = []
    label_width = max(len(s.title) for s in found)
    for c in shown(found[0].classes):
        if not any(s.shows(c.key) for s in found):
            continue
        shares = (percent(s.share(c.key), 1) for s in found)
        cells = "  ".join(f"{share:>{max(7, label_width)}}" for share in shares)
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


def letters(classes: Sequence[str], style: Style) -> list[str]:
    """The meaning of a bar's letters, three to a line."""
    cells = [f"{style.paint(c.letter, c.paint)} {c.label:<26}" for c in shown(classes)]
    return ["".join(cells[i : i + 3]).rstrip() for i in range(0, len(cells), 3)]
