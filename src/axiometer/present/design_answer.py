"""The answer of `expect` for a design, in words and as JSON."""

from __future__ import annotations

from dataclasses import asdict

from axiometer.answer.verdicts.designed import Answer, Part
from axiometer.base.units import short_rate
from axiometer.present import (
    anchored_text,
    band_text,
    bottleneck_text,
    cause_text,
    design_masters,
    design_platform,
    emphasis,
    labels,
    latency_text,
    measured_text,
    starved_text,
    steady,
    trial_text,
)
from axiometer.present.grid import Column, table
from axiometer.present.text import Style, gain, listing


def lines(a: Answer, style: Style, detailed: bool = False) -> list[str]:
    """The answer: rate, latency, limit, the largest loss, the board and warnings; with `detailed`
    also each master and port."""
    together = a.together
    limit = bottleneck_text.name(together.verdict)
    out = [
        emphasis.answer(f"{rate(a)}.", style),
        emphasis.answer(_latency(together), style),
        emphasis.limit(f"Limit: {limit}. {_most(together)}.", limit, style),
        *_loss(a),
        f"On {a.placed.why}.",
        *(emphasis.warning(line, style) for line in _warnings(a)),
    ]
    if detailed:
        return [*out, "", *details(a, style)]
    hint = "-v: each master and port, how sure, why. axiometer advise: what to change."
    return [*out, style.paint(hint, "dim")]


def _latency(part: Part) -> str:
    mean = part.outcome.latency_ns()
    return "No burst ended." if mean is None else latency_text.of_burst(mean, part.outcome.p99_ns())


def _most(part: Part) -> str:
    """The change, or the relaxation, that gives most."""
    of, found = part.verdict.remedy, part.verdict.found
    if of.trials:
        best = of.trials[0]
        return f"Best change: {trial_text.words(best)}, {gain(best.gain)} (simulated)"
    if found is not None and (most := found.most()) is not None:
        return f"Most to gain: {cause_text.named(most)}, {gain(most.gain)} (simulated)"
    return "Nothing that was tried gives more"


def _loss(a: Answer) -> list[str]:
    """The master that loses most to the others, if one loses much."""
    of = a.largest_loss
    if of is None:
        return []
    return [
        f"{of.name} loses most to the others: {short_rate(of.together)} MB/s, "
        f"{short_rate(of.alone)} alone."
    ]


def _warnings(a: Answer) -> list[str]:
    """Masters left out, starved masters, an unsettled rate, ports without a measurement."""
    out = [f"Note: {note}." for note in a.left_out]
    out += starved_text.sentences(a.together.verdict.starved)
    unsettled = steady.note(a.together.steady)
    out += [f"Note: {unsettled}."] if unsettled else []
    return [*out, *_unvalidated(a)]


def _unvalidated(a: Answer) -> list[str]:
    used = dict.fromkeys(share.load.port for share in a.together.outcome.shares)
    ports = a.placed.platform.unvalidated(used)
    return [labels.unvalidated(ports)] if ports else []


def details(a: Answer, style: Style) -> list[str]:
    """How sure the rate is, each master and port, and what would help each."""
    out = [emphasis.notes(sentence(a), style), ""]
    out += [band_text.sentence(a.band, a.together.outcome.rate()), ""]
    out += table(_COLUMNS, _rows(a), style)
    own = design_masters.lines(a.together.outcome, a.names, style)
    out += ["", *own] if own else []
    out += ["", *_advice(a)]
    measured = _measured(a)
    out += ["", *measured] if measured else []
    notes = [*a.left_out, *_notes(a)]
    if notes:
        out += ["", *(f"Note: {note}." for note in notes)]
    return out


def _measured(a: Answer) -> list[str]:
    """Measurements of the busiest point or near it, and its anchored rate."""
    part = a.busiest
    out = list(measured_text.lines(a.measured, lambda way: part.outcome.rate(_WAYS[way])))
    out += anchored_text.lines(a.anchored)
    out += measured_text.nearest(a.nearest_measured)
    whose = "all at once" if part is a.together else part.name
    return [f"Measurements near {whose}:", *out] if out else []


