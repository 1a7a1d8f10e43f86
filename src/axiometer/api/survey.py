"""Simulated rates of a board, for its report without a stored run: each port, bursts, and
clocks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from axiometer.answer.analysis import collect, pl_clocks
from axiometer.answer.analysis.results import View
from axiometer.api.sampling import sampled
from axiometer.base import data, progress
from axiometer.base.errors import AxiometerError
from axiometer.experiment import Experiment, expect_command, keys_shared, points
from axiometer.experiment.points import Point
from axiometer.experiment.question_link import link
from axiometer.platform import Platform
from axiometer.platform.port_sets import all_at_once, at_memory

BURSTS = (1, 2, 4, 8, 16, 32, 64, 128, 256)  # beats
CLOCK_STEP_MHZ = 50
BACKEND = "model"


class Part(NamedTuple):
    """The content of one picture of the survey; `plot` as in an experiment's file."""

    name: str
    title: str
    points: Sequence[Point]
    plot: Mapping[str, object]


def survey(platform: Platform) -> list[View]:
    """`platform` at each of its ports, with bursts of each length, and at each clock of the fabric:
    the answers of `expect`, simulated in this call. AxiometerError if no port reaches its memory,
    or a record breaks a law."""
    made = parts(platform)
    every = [point for part in made for point in part.points]
    answers = {}
    for point in progress.each(every, "points simulated"):
        answers[id(point)], _ = sampled(platform, point, BACKEND)
    facts, figures = collect.facts(platform), collect.parameters(platform)
    views = []
    for part in made:
        rows = [replace(answers[id(each)], index=each.index) for each in part.points]
        views.append(
            View(
                run_id=f"{platform.name}, {part.name}",
                name=part.title,
                title=part.title,
                backend=BACKEND,
                facts=facts,
                rows=rows,
                parameters=figures,
                plot=part.plot,
                no_reference=to_compare(platform),
                clocks=pl_clocks.of_points(platform, rows),
                scenario=lambda row: collect.scenario(platform, row),
                again=lambda row: expect_command.command(platform, row.values),
                link=lambda row: link(platform, row.values),
            )
        )
    return views


def parts(platform: Platform) -> list[Part]:
    """The simulated parts of a platform."""
    ports = at_memory(platform)
    if not ports:
        raise AxiometerError(
            f"no port of {platform.name} reaches its memory",
            remedy="use another port: axiometer expect --board BOARD --ports PORT",
        )
    together = "+".join(all_at_once(platform))
    sets = list(dict.fromkeys([*ports, together]))
    few = list(dict.fromkeys([together.split("+")[0], together]))
    both = "mixed" if keys_shared.runs_freely(platform) else "duplex"
    modes = ["read", "write", both]
    clock = platform.leaf("clocks.pl_mhz")
    most = clock.max or platform.number("clocks.pl_mhz")
    clocks = [*range(CLOCK_STEP_MHZ, int(most), CLOCK_STEP_MHZ), most]
    clocks = [mhz for mhz in clocks if mhz >= (clock.min or 0)]
    named: list[tuple[str, str, dict[str, Sequence[object]], dict[str, object]]] = [
        ("ports", "Rates of each port", {"mode": modes, "ports": sets}, {}),
        (
            "bursts",
            "Bursts of each length",
            {"mode": modes[:2], "ports": few, "burst_beats": BURSTS},
            {"x": "burst_beats", "log": True},
        ),
        (
            "clocks",
            "Clocks of the fabric",
            {"mode": modes[:2], "ports": few, "pl_mhz": clocks},
            {"x": "pl_mhz"},
        ),
    ]
    found = [
        Part(name, title, _points(platform, sweep), plot) for name, title, sweep, plot in named
    ]
    return [part for part in found if part.points]


def _points(platform: Platform, sweep: Mapping[str, Iterable[object]]) -> list[Point]:
    """The points of the product that the platform supports: a port may not have every burst."""
    made: list[Point] = []
    for values in product(*sweep.values()):
        key = dict(zip(sweep, values, strict=True))
        try:
            point = points.single(platform, key)
        except AxiometerError:
            continue
        made.append(Point(len(made), key, point.values))
    return made


def experiments(platform: Platform) -> list[str]:
    """Names of the experiments that come with Axiometer for a platform."""
    return [
        name
        for name in data.names("experiments")
        if Experiment.load(name).platform_name == platform.name
    ]


def to_compare(platform: Platform) -> str:
    """The reason why no published rows are shown, and the experiments that have some."""
    known = experiments(platform)
    if not known:
        return "nobody has published rates of this board"
    return f"no run is stored yet; these have published rows: axiometer run {', '.join(known)}"
