"""What each master of a design was told where all are at work, and what of it is not as it is."""

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
    Column("kept"),
    Column("asks for"),
]
_HEAD = (
    "What each was told, all at once: width and clock of its port, bytes of a burst there, "
    "bursts outstanding, MB/s that it asks for (its link carries no more, or it has turns)."
)


def lines(of: Outcome, names: Mapping[str, str], style: Style) -> list[str]:
    """A table of what masters of their own were told; nothing where keys of a point say it."""
    rows = [_row(share, of, names) for share in of.shares if share.request]
    return [_HEAD, *table(_COLUMNS, rows, style)] if rows else []


def document(share: Share) -> dict[str, object]:
    """The same of one load for a JSON document: None for what the platform decides, and for
    `asks_MBps` where it asks for all that it can get; nothing of a point."""
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
    """Sentences, without a full stop, on what is simulated otherwise than it is."""
    found = []
    ends: dict[tuple[str, str], list[str]] = {}
    for share in of.shares:
        if share.request is not None:
            ends.setdefault((share.load.port, share.load.direction), []).append(share.load.master)
    crowded = dict.fromkeys(port for (port, _), own in ends.items() if len(own) > 1)
    if crowded and not runs_freely(of.platform):
        found.append(
            f"masters that share a direction of {listing(list(crowded))} have turns, a burst each: "
            "what one of them leaves to the others while it waits is not counted"
        )
    engines: dict[str, list[Share]] = {}
    for share in of.shares:
        if share.request is not None:
            engines.setdefault(share.request.name, []).append(share)
    found += [
        f"{len(own)} masters {own[0].load.direction} through {own[0].load.port}, more than the "
        "model's multiplexer takes: they are one engine, and have turns at what it gets"
        for own in engines.values()
        if len(own) > 1
    ]
    if of.apart:
        called = listing([names.get(name, name) for name in of.apart])
        found.append(
            f"{called}: a stream joins them, but their bursts or clocks differ, and they are "
            "simulated as if none did"
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
