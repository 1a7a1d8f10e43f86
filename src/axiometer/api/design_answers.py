"""Simulation of a design for `expect` and other commands: masters alone, by port, all together."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from axiometer.answer.analysis import collect
from axiometer.answer.analysis.ports_and_paths import Facts
from axiometer.answer.analysis.results import View
from axiometer.answer.analysis.time_classes import stacks
from axiometer.answer.analysis.time_shares import Evidence
from axiometer.answer.verdicts import before_port
from axiometer.answer.verdicts.designed import Answer, Part
from axiometer.answer.verdicts.verdict import Verdict, judged
from axiometer.base.errors import AxiometerError
from axiometer.designs import Design, changes, load
from axiometer.designs.as_masters import asked
from axiometer.designs.plan import Load, Plan, planned
from axiometer.designs.platform import Placed, platform_of
from axiometer.designs.points import Key, question
from axiometer.designs.simulation import REPEATS, point_of, scenario_of, simulate
from axiometer.experiment import settings
from axiometer.platform import Platform
from axiometer.simulate.scenario import Scenario


def opened(
    file: str | Path, wanted: str | None = None, changed: Iterable[str] = ()
) -> tuple[Design, Placed]:
    """The design in `file`, on the platform `wanted` (None: its board's), with the changes in
    `changed` ("KEY=VALUE" texts). AxiometerError for bad files or values."""
    path = Path(file)
    design = load(path)
    figures = {}
    for setting in changed:
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
    placed = platform_of(design, path, wanted, beside=None)
    return design, with_figures(placed, figures)


def with_figures(placed: Placed, figures: dict[str, object]) -> Placed:
    """The platform with other values of some figures."""
    if not figures:
        return placed
    return replace(placed, platform=placed.platform.with_overrides(figures))


def behind(design: Design, wanted: str | None) -> Design:
    """The design with only the masters behind the ports `wanted` ("HP0+HP2"; None: all).
    AxiometerError for an unused port."""
    if wanted is None:
        return design
    plan = planned(design)
    known = plan.ports
    names = [part.strip() for part in wanted.split("+")]
    for name in names:
        if name not in known:
            raise AxiometerError(
                f"no master of {design.name} moves data through port {name!r}",
                remedy=f"ports with masters: {', '.join(known) or 'none'}",
            )
    return plan.at(names).design


def answer(design: Design, placed: Placed, repeats: int = REPEATS) -> Answer:
    """Each master alone, each port, all together; AxiometerError if no master moves data."""
    platform = placed.platform
    plan = planned(design)
    asked = plan.asked
    if not asked.loads:
        why = "; ".join(plan.left_out) or "no master moves data"
        raise AxiometerError(
            f"{design.name} has no rates to expect: {why}",
            file=design.file,
            remedy="read the design with: axiometer import design FILE",
        )
    names = asked.names()
    facts = _facts(platform, plan)
    known: dict[tuple[Load, ...], Part] = {}

    def part(kind: str, name: str, of: Plan) -> Part:
        if of.loads not in known:
            known[of.loads] = _part(platform, of, facts, kind, name, repeats)
        return replace(known[of.loads], kind=kind, name=name)

    alone = [part("master", names[of.masters[0].master.name], of) for of in asked.alone()]
    by_port = [part("port", at, of) for at, of in asked.ports.items() if len(of.masters) > 1]
    together = part("all", "all at once", asked)
    before = _before_ports(platform, asked, together, repeats)
    return Answer(design, placed, alone, by_port, together, names, tuple(plan.left_out), before)


def _before_ports(
    platform: Platform, plan: Plan, together: Part, repeats: int
) -> before_port.BeforePort | None:
    """The blocks before the ports, if they cost the masters together any rate."""
    named = before_port.in_words(of.through for of in plan.masters)
    if not named:
        return None
    without = simulate(platform, plan.bare, repeats, together.outcome.exact)
    return before_port.judged(named, together.outcome.rate(), without.rate())


def _part(platform: Platform, plan: Plan, facts: Facts, kind: str, name: str, repeats: int) -> Part:
    outcome = simulate(platform, plan, repeats)
    evidence = Evidence(stacks(outcome.records, name), outcome.values, facts)
    return Part(kind, name, outcome, judged(evidence, outcome.scenario, outcome.records))


def limit(design: Design, placed: Placed) -> Verdict:
    """The limit of all masters of the design together, as in `answer`."""
    platform, plan = placed.platform, planned(design)
    facts = _facts(platform, plan)
    return _part(platform, plan.asked, facts, "all", "all at once", REPEATS).verdict


def own_scenario(design: Design, platform: Platform, duration: str) -> Scenario | None:
    """A run of all masters of the design, each unchanged (`designs/as_masters.py`); None if keys of
    an experiment can express it."""
    plan = planned(design)
    if point_of(platform, plan) is not None:
        return None
    return scenario_of(platform, plan, asked(platform, plan), duration)


def _facts(platform: Platform, plan: Plan) -> Facts:
    """Facts of a platform with the ports that the design uses, which are not free."""
    return replace(collect.facts(platform), taken=tuple(plan.ports))


def view(found: Answer, said: Sequence[str] = ()) -> View:
    """The parts of a design as the points of a run: each master alone, each port, all together.
    `said`: the options of its command line."""
    platform = found.placed.platform
    facts = _facts(platform, planned(found.design))
    shown = found.alone if len(found.alone) == 1 else found.parts
    rows = [
        collect.row(facts, i, {"of": _called(part)}, part.outcome.values, part.outcome.records,
                    None, platform)
        for i, part in enumerate(shown)
    ]  # fmt: skip
    return View(
        run_id=found.design.file,
        name=found.design.name,
        title=f"{found.design.name} on {platform.title}",
        backend="model",
        facts=facts,
        rows=rows,
        parameters=collect.parameters(platform),
        provenance={"design": found.design.file, "platform": found.placed.why},
        no_reference="it is your own design",
        scenario=lambda row: shown[row.index].outcome.scenario,
        again=lambda row: shlex.join(
            # A name with a comma would become two words.
            ["axiometer", "explain", found.design.file]
            + [str(row.index if "," in str(row.key["of"]) else row.key["of"]), *said]
        ),
    )


def _called(part: Part) -> str:
    kinds = {"master": "{} alone", "port": "{}, all masters", "all": "all at once"}
    return kinds[part.kind].format(part.name)


def opened_view(file: str | Path, wanted: str | None = None, changed: Iterable[str] = ()) -> View:
    """The view of the design in `file`, simulated in this call; see `opened`."""
    changed = list(changed)
    design, placed = opened(file, wanted, changed)
    said = ["--board", wanted] if wanted else []
    said += [word for setting in changed for word in ("--set", setting)]
    return view(answer(design, placed), said)


def questions(design: Design, wanted: str | None) -> list[tuple[str, Mapping[str, Key], Design]]:
    """The points of the masters behind the ports `wanted` (None: all), in keys of an experiment,
    with a name and their part of the design: all together ("") if one set of keys can express them,
    else by port, else by master. AxiometerError if keys cannot express any."""
    plan = planned(behind(design, wanted))
    whole = question(plan)
    if whole.keys:
        return [("", whole.keys, plan.design)]
    names = plan.names()
    found: list[tuple[str, Mapping[str, Key], Design]] = []
    for port, own in plan.ports.items():
        together = question(own)
        if together.keys:
            found.append((port, together.keys, own.design))
        else:
            found += [
                (names[of.masters[0].master.name], question(of).keys, of.design)
                for of in own.alone()
            ]
    if not found:
        raise AxiometerError(
            f"keys of an experiment cannot express these masters: {'; '.join(whole.reasons)}",
            file=design.file,
            remedy="read the design with: axiometer import design FILE",
        )
    return found
