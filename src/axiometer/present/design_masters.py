"""The settings of each master of a design with all at work, and how they differ from the design."""

from __future__ import annotations

from collections.abc import Mapping

from axiometer.designs.simulation import Outcome, Share
from axiometer.experiment.keys_shared import runs_freely
from axiometer.present.grid import Column, table
from axiometer.present.text import Style, listing

_COLUMNS = [
    Column("all at once", False),
    Column("port", False),
    Column("way", False),
    Column("bits"),
    Column("MHz"),
    Column("burst"),
    Column("out"),
    Column("asks for"),
]
_HEAD = (
    "Simulated settings, all at once: width and clock of the port, bytes of a burst there, "
    "outstanding bursts, requested MB/s (limited by the master's link, or by turns)."
)


def lines(of: Outcome, names: Mapping[str, str], style: Style) -> list[str]:
    """A table of each master's settings; nothing where keys of a point have them."""
    rows = [_row(share, of, names) for share in of.shares if share.request]
    return [_HEAD, *table(_COLUMNS, rows, style)] if rows else []


def document(share: Share) -> dict[str, object]:
    """The settings of one load for a JSON document: None for those that the platform decides, and
    for `asks_MBps` without a rate limit; of a point, only `outstanding`."""
    if share.request is None:
        return {"outstanding": share.load.outstanding}
    return {
        "outstanding": share.load.outstanding,
        "name": share.request.name,
        "port_width_bits": share.request.width_bits,
        "port_mhz": share.request.pl_mhz,
        "asks_MBps": share.request.rate_mbs,
    }


def notes(of: Outcome, names: Mapping[str, str]) -> list[str]:
    """Sentences, without a full stop, on differences between the simulation and the design."""
    found = []
    ends: dict[tuple[str, str], list[str]] = {}
    for share in of.shares:
        if share.request is not None:
            ends.setdefault((share.load.port, share.load.direction), []).append(share.load.master)
    crowded = dict.fromkeys(port for (port, _), own in ends.items() if len(own) > 1)
    if crowded and not runs_freely(of.platform):
        found.append(
            f"masters that share a direction of {listing(list(crowded))} take turns, a burst each: "
            "the time that one leaves to the others while it waits is not counted"
        )
    engines: dict[str, list[Share]] = {}
    for share in of.shares:
        if share.request is not None:
            engines.setdefault(share.request.name, []).append(share)
    found += [
        f"{len(own)} masters {own[0].load.direction} through {own[0].load.port}, more than the "
        "model has: they are simulated as one engine, whose rate they share in turns"
        for own in engines.values()
        if len(own) > 1
    ]
    if of.apart:
        called = listing([names.get(name, name) for name in of.apart])
        found.append(
            f"{called}: a stream joins them, but their bursts or clocks differ or they share an "
            "engine, so they are simulated without it"
        )
    return found


def _row(share: Share, of: Outcome, names: Mapping[str, str]) -> list[str]:
    load, request = share.load, share.request
    assert request is not None
    kept = request.outstanding
    if kept is None:
        kept = of.platform.value(f"master.outstanding_{load.direction}")
    asks = "all" if request.rate_mbs is None else f"{request.rate_mbs:.0f}"
    name = names[load.master]
    figures = (request.width_bits, f"{request.pl_mhz:.6g}", request.burst_bytes, kept, asks)
    return [name, load.port, load.direction, *map(str, figures)]
