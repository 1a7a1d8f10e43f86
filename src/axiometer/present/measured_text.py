"""Measurements of a point or near it, in words and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from axiometer.answer.analysis.stats import error_pct
from axiometer.base.units import short_rate
from axiometer.present import labels
from axiometer.present.text import gain, listing, number
from axiometer.published import measured
from axiometer.published.claims import Claim
from axiometer.published.measured import Measurement

_WAYS = {"total": "", "read": " read", "write": " written"}
_WORDS = {
    "burst_bytes": "bursts of {}",
    "burst_beats": "bursts of {}",
    "transfer_bytes": "transfers of {}",
    "outstanding_read": "reads in flight {}",
    "outstanding_write": "writes in flight {}",
    "masters_per_port": "{} masters at a port",
    "mapping": "addresses {}",
    "pattern": "addresses {}",
    "placement": "buffers {}",
    "width_bits": "{} wide",
    "gap_cycles": "gaps of {}",
    "memory_type": "fabric mapped as {}",
    "cache": "caches {}",
    "cache_control": "cache control {}",
    "io": "buffers handed over by {}",
    "ring_depth": "{} packets in flight",
    "memory": "memory {}",
    "os": "{}",
    "mode": "{}",
    "pl_mhz": "{}",
    "duration_s": "a run of {} s",
}
"""A key's words around its value; any other key is its name before the value."""
_NONE = {
    "outstanding_read": "as many as fit",
    "outstanding_write": "as many as fit",
    "qos": "the board's own",
    "slave": "none",
    "duration_s": "by bytes",
    "transfer_bytes": "a free run",
}


def lines(found: Sequence[Measurement], simulated: Callable[[str], float]) -> Iterator[str]:
    """The measurements of the point, each with the error of the `simulated` rate, a function of
    the way: "total", "read" or "write"; and whether they contradict each other."""
    for row in found:
        error = number(error_pct(simulated(row.way), row.rate), 1, signed=True)
        yield f"Measured: {rate(row)} ({source(row)}); simulated {error} %."
    first = measured.chosen(found)
    if first is not None and measured.others(found, first):
        yield f"These measurements contradict each other; the answer is by {source(first)}."


def nearest(found: Sequence[Measurement]) -> Iterator[str]:
    """Measurements near a point that was not measured, each with its differences."""
    if found:
        yield "Not measured. Nearest measurements:"
        for row in found:
            yield f"  {rate(row, short=True)}: {differences(row)} ({source(row)})"


def contradicting(rows: Sequence[Measurement], of: Measurement) -> str:
    """The rates that contradict the stated row of a point, to follow it; "" where none does."""
    apart = [f"{rate(row, short=True)} ({source(row)})" for row in measured.others(rows, of)]
    return f", contradicted by {listing(apart)}" if apart else ""


def rate(row: Measurement, *, short: bool = False) -> str:
    """The measured rate, with its range where the source prints one."""
    low, high = (row.figures.get(f"{row.way}_MBps_{end}") for end in ("min", "max"))
    span = f", {low:g} to {high:g}" if low is not None and high is not None and not short else ""
    mean = short_rate(row.rate) if short else f"{row.rate:g}"
    return f"{mean} MB/s{_WAYS[row.way]}{span}"


def claim(of: Claim) -> str:
    """The part of a simulated gain that measurements leave; "" where they leave all of it."""
    if not of.is_other:
        return ""
    rates = [
        f"{short_rate(rate)} MB/s {where}"
        for rate, where in ((of.now, "as it is"), (of.then, "with it"))
        if rate is not None
    ]
    whose = "; ".join(dict.fromkeys(source(row) for row in of.rows))
    simulated = f"the simulated {gain(of.simulated, 0)}"
    if of.is_refuted:
        left = f"so {simulated} does not hold"
    elif of.both:
        left = f"which is {gain(of.gain, 0)}"
    else:
        left = f"which leaves {gain(of.gain, 0)} at most of {simulated}"
    return f"Measured: {' and '.join(rates)} ({whose}), {left}."


def claim_document(of: Claim | None) -> dict[str, object]:
    """The claim as JSON: the remaining gain, and the measured rates in MB/s."""
    if of is None:
        return {}
    return {
        "gain": of.gain,
        "simulated_gain": of.simulated,
        "measured_MBps": of.now,
        "measured_with_it_MBps": of.then,
        "measured_by": list(dict.fromkeys(source(row) for row in of.rows)),
    }


def by(rows: Iterable[Sequence[Measurement]]) -> list[str]:
    """The sources of these rows, each with its number of points."""
    firsts = map(measured.chosen, rows)
    counts = Counter(source(row) for row in firsts if row is not None)
    return [f"{whose} ({count} point{'s' if count > 1 else ''})" for whose, count in counts.items()]


def source(row: Measurement) -> str:
    """The source of a row, and its board."""
    return f"{row.table.cite}, {row.table.board}"


def differences(row: Measurement) -> str:
    """The differences between a row and the point, in words; without the board, which the source
    names."""
    words = [_difference(key, its, own) for key, its, own in row.differs if key != "board"]
    return "; ".join(words) or "the same on another board"


def _difference(key: str, its: object, own: object) -> str:
    words = _WORDS.get(key)
    if words is None:
        words = "ports {}" if key == "ports" else f"{labels.heading(key)} {{}}"
    return f"{words.format(_value(key, its))}, not {_value(key, own)}"


def _value(key: str, value: object) -> str:
    if value is None or value == []:
        return _NONE.get(key, "none")
    if isinstance(value, Mapping):
        return "set"
    return labels.value_label(key, value)


def document(found: Sequence[Measurement]) -> list[dict[str, object]]:
    """The rows as JSON. Rates in MB/s."""
    return [
        {
            "source": row.table.cite,
            "board": row.table.board,
            "table": row.table.path.name,
            "line": row.line,
            **row.figures,
            "by_port": row.by_port,
            "differs": {key: {"measured": its, "asked": own} for key, its, own in row.differs},
        }
        for row in found
    ]
