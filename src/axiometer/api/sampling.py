"""The number and length of random starts for an answer: `expect` stops when more starts would not
change its answer. Nothing here reads the clock, so the same question has the same answer on every
machine.

The rule. Starts are simulated until half of the 95 % interval of their mean rate is within the aim:
a fifth of the model's own possible error (the nearer end of the band), from 1 to 3 %; 1 % without a
known band. Independent errors add up in squares, so this widens the band by at most a fiftieth
(more for a band narrower than 5 %). After two starts it also ends when so much data has moved that
a user would have to wait; the answer then states the width of the interval. With given `repeats`,
all of them run in full, as in `axiometer run`.

The interval. Two starts that happen to agree say little about the spread, and a rule that stops at
a narrow interval stops when they do. So the variance is computed as if two further starts, which
differ by 1 %, had been seen (a scaled inverse chi-squared prior: Gelman et al., *Bayesian Data
Analysis*, 2013, section 3.2), and Student's t has two degrees of freedom more. A long transfer of
the processor's side whose starts are alike (`simulate/transfer.py`) has 0.1 % there, so that one
start suffices.
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
from axiometer.base.units import significant
from axiometer.experiment import listed, master_keys
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
from axiometer.simulate.sources import access_bytes
from axiometer.simulate.transfer import starts_alike

LOOKS = (2, 3, 4, 5, 6, 8, 10, 13, 16, 20)
"""Numbers of starts after which the rule is checked."""
PRIOR_STARTS, PRIOR_SPREAD, ALIKE_SPREAD = 2, 0.01, 0.001
PART_OF_BAND = 0.2
LEAST_AIM, MOST_AIM = 0.01, 0.03
MOST_BYTES, MOST_FREE_BYTES = 400e6, 100e6
"""Bytes of all starts after which no further one begins: about a second of one core. Machines with
freely running ports take three times as long for a byte, as few of their states recur."""
MOST_BURSTS = 2**16
"""Of masters that request one by one, in a start: an answer has some twenty of them."""

Records = list[Record]


Seen = Callable[[Records, Sampling], None]
"""Called with the records so far, at each check."""
Enough = Callable[[float, float], bool]
"""Whether a rate (MB/s) with half of its interval (a share of it) suffices, regardless of the
aim."""


def aim(platform: Platform, values: Values) -> float:
    """The sufficient half of the interval of the mean rate, as a share of it."""
    band = bands.of_rate(platform, values, None, None)
    if band is None:
        return LEAST_AIM
    nearer = min(abs(1 - band.low), abs(band.high - 1))
    return min(MOST_AIM, max(LEAST_AIM, PART_OF_BAND * nearer))


def half_width(rates: Sequence[float], prior: float = PRIOR_SPREAD) -> float | None:
    """Half of the 95 % interval of the mean of `rates`, as a share of it; None if nothing moves.
    The prior counts as `PRIOR_STARTS` further starts that differ by its spread `prior`."""
    n = len(rates)
    mean = math.fsum(rates) / n if n else 0.0
    if not mean:
        return None
    spread = describe(rates)["std"] / mean if n > 1 else 0.0
    freedom = n - 1 + PRIOR_STARTS
    variance = ((n - 1) * spread**2 + PRIOR_STARTS * prior**2) / freedom
    return student95(freedom) * math.sqrt(variance / n)


def sampled(
    platform: Platform,
    point: Point,
    backend: str,
    seen: Seen | None = None,
    enough: Enough | None = None,
) -> tuple[Row, Sampling]:
    """The row of `point` on `backend`, and its sampling. seen: see `Seen`; enough: see `Enough`.
    AxiometerError if the point cannot run, or its records break a law."""
    _check_length(platform, point)
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


def _check_length(platform: Platform, point: Point) -> None:
    """AxiometerError if masters that request burst by burst would move so much that an answer, with
    its trials, takes minutes. A run of an experiment has no such limit."""
    size = point.values["transfer_bytes"]
    requesting = [m for m in listed.masters(point.values) if master_keys.is_source(m)]
    if size is None or not requesting:
        return
    bursts = sum(size // access_bytes(platform, master) for master in requesting)
    if bursts > MOST_BURSTS:
        names = ", ".join(master["name"] for master in requesting)
        most = size * MOST_BURSTS // bursts // 1024
        raise AxiometerError(
            f"{names} would request {bursts} bursts one by one, which takes minutes",
            remedy=f'give transfer_bytes of at most {most}KiB, or a time: duration = "1ms"',
        )


def _check_moved(point: Point, records: Records) -> None:
    """AxiometerError if no start moved a byte, so that there is no rate."""
    duration = point.values["duration_s"]
    if duration is None or any(_rates(records)):
        return
    raise AxiometerError(
        f"no burst ends in {duration * 1e6:g} us, so there is no rate",
        remedy=f"give a longer duration: {significant(100e3 * duration, 3)}ms, or a higher load "
        "(rate_mbs, gap_cycles)",
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
    alike = point.values["master"] not in AT_MEMORY and starts_alike(platform, point.values)
    prior = ALIKE_SPREAD if alike else PRIOR_SPREAD
    looks = (1, *LOOKS, most) if alike or enough is not None else (*LOOKS, most)
    for look in sorted({min(look, most) for look in looks}):
        records += more(len(records), look - len(records))
        rates = _rates(records)
        half = half_width(rates, prior)
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
    """The reason why the starts suffice; "" if they do not."""
    if half is not None and half <= aim:
        return "aim"
    if len(records) >= most:
        return "starts"
    free = any("steady" in record for record in records)
    moved = sum(record["bytes"] for record in records if "bytes" in record)
    return "bytes" if moved >= (MOST_FREE_BYTES if free else MOST_BYTES) else ""


def first_look(platform: Platform, point: Point) -> tuple[float, float] | None:
    """MB/s of one short start, and its simulated seconds: a quick figure, perhaps still of the
    start-up. None if only the whole point can run."""
    if point.values["master"] not in AT_MEMORY:
        return None
    scenario = short(Scenario.of(platform, point.values))
    cost.check(scenario)
    (record,) = side_by_side.repeats(scenario, [0], point.values["seed"])
    return record["total_MBps"], record["elapsed_s"]


def _starts(platform: Platform, point: Point, backend: str) -> Callable[[int, int], Records]:
    """A function that simulates starts, from a first one and their number. A free run ends when its
    rate is sure enough (`simulate/early_stop.py`), or after a given `duration`."""
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
