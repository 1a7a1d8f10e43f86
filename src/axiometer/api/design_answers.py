"""Simulation of a design for `expect` and other commands: masters alone, by port, all together."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from axiometer.answer.analysis import collect
from axiometer.answer.analysis.ports_and_paths import Facts
from axiometer.answer.analysis.results import Row, View
from axiometer.answer.verdicts.designed import Answer, Part
from axiometer.answer.verdicts.verdict import Verdict, judged
from axiometer.api import expectation
from axiometer.api.expectation import Expectation
from axiometer.api.sampling import sampled
from axiometer.base.errors import AxiometerError
from axiometer.designs import Design, changes, load, masters, possible
from axiometer.designs.checks import LEVELS, Finding, check
from axiometer.designs.masters import Masters
from axiometer.designs.outcome import outcome
from axiometer.designs.plan import Plan, planned
from axiometer.designs.platform import Placed, platform_of
from axiometer.experiment import listed, master_keys, settings
from axiometer.experiment.values import known
from axiometer.platform import Platform
from axiometer.present import design_answer
from axiometer.published.bands.band import over
from axiometer.simulate.remembered import Outcomes, remembering


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


def answer(design: Design, placed: Placed, repeats: int | None = None) -> Answer:
    """All masters together as a list of masters of the board, each alone, and each port.
    AxiometerError if no master moves data. repeats: random starts (None: as many as an answer
    needs)."""
    platform, plan = placed.platform, planned(design)
    keys = {} if repeats is None else {"repeats": repeats}
    whole = masters.of(platform, plan)
    found = Expectation(platform, whole.point(keys))
    found.row = _possible(platform, design, found.row, keys)
    together = Part(
        *("all", "all at once", found.row),
        outcome(whole, found.row.values, found.row.records),
        lambda: found.answer.verdict,
    )
    facts = _facts(platform, plan)
    kept, ran = {plan.asked.loads: together}, Outcomes()

    def part(kind: str, name: str, of: Plan) -> Part:
        if of.loads not in kept:
            with remembering(ran):
                kept[of.loads] = _part(platform, of, facts, keys)
        return replace(kept[of.loads], kind=kind, name=name)

    def by_port() -> list[Part]:
        ports = plan.asked.ports.items()
        return [part("port", at, of) for at, of in ports if len(of.masters) > 1]

    names = plan.asked.names()
    alone = [part("master", names[of.masters[0].master.name], of) for of in plan.asked.alone()]
    return Answer(
        *(design, placed, found.answer, alone, by_port, together, names, tuple(plan.left_out))
    )


def _possible(platform: Platform, design: Design, row: Row, keys: Mapping[str, object]) -> Row:
    """The row with bands that hold all that the design may be where its file leaves figures
    open."""
    rows = [row]
    for end in possible.ends(design):
        own = masters.of(platform, planned(end))
        rows.append(sampled(platform, own.point(keys), "model")[0])
    if len(rows) == 1 or row.total is None or row.band is None:
        return row
    lacks = tuple(possible.words(design))
    totals = [(of.total["mean"], of.band) for of in rows if of.total]
    every = [of for other in rows for of in other.each]
    each = []
    for of in row.each:
        alike = [(o.rate, o.band) for o in every if o[:2] == of[:2]]
        band = None if of.band is None else over(of.rate, alike, lacks)
        each.append(of._replace(band=band))
    return replace(row, band=over(row.total["mean"], totals, lacks), each=each)


def _part(platform: Platform, plan: Plan, facts: Facts, keys: Mapping[str, object]) -> Part:
    own = masters.of(platform, plan)
    row, _ = sampled(platform, own.point(keys), "model")

    @cache
    def verdict() -> Verdict:
        evidence = expectation.evidence(platform, row, facts)
        return judged(evidence, collect.scenario(platform, row), row.records)

    return Part("", "", row, outcome(own, row.values, row.records), verdict)


def total(design: Design, placed: Placed) -> float:
    """MB/s of all masters together, as in `answer`; 0 if none moves data."""
    if not planned(design).loads:
        return 0.0
    return known(together(design, placed).row.total)["mean"]


def together(design: Design, placed: Placed) -> Part:
    """All masters of the design together, as in `answer`, without the parts."""
    platform, plan = placed.platform, planned(design)
    return _part(platform, plan, collect.facts(platform), {})


def _facts(platform: Platform, plan: Plan) -> Facts:
    """Facts of a platform with the ports that the design uses, which are not free."""
    return replace(collect.facts(platform), taken=tuple(plan.ports))


def view(found: Answer, said: Sequence[str] = ()) -> View:
    """The parts of a design as the points of a run: each master alone, each port, all together.
    `said`: the options of its command line."""
    platform = found.placed.platform
    shown = found.alone if len(found.alone) == 1 else found.parts
    return View(
        run_id=found.design.file,
        name=found.design.name,
        title=f"{found.design.name} on {platform.title}",
        backend="model",
        facts=_facts(platform, planned(found.design)),
        rows=[
            replace(part.row, index=number, key={"of": _called(part)})
            for number, part in enumerate(shown)
        ],
        parameters=collect.parameters(platform),
        provenance={"design": found.design.file, "platform": found.placed.why},
        no_reference="it is your own design",
        headline=design_answer.headline(found),
        findings=[(of.level, of.says, of.change) for of in _by_level(check(found.design))],
        scenario=lambda row: collect.scenario(platform, row),
        again=lambda row: shlex.join(
            # A name with a comma would become two words.
            ["axiometer", "explain", found.design.file]
            + [str(row.index if "," in str(row.key["of"]) else row.key["of"]), *said]
        ),
    )


def _by_level(found: Sequence[Finding]) -> list[Finding]:
    """Mistakes before advice."""
    return sorted(found, key=lambda of: LEVELS.index(of.level))


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


def lists(design: Design, platform: Platform) -> list[tuple[str, Masters]]:
    """The lists of masters of a design with a name each: all together (""), and, where they are
    not the same at each port, each port with more than one master, and each master."""
    plan = planned(design).asked
    whole = masters.of(platform, plan)
    found = [("", whole)]
    if listed.as_keys(master_keys.of(whole.point().values)) is None:
        names = plan.names()
        ports = [(at, of) for at, of in plan.ports.items() if len(of.masters) > 1]
        each = [(names[of.masters[0].master.name], of) for of in plan.alone()]
        found += [(name, masters.of(platform, of)) for name, of in (*ports, *each)]
    return found
