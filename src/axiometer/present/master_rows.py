"""A row for each master that has a name of its own: rates, latency, where it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from axiometer.answer.analysis.stats import Stats, rate_of
from axiometer.answer.verdicts.demands import Demand
from axiometer.experiment import listed, master_keys
from axiometer.experiment.values import Master, Values
from axiometer.present import labels
from axiometer.present.grid import Column, table
from axiometer.present.text import Style, number, size

HEADINGS = ("master", "at", "MB/s", "read", "write", "latency ns", "99 %")
NOTE = (
    "Latency of a master's bursts: mean and 99th percentile; reads from address to last beat, "
    "writes from address to response."
)


def cells(values: Values, stats: Stats | None) -> list[tuple[str, ...]]:
    """The cells of each master's row under `HEADINGS`; none where masters have no names of their
    own."""
    found: list[tuple[str, ...]] = []
    masters = listed.masters(values)
    if stats is None or all(map(listed.has_ports_name, masters)):
        return found
    for master in masters:
        name = master["name"]
        rates, ns = stats["by_master"][name], stats.get("latency_ns", {}).get(name)
        found.append(
            (
                name,
                where(master),
                *(number(rate_of(rates, rate)["mean"]) for rate in ("total", "read", "write")),
                *(
                    number(of, 1)
                    for of in ((None, None) if ns is None else (ns["mean"], ns["p99"]))
                ),
            )
        )
    return found


def demand_lines(found: Sequence[Demand]) -> list[str]:
    """A sentence for each master that requests a rate."""
    out = []
    for d in found:
        frames = f"{d.frame}, " if d.frame else ""
        met = "met" if d.met else f"NOT met, {d.carried_MBps / d.asks_MBps:.0%} of it"
        out.append(
            f"{d.master} asks to {d.direction} {number(d.asks_MBps)} MB/s ({frames}"
            f"carried: {number(d.carried_MBps)}): {met}."
        )
    return out


def where(master: Master) -> str:
    """A master in a few words: `HP0 read, 64 bit at 100 MHz`."""
    link = f"{master['width_bits']} bit at {master['link_mhz']:g} MHz"
    beyond = f" for {master['port']}" if master["port"] not in (None, master["way"]) else ""
    what = master["operation"] or master["direction"]
    if master.get("engine"):
        what = f"{master['kind']} {'copy' if what == 'pair' else what}"
    elif master_keys.works_in_jobs(master):
        sizes = [size(master_keys.job_bytes(master, way)) for way in ("read", "write")]
        what = f"{master['kind']}, {' to '.join(dict.fromkeys(sizes))}"
    return f"{master['way']} {what}{beyond}, {link}"


def lines(
    points: Iterable[tuple[Mapping[str, object], Values, Stats | None]], style: Style
) -> list[str]:
    """A table of all masters of all points: swept keys, values and statistics. Nothing without
    masters."""
    rows: list[Sequence[str]] = []
    several = False
    for key, values, stats in points:
        own = cells(values, stats)
        several = several or bool(rows and own)
        head = labels.key_label(key)
        rows += [(head if first else "", *cell) for first, cell in _first(own)]
    if not rows:
        return []
    swept = any(head for head, *_ in rows)
    columns = [*([Column("point", False)] if swept else []), *(_column(h) for h in HEADINGS)]
    shown = rows if swept else [cell[1:] for cell in rows]
    return [*table(columns, shown, style), "", style.paint(NOTE, "dim")]


def _first(own: Sequence[tuple[str, ...]]) -> Iterable[tuple[bool, tuple[str, ...]]]:
    return ((number == 0, cell) for number, cell in enumerate(own))


def _column(heading: str) -> Column:
    return Column(heading, numeric=heading not in ("master", "at"))
