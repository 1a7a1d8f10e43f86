"""The expectation of one point: simulated in this call, as long as `sampling.py` decides; its limit
is computed at first access."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, Unpack

from axiometer.advice import processor
from axiometer.answer.analysis import burst_latency, collect, starved
from axiometer.answer.analysis.ports_and_paths import Facts
from axiometer.answer.analysis.results import MEASURED, Row, how
from axiometer.answer.analysis.stats import RateStats, Stats, rate_of
from axiometer.answer.analysis.time_classes import stacks
from axiometer.answer.analysis.time_shares import Evidence
from axiometer.answer.relax.starved import starved_by
from axiometer.answer.trials.trial import Change, Outcome, Trial
from axiometer.answer.verdicts import before_port, remedy, small
from axiometer.answer.verdicts.expected import Answer, Sampling
from axiometer.answer.verdicts.remedy import Remedy
from axiometer.answer.verdicts.small import Small
from axiometer.answer.verdicts.verdict import Verdict, judged
from axiometer.api.changed import changed, keys_and_figures, one_point, plain
from axiometer.api.frames import Result
from axiometer.api.sampling import Seen, sampled
from axiometer.api.signatures import showing
from axiometer.api.typed_keys import PointKeys
from axiometer.base.errors import AxiometerError
from axiometer.base.units import short_rate
from axiometer.experiment import master_tables
from axiometer.experiment.keys_processor import AT_MEMORY
from axiometer.experiment.points import Point
from axiometer.experiment.values import known
from axiometer.platform import Platform
from axiometer.present import bottleneck_text, expected_point
from axiometer.present.bottleneck_text import describe
from axiometer.present.text import Style
from axiometer.published import measured
from axiometer.published.anchors import Anchored
from axiometer.published.bands import Band
from axiometer.published.measured import Measurement
from axiometer.simulate.remembered import Outcomes, remembering
from axiometer.simulate.scenario import Scenario

if TYPE_CHECKING:
    import altair

    from axiometer.api.design import Design

T = TypeVar("T")

TRIAL_REPEATS = 5
"""Repeats of the point with the advice applied, if `repeats` are given: enough to see whether it
helps."""
SURE = 1.5
"""A trial is sure if its gain is this multiple of half of its interval."""


class Expectation(Result):
    """The expectation of one point on a platform. Rates in MB/s (1e6 bytes a second).

    `platform`, `point` and `backend` are the inputs; `row` has all results. `sampling` has the
    number of simulated random starts, and the reason for it: without `repeats`, as many as an
    answer needs. The point's limit is simulated at first access, which takes about as long as the
    point itself.
    """

    def __init__(
        self,
        platform: Platform,
        point: Point,
        backend: str = "model",
        seen: Seen | None = None,
    ) -> None:
        """Run `point` on `backend` in this process; `seen` is called with interim results.
        AxiometerError if it fails."""
        self.platform = platform
        self.point = point
        self.backend = backend
        self._kept: Outcomes = {}
        with remembering(self._kept):
            self.row, self.sampling = sampled(platform, point, backend, seen)

    @property
    def stats(self) -> Stats:
        """Mean, min, max and std over the random starts: of `total_MBps`, `read_MBps`,
        `write_MBps`, `by_port`, and of `latency_cycles` (clocks of the fabric)."""
        return known(self.row.stats)

    @property
    def total(self) -> float:
        """Mean rate of all ports and both directions, MB/s."""
        return float(self.stats["total_MBps"]["mean"])

    @property
    def read(self) -> float:
        """Mean rate of the fabric's reads, MB/s."""
        return float(self.stats["read_MBps"]["mean"])

    @property
    def write(self) -> float:
        """Mean rate of the fabric's writes, MB/s."""
        return float(self.stats["write_MBps"]["mean"])

    @property
    def latency(self) -> dict[str, float] | None:
        """Latency of the bursts of all ports, in ns: `mean_ns`, `p99_ns`, `max_ns`, and with both
        directions `read_mean_ns`, `write_mean_ns`; None for the processor's side."""
        return burst_latency.of_row(self.row)

    @property
    def small(self) -> Small | None:
        """For a transfer whose start is the larger part: the time of one access alone, and the rate
        without the start; None for others."""
        return self.answer.small

    @property
    def range(self) -> tuple[float, float]:
        """The least and the largest total over the random starts, MB/s."""
        return float(self.stats["total_MBps"]["min"]), float(self.stats["total_MBps"]["max"])

    @property
    def band(self) -> tuple[float, float] | None:
        """The range of total rates that holds nine of ten measurements, MB/s; None if unknown, and
        for measurements."""
        known = None if self.backend == MEASURED else self.row.band
        return None if known is None else (self.total * known.low, self.total * known.high)

    @property
    def anchored(self) -> Anchored | None:
        """The total corrected by measurements near it in the same set-up, with its own band; None
        if there are none, and for measurements."""
        return None if self.backend == MEASURED else self.row.anchored

    @cached_property
    def answer(self) -> Answer:
        """The point with its limit, the advice tried, and published rows of it."""
        with remembering(self._kept):
            found = answer(self.platform, self.point, self.row, self.backend, self.sampling)
        self._kept.clear()
        return found

    @property
    def measured(self) -> Sequence[Measurement]:
        """Measurements of this point: rows of published tables, each with its source."""
        return self.row.measured

    @property
    def nearest_measured(self) -> Sequence[Measurement]:
        """The nearest measurements, with the differences of each; empty if the point itself was
        measured."""
        return self.answer.nearest_measured

    @property
    def bottleneck(self) -> str:
        """The short name of its limit, as in reports."""
        return bottleneck_text.name(self.answer.verdict)

    @property
    def advice(self) -> str:
        """The advice, in a sentence."""
        return expected_point.advice(self.answer)

    @property
    def text(self) -> str:
        """The output of `axiometer expect -v`."""
        return Style().fit(expected_point.lines(self.answer, Style(), detailed=True))

    def to_dict(self) -> dict[str, object]:
        """The output of `axiometer expect --json`."""
        return expected_point.document(self.answer)

    def rows(self) -> list[dict[str, object]]:
        """All ports, and each port: rates, clock, the band of the total and a measured total."""
        whole = how_sure(self.total, None if self.backend == MEASURED else self.row.band, self.row)
        clock = {"pl_mhz": self.point.values["pl_mhz"]}
        return [
            {"port": "all", **rates(self.stats), **clock, **whole},
            *(
                {"port": name, **rates(of), **clock, **dict.fromkeys(whole)}
                for name, of in self.stats["by_port"].items()
            ),
        ]

    def plot(self) -> altair.TopLevelMixin:
        """Rates of each port, read and written, as bars."""
        from axiometer.present import pictures

        return pictures.of_rates(self.caption, self.rows()[1:])

    @property
    def caption(self) -> str:
        what = f"{self.platform.title}: {describe(self.point.values)}"
        return f"{what}: {short_rate(self.total)} MB/s ({how(self.backend)})"

    def __repr__(self) -> str:
        return f"<Expectation: {self.caption}>"

    def __eq__(self, other: object) -> bool:
        """Whether both answer the same question: the point on the same board, by one backend."""
        return isinstance(other, Expectation) and self._question == other._question

    def __hash__(self) -> int:
        return hash(self._question)

    @property
    def _question(self) -> tuple[str, str, str]:
        figures = sorted(self.platform.overrides.items())
        asked = repr(sorted(self.point.values.items())) + repr(figures)
        return self.platform.sha256, asked, self.backend


