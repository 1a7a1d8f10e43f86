"""Latency under load: the curves of `axiometer curve`, as an object."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Unpack

from axiometer.answer.analysis import load_sweep
from axiometer.answer.analysis.load_sweep import Load
from axiometer.api.changed import keys_and_figures, plain
from axiometer.api.frames import Result
from axiometer.api.signatures import showing
from axiometer.api.typed_keys import LoadKeys
from axiometer.base.errors import AxiometerError
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.present import load_curves
from axiometer.present.load_curves import Curve
from axiometer.present.text import Style

if TYPE_CHECKING:
    import altair


class Curves(Result):
    """A curve for each load. Rates in MB/s (1e6 bytes a second), latencies in ns, gaps in clocks of
    the PL. `found` has all their data."""

    def __init__(self, found: Sequence[Curve]) -> None:
        self.found = list(found)

    def rows(self) -> list[dict[str, object]]:
        """One mapping a gap: rates, and mean and 95th percentile of the latency of reads and of
        writes (None for a direction without traffic)."""
        return [
            {
                "curve": curve.name,
                "gap_cycles": point.gap_cycles,
                "total_MBps": point.total,
                **{f"{way}_MBps": point.rates.get(way, 0.0) for way in load_sweep.DIRECTIONS},
                **{
                    f"{way}_{part}_ns": getattr(point.latency.get(way), part, None)
                    for way in load_sweep.DIRECTIONS
                    for part in ("mean", "p95")
                },
                "in_flight": point.in_flight,
            }
            for curve in self.found
            for point in curve.points
        ]

    @property
    def text(self) -> str:
        """The output of `axiometer curve`."""
        style = Style()
        return style.fit(load_curves.lines(self.found, style))

    def to_dict(self) -> dict[str, object]:
        """The output of `axiometer curve --json`."""
        return load_curves.document(self.found)

    def plot(self) -> altair.TopLevelMixin:
        """The picture of `axiometer curve --svg`."""
        return load_curves.chart(self.found)

    @property
    def caption(self) -> str:
        return load_curves.caption(self.found)

    def __repr__(self) -> str:
        gaps = sum(len(curve.points) for curve in self.found)
        return f"<Curves: {self.caption}; {gaps} points>"


@showing(LoadKeys)
def curve(
    platform: str | Platform,
    *,
    ratio: str | Iterable[str] = "1:0",
    gaps: Iterable[int] | None = None,
    set: Mapping[str, object] | None = None,
    **keys: Unpack[LoadKeys],
) -> Curves:
    """Latency against bandwidth: a sweep of the gap between bursts, from 0.

    `ratio` is reads to writes ("1:0" reads only, "2:1"), or several, a curve each. `gaps` are
    clocks of the PL (None: 18, from 0 to 2048). `keys` are keys of an experiment for the load:
    ports, pl_mhz, width_bits, burst_bytes, pattern, outstanding_read, outstanding_write, duration;
    `set` may also have figures of the platform. AxiometerError for bad values.
    """
    ratios = [load_sweep.ratio(one) for one in ([ratio] if isinstance(ratio, str) else ratio)]
    if not ratios:
        raise AxiometerError(
            "no ratio is given", remedy='give reads to writes: "1:0" or ["1:0", "1:1"]'
        )
    at = load_sweep.GAPS if gaps is None else load_sweep.gaps(_listed(gaps))
    known = platform if isinstance(platform, Platform) else Platform.load(str(platform))
    asked = ((name, plain(value), None) for name, value in {**keys, **(set or {})}.items())
    placed, given = laid_over(known, asked)
    return Curves([swept(Load(placed, given, one), at) for one in dict.fromkeys(ratios)])


def laid_over(
    platform: Platform, asked: Iterable[tuple[str, object, str | None]]
) -> tuple[Platform, dict[str, object]]:
    """The platform with the figures, and the keys by name, of (name, value, place) items."""
    keys, figures = keys_and_figures(asked)
    return platform.with_overrides(figures), {name: of.value for name, of in keys.items()}


def _listed(gaps: Iterable[int]) -> str:
    return ",".join(map(str, islice(gaps, load_sweep.MOST_GAPS + 1)))


def swept(load: Load, at: Sequence[int], label: str = "") -> Curve:
    """The load at each gap of `at`, and its unloaded latency, simulated in this call. `label` names
    its owner."""
    points = list(load_sweep.sweep(load, at))
    usual = load_sweep.usual_duration(load.platform)
    values = (
        single(load.platform, {"duration": usual, **load.given}).values
        if load.scenario is None
        else load.scenario.values
    )
    return Curve(load, points, load_sweep.unloaded(load), values, label)
