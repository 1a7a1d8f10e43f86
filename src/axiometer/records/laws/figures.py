"""Laws of single figures: each is a number, and no count or measure is negative."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping

from axiometer.records.laws.case import ROUNDING, Case


def _numbers(value: object, at: str = "") -> Iterator[tuple[str, float]]:
    """All numbers in a record with their places, except those of histograms."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return
    if isinstance(value, int | float):
        yield at, value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            if name != "hist":
                yield from _numbers(inner, f"{at}.{name}" if at else str(name))
    elif isinstance(value, Iterable):
        for number, inner in enumerate(value):
            yield from _numbers(inner, f"{at}[{number}]")


def _sound(record: object) -> bool:
    """Whether all numbers are finite and not negative; fast, as nearly all records pass."""
    left = [record]
    while left:
        value = left.pop()
        if value is None or isinstance(value, str | bool):
            continue
        if isinstance(value, float | int):
            if not 0 <= value < math.inf:
                return False
        elif isinstance(value, dict):
            left.extend(inner for name, inner in value.items() if name != "hist")
        elif isinstance(value, list | tuple):
            left.extend(value)
        else:
            return False  # left to the slow check
    return True


def finite(case: Case) -> Iterator[str]:
    if _sound(case.record):
        return
    for at, number in _numbers(case.record):
        if not math.isfinite(number):
            yield f"finite figures: {at} is {number}; it must be a number"


def not_negative(case: Case) -> Iterator[str]:
    if _sound(case.record):
        return
    # Classes of time are differences; a rounding error of the whole time is allowed.
    least = -ROUNDING * max(case.elapsed, 0.0) if math.isfinite(case.elapsed) else 0.0
    for at, number in _numbers(case.record):
        if number < 0 and not (number >= least and ".classes_s." in f".{at}"):
            yield f"figures not negative: {at} is {number:g}; the least is 0"