def rates(stats: RateStats) -> dict[str, object]:
    """Mean rates as columns, MB/s."""
    return {f"{way}_MBps": rate_of(stats, way)["mean"] for way in ("total", "read", "write")}


def how_sure(total: float, band: Band | None, row: Row) -> dict[str, object]:
    """The ends of the band of a total, and a measured total, as columns; None where unknown."""
    of = measured.chosen(row.measured, "total")
    return {
        "band_low_MBps": None if band is None else total * band.low,
        "band_high_MBps": None if band is None else total * band.high,
        "measured_MBps": None if of is None else of.rate,
    }


@showing(PointKeys)
def expect(
    platform: str | Platform | Design,
    *,
    set: Mapping[str, object] | None = None,
    backend: str = "model",
    **keys: Unpack[PointKeys],
) -> Expectation:
    """The expectation of one point.

    `platform` is the name of a board, its TOML file, a `Platform`, or an `axm.Design`, whose
    expectation (`DesignExpectation`) is that of the list of its masters on its board. `keys` are
    keys of an experiment (docs/guide.md): ports="HP0+HP1", mode="read", burst_beats=8, repeats=5;
    `masters` is a list of mappings like `[[master]]` tables. `set` has keys that are not names in
    Python, and figures of the platform: {"controller.starve_clocks": 32}. AxiometerError for bad
    values.
    """
    if not isinstance(platform, str | Path | Platform):
        more = [name for name in ({**keys, **(set or {})}) if name != "repeats"]
        if more or backend != "model":
            raise AxiometerError(
                f"{more[0] if more else 'backend'} is for a board: a design has its own masters",
                remedy="change the design: axm.Design.load(file, set={'MASTER.KEY': value})",
            )
        return platform.expect(keys.get("repeats"))
    known = platform if isinstance(platform, Platform) else Platform.load(str(platform))
    asked = [(name, plain(value), None) for name, value in {**keys, **(set or {})}.items()]
    return Expectation(*point_of(known, asked), backend)


def point_of(
    platform: Platform, asked: Iterable[tuple[str, object, str | None]]
) -> tuple[Platform, Point]:
    """The point for (key or figure, value, place) items, and the platform with the figures among
    them. AxiometerError at the first bad value."""
    asked = list(asked)
    given, figures = keys_and_figures(of for of in asked if not _has_tables(of))
    for _, value, _ in filter(_has_tables, asked):
        given[master_tables.TABLES] = master_tables.tables(value)
    platform = platform.with_overrides(figures)
    return platform, one_point(platform, master_tables.from_settings(given))


