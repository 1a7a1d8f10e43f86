"""What to expect of one point: it is run here and now, as far as `sampling.py` says; what limits it
is found when asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from axiometer.advise import processor
from axiometer.answer.analysis import burst_latency, collect, starved
from axiometer.answer.analysis.results import MEASURED, Row, how
from axiometer.answer.analysis.stats import RateStats, Stats, rate_of
from axiometer.answer.analysis.time_classes import stacks
from axiometer.answer.analysis.time_shares import Evidence
from axiometer.answer.relax.starved import starved_by
from axiometer.answer.verdicts import before_port, small
from axiometer.answer.verdicts.expected import Answer, Sampling
from axiometer.answer.verdicts.small import Small
from axiometer.answer.verdicts.verdict import Verdict, judged
from axiometer.api.changed import changed, one_point, plain
from axiometer.api.frames import Result
from axiometer.api.sampling import Seen, sampled
from axiometer.base.units import short_rate
from axiometer.experiment import master_keys, master_tables, settings
from axiometer.experiment.keys import Given, checked, in_unit
from axiometer.experiment.keys_processor import AT_MEMORY
from axiometer.experiment.points import Point
from axiometer.experiment.values import known
from axiometer.platform import Platform
from axiometer.present import bottleneck_text, expected_point
from axiometer.present.bottleneck_text import describe
from axiometer.present.text import Style
from axiometer.published import measured
from axiometer.published.anchors import Anchored
from axiometer.published.measured import Measurement
from axiometer.simulate.remembered import Outcomes, remembering
from axiometer.simulate.scenario import Scenario

if TYPE_CHECKING:
    import altair

TRIAL_REPEATS = 5
"""Repeats of the point with the advice followed, where `repeats` are asked for: enough to tell
whether it helps."""
SURE = 1.5
"""A trial has shown whether it helps if its gain is so many times half of its interval."""


class Expectation(Result):
    """What to expect of one point on a platform. Rates in MB/s (1e6 bytes a second).

    `platform`, `point` and `backend` are what was asked; `row` has everything that was found.
    `sampling` says how many random starts were simulated, and why so many: without `repeats`, as
    many as an answer needs. What limits the point is simulated when it is first asked for, which
    takes about as long as the point itself.
    """

    def __init__(
        self,
        platform: Platform,
        point: Point,
        backend: str = "model",
        seen: Seen | None = None,
    ) -> None:
        """Run `point` on `backend` in this process; `seen` is told of what is known so far.
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
        """Mean rate of what the fabric reads, MB/s."""
        return float(self.stats["read_MBps"]["mean"])

    @property
    def write(self) -> float:
        """Mean rate of what the fabric writes, MB/s."""
        return float(self.stats["write_MBps"]["mean"])

    @property
    def latency(self) -> dict[str, float] | None:
        """Of the bursts of all ports, in ns: `mean_ns`, `p99_ns`, `max_ns`, and where both
        directions move `read_mean_ns`, `write_mean_ns`; None of the processor's side."""
        return burst_latency.of_row(self.row)

    @property
    def small(self) -> Small | None:
        """Of a transfer whose start is the larger part: the time of one access alone, and the rate
        without the start; None of others."""
        return self.answer.small

    @property
    def range(self) -> tuple[float, float]:
        """The least and the largest total over the random starts, MB/s."""
        return float(self.stats["total_MBps"]["min"]), float(self.stats["total_MBps"]["max"])

    @property
    def band(self) -> tuple[float, float] | None:
        """Between which total rates nine of ten measurements are expected, MB/s; None where nothing
        is known, and for what was measured."""
        known = None if self.backend == MEASURED else self.row.band
        return None if known is None else (self.total * known.low, self.total * known.high)

    @property
    def anchored(self) -> Anchored | None:
        """The total corrected by what was measured near it in the same set-up, with its own band;
        None where nothing was, and for what was measured."""
        return None if self.backend == MEASURED else self.row.anchored

    @cached_property
    def answer(self) -> Answer:
        """The point with its bottleneck, the advice tried, and published rows of it."""
        with remembering(self._kept):
            found = answer(self.platform, self.point, self.row, self.backend, self.sampling)
        self._kept.clear()
        return found

    @property
    def measured(self) -> Sequence[Measurement]:
        """What was measured at this very point: rows of tables that ship, each with its source."""
        return self.row.measured

    @property
    def nearest_measured(self) -> Sequence[Measurement]:
        """The nearest measurements, with what each has otherwise; empty where the point itself was
        measured."""
        return self.answer.nearest_measured

    @property
    def bottleneck(self) -> str:
        """The short name of what limits it, as in reports."""
        return bottleneck_text.name(self.answer.verdict)

    @property
    def advice(self) -> str:
        """What to change, in a sentence."""
        return expected_point.advice(self.answer)

    @property
    def text(self) -> str:
        """What `axiometer expect -v` prints."""
        return Style().fit(expected_point.lines(self.answer, Style(), detailed=True))

    def to_dict(self) -> dict[str, object]:
        """What `axiometer expect --json` prints."""
        return expected_point.document(self.answer)

    def rows(self) -> list[dict[str, object]]:
        """All ports, and each port."""
        low, high = self.band or (None, None)
        whole = {"port": "all", **_rates(self.stats), "band_low_MBps": low, "band_high_MBps": high}
        return [whole, *({"port": name, **_rates(of), "band_low_MBps": None, "band_high_MBps": None}
                         for name, of in self.stats["by_port"].items())]  # fmt: skip

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


