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
from axiometer.designs.model import Design, Master, Port
from axiometer.designs.ps_facts import Facts

WRONG = "data are wrong at any rate"
REFUSED = "its requests fail and move no data"
_BYPASSES = "bypass the caches, and stale data are read or left unless software cleans them"
_OTHERWISE = "maintain the caches in software, as for a port that is not coherent."


def not_coherent(design: Design) -> Iterator[Finding]:
    """Masters at a coherent port whose requests are not coherent, or which the port refuses; one
    finding for those alike. A mistake unless the port is used without its coherence."""
    alike: dict[tuple[str, str, str, str], list[str]] = {}
    for master, _, port in data_routes(design):
        needs = facts_of(design, port).get("coherent")
        for found in _of(master, port, needs) if needs is not None else ():
            alike.setdefault(found, []).append(master.name)
    for (level, says, change, reason), names in alike.items():
        listed = ", ".join(dict.fromkeys(names))
        yield Finding("not-coherent", level, listed, f"{listed}: {says}.", change, no_rate=reason)


def _of(master: Master, port: Port, needs: Facts) -> Iterator[tuple[str, str, str, str]]:
    """What is wrong with a master at a port: level, what is found, what to change, and why it has
    no rate."""
    level = ADVICE if port.coherent is False and not needs["user"] else MISTAKE
    asks = f"{needs.get('setting')} is not {needs.get('value')}"
    wrong: dict[int, list[str]] = {}  # values of AxCACHE, with their directions
    for way, channel in master.channels.items():
        if channel.cache is not None and channel.cache not in needs["cache"]:
            wrong.setdefault(channel.cache, []).append(way)
    for cache, ways in wrong.items():
        refuses = needs.get("others")
        names = dict.fromkeys(setting(master, way, "cache") for way in ways)
        by = " and ".join(f"{name} = 15" for name in names if name)
        also = f" and set {needs['setting']} to {needs['value']}" if level == ADVICE else ""
        yield (
            level,
            f"{' and '.join(f'{way}s' for way in ways)} at {port.interface} have AxCACHE = "
            f"0b{cache:04b}: " + (f"the port {refuses}" if refuses else f"they {_BYPASSES}"),
            f"Drive AxCACHE = 0b1111 ({by or 'a constant at the pins of the port'}){also}, or "
            + ("use another port." if refuses else _OTHERWISE),
            REFUSED if refuses else WRONG,
        )
    if port.coherent is False and not wrong and not (needs["user"] and _shared(master)):
        if needs["user"]:
            said = f"{asks} and the master drives no AxUSER, so nothing marks its requests as"
            said, also = f"{said} shared", ", or drive AxUSER[0] = 1"
        else:
            said, also = f"{asks}: the design does not ask for the caches there", ""
        change = f"Set {needs['setting']} to {needs['value']}{also}, or {_OTHERWISE}"
        yield level, f"at {port.interface}, {said}", change, WRONG


def _shared(master: Master) -> bool:
    """Whether its requests have AxUSER[0] = 1, or may have it."""
    users = [channel.user for channel in master.channels.values()]
    return all(bool(master.user_bits) if user is None else user & 1 for user in users)