def _has_tables(of: tuple[str, object, str | None]) -> bool:
    """Whether it has `[[master]]` tables of a program; on a command line nothing is called so."""
    return of[0] == master_tables.TABLES and of[2] is None


def limit(platform: Platform, row: Row) -> Verdict:
    """The limit of a row's point; AxiometerError if its time classes do not add up."""
    return _limit(platform, row, collect.scenario(platform, row))


def _limit(
    platform: Platform, row: Row, scenario: Scenario | None, backend: str = "model"
) -> Verdict:
    return judged(evidence(platform, row), scenario, row.records, backend)


def evidence(platform: Platform, row: Row, facts: Facts | None = None) -> Evidence:
    """The shares of time of a row's point; facts: those of the platform by default. AxiometerError
    if its time classes do not add up."""
    known = collect.facts(platform) if facts is None else facts
    return Evidence(stacks(row.records, describe(row.values)), row.values, known)


def answer(
    platform: Platform, point: Point, row: Row, backend: str, how: Sampling | None = None
) -> Answer:
    """Explain the `row` of `point` on `backend`; AxiometerError if that fails."""
    scenario = collect.scenario(platform, row)
    found = _limit(platform, row, scenario, backend)
    tried = _remedy(platform, point, found, backend, row)
    more = _or_none(lambda: processor.more(platform, point.key, point.values)) or ()
    out = [
        starved_by(scenario, of, platform, point.values)
        for of in starved.of(found.evidence, row.stats)
    ]
    near = [] if row.measured else measured.nearest(platform, point.values)
    little = _or_none(lambda: small.of(platform, row, backend))
    before = _or_none(lambda: _before_port(platform, point, row, backend))
    beside = more, how, out, little, before, point.assumed
    return Answer(platform, row, found, tried, near, backend, *beside)


def _or_none(trial: Callable[[], T]) -> T | None:
    """The result of a trial beside the point; None where it cannot run or breaks a law: the point's
    own answer stands without it."""
    try:
        return trial()
    except AxiometerError:
        return None


def _before_port(
    platform: Platform, point: Point, row: Row, backend: str
) -> before_port.BeforePort | None:
    """The blocks before the ports, if they cost any rate; None without blocks."""
    named = before_port.words(point.values)
    if not named:
        return None
    without = Point(point.index, point.key, before_port.removed(point.values))
    other, _ = sampled(platform, without, backend, enough=lambda _, half: half < before_port.SAID)
    return before_port.judged(named, row.mean or 0.0, other.mean or 0.0)


def _remedy(platform: Platform, point: Point, found: Verdict, backend: str, row: Row) -> Remedy:
    """The remedy of the verdict with its trials simulated as the point itself; the verdict's own
    where it has no change, or the change cannot run."""
    before, own = _outcome(platform, row), found.remedy
    trials = list(own.trials)
    if not trials and found.change:
        trials = [Trial((Change(found.change, found.cause),), before, before)]
    afters = {
        id(trial): _or_none(partial(_with, platform, point, trial.keys, found, backend, row))
        for trial in trials
        if trial.keys
    }
    if not any(afters.values()):
        return own
    # A change that cannot run as the point itself is not advised, one that no key states stays.
    left = remedy.of_trials(
        replace(trial, before=before, after=after) if after is not None else trial
        for trial in trials
        if (after := afters.get(id(trial))) is not None or not trial.keys
    )
    if own.trials:
        return left
    return replace(own, trials=left.trials) if left.trials else left


def _outcome(platform: Platform, row: Row) -> Outcome:
    totals = tuple(record["total_MBps"] for record in row.records)
    return Outcome(platform, row.values, totals, tuple(row.records))


def _with(
    platform: Platform,
    point: Point,
    change: Mapping[str, object],
    found: Verdict,
    backend: str,
    row: Row,
) -> Outcome | None:
    """The point with a change; None where that is no point. It is sampled until its gain over the
    point's `row` is sure."""
    other = changed(platform, point, change, TRIAL_REPEATS)
    if other is None:
        return None
    # A simulated gain is known to help.
    if found.found is None and _same_run(other, (platform, point)):
        return _outcome(platform, row)  # it changes nothing here

    mean = row.mean or 0.0

    def sure(of: float, half: float) -> bool:
        return mean != 0 and abs(of / mean - 1) > SURE * half

    return _outcome(other[0], sampled(*other, backend, enough=sure)[0])


def _same_run(a: tuple[Platform, Point], b: tuple[Platform, Point]) -> bool:
    """Whether the model has the same input for both, so that one need not run."""
    seed = a[1].values["seed"]
    if (
        any(point.values["master"] not in AT_MEMORY for _, point in (a, b))
        or b[1].values["seed"] != seed
    ):
        return False
    first, second = (Scenario.of(platform, point.values) for platform, point in (a, b))
    return first.document() == second.document() and all(
        first.start(seed, n).document() == second.start(seed, n).document() for n in range(2)
    )
