"""The latency of bursts, and the cost of a small transfer, in words and as JSON."""

from __future__ import annotations

from collections.abc import Mapping

from axiometer.answer.verdicts.small import Small
from axiometer.answer.verdicts.started import Started
from axiometer.base.units import short_rate
from axiometer.present import text

WORDS = {"read": "reads", "write": "writes"}


def line(latency: Mapping[str, float] | None, small: Small | None, started: Started | None) -> str:
    """The latency of a burst; for a small transfer, a lone access and the whole with its start. ""
    where it is not known."""
    if small is not None:
        size = text.size(small.access_bytes)
        times = [f"{text.ns(time)} a lone {way} of {size}" for way, time in small.access_ns.items()]
        by = f" by {started.name}" if started else ""
        return f"{', '.join(times)}; {text.ns(small.transfer_us * 1e3)} with its start{by}."
    if latency is None:
        return ""
    ways = [
        f"{word} {text.ns(latency[f'{way}_mean_ns'])}"
        for way, word in WORDS.items()
        if f"{way}_mean_ns" in latency
    ]
    apart = f" ({', '.join(ways)})" if ways else ""
    return of_burst(latency["mean_ns"], latency["p99_ns"], apart)


def of_burst(mean_ns: float, p99_ns: float | None, apart: str = "") -> str:
    """The latency of bursts; `apart`: words behind the mean."""
    late = "" if p99_ns is None else f", p99 {text.ns(p99_ns)}"
    return f"Latency of a burst: mean {text.ns(mean_ns)}{apart}{late}."


def start(small: Small | None) -> str:
    """The words behind the rate of a small transfer, with the rate without its start; else ""."""
    return "" if small is None else f" with its start ({short_rate(small.without_start)} without)"


def whole(small: Small | None) -> str:
    """A sentence on the time of a small transfer; "" where it is not small."""
    if small is None:
        return ""
    return (
        f"The whole takes {text.ns(small.transfer_us * 1e3)}; most of it is the processor's time "
        "to start the transfer and to detect its end."
    )


def document(small: Small | None) -> dict[str, object] | None:
    """For JSON: times in ns and us, rates in MB/s."""
    if small is None:
        return None
    return {
        "access_bytes": small.access_bytes,
        **{f"{way}_ns": time for way, time in small.access_ns.items()},
        "without_start_MBps": small.without_start,
        "transfer_us": small.transfer_us,
    }
