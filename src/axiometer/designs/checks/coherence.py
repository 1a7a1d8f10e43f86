"""Checks of coherent ports: traffic that is not marked coherent bypasses the caches."""

from __future__ import annotations

from collections.abc import Iterator

from axiometer.designs.checks.finding import ADVICE, MISTAKE, Finding, data_routes, facts_of
from axiometer.designs.model import Design

WRONG = "data are wrong at any rate"


def not_coherent(design: Design) -> Iterator[Finding]:
    """A master at a coherent port whose requests are not coherent."""
    for master, _, port in data_routes(design):
        needs = facts_of(design, port).get("coherent")
        if needs is None:
            continue
        bit = 1 << needs["cache_bit"]
        for direction in master.directions:
            cache = master.channels[direction].cache
            if cache is not None and not cache & bit:
                yield Finding(
                    "not-coherent",
                    MISTAKE,
                    master.name,
                    f"{master.name} {direction}s at {port.interface} with AxCACHE = 0b{cache:04b}: "
                    "its traffic bypasses the caches, and stale data are read or left.",
                    "Drive AxCACHE = 0b1111 (write-back, modifiable), or use a port that is not "
                    "coherent and maintain the caches.",
                    no_rate=WRONG,
                )
        if port.coherent is False and not (needs["user"] and master.user_bits):
            yield Finding(
                "not-coherent",
                MISTAKE if needs["user"] else ADVICE,
                master.name,
                f"{master.name} at {port.interface}: {needs['setting']} is not "
                f"{needs['value']}"
                + (" and the master drives no AxUSER" if needs["user"] else "")
                + ", so nothing marks its requests as shared.",
                f"Set {needs['setting']} to {needs['value']}"
                + (", or drive AxUSER[0] = 1." if needs["user"] else "."),
                no_rate=WRONG,
            )
