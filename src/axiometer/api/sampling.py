"""How many random starts an answer needs, and how long each: `expect` stops as soon as more would
not change what it can say. Nothing here reads the clock: the same question has the same answer on
every machine.

The rule. Starts are simulated until half of the 95 % interval of their mean rate is no more than
the aim: a fifth of how far off the model itself may be (the nearer end of the band), from 1 to
3 %; 1 % where no band is known. Independent errors add up in squares, so that widens the band by
no more than a fiftieth (more where the band is narrower than 5 %). After two starts it also ends
when so much data has been moved that one would wait for more; the answer then says how wide the
interval is. With `repeats` asked for, all of them run in full, as `axiometer run` runs them.

The interval. Two starts that happen to agree say little of the spread, and who stops when the
interval is narrow stops when they happen to. So the variance is taken as if two further starts,
which differ by 1 %, had been seen (a scaled inverse chi-squared prior: Gelman et al., *Bayesian
Data Analysis*, 2013, section 3.2), and Student's t has two degrees of freedom more.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from axiometer.answer.analysis import collect
from axiometer.answer.analysis.results import Row
from axiometer.answer.analysis.stats import describe, student95
from axiometer.answer.relax.gains import short
from axiometer.answer.verdicts.expected import Sampling
from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.base.record import Record
from axiometer.experiment.keys_processor import AT_MEMORY
from axiometer.experiment.points import Point
from axiometer.experiment.values import Values
from axiometer.platform import Platform
from axiometer.published import bands
from axiometer.records import laws
from axiometer.runs import backends
from axiometer.runs.runner.workers import Chunk, compute
from axiometer.simulate import cost, early_stop, side_by_side
from axiometer.simulate.scenario import Scenario

LOOKS = (2, 3, 4, 5, 6, 8, 10, 13, 16, 20)
"""After how many starts it is looked whether they are enough."""
PRIOR_STARTS, PRIOR_SPREAD = 2, 0.01
PART_OF_BAND = 0.2
LEAST_AIM, MOST_AIM = 0.01, 0.03
MOST_BYTES, MOST_FREE_BYTES = 400e6, 100e6
"""Bytes of all starts after which no further one begins: about a second of one core. Machines whose
ports run freely take three times as long for a byte, as little of what they do recurs."""

Records = list[Record]


Seen = Callable[[Records, Sampling], None]
"""Told of the records so far, whenever it is looked at them."""
Enough = Callable[[float, float], bool]
"""Whether a rate (MB/s) with half of its interval (a share of it) will do, whatever the aim."""


def aim(platform: Platform, values: Values) -> float:
    """Half of the interval of the mean rate that is enough, as a share of it."""
    band = bands.of_rate(platform, values, None, None)
    if band is None:
        return LEAST_AIM
    nearer = min(abs(1 - band.low), abs(band.high - 1))
    return min(MOST_AIM, max(LEAST_AIM, PART_OF_BAND * nearer))


def half_width(rates: Sequence[float]) -> float | None:
    """Half of the 95 % interval of the mean of `rates`, as a share of it; None where nothing is
    moved. So many further starts as the prior has are taken to differ by its spread."""
    n = len(rates)
    mean = math.fsum(rates) / n if n else 0.0
    if not mean:
        return None
    spread = describe(rates)["std"] / mean if n > 1 else 0.0
    freedom = n - 1 + PRIOR_STARTS
    variance = ((n - 1) * spread**2 + PRIOR_STARTS * PRIOR_SPREAD**2) / freedom
    return student95(freedom) * math.sqrt(variance / n)


def sampled(
    platform: Platform,
    point: Point,
    backend: str,
    seen: Seen | None = None,
    enough: Enough | None = None,
) -> tuple[Row, Sampling]:
    """The row of `point` on `backend`, and how its rate was sampled. seen: see `Seen`; enough: see
    `Enough`. AxiometerError if the point cannot be run, or its records break a law."""
    most = int(point.values["repeats"])
    if "repeats" in point.key:
        records = compute(backends.load(backend), platform, Chunk(point, 0, most))
        found = Sampling(most, half_width(_rates(records)), aim(platform, point.values), "asked")
    else:
        records, found = _until_enough(platform, point, backend, seen, enough)
    laws.check(platform, point, records)
    _check_moved(point, records)
    known = collect.facts(platform)
    return collect.row(known, 0, point.key, point.values, records, None, platform), found


def _check_moved(point: Point, records: Records) -> None:
    """AxiometerError where no start moved a byte, so that there is nothing to say."""
    duration = point.values["duration_s"]
    if duration is None or any(_rates(records)):
        return
    raise AxiometerError(
        f"no burst ends in {duration * 1e6:g} us, so there is no rate",
        remedy=f"give a longer duration: {100e3 * duration:.3g}ms, or ask for more (rate_mbs, "
        "gap_cycles)",
        status=RUN_FAILED,
    )


def _until_enough(
    platform: Platform,
    point: Point,
    backend: str,
    seen: Seen | None,
    enough: Enough | None,
) -> tuple[Records, Sampling]:
    most, of = int(point.values["repeats"]), aim(platform, point.values)
    more = _starts(platform, point, backend)
    records: Records = []
    looks = (*LOOKS, most) if enough is None else (1, *LOOKS, most)
    for look in sorted({min(look, most) for look in looks}):
        records += more(len(records), look - len(records))
        rates = _rates(records)
        half = half_width(rates)
        now = Sampling(len(records), half, of, _why(records, half, of, most))
        mean = math.fsum(rates) / len(rates)
        if not now.why and half is not None and enough is not None and enough(mean, half):
            now = Sampling(len(records), half, of, "told")
        if seen is not None:
            seen(records, now)
        if now.why:
            break
    return records, now


def _why(records: Records, half: float | None, aim: float, most: int) -> str:
    """Why it is enough; "" if it is not."""
    if half is not None and half <= aim:
        return "aim"
    if len(records) >= most:
        return "starts"
    free = any("steady" in record for record in records)
    moved = sum(record["bytes"] for record in records if "bytes" in record)
    return "bytes" if moved >= (MOST_FREE_BYTES if free else MOST_BYTES) else ""


def first_look(platform: Platform, point: Point) -> tuple[float, float] | None:
    """MB/s of one short start, and its simulated seconds: a figure at once, that may still be of
    the start-up. None where only the whole point can be run."""
    if point.values["master"] not in AT_MEMORY:
        return None
    scenario = short(Scenario.of(platform, point.values))
    cost.check(scenario)
    (record,) = side_by_side.repeats(scenario, [0], point.values["seed"])
    return record["total_MBps"], record["elapsed_s"]


def _starts(platform: Platform, point: Point, backend: str) -> Callable[[int, int], Records]:
    """What simulates so many starts from the first one given. A free run ends when its rate is sure
    enough (`simulate/early_stop.py`), or as `duration` says if that was asked for."""
    if backend == "model" and point.values["master"] in AT_MEMORY:
        scenario = Scenario.of(platform, point.values)
        cost.check(scenario)
        if "duration" not in point.key:
            scenario = early_stop.ending(scenario)
        seed = point.values["seed"]
        return lambda first, count: side_by_side.repeats(
            scenario, range(first, first + count), seed
        )
    module = backends.load(backend)
    return lambda first, count: compute(module, platform, Chunk(point, first, count))


def _rates(records: Records) -> list[float]:
    return [record["total_MBps"] for record in records]
