"""Does it fit: the needed rates, simulated as they are asked for, and how far all of them together
can be scaled.

Each need is shared evenly by the streams that it names; masters that no need names run as they are.
Where a measurement is the question, and for masters of the processor's side, which have no rate to
set, a need is compared with the rate at full speed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, cast

from axiometer.answer.analysis.time_shares import SERVED
from axiometer.answer.verdicts.designed import Answer as OfDesign
from axiometer.answer.verdicts.expected import Answer as OfPoint
from axiometer.answer.verdicts.needs import ALL, WAYS, Carried, Met, Need, judged
from axiometer.api import carried
from axiometer.base import pace
from axiometer.base.errors import AxiometerError
from axiometer.base.record import by_master, rate_of
from axiometer.experiment import listed, master_keys
from axiometer.experiment.keys_processor import AT_MEMORY
from axiometer.experiment.keys_shared import runs_freely
from axiometer.experiment.values import Master, Values, having
from axiometer.platform import Platform
from axiometer.published.bands import Band
from axiometer.simulate import early_stop, side_by_side
from axiometer.simulate.scenario import Scenario

SECONDS = 2e-3
"""Simulated time of a trial, at most: some 250 times as long as from one refresh to the next."""
STARTS = 2
MOST = 64.0
"""All needs together are scaled by at most this, up or down."""
NEAR = 1.02
"""The ratio within which the scale is known."""


class End(NamedTuple):
    """A stream: the names by which a need may call it, its direction, and the peak of its wires,
    MB/s, which those with the same `wire` share."""

    names: tuple[str, ...]
    way: str
    wire: str
    peak: float


Rates = Mapping[int, float]
"""MB/s by the number of an end."""
Trial = Callable[[Rates], Rates]
"""What each end carries if these ends move no more than this."""


def of_point(found: OfPoint, needs: Sequence[Need]) -> list[Met]:
    """The needs of a point. AxiometerError for a name that it lacks."""
    return _of_list(found, needs, carried.of_point(found), {})


def of_design(found: OfDesign, needs: Sequence[Need]) -> list[Met]:
    """The needs of a design, of all its masters together. AxiometerError for a name that it
    lacks."""
    full, names = carried.of_design(found), found.together.outcome.masters.of
    called: dict[str, list[str]] = {}
    for load, name in names.items():
        called.setdefault(name, []).extend((load.master, found.names[load.master]))
    if any(len(set(own)) > 2 for own in called.values()):
        return judged(needs, full)  # several masters are one engine
    return _of_list(found.point, needs, full, called)


def _of_list(
    found: OfPoint, needs: Sequence[Need], full: Carried, called: Mapping[str, Sequence[str]]
) -> list[Met]:
    """The needs of a point's masters; called: the names of each beside its own."""
    values = found.row.values
    masters = listed.masters(values)
    others = values["master"] not in AT_MEMORY or values["master"] == "convolution"
    if others or any(master_keys.is_source(m) or master_keys.works_in_jobs(m) for m in masters):
        return judged(needs, full)
    ends, apart = _apart(masters, called)

    def trial(rates: Rates) -> Rates:
        limited = [_limited(master, rates.get(n)) for n, master in enumerate(apart)]
        scenario = Scenario.of(found.platform, _values(found.platform, values, limited))
        records = side_by_side.repeats(early_stop.ending(scenario), range(STARTS), values["seed"])
        return {
            n: sum(rate_of(by_master(r)[own["name"]], ends[n].way) for r in records) / STARTS
            for n, own in enumerate(apart)
        }

    return _fit(needs, full, ends, trial, found.band)


