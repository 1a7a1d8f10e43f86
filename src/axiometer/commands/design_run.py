"""What is run of a design for `expect` and its like: masters alone, by port, all at once."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from axiometer.analysis import collect
from axiometer.analysis.time_classes import stacks
from axiometer.analysis.time_shares import Evidence
from axiometer.designs import Design, changes, load
from axiometer.designs.loads import Load, left_out, loads, ports, short_names
from axiometer.designs.model import DATA
from axiometer.designs.platform import Placed, platform_of
from axiometer.designs.simulation import REPEATS, Outcome, simulate
from axiometer.errors import AxiometerError
from axiometer.experiment import settings
from axiometer.platform import Platform
from axiometer.present.bottleneck_text import verdict
from axiometer.present.design_answer import Answer, Part


def opened(args: argparse.Namespace) -> tuple[Design, Placed]:
    """The design that `args.design` names, on its platform, with what `--set` changes of both.
    `args` has `platform` (or None) and `set`."""
    path = Path(args.design)
    design = load(path)
    figures = {}
    for setting in args.set:
        name, value = settings.split(setting)
        literal = settings.literal(value)
        if changes.is_of_design(design, name):
            design = changes.changed(design, name, literal)
        elif settings.is_platform_path(name):
            figures[settings.platform_path(name)] = literal
        else:
            raise AxiometerError(
                f"--set {setting}: a design has no key {name!r}",
                remedy="write MASTER.KEY (axi_dma_0.burst_beats=64), PORT.KEY, CLOCK.mhz, or a "
                "figure of the platform (controller.starve_clocks=32)",
            )
    placed = platform_of(design, path, args.platform, beside=None)
    return design, with_figures(placed, figures)


def with_figures(placed: Placed, figures: dict[str, object]) -> Placed:
    """The platform with other values of some figures."""
    if not figures:
        return placed
    return replace(placed, platform=placed.platform.with_overrides(figures))


def behind(design: Design, wanted: str | None) -> Design:
    """The design with those masters alone that are behind the ports `wanted` ("HP0+HP2"; None:
    all). AxiometerError where one is not used."""
    if wanted is None:
        return design
    known = ports(design)
    names = [part.strip() for part in wanted.split("+")]
    for name in names:
        if name not in known:
            raise AxiometerError(
                f"no master of {design.name} moves data through port {name!r}",
                remedy=f"ports with masters: {', '.join(known) or 'none'}",
            )
    kept = {m.name for name in names for m in known[name]}
    return replace(design, masters=tuple(m for m in design.masters if m.name in kept))


def answer(design: Design, placed: Placed, repeats: int = REPEATS) -> Answer:
    """Each master alone, each port, all at once; AxiometerError if no master moves data."""
    platform = placed.platform
    every = loads(design)
    if not every:
        why = "; ".join(left_out(design)) or "it has no master that moves data"
        raise AxiometerError(
            f"there is nothing to expect of {design.name}: {why}",
            file=design.file,
            remedy="look at what was found with: axiometer import design FILE",
        )
    asked = {load.master for load in every}
    masters = [m for m in design.masters if m.role == DATA and m.name in asked]
    names = short_names(masters)
    known: dict[tuple[Load, ...], Part] = {}

    def part(kind: str, name: str, of: Sequence[Load]) -> Part:
        if tuple(of) not in known:
            known[tuple(of)] = _part(platform, design, kind, name, of, repeats)
        found = known[tuple(of)]
        return Part(kind, name, found.outcome, found.verdict)

    alone = [part("master", names[m.name], loads(design, [m])) for m in masters]
    by_port = [
        part("port", name, loads(design, own))
        for name, own in ports(design).items()
        if len(own) > 1
    ]
    together = part("all", "all at once", every)
    return Answer(design, placed, alone, by_port, together, names, tuple(left_out(design)))


def _part(
    platform: Platform,
    design: Design,
    kind: str,
    name: str,
    of: Sequence[Load],
    repeats: int,
) -> Part:
    outcome = simulate(platform, design, of, repeats)
    return Part(kind, name, outcome, verdict(evidence(outcome, name, design)))


def evidence(outcome: Outcome, what: str, design: Design) -> Evidence:
    """What the bottleneck of loads at once is found from. Ports that other masters of the design
    use are not free to be advised."""
    facts = collect.facts(outcome.platform)
    own = {share.load.port for share in outcome.shares}
    others = [port for port in ports(design) if port not in own]
    facts = replace(facts, unvalidated=(*facts.unvalidated, *others))
    return Evidence(stacks(outcome.records, what), outcome.values, facts)
