"""The answer of `expect` for a design, in words and as JSON: that of the list of its masters
(`expected_point.py`), and each master alone and each port."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from axiometer.answer.analysis import burst_latency
from axiometer.answer.verdicts.designed import Answer, Part
from axiometer.base.units import short_rate
from axiometer.designs import possible
from axiometer.designs.plan import Load
from axiometer.experiment import expect_command
from axiometer.experiment.keys_shared import runs_freely
from axiometer.present import (
    bottleneck_text,
    design_limit,
    design_platform,
    emphasis,
    expected_point,
    measured_text,
    starved_text,
    trial_text,
)
from axiometer.present.grid import Column, table
from axiometer.present.text import Style, listing


def lines(a: Answer, style: Style, detailed: bool = False) -> list[str]:
    """The answer: rate, latency, limit, the largest loss, the board and warnings; with `detailed`
    also each master and port."""
    *figures, limit = _figures(a)
    # Of several masters, -v has them.
    out = [style.paint(expected_point.question(a.point), "dim")] if len(a.alone) == 1 else []
    out += [emphasis.answer(line, style) for line in figures]
    out.append(emphasis.limit(limit, design_limit.name(a.design, a.together), style))
    out += [*_beside(a), f"On {a.placed.why}."]
    out += [emphasis.warning(f"Note: {note}.", style) for note in [*_open(a), *a.left_out]]
    # A stream or a link asks for no rate: it carries no more.
    rated = [s.master["name"] for s in a.together.outcome.shares if _is_rated(a, s.load)]
    found = expected_point.warnings(a.point, met=False, of=rated)
    out += [emphasis.warning(line, style) for line in found]
    if detailed:
        return [*out, "", *details(a, style)]
    hint = "-v: each master and port, how sure, why. axiometer advise: what to change."
    return [*out, style.paint(hint, "dim")]


def _is_rated(a: Answer, load: Load) -> bool:
    """Whether the user asks for a rate of a load."""
    master = next(m for m in a.design.masters if m.name == load.master)
    return master.channels[load.direction].rate_mbs is not None


def _figures(a: Answer) -> list[str]:
    """The lines of a board's answer; the last, with the limit, has what lies behind a demand."""
    *figures, limit = expected_point.answer(a.point, options=False)
    name, why = (of(a.design, a.together) for of in (design_limit.name, design_limit.sentence))
    short = f"Limit: {name}. {why}".rstrip()
    return [*figures, short if why or possible.words(a.design) else limit]


def details(a: Answer, style: Style) -> list[str]:
    """How sure the rate is, each master and port, what would help each, and the same question to
    the board."""
    found = expected_point.details(a.point, options=False)[1:]  # the clocks are the design's own
    lacks = possible.words(a.design)
    why = design_limit.sentence(a.design, a.together)
    if why or lacks:
        at = found.index(bottleneck_text.sentence(a.point.verdict))
        arrow = [] if lacks else [f"→ {design_limit.advice(a.design, a.together)}"]
        found[at:] = [why or found[at], *arrow]
    out = [emphasis.notes(line, style) for line in found]
    if len(a.alone) > 1:
        out = [f"Asked: {expected_point.question(a.point)}", *out]
        out += ["", *table(_COLUMNS, [_row(a, part) for part in a.parts], style)]
        out += [] if lacks else ["", *_advice(a)]
    notes = [*_open(a), *a.left_out, *_notes(a)]
    out += ["", *(f"Note: {note}." for note in notes)] if notes else []
    asked = command(a)
    return [*out, "", f"The same of the board: {asked}"] if asked else out


def command(a: Answer) -> str:
    """The command that asks the board about the same list of masters; "" if none does."""
    row = a.point.row
    return expect_command.command(a.point.platform, row.values, repeats="repeats" in row.key)


def headline(a: Answer) -> str:
    """The answer's lines in one."""
    return " ".join(_figures(a))


def _beside(a: Answer) -> list[str]:
    """The masters' rates alone beside those together, and the master that loses most."""
    if len(a.alone) == 1:
        return []
    alone = short_rate(sum(part.outcome.rate() for part in a.alone))
    out = [f"All {len(a.alone)} masters at once; the sum of each alone: {alone} MB/s."]
    of = a.largest_loss
    if of is not None:
        out.append(
            f"{of.name} loses most to the others: {short_rate(of.together)} MB/s, "
            f"{short_rate(of.alone)} alone."
        )
    return out


def _open(a: Answer) -> list[str]:
    """What the file leaves open, and how to state it."""
    lacks = possible.words(a.design)
    ends = "the 90 % band holds all that is possible, and there is no advice"
    how = possible.stated(a.design)
    return [f"the file does not give {listing(lacks)}: {ends}; {how}"] if lacks else []


_COLUMNS = [
    Column("", False),
    Column("port", False),
    Column("read"),
    Column("write"),
    Column("ns"),
    Column("99 %"),
    Column("limit", False),
]


