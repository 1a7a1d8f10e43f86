"""How long bursts take, and what a small transfer costs, in words and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from axiometer.base.units import short_rate
from axiometer.present.text import size

WORDS = {"read": "reads", "write": "writes"}


@dataclass(frozen=True)
class Small:
    """A transfer of which starting it and noticing its end take the larger part. access_bytes: of
    an access; access_ns: of one that is alone at the memory, by direction; without_start: MB/s if
    starting took no time; transfer_us: from the first start until the processor sees the end."""

    access_bytes: int
    access_ns: Mapping[str, float]
    without_start: float
    transfer_us: float


def opening(small: Small | None) -> str:
    """The sentence before the rate; "" where the transfer is not small."""
    if small is None:
        return ""
    each = small.access_ns.items()
    times = [f"{way} of {size(small.access_bytes)} takes {ns(time)}" for way, time in each]
    return f"A lone {', a lone '.join(times)}. "


def beside(small: Small | None) -> str:
    """What stands behind the rate with the start; "" where the transfer is not small."""
    if small is None:
        return ""
    return f" with its start, {short_rate(small.without_start)} without"


def lines(latency: Mapping[str, float] | None, small: Small | None) -> list[str]:
    """Sentences on bursts, and on the whole transfer where it is small."""
    out = []
    if latency is not None:
        ways = [
            f"{word} {ns(latency[f'{way}_mean_ns'])}"
            for way, word in WORDS.items()
            if f"{way}_mean_ns" in latency
        ]
        apart = f" ({', '.join(ways)})" if ways else ""
        mean, most = ns(latency["mean_ns"]), ns(latency["p99_ns"])
        out.append(f"Latency of a burst: {mean} on average{apart}, 99 % within {most}.")
    if small is not None:
        out.append(
            f"The whole takes {ns(small.transfer_us * 1e3)}, most of which the processor needs to "
            "start it and to see its end."
        )
    return out


def ns(value: float) -> str:
    """A time with as many digits as mean something: `231 ns`, `4.08 us`."""
    if value < 1e3:
        return f"{value:.0f} ns"
    return f"{value / 1e3:.3g} us" if value < 1e6 else f"{value / 1e6:.3g} ms"


def document(small: Small | None) -> dict[str, Any] | None:
    """For JSON: times in ns and us, rates in MB/s."""
    if small is None:
        return None
    return {
        "access_bytes": small.access_bytes,
        **{f"{way}_ns": time for way, time in small.access_ns.items()},
        "without_start_MBps": small.without_start,
        "transfer_us": small.transfer_us,
    }
