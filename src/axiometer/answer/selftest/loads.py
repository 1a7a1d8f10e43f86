"""Relations between loads: the cost of a neighbour, the effect of a rate, the rate of a longer run.

Their tolerances:

- a neighbour costs others little: `NEIGHBOUR_COSTS` times its requested rate.
- a rate above what passes changes nothing; a rate is kept: a burst, and the bursts under way at
  either end.
- settled as in the long run: `MOST_OFF` between a run that ended when its rate had settled, without
  a warning of drift, and a full run of `TIMES_LONGER` its time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from axiometer.answer.selftest.relations import Seen, Subject
from axiometer.base.record import rate_of
from axiometer.experiment.master_keys import TAKEN_OVER
from axiometer.experiment.points import Point
from axiometer.experiment.values import known
from axiometer.records import laws
from axiometer.simulate import machine

# A neighbour's MB/s cost all others at most so many times as much: it may read and write, and each
# of its bursts may change the row and turn the bus twice. Besides, the streams of a run of `LONG_S`
# may fall into another pattern. Each port with more than `LEAST_SHARE` of the rate keeps at least
# `KEPT_SHARE` of its rate.
NEIGHBOUR_MBPS = 1
NEIGHBOUR_COSTS, NEIGHBOUR_NOISE = 10, 0.2
LEAST_SHARE, KEPT_SHARE = 0.05, 0.1
LONG_S = 200e-6
# Settled runs take longest: check one of so many points. `MOST_OFF`: the tolerance.
ONE_OF = 2
SETTLED, TIMES_LONGER, MOST_OFF = "settled:3ms", 5, 0.015


def neighbour(of: Subject) -> Seen | None:
    """Others lose the rate of the chip's own master, and its row misses and turnarounds."""
    if of.kind != "streams" or not of.platform.neighbours or of.point.values["background"]:
        return None
    name = of.rng.choice(of.platform.neighbours)
    other = of.other(background=f"{name}={NEIGHBOUR_MBPS}")
    record = of.run(other) if other else None
    before = of.record["total_MBps"]
    if other is None or record is None or not before or known(other.values["duration_s"]) < LONG_S:
        return None
    allowed = NEIGHBOUR_COSTS * NEIGHBOUR_MBPS + NEIGHBOUR_NOISE * before
    lost = before - record["total_MBps"]
    worst = max(
        (
            (port, way)
            for port, rates in of.record["by_port"].items()
            for way in ("read", "write")
            if rate_of(rates, way) > LEAST_SHARE * before
            and rate_of(record["by_port"][port], way) < KEPT_SHARE * rate_of(rates, way)
        ),
        default=None,
    )
    return Seen(
        lost <= allowed and worst is None,
        f"a neighbour costs others little: {NEIGHBOUR_MBPS} MB/s of {name} take {lost:.6g} of "
        f"{before:.6g} MB/s, {allowed:.6g} are allowed"
        + (f"; {worst[0]} {worst[1]} ends" if worst else ""),
        laws.command(of.platform, other),
    )


def above_a_rate(of: Subject) -> Seen | None:
    """A requested rate above the possible rate limits nothing, except that the first bursts do not
    all begin together."""
    free = _as_master(of)
    if free is None or not free.rate:
        return None
    most = of.point.values["width_bits"] / 8 * of.point.values["pl_mhz"]
    limited = _as_master(of, min(most, _typed(free.rate * of.rng.choice([1.02, 1.2, 3]))))
    if limited is None:
        return None
    missed, allowed = abs(limited.rate / free.rate - 1), 2 * free.latency_s / free.elapsed_s
    return Seen(
        missed <= allowed,
        f"a rate above what passes changes nothing: {free.rate:.6g} MB/s become "
        f"{limited.rate:.6g}; the tolerance is {allowed:.1%}",
        laws.command(of.platform, limited.point),
        missed,
    )


def settled(of: Subject) -> Seen | None:
    """A settled rate stays, or has a warning that it may drift."""
    if (
        of.kind != "streams"
        or of.rng.randrange(ONE_OF)
        or not machine.of(of.platform).measures_part
    ):
        return None
    early = of.other(duration=SETTLED)
    record = of.run(early) if early else None
    if record is None or not record["total_MBps"]:
        return None
    if record["steady"]["may_drift"] or not record["steady"]["settled"]:
        return None
    time = record["steady"]["simulated_s"] * TIMES_LONGER
    full = of.other(duration=f"{time * 1e3:g}ms")
    whole = of.run(full) if full else None
    if whole is None or full is None:
        return None
    rate, long = record["total_MBps"], whole["total_MBps"]
    missed = abs(rate / long - 1)
    return Seen(
        missed <= MOST_OFF,
        f"settled as in the long run: {rate:.6g} MB/s become {long:.6g} in {time * 1e3:g} ms",
        laws.command(of.platform, full),
        missed,
    )


def at_a_rate(of: Subject) -> Seen | None:
    """A master that requests less than it could get gets exactly its rate, within one burst and the
    bursts under way."""
    free = _as_master(of)
    if free is None or not free.rate:
        return None
    asked = _typed(free.rate * of.rng.choice([0.1, 0.5, 0.9]))
    limited = _as_master(of, asked)
    if limited is None:
        return None
    wanted = asked * 1e6 * limited.elapsed_s
    allowed = of.point.values["burst_bytes"] + asked * 1e6 * limited.latency_s
    missed = abs(limited.rate * 1e6 * limited.elapsed_s - wanted)
    return Seen(
        missed <= allowed,
        f"a rate is kept: {asked:g} MB/s are requested, {limited.rate:.6g} moved; the tolerance is "
        f"{allowed / wanted:.1%}",
        laws.command(of.platform, limited.point),
        missed / wanted,
    )


RELATIONS: dict[str, Callable[[Subject], Seen | None]] = {
    "a neighbour costs others little": neighbour,
    "a rate above what passes changes nothing": above_a_rate,
    "a rate is kept": at_a_rate,
    "settled as in the long run": settled,
}


@dataclass(frozen=True)
class _Run:
    """A point's single stream: MB/s and seconds from its first burst to its last, and its longest
    latency."""

    point: Point
    rate: float
    elapsed_s: float
    latency_s: float


def _as_master(of: Subject, rate_mbs: float | None = None) -> _Run | None:
    """The point's single engine as a `[[master]]` with a requested rate; None if it has none, or
    nothing moved."""
    if of.kind != "alone":
        return None
    values = of.point.values
    direction = "read" if values["mode"] == "ps_to_pl" else "write"
    own = {
        **{"kind": "engine", "name": "a", "port": values["ports"][0], "direction": direction},
        **{key: values[key] for key in ("width_bits", "burst_bytes")},
        "outstanding": values.get(f"outstanding_{direction}"),
        "rate_mbs": rate_mbs,
    }
    engine = {key: value for key, value in own.items() if value is not None}
    point = of.other(**dict.fromkeys(TAKEN_OVER), masters=[engine])
    record = of.run(point) if point else None
    if point is None or record is None or not record["bytes"] or not record["latency_cycles"]:
        return None
    (stream,) = record["streams"]
    elapsed = stream["end_s"] - stream["start_s"]
    latency = record["latency_cycles"]["max"] / values["pl_mhz"] * 1e-6
    return _Run(point, stream["bytes"] / elapsed * 1e-6, elapsed, latency)


def _typed(rate: float) -> float:
    """A rate with four significant digits, as a user types it."""
    return float(f"{rate:.4g}")