def _apart(
    masters: Sequence[Master], called: Mapping[str, Sequence[str]]
) -> tuple[list[End], list[Master]]:
    """The streams of engines, each as a master with one direction; the halves of a pair move as
    much as each other without it."""
    ends, apart = [], []
    for master in masters:
        ways = master_keys.directions(master)
        peak = master["width_bits"] / 8 * master["link_mhz"]
        names = (ALL, master["way"], master["name"], *called.get(master["name"], ()))
        for way in ways:
            name = master["name"] if len(ways) == 1 else f"{master['name']}.{way}"
            ends.append(End(names, way, master["way"] + way, peak))
            own = {**master, "name": name, "direction": way, "partner": None, "start_us": 0.0}
            apart.append(cast("Master", master_keys.Frozen(own)))
    return ends, apart


def _limited(master: Master, rate: float | None) -> Master:
    if rate is None:
        return master
    least = pace.least(master["burst_bytes"], master["link_mhz"])
    own = {**master, "rate_mbs": max(rate, least), "gap_cycles": None}
    return cast("Master", master_keys.Frozen(own))


def _values(platform: Platform, values: Values, masters: Sequence[Master]) -> Values:
    """The point with these masters, for a time."""
    of = {"masters": tuple(masters), "transfer_bytes": None, "duration_s": SECONDS}
    return having(values, {**of, "until_settled": runs_freely(platform)})


def _fit(
    needs: Sequence[Need], full: Carried, ends: Sequence[End], trial: Trial, band: Band | None
) -> list[Met]:
    """The needs, simulated together; those that a measurement answers are compared with it. band:
    of the total at full speed, which says how sure the scale is."""
    fast = judged(needs, full)
    if all(of.is_measured for of in fast):
        return fast
    of_need = {need: _named(need, ends) for need in needs}

    def carries(factor: float) -> dict[Need, float]:
        rates: dict[int, float] = {}
        for need, own in of_need.items():
            for n in own:
                rates[n] = max(rates.get(n, 0.0), need.MBps * factor / len(own))
        got = trial(_in_turns(rates, ends))
        return {need: sum(got[n] for n in own) for need, own in of_need.items()}

    at_once = carries(1.0)
    scale = _scale(carries, at_once, min(of.carried / of.need.MBps for of in fast))
    return [
        of
        if of.is_measured
        else Met(
            of.need,
            at_once[of.need],
            None if band is None else band.low * scale * of.need.MBps,
            scale=scale,
        )
        for of in fast
    ]


def _named(need: Need, ends: Sequence[End]) -> list[int]:
    ways = WAYS if need.way is None else (need.way,)
    found = [n for n, end in enumerate(ends) if need.name in end.names and end.way in ways]
    if not found:
        raise AxiometerError(
            f"--need: {need.name} does not {need.way or 'move'} anything",
            remedy="name a direction in which it moves data",
        )
    return found


def _in_turns(rates: Rates, ends: Sequence[End]) -> Rates:
    """The rates of streams that share wires: no more together than these carry."""
    asked: dict[str, float] = {}
    for n, rate in rates.items():
        asked[ends[n].wire] = asked.get(ends[n].wire, 0.0) + rate
    most = {n: min(1.0, ends[n].peak / asked[ends[n].wire]) for n in rates}
    return {n: rate * most[n] for n, rate in rates.items()}


def _scale(
    carries: Callable[[float], Mapping[Need, float]], at_once: Mapping[Need, float], guess: float
) -> float:
    """By how much all needs together can be multiplied until one is carried no more. `guess`: what
    the rates at full speed suggest."""

    def enough(rates: Mapping[Need, float], factor: float) -> bool:
        return all(rate >= SERVED * need.MBps * factor for need, rate in rates.items())

    def fits(factor: float) -> bool:
        return enough(carries(factor), factor)

    grows, last = enough(at_once, 1.0), 1.0
    step = max(NEAR, min(2.0, max(guess, 1 / guess) if guess > 0 else 2.0))
    while 1 / MOST < last < MOST:
        beyond = last * step if grows else last / step
        if fits(beyond) != grows:
            break
        last = beyond
    else:
        return last if grows else 0.0
    low, high = sorted((last, beyond))
    while high / low > NEAR:
        middle = (low * high) ** 0.5
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low
