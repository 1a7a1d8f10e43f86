"""Answers along keys: a list in any key is a sweep, and the smallest setting that suffices."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Unpack

from axiometer.answer.analysis.results import Row
from axiometer.answer.analysis.stats import rate_of
from axiometer.api.changed import plain
from axiometer.api.expectation import how_sure, rates
from axiometer.api.frames import Result
from axiometer.api.sampling import sampled
from axiometer.api.signatures import showing
from axiometer.api.typed_keys import ChoiceKeys
from axiometer.base import progress, units
from axiometer.base.errors import AxiometerError
from axiometer.base.units import short_rate
from axiometer.experiment import points, settings
from axiometer.experiment.keys import Given, checked
from axiometer.experiment.values import known
from axiometer.platform import Platform
from axiometer.present.grid import Column, table
from axiometer.present.text import Style

if TYPE_CHECKING:
    import altair

MOST = 1000
"""Points of a sweep, at most: more belong into an experiment's file, whose runs are kept."""
_NUMBER = r"(\d+(?:\.\d+)?)"
_RANGE = re.compile(rf"{_NUMBER}:{_NUMBER}:{_NUMBER}", re.ASCII)
_PERCENT = re.compile(rf"{_NUMBER} ?%", re.ASCII)


@dataclass(frozen=True)
class Sweep(Result):
    """The answers of `expect` along keys, in MB/s. swept: the keys, the first changes slowest;
    found: the row of each point; enough: the rate that suffices, MB/s, None if none was asked
    for."""

    platform: Platform
    swept: tuple[str, ...]
    found: tuple[Row, ...]
    enough: float | None = None

    @property
    def best(self) -> Row:
        """The row with the highest total."""
        return max(self.found, key=lambda row: row.mean or 0.0)

    @property
    def smallest(self) -> Row | None:
        """The smallest setting that suffices: the one whose values stand nearest to the least of
        each key, all together; None if none suffices or nothing was asked for."""
        if self.enough is None:
            return None
        ranks = {key: _ranks(row.key[key] for row in self.found) for key in self.swept}
        good = [row for row in self.found if (row.mean or 0.0) >= self.enough]
        far = {id(row): sum(ranks[key][str(row.key[key])] for key in self.swept) for row in good}
        return min(good, key=lambda row: far[id(row)], default=None)

    def rows(self) -> list[dict[str, object]]:
        """A row a point: its keys, rates, band, and a measured total where there is one."""
        return [
            {
                **{key: row.key[key] for key in self.swept},
                **rates(known(row.stats)),
                **how_sure(row.mean or 0.0, row.band, row),
                "suffices": None if self.enough is None else (row.mean or 0.0) >= self.enough,
            }
            for row in self.found
        ]

    def lines(self, style: Style) -> list[str]:
        """The output of `axiometer sweep`."""
        most = self.best.mean or 0.0
        columns = [*(Column(key) for key in self.swept)]
        columns += [Column(of) for of in ("total", "read", "write", "of the best")]
        cells = [
            [*(str(row.key[key]) for key in self.swept),
             *(short_rate(rate_of(known(row.stats), way)["mean"]) for way in
               ("total", "read", "write")),
             f"{100 * (row.mean or 0.0) / most:.0f} %" if most else "–"]
            for row in self.found
        ]  # fmt: skip
        out = [f"{self.caption}.", "", *table(columns, cells, style)]
        if self.enough is not None:
            out += ["", self._enough(self.enough)]
        return out

    def _enough(self, enough: float) -> str:
        row = self.smallest
        if row is None:
            return f"No setting gives {short_rate(enough)} MB/s."
        asked = f"at least {short_rate(enough)} MB/s"
        return (
            f"The smallest setting with {asked}: {self._named(row)}, {short_rate(row.mean or 0)}."
        )

    def _named(self, row: Row) -> str:
        return ", ".join(f"{key}={row.key[key]}" for key in self.swept)

    @property
    def text(self) -> str:
        """The output of `axiometer sweep`."""
        style = Style()
        return style.fit(self.lines(style))

    def to_dict(self) -> dict[str, object]:
        """The output of `axiometer sweep --json`."""
        small = self.smallest
        return {
            "schema_version": 1,
            "board": self.platform.name,
            "swept": list(self.swept),
            "points": self.rows(),
            "enough_MBps": self.enough,
            "smallest": None if small is None else {key: small.key[key] for key in self.swept},
        }

    def plot(self) -> altair.TopLevelMixin:
        """Totals along the key that changes fastest."""
        from axiometer.present import pictures

        rows = [{**row, "port": self._named(of)} for row, of in zip(self.rows(), self.found,
                                                                   strict=True)]  # fmt: skip
        return pictures.of_rates(self.caption, rows)

    @property
    def caption(self) -> str:
        best = self.best
        return (
            f"{self.platform.title}: {len(self.found)} points along {', '.join(self.swept)} "
            f"(simulated, MB/s); the best, {short_rate(best.mean or 0.0)} MB/s, with "
            f"{self._named(best)}"
        )

    def __repr__(self) -> str:
        return f"<Sweep: {self.caption}>"