def _rates(stats: RateStats) -> dict[str, object]:
    return {f"{way}_MBps": rate_of(stats, way)["mean"] for way in ("total", "read", "write")}


def expect(
    platform: str | Platform,
    *,
    set: Mapping[str, object] | None = None,
    backend: str = "model",
    **keys: object,
) -> Expectation:
    """What to expect of one point.

    `platform` is the name of a board, its TOML file, or a `Platform`. `keys` are keys of an
    experiment (docs/guide.md): ports="HP0+HP1", mode="read", burst_beats=8, repeats=5; `masters` a
    list of mappings, as `[[master]]` tables. `set` has those whose names are no names of Python,
    and figures of the platform: {"controller.starve_clocks": 32}. AxiometerError says what is
    wrong.
    """
    known = platform if isinstance(platform, Platform) else Platform.load(str(platform))
    asked = [(name, plain(value), None) for name, value in {**keys, **(set or {})}.items()]
    return Expectation(*point_of(known, asked), backend)


def point_of(
    platform: Platform, asked: Iterable[tuple[str, object, str | None]]
) -> tuple[Platform, Point]:
    """The point that is asked for, as (key or figure, value, where it was written), and the
    platform with the figures among them. AxiometerError at the first that is not right."""
    given: dict[str, Given] = {}
    figures: dict[str, object] = {}
    for name, value, where in asked:
        if settings.is_platform_path(name):
            figures[settings.platform_path(name)] = value
        elif name == master_tables.TABLES and where is None:
            given[name] = master_tables.tables(value)
        else:
            # A kind of a master, too, can be set where no table says it.
            read = in_unit if master_keys.is_setting(name) else checked
            given[name] = read(name, Given(value, where))
    platform = platform.with_overrides(figures)
    return platform, one_point(platform, master_tables.from_settings(given))


def limit(platform: Platform, row: Row) -> Verdict:
    """What limits the point of a row; AxiometerError if its time classes do not add up."""
    return _limit(platform, row, collect.scenario(platform, row))


def _limit(
    platform: Platform, row: Row, scenario: Scenario | None, backend: str = "model"
) -> Verdict:
    evidence = Evidence(
        stacks(row.records, describe(row.values)), row.values, collect.facts(platform)
    )
    return judged(evidence, scenario, row.records, backend)


def answer(
    platform: Platform, point: Point, row: Row, backend: str, how: Sampling | None = None
) -> Answer:
    """Explain the `row` that `point` gave on `backend`; AxiometerError if that fails."""
    scenario = collect.scenario(platform, row)
    found = _limit(platform, row, scenario, backend)
    tried = _try(platform, point, found, backend, row)
    more = processor.more(platform, point.key, point.values)
    out = [
        starved_by(scenario, of, platform, point.values)
        for of in starved.of(found.evidence, row.stats)
    ]
    near = [] if row.measured else measured.nearest(platform, point.values)
    little = small.of(platform, row, backend)
    before = _before_port(platform, point, row, backend)
    return Answer(*(platform, row, found, tried, near, backend, more, how, out, little, before))


def _before_port(
    platform: Platform, point: Point, row: Row, backend: str
) -> before_port.BeforePort | None:
    """What stands before the ports, where it costs something; None where nothing stands there."""
    named = before_port.words(point.values)
    if not named:
        return None
    without = Point(point.index, point.key, before_port.removed(point.values))
    other, _ = sampled(platform, without, backend, enough=lambda _, half: half < before_port.SAID)
    return before_port.judged(named, row.mean or 0.0, other.mean or 0.0)


def _try(platform: Platform, point: Point, found: Verdict, backend: str, row: Row) -> Row | None:
    """The point with the advice followed; None where it names no change or cannot be run. It is
    sampled until it is sure whether it gives more than the `row` of the point as it is."""
    if not found.change:
        return None
    other = changed(platform, point, found.change, TRIAL_REPEATS)
    if other is None:
        return None

    # What was simulated to give something does.
    if found.found is None and _same_run(other, (platform, point)):
        return row  # the advice changes nothing here

    mean = row.mean or 0.0

    def sure(of: float, half: float) -> bool:
        return mean != 0 and abs(of / mean - 1) > SURE * half

    return sampled(*other, backend, enough=sure)[0]


def _same_run(a: tuple[Platform, Point], b: tuple[Platform, Point]) -> bool:
    """Whether the model would be told the same of both, so that one of them need not be run."""
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
