"""A plan in keys of an experiment: masters alone, and ports together.

Keys cannot state everything (masters of several widths, ports that platforms lack): then there are
reasons instead. Keys that the design does not give keep the platform's defaults: run length,
repeats, and outstanding bursts of unknown cores.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from axiometer.designs import ps_facts
from axiometer.designs.model import Design, Master
from axiometer.designs.plan import Plan, planned
from axiometer.experiment.directions import MODE_OF

_PAIRS = "duplex"
Key = str | float


@dataclass(frozen=True)
class Question:
    """`keys` of an experiment; `reasons` why keys cannot state the plan (then `keys` is empty);
    `notes` on differences between keys and design."""

    keys: Mapping[str, Key] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def points(design: Design) -> list[tuple[Master, Question]]:
    """Each data master with the experiment of this master alone at its first port."""
    return [(of.masters[0].master, question(of)) for of in planned(design).alone()]


def together(design: Design, ports: Iterable[str] | None = None) -> Question:
    """The experiment of all data masters behind `ports` (the platform's names; None: all ports)
    together."""
    plan = planned(design)
    return question(plan if ports is None else plan.at(set(ports)))


def question(plan: Plan) -> Question:
    """The experiment of all masters of the plan together."""
    if not plan.masters:
        return Question(reasons=("no master moves data at these ports",))
    reasons = [of.reason for of in plan.masters if of.at is None]
    if reasons:
        return Question(reasons=tuple(reasons))
    by_port: dict[str, list[str]] = {}
    for of in plan.masters:
        by_port.setdefault(of.at or "", []).extend(of.master.directions)
    modes = {tuple(d for d in ("read", "write") if d in ways) for ways in by_port.values()}
    each = {ways.count(way) for ways in by_port.values() for way in ways}
    keys: dict[str, Key] = {"ports": "+".join(by_port)}
    if len(modes) > 1:
        reasons.append("the ports differ in direction: an experiment has one mode for all ports")
    else:
        both = ps_facts.system(plan.design.chip).reads_and_writes
        [way] = modes
        keys["mode"] = MODE_OF[way[0]] if len(way) == 1 else both
    if len(each) > 1:
        counts = " and ".join(map(str, sorted(each)))
        reasons.append(f"ports or directions differ in masters: {counts} at a port")
    elif each != {1}:
        keys["masters_per_port"] = each.pop()
    found = [of.figures for of in plan.masters]
    for key in dict.fromkeys(k for figures in found for k in figures):
        values = {figures[key] for figures in found if key in figures}
        if len(values) > 1:
            inside = sorted(values, key=lambda v: (0.0, v) if isinstance(v, str) else (v, ""))
            listed = ", ".join(v if isinstance(v, str) else f"{v:g}" for v in inside)
            reasons.append(f"{key} differs between masters: {listed}")
        keys[key] = values.pop()
    if "through" in keys and not all("through" in figures for figures in found):
        reasons.append("some ports have blocks before them, others have none")
    if reasons:
        return Question(reasons=tuple(reasons))
    return Question(keys, notes=tuple(_otherwise(plan, keys)))


def _otherwise(plan: Plan, keys: Mapping[str, Key]) -> Iterator[str]:
    """The differences between keys and design, a sentence each."""
    masters = [of.master for of in plan.masters]
    alone = [m.name for m in masters if keys["mode"] == _PAIRS and m.partner is None]
    if alone:
        names = ", ".join(alone)
        yield f"{names}: treated as halves of pairs that move at one rate, but are independent"
    for master in masters:
        for direction, channel in master.channels.items():
            if channel.rate_mbs is not None:
                yield (
                    f"{master.name} {direction}s at {channel.rate_mbs:g} MB/s, which keys of all "
                    "ports cannot state: treated as unlimited"
                )
