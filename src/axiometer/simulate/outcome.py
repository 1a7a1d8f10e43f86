"""The model's result of a run, from its binding or the co-simulation: clocks and counts.

Cycles are of the stream's port, clocks of the DRAM, units those of the transfer. `records.py` and
the backends make a record of it (`base/record.py`).
"""

from __future__ import annotations

from typing import NotRequired, TypedDict


class BeatTimes(TypedDict):
    """Times of a stream's beats; `between`: counts by the number of cycles between two beats."""

    count: int
    first: int
    last: int
    between: dict[int, int]


class StreamOutcome(TypedDict):
    """latency: (least of the bin, bursts), in order. longest_wait: -1 if not counted."""

    launch: int
    end: int
    bytes: int
    bursts: int
    latency_sum: float  # whole, except in cycles of another clock than the port's
    latency: list[tuple[int, int]]
    longest_wait: int
    classes: dict[str, int]
    beats: NotRequired[BeatTimes]
    payload: NotRequired[int]
    """Of a source: bytes of its transfer that have moved, at the memory or in caches."""
    whole: NotRequired[StreamOutcome]
    """In the co-simulation's free runs: the whole run, not only its measured part."""


class Measured(TypedDict):
    """The measured part of a run. half_width: a share of the rate; below 0: unknown."""

    begins: int
    half_width: float
    settled: bool
    may_drift: bool


class Outcome(TypedDict):
    """A run of streams at the memory."""

    clocks: int
    cycles: int
    classes: dict[str, int]
    counts: dict[str, int]
    streams: list[StreamOutcome]
    measured: NotRequired[Measured]
    beats: NotRequired[tuple[int, int]]
    """Of the co-simulation's simple masters: PL cycle of the first and of the last beat."""


class TransferOutcome(TypedDict):
    """A transfer on the processor's side; `between`: counts by the number of PL cycles between two
    beats in the fabric."""

    elapsed: int
    classes: dict[str, int]
    beats: int
    first_beat: int
    last_beat: int
    between: dict[int, int]
    frame_begins: NotRequired[int]
    frame_ends: NotRequired[int]
