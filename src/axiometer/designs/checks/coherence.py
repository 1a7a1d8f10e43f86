"""Checks of coherent ports: traffic that is not marked coherent bypasses the caches."""

from __future__ import annotations

from collections.abc import Iterator

from axiometer.designs.checks.finding import (
    ADVICE,
    MISTAKE,
    Finding,
    data_routes,
    facts_of,
    setting,
)
from axiometer.designs.model import Design, Master
from axiometer.designs.ps_facts import Facts

WRONG = "data are wrong at any rate"
REFUSED = "its requests fail and move no data"
_BYPASSES = "its traffic bypasses the caches, and stale data are read or left"
_OTHERWISE = "maintain the caches in software, as for a port that is not coherent."


def not_coherent(design: Design) -> Iterator[Finding]:
    """A master at a coherent port whose requests are not coherent, or which the port refuses. A
    mistake unless the port is used without its coherence."""
    for master, _, port in data_routes(design):
        needs = facts_of(design, port).get("coherent")
        if needs is None:
            continue
        level = ADVICE if port.coherent is False and not needs["user"] else MISTAKE
        wrong = _wrong(master, needs)
        for cache, ways in wrong.items():
            refuses = needs.get("others")
            names = dict.fromkeys(setting(master, way, "cache") for way in ways)
            by = " and ".join(f"{name} = 15" for name in names if name)
            also = f" and set {needs['setting']} to {needs['value']}" if level == ADVICE else ""
            yield Finding(
                "not-coherent",
                level,
                master.name,
                f"{master.name} {' and '.join(f'{way}s' for way in ways)} at {port.interface} with "
                f"AxCACHE = 0b{cache:04b}: "
                + (f"the port {refuses}." if refuses else f"not coherent, {_BYPASSES}."),
                f"Drive AxCACHE = 0b1111 ({by or 'a constant at the pins of the port'}){also}, or "
                + ("use another port." if refuses else _OTHERWISE),
                no_rate=REFUSED if refuses else WRONG,
            )
        if port.coherent is False and not wrong and not (needs["user"] and _shared(master)):
            yield Finding(
                "not-coherent",
                level,
                master.name,
                f"{master.name} at {port.interface}: {needs['setting']} is not "
                f"{needs['value']}"
                + (" and the master drives no AxUSER" if needs["user"] else "")
                + ", so nothing marks its requests as shared.",
                f"Set {needs['setting']} to {needs['value']}"
                + (", or drive AxUSER[0] = 1." if needs["user"] else "."),
                no_rate=WRONG,
            )


def _wrong(master: Master, needs: Facts) -> dict[int, list[str]]:
    """The values of AxCACHE that are not coherent, with their directions."""
    found: dict[int, list[str]] = {}
    for way, channel in master.channels.items():
        if channel.cache is not None and channel.cache not in needs["cache"]:
            found.setdefault(channel.cache, []).append(way)
    return found


def _shared(master: Master) -> bool:
    """Whether its requests have AxUSER[0] = 1, or may have it."""
    users = [channel.user for channel in master.channels.values()]
    return all(bool(master.user_bits) if user is None else user & 1 for user in users)
