"""What to expect of a design in words: a sentence, a table, what it would take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from axiometer.answer.analysis import stats
from axiometer.base.units import short_rate
from axiometer.designs import Design
from axiometer.designs.platform import Placed
from axiometer.designs.simulation import Outcome
from axiometer.present import (
    band_text,
    design_masters,
    design_platform,
    labels,
    starved_text,
    steady,
)
from axiometer.present.bottleneck_text import Verdict
from axiometer.present.grid import Column, table
from axiometer.present.text import Style, listing
from axiometer.published import bands
from axiometer.published.bands import Band


@dataclass(frozen=True)
class Part:
    """A part of a design, simulated: a master alone, a port with its masters, or all at once."""

    kind: str
    name: str
    outcome: Outcome
    verdict: Verdict


@dataclass(frozen=True)
class Answer:
    """`names`: what masters are called here, by their names; `left_out`: sentences on masters
    that cannot be simulated."""

    design: Design
    placed: Placed
    alone: Sequence[Part]
    by_port: Sequence[Part]
    together: Part
    names: Mapping[str, str]
    left_out: Sequence[str] = ()

    @property
    def parts(self) -> list[Part]:
        """All of them, all at once last."""
        return [*self.alone, *self.by_port, self.together]


def lines(a: Answer, style: Style) -> list[str]:
    """The answer in plain words."""
    out = [sentence(a), ""]
    out += [band_text.sentence(_band(a), a.together.outcome.rate()), ""]
    out += [f"On {a.placed.why}; simulated.", ""]
    out += table(_COLUMNS, _rows(a), style)
    told = design_masters.lines(a.together.outcome, a.names, style)
    out += ["", *told] if told else []
    out += ["", *_advice(a)]
    notes = [*a.left_out, *_notes(a)]
    if notes:
        out += ["", *(f"Note: {note}." for note in notes)]
    return out


def sentence(a: Answer) -> str:
    """The answer in one sentence."""
    outcome, count = a.together.outcome, len(a.names)
    who = "The one master gets" if count == 1 else f"All {count} masters at once get"
    ways = {share.load.direction for share in outcome.shares}
    apart = (
        f" ({short_rate(outcome.rate('read'))} read, {short_rate(outcome.rate('write'))} write)"
        if len(ways) == 2
        else f", {next(iter(ways))} only"
    )
    low, high = min(outcome.totals), max(outcome.totals)
    spread = f", {short_rate(low)} to {short_rate(high)} by start" if high > 1.02 * low else ""
    alone = sum(part.outcome.rate() for part in a.alone)
    sole = f" (each alone: {short_rate(alone)} in sum)" if count > 1 else ""
    return (
        f"{who} about {short_rate(outcome.rate())} MB/s{apart}{spread}{sole}; what limits: "
        f"{a.together.verdict.name}."
    )


def _band(a: Answer) -> Band | None:
    """Of all masters at once."""
    outcome = a.together.outcome
    return bands.of_total(outcome.platform, outcome.values, outcome.rate())


def document(a: Answer) -> dict[str, Any]:
    """The answer as one JSON document. Rates in MB/s, latencies in ns."""
    return {
        "design": a.design.name,
        "file": a.design.file,
        **design_platform.document(a.placed),
        "simulated": True,
        "sentence": sentence(a),
        "masters": [_document(part, a) for part in a.alone],
        "ports": [_document(part, a) for part in a.by_port],
        "together": _document(a.together, a),
        "band": band_text.document(_band(a), a.together.outcome.rate()),
        "left_out": list(a.left_out),
        "notes": _notes(a),
    }


_COLUMNS = [
    Column("", False),
    Column("port", False),
    Column("read"),
    Column("write"),
    Column("ns"),
    Column("99 %"),
    Column("limit", False),
]


def _rows(a: Answer) -> list[list[str]]:
    rows = [_row(part.name, _ports(part), part) for part in a.alone]
    rows += [
        _row(f"{part.name}: its {len(_masters(part))} masters", part.name, part)
        for part in a.by_port
    ]
    if len(a.alone) > 1:
        rows.append(_row(a.together.name, "", a.together))
        of = a.together.outcome
        for name, short in a.names.items():
            at = "+".join(dict.fromkeys(s.load.port for s in of.shares if s.load.master == name))
            ways = {s.load.direction for s in of.shares if s.load.master == name}
            rates = [short_rate(of.rate(w, name)) if w in ways else "" for w in ("read", "write")]
            times = [_ns(of.latency_ns(name)), _ns(of.p99_ns(name))]
            rows.append([f"  {short}", at, *rates, *times, ""])
    return rows


def _row(name: str, port: str, part: Part) -> list[str]:
    of = part.outcome
    ways = {share.load.direction for share in of.shares}
    rates = [short_rate(of.rate(way)) if way in ways else "" for way in ("read", "write")]
    limit = part.verdict.name + (" *" if part.verdict.starved else "")
    return [name, port, *rates, _ns(of.latency_ns()), _ns(of.p99_ns()), limit]


def _ports(part: Part) -> str:
    return "+".join(dict.fromkeys(share.load.port for share in part.outcome.shares))


def _masters(part: Part) -> list[str]:
    return list(dict.fromkeys(share.load.master for share in part.outcome.shares))


def _advice(a: Answer) -> list[str]:
    """What limits each part and what it would take; parts of which the same is said together."""
    alike: dict[tuple[str, str], list[str]] = {}
    for part in a.parts:
        if part is not a.together or len(a.alone) > 1:
            said = (part.verdict.name, part.verdict.advice.text)
            alike.setdefault(said, []).append(part.name)
    out = ["What it would take (`axiometer advise` tries it):"]
    for (name, text), who in alike.items():
        shown = f"{', '.join(who[:3])} and {len(who) - 3} more" if len(who) > 4 else listing(who)
        out.append(f"  {shown} ({name}): {text}")
    return out


def _notes(a: Answer) -> list[str]:
    notes = [
        f"* {part.name}: {sentence.rstrip('.')}"
        for part in a.parts
        for sentence in starved_text.sentences(part.verdict.starved)
    ]
    notes += design_masters.notes(a.together.outcome, a.names)
    notes += filter(None, [steady.note(_steady(a.together))])
    used = dict.fromkeys(share.load.port for share in a.together.outcome.shares)
    unvalidated = a.placed.platform.unvalidated(used)
    if unvalidated:
        notes.append(labels.unvalidated(unvalidated).rstrip("."))
    assumed = [a.names[m.name] for m in a.design.masters if m.name in a.names and m.assumed]
    if assumed:
        notes.append(
            f"of {listing(assumed) if len(assumed) < 4 else f'{len(assumed)} masters'} something "
            "is assumed: axiometer import design says what, --set MASTER.KEY changes it"
        )
    return notes


def _steady(part: Part) -> dict[str, Any] | None:
    """How sure the rate of free runs is; None of runs with an end."""
    records = part.outcome.records
    return stats.steady(records) if "steady" in records[0] else None


def _ns(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f}"


def _document(part: Part, a: Answer) -> dict[str, Any]:
    of, said = part.outcome, part.verdict
    return {
        "name": part.name,
        "total_MBps": of.rate(),
        "read_MBps": of.rate("read"),
        "write_MBps": of.rate("write"),
        "min_MBps": min(of.totals),
        "max_MBps": max(of.totals),
        "repeats": len(of.totals),
        "latency_ns": of.latency_ns(),
        "p99_ns": of.p99_ns(),
        "steady": _steady(part),
        "bottleneck": said.cause,
        "sentence": said.sentence,
        "starved": [asdict(s) for s in said.starved],
        "advice": said.advice.text,
        "a_point": of.exact,
        "values": dict(of.values),
        "loads": [
            {
                "master": share.load.master,
                "called": a.names[share.load.master],
                "port": share.load.port,
                "direction": share.load.direction,
                "width_bits": share.load.width_bits,
                "pl_mhz": share.load.pl_mhz,
                "burst_bytes": share.load.burst_bytes,
                **design_masters.document(share),
                "MBps": share.MBps,
                "latency_ns": share.latency_ns,
                "p99_ns": share.p99_ns,
            }
            for share in of.shares
        ],
    }
