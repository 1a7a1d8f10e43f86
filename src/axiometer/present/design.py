"""A design as a person reads it: clocks, ports, masters with their ways, and findings."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from axiometer.answer.verdicts.cost import Cost
from axiometer.designs import ps_facts
from axiometer.designs.checks.finding import ADVICE, LEVELS, MISTAKE, QUESTION, Finding
from axiometer.designs.model import DATA, Design, Master
from axiometer.present.expected_point import SCHEMA_VERSION
from axiometer.present.grid import Column, table
from axiometer.present.text import Style

SHOWN_SLAVES = 8
SHOWN_FINDINGS = 5


def lines(design: Design, style: Style) -> list[str]:
    """The summary of a design."""
    title = ps_facts.system(design.chip).title
    known = [title, design.part, design.board, design.tool]
    registers = (
        f"registers from {design.initialised}" if design.initialised else "no initialisation file"
    )
    out = [
        style.paint(f"{design.name} ({design.file})", "bold"),
        "; ".join([", ".join(filter(None, known)), registers]),
    ]
    out += ["", *_clocks(design, style), "", *_ports(design, style)]
    out += ["", *_masters(design, style)] if design.masters else ["", "No master reaches a port."]
    out += _ways(design) + _assumed(design) + _slaves(design)
    out += [f"Note: {note}." for note in design.notes]
    return out


def findings(
    design: Design,
    found: Sequence[Finding],
    style: Style,
    costs: Sequence[Cost] = (),
    on: str = "",
    detailed: bool = True,
) -> list[str]:
    """The findings of `check`, mistakes first: each with its change and, where known, its cost.
    Unless `detailed`: the first few, one line each. on: a sentence on the board of the costs."""
    out = [style.paint(f"{design.name} ({design.file}): {count(found)}", "bold")]
    both = [(of, costs[number] if costs else None) for number, of in enumerate(found)]
    both.sort(key=lambda of: LEVELS.index(of[0].level))
    if not detailed:
        out += [_short(finding, cost, style) for finding, cost in both[:SHOWN_FINDINGS]]
        left = len(found) - SHOWN_FINDINGS
        more = f"{left} more, and " if left > 0 else ""
        out += [on] if on and not costs else []
        return [*out, style.paint(f"-v: {more}why, and what each costs.", "dim")] if found else out
    for finding, cost in both:
        out += ["", f"{_head(finding, style)}: {finding.says}", f"  {finding.change}"]
        out += [f"  {cost.says}"] if cost else []
    return [*out, "", on] if on else out


def count(found: Sequence[Finding]) -> str:
    """The numbers of mistakes and of advice; with a question open, none is no fact."""
    levels = [finding.level for finding in found]
    counts = {level: levels.count(level) for level in LEVELS}
    asked = counts.pop(QUESTION)
    some = [f"{asked} question{'' if asked == 1 else 's'}"] if asked else []
    some += [
        f"{count} {level}{'' if count == 1 or level != MISTAKE else 's'}"
        for level, count in counts.items()
        if count or not asked
    ]
    return ", ".join(some)


def _short(finding: Finding, cost: Cost | None, style: Style) -> str:
    """A finding in a line: a mistake with what is wrong, advice with its gain."""
    lost = "" if cost is None or not cost.is_loss else f" {cost.says}"
    fault = f"{finding.says} " if finding.level != ADVICE else ""
    return f"{_head(finding, style)}: {fault}{finding.change}{lost}"


def _head(finding: Finding, style: Style) -> str:
    colour = "red" if finding.level == MISTAKE else "yellow"
    return f"{style.paint(finding.level, 'bold', colour)} {finding.code}"


def document(design: Design) -> dict[str, object]:
    """The JSON document of a design."""
    return dataclasses.asdict(design)


def findings_document(
    design: Design, found: Sequence[Finding], costs: Sequence[Cost] = (), on: str = ""
) -> dict[str, object]:
    """The JSON document of `check`."""
    listed = [_finding(finding) for finding in found]
    for finding, cost in zip(listed, costs, strict=False):
        finding["cost"] = dataclasses.asdict(cost)
    return {
        "schema_version": SCHEMA_VERSION,
        "design": design.name,
        "file": design.file,
        "chip": design.chip,
        "findings": listed,
        **({"costs": on} if on else {}),
    }


def _finding(finding: Finding) -> dict[str, object]:
    fields = {key: getattr(finding, key) for key in ("code", "level", "where", "says", "change")}
    return {**fields, "mend": [{"set": key, "to": value} for key, value in finding.mend]}


def _clocks(design: Design, style: Style) -> list[str]:
    columns = [Column("clock", False), Column("MHz"), Column("asked"), Column("made by", False)]
    rows = [
        [
            c.name,
            f"{c.mhz:.6g}" if c.mhz else "–",
            f"{c.asked_mhz:.6g}" if c.asked_mhz else "–",
            c.source,
        ]
        for c in design.clocks
    ]
    return table(columns, rows, style)


def _ports(design: Design, style: Style) -> list[str]:
    columns = [Column("port", False), Column("interface", False), Column("kind", False)]
    columns += [Column("bits"), Column("protocol", False), Column("clock", False)]
    columns += [Column("masters")]
    rows = [
        [p.name, p.interface, p.kind, str(p.width_bits), p.protocol, p.clock or "–"]
        + [str(len(design.behind(p.name, None)))]
        for p in design.ports
    ]
    return table(columns, rows, style)


def _masters(design: Design, style: Style) -> list[str]:
    columns = [Column("master", False), Column("is", False), Column("port", False)]
    columns += [Column("does", False), Column("bits"), Column("burst")]
    columns += [Column("at the port"), Column("outstanding"), Column("clock", False)]
    rows = [
        [
            master.name,
            _what(master),
            "+".join(master.ports),
            direction,
            str(master.width_bits),
            str(master.channels[direction].burst_beats),
            f"{master.burst_bytes(direction, master.routes[0])} B",
            str(master.channels[direction].outstanding or "–"),
            master.clock or "–",
        ]
        for master in design.masters
        for direction in master.directions
    ]
    return table(columns, rows, style)


def _what(master: Master) -> str:
    """The core, its role unless it moves data, its frames, and its bits for a length."""
    words = [master.title] if master.role == DATA else [master.title, master.role]
    if master.frames is not None:
        words.append(f"{master.frames} frames")
    if master.length_bits is not None and master.role == DATA:
        words.append(f"{master.length_bits}-bit length")
    return ", ".join(words)


def _ways(design: Design) -> list[str]:
    out = []
    for master in design.masters:
        for route in master.routes:
            changes = [f"{h.instance}: {', '.join(h.effects)}" for h in route.hops if h.effects]
            if changes:
                out.append(f"  {master.name} to {route.port}: {'; '.join(changes)}")
    return ["", "On the way:", *out] if out else []


def _assumed(design: Design) -> list[str]:
    """Assumed settings, one line for all masters with the same ones."""
    alike: dict[tuple[str, ...], list[Master]] = {}
    for master in design.masters:
        if master.assumed and master.role == DATA:
            alike.setdefault(master.assumed, []).append(master)
    out = []
    for assumed, masters in alike.items():
        out.append(f"  {', '.join(m.name for m in masters)}: {'; '.join(assumed)}")
    return ["", "Assumed, since the design does not state it:", *out] if out else []


def _slaves(design: Design) -> list[str]:
    out = []
    for port in dict.fromkeys(slave.port for slave in design.slaves):
        its = [s for s in design.slaves if s.port == port]
        shown = [f"{s.instance} at {s.segment.base:#x}" for s in its[:SHOWN_SLAVES]]
        more = len(its) - len(shown)
        rest = f", and {more} more" if more else ""
        out.append(f"The processor reaches through {port}: {', '.join(shown)}{rest}.")
    return ["", *out] if out else []