def sentence(a: Answer) -> str:
    """The rate and the limit in a line."""
    return f"{rate(a)}. Limit: {bottleneck_text.name(a.together.verdict)}."


def rate(a: Answer) -> str:
    """The rate of all masters at once, without a full stop."""
    outcome, count = a.together.outcome, len(a.names)
    total = outcome.rate()
    ways = {share.load.direction for share in outcome.shares}
    apart = (
        f" ({short_rate(outcome.rate('read'))} read + {short_rate(outcome.rate('write'))} written)"
        if len(ways) == 2
        else f" {next(iter(ways))}"
    )
    who = "one master" if count == 1 else f"all {count} masters at once"
    by_start = a.together.by_start
    spread = f"; {' to '.join(map(short_rate, by_start))} by start" if by_start else ""
    alone = sum(part.outcome.rate() for part in a.alone)
    sole = f"; the sum of each alone: {short_rate(alone)}" if count > 1 else ""
    band = "" if a.band is None else f"; {band_text.short(a.band, total)}"
    return f"{short_rate(total)} MB/s{apart} simulated, {who}{band}{spread}{sole}"


def document(a: Answer) -> dict[str, object]:
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
        "band": band_text.document(a.band, a.together.outcome.rate()),
        "busiest": a.busiest.name,
        "anchored": anchored_text.document(a.anchored),
        "measured": measured_text.document(a.measured),
        "nearest_measured": measured_text.document(a.nearest_measured),
        "before_port": None if a.before_port is None else asdict(a.before_port),
        "left_out": list(a.left_out),
        "notes": _notes(a),
    }


_WAYS = {"total": None, "read": "read", "write": "write"}
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
        _row(f"{part.name}: its {len(part.masters)} masters", part.name, part) for part in a.by_port
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
    limit = bottleneck_text.name(part.verdict) + (" *" if part.verdict.starved else "")
    return [name, port, *rates, _ns(of.latency_ns()), _ns(of.p99_ns()), limit]


def _ports(part: Part) -> str:
    return "+".join(dict.fromkeys(share.load.port for share in part.outcome.shares))


def _advice(a: Answer) -> list[str]:
    """The limit and the advice of each part; parts with the same words share a line."""
    alike: dict[tuple[str, str], list[str]] = {}
    for part in a.parts:
        if part is not a.together or len(a.alone) > 1:
            words = [bottleneck_text.advice(part.verdict), *bottleneck_text.refuted(part.verdict)]
            both = (bottleneck_text.name(part.verdict), " ".join(words))
            alike.setdefault(both, []).append(part.name)
    out = ["What would help (`axiometer advise` simulates changes):"]
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
    before = a.before_port
    if before is not None:
        notes.append(
            f"between masters and ports: {before.words}; without it all masters together get "
            f"{short_rate(before.without_MBps)} MB/s ({gain(before.gain, 0)}, simulated)"
        )
    notes += design_masters.notes(a.together.outcome, a.names)
    notes += filter(None, [steady.note(a.together.steady)])
    notes += [line.rstrip(".") for line in _unvalidated(a)]
    assumed = [a.names[m.name] for m in a.design.masters if m.name in a.names and m.assumed]
    if assumed:
        notes.append(
            "assumed settings of "
            f"{listing(assumed) if len(assumed) < 4 else f'{len(assumed)} masters'}: list them "
            "with axiometer import design, change them with --set MASTER.KEY"
        )
    return notes


def _ns(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f}"


def _document(part: Part, a: Answer) -> dict[str, object]:
    of, verdict = part.outcome, part.verdict
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
        "steady": part.steady,
        "bottleneck": verdict.cause,
        "sentence": bottleneck_text.sentence(verdict),
        "starved": [asdict(s) for s in verdict.starved],
        "advice": bottleneck_text.advice(verdict),
        "trials": trial_text.documents(verdict.remedy.trials),
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
