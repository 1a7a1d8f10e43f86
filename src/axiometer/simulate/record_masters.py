"""The part of a record for each master."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from axiometer.base import clocks
from axiometer.base.record import Latency, MasterRates, StreamRecord
from axiometer.experiment.values import Values
from axiometer.simulate.latencies import latency
from axiometer.simulate.outcome import StreamOutcome
from axiometer.simulate.rates import rates_of
from axiometer.simulate.stream import Stream


def by_master(
    pairs: Sequence[tuple[Stream, StreamOutcome]], streams: Sequence[StreamRecord], elapsed: float
) -> dict[str, MasterRates]:
    """By name: bytes, MB/s, and the latency of all bursts in ns, None if none is complete.

    pairs: streams with the model's outcome; streams: their parts of the record, in this order.
    """
    found: dict[str, MasterRates] = {}
    for name in dict.fromkeys(str(stream.owner) for stream, _ in pairs):
        own = [n for n, (stream, _) in enumerate(pairs) if stream.owner == name]
        moved = {
            d: sum(streams[n]["bytes"] for n in own if streams[n]["direction"] == d)
            for d in ("read", "write")
        }
        found[name] = {
            "bytes": moved["read"] + moved["write"],
            **rates_of(moved["read"], moved["write"], elapsed),
            "latency_ns": _in_ns(pairs[own[0]][0].pl_mhz, [pairs[n][1] for n in own]),
        }
    return found


def _in_ns(mhz: float | None, outcomes: Iterable[StreamOutcome]) -> Latency | None:
    """The latency in ns; all streams of a master have one clock."""
    cycles = latency(outcomes)
    if cycles is None or mhz is None:
        return None
    return {
        "mean": cycles["mean"] * 1000 / mhz,
        "min": cycles["min"] * 1000 / mhz,
        "max": cycles["max"] * 1000 / mhz,
        "p50": cycles["p50"] * 1000 / mhz,
        "p99": cycles["p99"] * 1000 / mhz,
        "n": cycles["n"],
    }


def in_pl_cycles(
    pairs: Iterable[tuple[Stream, StreamOutcome]], values: Values
) -> Iterable[StreamOutcome]:
    """Outcomes with latencies in whole cycles of the point's own clock."""
    for stream, outcome in pairs:
        if stream.pl_mhz is None or stream.pl_mhz == values["pl_mhz"]:
            yield outcome
            continue
        scale = clocks.exact(values["pl_mhz"]) / clocks.exact(stream.pl_mhz)
        counts: dict[int, int] = {}
        number = outcome["bursts"]
        for cycles, count in outcome["latency"]:
            at = round(cycles * scale)
            counts[at] = counts.get(at, 0) + count
        # Latencies are rounded one by one and may all be on one side of their mean.
        total = outcome["latency_sum"] * float(scale)
        if counts:
            total = min(max(total, number * min(counts)), number * max(counts))
        yield {**outcome, "latency": sorted(counts.items()), "latency_sum": total}