def _ranks(values: Iterable[object]) -> dict[str, int]:
    """The place of each value in ascending order; texts keep their order."""
    every = list(dict.fromkeys(values))
    if all(isinstance(value, int | float) for value in every):
        every.sort(key=lambda value: float(str(value)))
    return {str(value): number for number, value in enumerate(every)}


@showing(ChoiceKeys)
def sweep(
    platform: str | Platform,
    *,
    mode: str | Sequence[str] | None = None,
    transfer_bytes: int | str | Sequence[int | str] | None = None,
    at_least: str | float | None = None,
    set: Mapping[str, object] | None = None,
    **keys: Unpack[ChoiceKeys],
) -> Sweep:
    """The answers of `expect` for each combination of the values of all lists.

    `platform` and `keys` are those of `axm.expect`; a list, or a text "50:300:25" (from, to, step),
    is swept. `at_least` asks for the smallest setting that suffices: "90%" of the best rate, or
    MB/s. AxiometerError for bad values, and for more than `MOST` points.
    """
    known = platform if isinstance(platform, Platform) else Platform.load(str(platform))
    own = {"mode": mode, "transfer_bytes": transfer_bytes}
    asked = {**{n: v for n, v in own.items() if v is not None}, **keys, **(set or {})}
    return swept(known, [(name, value, None) for name, value in asked.items()], at_least)


def swept(
    platform: Platform,
    asked: Iterable[tuple[str, object, str | None]],
    at_least: str | float | None = None,
) -> Sweep:
    """The sweep of (key, value or values, place) items; see `sweep`."""
    given = {name: values_of(name, value, where) for name, value, where in asked}
    along = {name: values for name, values in given.items() if len(values) > 1}
    alone = {name: values[0] for name, values in given.items() if len(values) == 1}
    if not along:
        raise AxiometerError(
            "nothing is swept",
            remedy="give a list to a key: burst_beats=4,8,16 or pl_mhz=50:300:25",
        )
    count = points.how_many(along, ())
    if count > MOST:
        raise AxiometerError(
            f"{count} points", remedy=f"sweep at most {MOST}, or write an experiment's file"
        )
    rows = []
    for point in progress.each(points.expand(alone, along, (), platform), "points simulated"):
        row, _ = sampled(platform, point, "model")
        rows.append(row)
    found = Sweep(platform, tuple(along), tuple(rows))
    if at_least is None:
        return found
    return replace(found, enough=_enough(at_least, found.best.mean or 0.0))


def values_of(name: str, value: object, where: str | None) -> list[Given]:
    """The values of a key, from a list, "a,b,c", "50:300:25", or one value."""
    if isinstance(value, str):
        match = _RANGE.fullmatch(value)
        if match is None and "," in value:
            return settings.choices(name, value)
        several: Sequence[object] = [value] if match is None else _range(name, *match.groups())
    else:
        several = value if isinstance(value, list | tuple) else [value]
    if not several:
        raise AxiometerError(f"{name} has no value", remedy="give a value, or a list")
    literal = [settings.literal(one) if isinstance(one, str) and name != "ports" else one
               for one in several]  # fmt: skip
    return [checked(name, Given(plain(one), where)) for one in literal]


def _range(name: str, first: str, last: str, step: str) -> list[object]:
    """From first to last, both included."""
    low, high, each = map(Fraction, (first, last, step))
    if each <= 0 or high < low or (high - low) / each >= 100 * MOST:
        raise AxiometerError(
            f"{name} is {first}:{last}:{step}", remedy="give FROM:TO:STEP, as in 50:300:25"
        )
    found = [low + n * each for n in range(int((high - low) / each) + 1)]
    return [int(one) if one.denominator == 1 else float(one) for one in found]


def _enough(at_least: str | float, best: float) -> float:
    """The rate that suffices, MB/s."""
    if isinstance(at_least, int | float):
        return float(at_least)
    if match := _PERCENT.fullmatch(at_least.strip()):
        return best * float(match[1]) / 100
    try:
        return float(units.needed(at_least, "MB/s"))
    except ValueError as error:
        raise AxiometerError(
            f"at_least is {at_least!r}", remedy=f"give a share of the best, 90%, or MB/s: {error}"
        ) from None
