"""Laws of single figures: each is a number, and none that counts or measures is negative."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from axiometer.laws.case import ROUNDING, Case


def _numbers(value: Any, at: str = "") -> Iterator[tuple[str, float]]:
    """All numbers in a record, each with the place where it stands; not those of histograms."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return
    if isinstance(value, int | float):
        yield at, value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            if name != "hist":
                yield from _numbers(inner, f"{at}.{name}" if at else str(name))
    else:
        for number, inner in enumerate(value):
            yield from _numbers(inner, f"{at}[{number}]")


def finite(case: Case) -> Iterator[str]:
    for at, number in _numbers(case.record):
        if not math.isfinite(number):
            yield f"finite figures: {at} is {number}; it must be a number"


def not_negative(case: Case) -> Iterator[str]:
    # Classes of time are differences; one rounding of the whole time is no negative time.
    least = -ROUNDING * max(case.elapsed, 0.0) if math.isfinite(case.elapsed) else 0.0
    for at, number in _numbers(case.record):
        if number < (least if ".classes_s." in f".{at}" else 0):
            yield f"figures not negative: {at} is {number:g}; the least is 0"
