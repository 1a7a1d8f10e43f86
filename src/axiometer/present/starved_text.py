"""Starved masters in words: their rates, the rule that starves them, and a published example."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from axiometer.answer.analysis.starved import Starved
from axiometer.answer.relax.starved import StarvedBy
from axiometer.base.units import short_rate
from axiometer.published.reference.starved import Row

WAYS = {"read": "reads", "write": "writes", "": "moves"}
RULES: Mapping[str, str] = {
    "class": "masters of a higher class or AXI QoS value, or with an expired time-out, go first "
    "and never pause",
    "direction": "the controller serves the other direction while that has requests",
    "neighbour": "one of the chip's own masters blocks the queue behind it",
}
"""By the names of `relax.starved.RULES`: without the rule, simulated, the master moves data."""
NO_RULE = "no known rule explains it: please report the command"
NO_ROW = "No published row of this chip shows it"


def name(found: Sequence[Starved]) -> str:
    """The starved masters in a few words: "starved: HP1 (reads and writes), HP3 (writes)"."""
    return f"starved: {who(found)}"


def who(found: Sequence[Starved]) -> str:
    """The starved masters with their directions: "HP1 (reads and writes), HP3 (writes)"."""

    def of(group: Sequence[Starved]) -> str:
        ways = " and ".join(WAYS[s.direction] for s in group if s.direction)
        return group[0].name + (f" ({ways})" if ways else "")

    return ", ".join(map(of, _by_name(found)))


def sentences(found: Sequence[Starved]) -> list[str]:
    """The starved masters with their rates, in one sentence; none if no master is starved."""
    return [f"STARVED: {_listed(found)}."] if found else []


def lines(found: Sequence[StarvedBy]) -> list[str]:
    """The starved masters with the rules that starve them and the most similar published row, a
    sentence for each rule."""
    out = []
    for rule in dict.fromkeys(t.rule for t in found):
        those = [t for t in found if t.rule == rule]
        row = next((t.row for t in those if t.row is not None), None)
        why = RULES.get(rule, NO_RULE)
        out.append(f"STARVED: {_listed([t.of for t in those])}. Why: {why}. {_row(row)}.")
    return out


def _by_name(found: Sequence[Starved]) -> list[list[Starved]]:
    return [[s for s in found if s.name == name] for name in dict.fromkeys(s.name for s in found)]


def _listed(found: Sequence[Starved]) -> str:
    who = []
    for of in _by_name(found):
        gets = [
            f"{WAYS[s.direction]} {short_rate(s.MBps)} of {short_rate(s.asks_MBps)}" for s in of
        ]
        who.append(f"{of[0].name} {' and '.join(gets)} MB/s")
    return "; ".join(who)


def _row(row: Row | None) -> str:
    if row is None:
        return NO_ROW
    return (
        f"Published example: {row.platform} {row.ports} {row.mode} at {row.pl_mhz} MHz, {row.port} "
        f"{WAYS[row.direction]} {short_rate(row.MBps)} MB/s at {row.burst_bytes} bytes "
        f"({row.source})"
    )


def documents(found: Sequence[StarvedBy]) -> list[dict[str, object]]:
    """The same for JSON."""
    return [
        {**asdict(t.of), "rule": t.rule, "published": None if t.row is None else asdict(t.row)}
        for t in found
    ]
