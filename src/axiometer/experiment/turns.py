"""Turns of streams of one direction at a port: a burst each, one after the other.

A stream's unused share goes to the others; shares are computed once for a point, from the rate
that each stream requests.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from axiometer.experiment.master_keys import Frozen, asked_mbs
from axiometer.experiment.values import Master


def bursts_of_each(sharing: Iterable[tuple[int, float]], most: float) -> float:
    """Bursts a microsecond that each stream may begin if all share `most` MB/s, one burst in turn.
    `sharing` gives each stream's bytes of a burst and requested MB/s. A stream that requests less
    leaves the rest to the others; infinity if all get what they request."""
    greedy, left = list(sharing), most
    while greedy:
        share = left / sum(burst for burst, _ in greedy)
        modest = [(burst, asks) for burst, asks in greedy if asks < share * burst]
        if not modest:
            return share
        left -= sum(asks for _, asks in modest)
        greedy = [one for one in greedy if one not in modest]
    return float("inf")


def take(masters: Sequence[Master], way: str) -> None:
    """Write into the masters at one port the MB/s that their turns leave them in a direction."""
    link = masters[0]["width_bits"] / 8 * masters[0]["link_mhz"]
    asked = [min(link, float(asked_mbs(m, way) or link)) for m in masters]
    both = list(zip([m["burst_bytes"] for m in masters], asked, strict=True))
    each = bursts_of_each(both, link)
    for master, (burst, asks) in zip(masters, both, strict=True):
        mbs = min(asks, each * burst)
        master["turns"] = Frozen({**(master["turns"] or {}), way: mbs})
