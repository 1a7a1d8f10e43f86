"""Conditions of a measurement that may change its rate: reported, never corrected.

Notes are sentences for people, made of records alone, so that a stored run has them too.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence

from axiometer.base.record import BoardSide, Record

WARMER_C = 10.0
"""A larger change of the chip's temperature is reported."""
CLOCK_SHARE = 0.02
"""Tolerance of the fabric's clock against the design's, and of the processor's over time."""
LATE_NS = 100_000
"""Delay at most with which Linux reports the end of a run."""
FAR = 5.0
"""An outlier is more than so many median deviations, and `LEAST_SHARE`, from the median."""
LEAST_SHARE = 0.02


def notes(records: Sequence[Record], timed: bool) -> list[str]:
    """Notes on the repeats of a point. timed: whether the processor's clock is a reference for the
    fabric's."""
    sides = [record["board"] for record in records if "board" in record]
    if not sides:
        return []
    return [*_changed(sides), *_throttled(sides), *_warmer(sides),
            *(_clock(sides) if timed else ()),
            *_outliers(records)]  # fmt: skip


def _changed(sides: Sequence[BoardSide]) -> Iterator[str]:
    for name in ("kernel", "model", "governor"):
        found = {str(side["after"][name]) for side in sides if name in side["after"]}
        if len(found) > 1:
            yield f"the {name} changed between repeats: {', '.join(sorted(found))}"
    if len({side["design"] for side in sides}) > 1:
        yield "the bitstream changed between repeats"
    if len({side["after"]["boot"] for side in sides if "boot" in side["after"]}) > 1:
        yield "the board was restarted between repeats"


def _numbers(sides: Sequence[BoardSide], name: str) -> list[int]:
    every = [where.get(name) for side in sides for where in (side["before"], side["after"])]
    return [value for value in every if isinstance(value, int)]


def _throttled(sides: Sequence[BoardSide]) -> Iterator[str]:
    found = _numbers(sides, "cpu_khz")
    if found and min(found) < max(found) * (1 - CLOCK_SHARE):
        yield (
            f"the processor's clock was {min(found) / 1e3:g} to {max(found) / 1e3:g} MHz: set the "
            "governor to performance, and check the cooling"
        )


def _warmer(sides: Sequence[BoardSide]) -> Iterator[str]:
    found = _numbers(sides, "temperature_mC")
    if found and max(found) - min(found) > WARMER_C * 1e3:
        yield f"the chip had {min(found) / 1e3:.0f} to {max(found) / 1e3:.0f} °C"


def _clock(sides: Sequence[BoardSide]) -> Iterator[str]:
    """Compare the fabric's counter with the processor's clock, over the longest repeat."""
    longest = max(sides, key=lambda side: side["ns"])
    clocks, ns, clock_hz = longest["clocks"], longest["ns"], longest["clock_hz"]
    if clocks is None or not ns or not clock_hz:
        return
    late = CLOCK_SHARE * ns + LATE_NS
    if abs(clocks / clock_hz * 1e9 - ns) > late:
        yield (
            f"the fabric's clock is about {clocks * 1e3 / ns:.4g} MHz, and the design says "
            f"{clock_hz / 1e6:g}: axiometer doctor"
        )


def _outliers(records: Sequence[Record]) -> Iterator[str]:
    rates = [record["total_MBps"] for record in records]
    median = statistics.median(rates)
    usual = statistics.median(abs(rate - median) for rate in rates)
    bound = max(FAR * usual, LEAST_SHARE * median)
    far = [record["repeat"] for record in records if abs(record["total_MBps"] - median) > bound]
    if far and len(rates) > 2:
        yield (
            f"{len(far)} of {len(rates)} repeats are far from the median of {median:.4g} MB/s: "
            f"{', '.join(map(str, far[:8]))}"
        )
