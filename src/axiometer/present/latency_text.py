"""How long bursts take, and what a small transfer costs, in words and as JSON."""

from __future__ import annotations

from collections.abc import Mapping

from axiometer.answer.verdicts.small import Small
from axiometer.answer.verdicts.started import Started
from axiometer.base.units import short_rate
from axiometer.present import text

WORDS = {"read": "reads", "write": "writes"}


def opening(small: Small | None) -> str:
    """The sentence before the rate; "" where the transfer is not small."""
    if small is None:
        return ""
    each = small.access_ns.items()
    times = [
        f"{way} of {text.size(small.access_bytes)} takes {text.ns(time)}" for way, time in each
    ]
    return f"A lone {', a lone '.join(times)}. "


def beside(small: Small | None, started: Started | None) -> str:
    """What stands behind the rate with the start; "" where the transfer is not small."""
    if small is None:
        return ""
    by = f" by {started.name}" if started else ""
    return f" with its start{by}, {short_rate(small.without_start)} without"


def lines(latency: Mapping[str, float] | None, small: Small | None) -> list[str]:
    """Sentences on bursts, and on the whole transfer where it is small."""
    out = []
    if latency is not None:
        ways = [
            f"{word} {text.ns(latency[f'{way}_mean_ns'])}"
            for way, word in WORDS.items()
            if f"{way}_mean_ns" in latency
        ]
        apart = f" ({', '.join(ways)})" if ways else ""
        mean, most = text.ns(latency["mean_ns"]), text.ns(latency["p99_ns"])
        out.append(f"Latency of a burst: {mean} on average{apart}, 99 % within {most}.")
    if small is not None:
        out.append(
            f"The whole takes {text.ns(small.transfer_us * 1e3)}, most of which the processor "
            "needs to start it and to see its end."
        )
    return out


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
