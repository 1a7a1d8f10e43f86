"""Clocks between the beats of a stream, from the sniffer's counts (regs/sniffer.rdl)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from axiometer.base.record import Between
from axiometer.runs.agent.replies import Line

# The sniffer's bins: exact below the first, then the quarters of octaves.
EXACT_BINS, QUARTERS = 16, 4


def between(counters: Sequence[Line], slot: int, before: int | None = None) -> Between | None:
    """`between` of a record: clocks from beat to beat, 1 if the next comes in the next clock.

    counters: from the agent. slot: of the sniffer. before: clocks from an event that counts as a
    beat to the first beat. typ: the most frequent; from 16 clocks on, the least of its bin.
    mean: None if the sniffer's bins do not fix it. None without two beats.
    """
    mine = [c for c in counters if c.get("slot") == slot]
    ranges: dict[str, int] = {}
    bins: dict[str, list[int]] = {}
    for line in mine:
        ranges |= {key: line.number(key) for key in line if key.endswith(("_min", "_max"))}
        if "of" in line:
            bins[line.word("of")] = line.numbers("histogram")
    counts = [sum(pair) for pair in zip_longest(bins["beats"], bins["gaps"], fillvalue=0)]
    if not sum(counts):
        if before is None:
            return None
        return {"min": before, "typ": before, "mean": before, "max": before}
    least = min(ranges[key] for key in ("beat_min", "gap_min") if key in ranges) + 1
    most = max(ranges[key] for key in ("beat_max", "gap_max") if key in ranges) + 1
    fullest = max(range(len(counts)), key=counts.__getitem__)
    beats, gaps = total(bins["beats"], ranges, "beat"), total(bins["gaps"], ranges, "gap")
    number = sum(counts)
    clocks = None if beats is None or gaps is None else beats + gaps + number
    if before is not None:
        least, most, number = min(least, before), max(most, before), number + 1
        clocks = None if clocks is None else clocks + before
    return {
        "min": least,
        "typ": max(edge(fullest) + 1, least),
        "mean": None if clocks is None else clocks / number,
        "max": most,
    }


def edge(number: int) -> int:
    """The least value of one of the sniffer's bins."""
    if number < EXACT_BINS:
        return number
    octave, quarter = divmod(number - EXACT_BINS, QUARTERS)
    return (1 << 4 + octave) + (quarter << 2 + octave)


def total(bins: list[int], ranges: Mapping[str, int], key: str) -> int | None:
    """The sum of all values in one of the sniffer's histograms, `key`_min and `key`_max its range;
    None if some are in bins of several values and differ."""
    if not any(bins[EXACT_BINS:]):
        return sum(value * times for value, times in enumerate(bins))
    least, most = ranges[f"{key}_min"], ranges[f"{key}_max"]
    return least * sum(bins) if least == most else None