def _row(a: Answer, part: Part) -> list[str]:
    of = part.outcome
    ways = {share.load.direction for share in of.shares}
    rates = [short_rate(of.rate(way)) if way in ways else "" for way in ("read", "write")]
    limit = design_limit.name(a.design, part) + (" *" if part.verdict.starved else "")
    ports = "+".join(dict.fromkeys(share.load.port for share in of.shares))
    several = f"{part.name}: its {len(part.masters)} masters"
    name = several if part.kind == "port" else part.name
    return [name, ports, *rates, _ns(of.latency_ns()), _ns(of.p99_ns()), limit]


def _ns(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f}"


def _advice(a: Answer) -> list[str]:
    """The limit and the advice of each part; parts with the same words share a line."""
    alike: dict[tuple[str, str], list[str]] = {}
    for part in (*a.alone, *a.by_port):
        words = [design_limit.advice(a.design, part), *bottleneck_text.refuted(part.verdict)]
        both = (design_limit.name(a.design, part), " ".join(words))
        alike.setdefault(both, []).append(part.name)
    out = ["What would help (`axiometer advise` simulates changes):"]
    for (name, text), who in alike.items():
        shown = f"{', '.join(who[:3])} and {len(who) - 3} more" if len(who) > 4 else listing(who)
        out.append(f"  {shown} ({name}): {text}")
    return out


def _notes(a: Answer) -> list[str]:
    """Sentences, without a full stop, on starved parts, and on differences between the list and the
    design."""
    notes = [
        f"* {part.name}: {sentence.rstrip('.')}"
        for part in (*a.alone, *a.by_port)
        for sentence in starved_text.sentences(part.verdict.starved)
    ]
    notes += _differences(a)
    assumed = [a.names[m.name] for m in a.design.masters if m.name in a.names and m.assumed]
    if assumed:
        notes.append(
            "assumed settings of "
            f"{listing(assumed) if len(assumed) < 4 else f'{len(assumed)} masters'}: list them "
            "with axiometer import design, change them with --set MASTER.KEY"
        )
    return notes


def _differences(a: Answer) -> Iterator[str]:
    """What of the design the list of masters does not have."""
    own = a.together.outcome.masters
    ends: dict[tuple[str, str], set[str]] = {}
    for load in own.of:
        ends.setdefault((load.port, load.direction), set()).add(load.master)
    crowded = dict.fromkeys(port for (port, _), of in ends.items() if len(of) > 1)
    if crowded and not runs_freely(own.platform):
        yield (
            f"masters that share a direction of {listing(list(crowded))} take turns, a burst each: "
            "the time that one leaves to the others while it waits is not counted"
        )
    for name in own.rows:
        loads = own.sharing(name)
        count = len({load.master for load in loads})
        if count > 1:
            yield (
                f"{count} masters {loads[0].direction} through {loads[0].port}, more than the "
                "model has: they are simulated as one engine, whose rate they share in turns"
            )
    if own.apart:
        called = listing(list(dict.fromkeys(a.names[load.master] for load in own.apart)))
        yield (
            f"{called}: a stream joins them, but their bursts or clocks differ or they share an "
            "engine, so they are simulated without it"
        )


def document(a: Answer) -> dict[str, object]:
    """The answer as one JSON document: the keys of a board's, of all masters together, and the
    design's own. Rates in MB/s, latencies in ns."""
    why = design_limit.sentence(a.design, a.together)
    change = design_limit.advice(a.design, a.together) if why else ""
    return {
        **expected_point.document(a.point),
        "design": a.design.name,
        "file": a.design.file,
        **design_platform.document(a.placed),
        "headline": headline(a),
        "clock": None,
        "sentence": why or bottleneck_text.sentence(a.point.verdict),
        "advice": change or expected_point.advice(a.point, options=False),
        "command": command(a),
        "loads": _loads(a.together, a),
        "masters": [_document(part, a) for part in a.alone],
        "ports": [_document(part, a) for part in a.by_port],
        "unknown": possible.words(a.design),
        "left_out": list(a.left_out),
        "notes": _notes(a),
    }


def _document(part: Part, a: Answer) -> dict[str, object]:
    verdict, row = part.verdict, part.row
    return {
        "name": part.name,
        **(row.stats or {}),
        "latency": burst_latency.of_row(row),
        "bottleneck": verdict.cause,
        "sentence": design_limit.sentence(a.design, part) or bottleneck_text.sentence(verdict),
        "starved": [asdict(s) for s in verdict.starved],
        "advice": design_limit.advice(a.design, part),
        "trials": trial_text.documents(verdict.remedy.trials),
        "measured": measured_text.document(row.measured),
        "values": dict(row.values),
        "loads": _loads(part, a),
    }


def _loads(part: Part, a: Answer) -> list[dict[str, object]]:
    """Each direction of each master: what it is in the design, and what its row in the list gets.
    `asks_MBps`: None for as much as it can."""
    return [
        {
            "master": share.load.master,
            "called": a.names[share.load.master],
            "name": share.master["name"],
            "port": share.load.port,
            "direction": share.load.direction,
            "width_bits": share.load.width_bits,
            "pl_mhz": share.load.pl_mhz,
            "burst_bytes": share.load.burst_bytes,
            "outstanding": share.load.outstanding,
            "asks_MBps": share.master["rate_mbs"],
            "MBps": share.MBps,
            "latency_ns": share.latency_ns,
            "p99_ns": share.p99_ns,
        }
        for share in part.outcome.shares
    ]
