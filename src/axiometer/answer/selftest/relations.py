"""Relations between points that must hold whatever the published figures.

Each reads a point that has run, runs another point, and returns whether they agree; None where it
does not apply to the point. The tolerance of each relation:

- repeatable, skipping, plain model, symmetric ports: none; the results are equal to the bit.
- wider port, faster clock, more outstanding, longer transfer: the rate of one engine at one port is
  not lower. No scheduler guarantees that exactly: an earlier burst may meet a refresh or a full
  queue that it missed before. And the fabric sees an answer at the next edge of its clock, so that
  a round trip of n cycles may take n + 1 of a faster clock: 1 / (n + 1) of the rate. The tolerance
  is that, and `NOISE`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from axiometer.base.errors import AxiometerError
from axiometer.base.record import Record
from axiometer.experiment import listed, points
from axiometer.experiment.keys_processor import AT_MEMORY
from axiometer.experiment.points import Point
from axiometer.platform import Platform
from axiometer.records import laws
from axiometer.runs.backends import model
from axiometer.simulate import in_flight, machine, run
from axiometer.simulate.scenario import Scenario

# Tolerance of short runs: their edges, and refreshes that they meet or miss.
NOISE = 0.03
# PL cycles at most: the plain model steps every unit of time.
MOST_PLAIN_CYCLES = 3000
MOST_OUTSTANDING = 63


@dataclass(frozen=True)
class Subject:
    """A point that has run, its kind and its record; `rng`: for random choices of a relation."""

    platform: Platform
    kind: str
    point: Point
    record: Record
    rng: random.Random

    def other(self, **keys: object) -> Point | None:
        """The point with other keys; None if there is no such point."""
        changed = {k: v for k, v in (self.point.key | keys).items() if v is not None}
        try:
            return points.single(self.platform, changed)
        except AxiometerError:
            return None

    def run(self, point: Point) -> Record | None:
        try:
            return model.run_repeats(self.platform, point, point.values["seed"], 0, 1)[0]
        except AxiometerError:
            return None


@dataclass(frozen=True)
class Seen:
    """Whether a relation holds; if not, the sentence and the command that runs the other point.
    `missed`: the share of the rate by which it was missed, within the tolerance or not."""

    holds: bool
    sentence: str = ""
    command: str = ""
    missed: float = 0.0


def repeatable(of: Subject) -> Seen | None:
    run.forget()
    again = model.run_repeats(of.platform, of.point, of.point.values["seed"], 0, 1)[0]
    return Seen(again == of.record, "same seed, same bits: run again, the record is another")


def skipping(of: Subject) -> Seen | None:
    """Skipping recurrent intervals gives the result of the full simulation."""
    if of.point.values["master"] not in AT_MEMORY or not machine.of(of.platform).remembers:
        return None
    scenario, start = _simulation(of)
    simulator = run.simulator(scenario)
    full, quick = ({**simulator.run(start, skip=s), "skipped_intervals": 0} for s in (False, True))
    return Seen(full == quick, "skipping changes nothing: with and without, results differ")


def plain(of: Subject) -> Seen | None:
    """The executable specification gives the same commands at the same times."""
    if of.point.values["master"] not in AT_MEMORY or not machine.of(of.platform).remembers:
        return None
    scenario, start = _simulation(of)
    simulator = run.simulator(scenario)
    result, commands = simulator.trace(start, skip=False)
    if result["cycles"] > MOST_PLAIN_CYCLES:
        return None
    specified, wanted = simulator.plain(start)
    same = commands == wanted and all(
        result[key] == specified[key] for key in ("cycles", "clocks", "classes", "streams")
    )
    return Seen(same, "as the plain model: commands or times differ from the specification's")


def symmetric(of: Subject) -> Seen | None:
    """Two ports with the same figures give the same rate and latency."""
    if of.kind != "alone":
        return None
    (port,) = of.point.values["ports"]
    mine = _figures(of.platform, port)
    alike = [p for p in of.platform.ports if p != port and _figures(of.platform, p) == mine]
    if not alike:
        return None
    other = of.other(ports=of.rng.choice(alike))
    record = of.run(other) if other else None
    if other is None or record is None:
        return None
    name = other.values["ports"][0]
    return Seen(
        record["total_MBps"] == of.record["total_MBps"]
        and record["latency_cycles"] == of.record["latency_cycles"],
        f"symmetric ports are equal: {port} has {of.record['total_MBps']:.6g} MB/s, {name} with "
        f"the same figures {record['total_MBps']:.6g}",
        laws.command(of.platform, other),
    )


def wider(of: Subject) -> Seen | None:
    width = of.point.values["width_bits"] * 2
    beats = of.point.values["burst_bytes"] * 8 // width
    if of.kind != "alone" or beats * width != of.point.values["burst_bytes"] * 8:
        return None
    keys = {"width_bits": width, "burst_bytes": of.point.values["burst_bytes"]}
    return _not_slower(of, of.other(**keys), f"with {width} bits")


def faster(of: Subject) -> Seen | None:
    limit = of.platform.leaf("clocks.pl_mhz").max
    now = of.point.values["pl_mhz"]
    if of.kind != "alone" or limit is None:
        return None
    mhz = min(round(now * of.rng.choice([1.03, 1.1, 1.5, 2.0])), round(limit))
    return _not_slower(of, of.other(pl_mhz=mhz), f"at {mhz} MHz") if mhz > now else None


def more_outstanding(of: Subject) -> Seen | None:
    if of.kind != "alone":
        return None
    direction = "read" if of.point.values["mode"] == "ps_to_pl" else "write"
    key = f"outstanding_{direction}"
    [master, *_] = listed.masters(of.point.values)
    now = in_flight.kept(of.platform, master, direction)
    more = min(2 * now, MOST_OUTSTANDING)
    if more <= now:
        return None
    return _not_slower(of, of.other(**{key: more}), f"with {more} outstanding")


def longer(of: Subject) -> Seen | None:
    """The start-up takes a smaller share of a longer transfer."""
    size = of.point.values["transfer_bytes"]
    if of.kind != "alone" or size is None:
        return None
    return _not_slower(of, of.other(transfer_bytes=4 * size), "with four times the bytes")


RELATIONS: dict[str, Callable[[Subject], Seen | None]] = {
    "same seed, same bits": repeatable,
    "skipping changes nothing": skipping,
    "as the plain model": plain,
    "symmetric ports are equal": symmetric,
    "not slower with a wider port": wider,
    "not slower with a faster clock": faster,
    "not slower with more outstanding": more_outstanding,
    "not slower with a longer transfer": longer,
}


def _not_slower(of: Subject, other: Point | None, words: str) -> Seen | None:
    record = of.run(other) if other else None
    if other is None or record is None or not of.record["total_MBps"]:
        return None
    rate, before = record["total_MBps"], of.record["total_MBps"]
    latency = record["latency_cycles"]
    trip = latency["min"] if latency else 1
    allowed = NOISE + 1 / (trip + 1)
    missed = max(0.0, 1 - rate / before)
    return Seen(
        missed <= allowed,
        f"not slower: {before:.6g} MB/s become {rate:.6g} {words}, {missed:.1%} less; "
        f"the tolerance is {allowed:.1%}",
        laws.command(of.platform, other),
        missed,
    )


def _simulation(of: Subject) -> tuple[Scenario, dict[str, object]]:
    scenario = Scenario.of(of.platform, of.point.values)
    start = scenario.start(of.point.values["seed"], 0)
    return scenario, start.document()


def _figures(platform: Platform, port: str) -> dict[str, object]:
    """All figures of a port, with its path's figures in place of the path's name."""
    found: dict[str, object] = {}
    path = platform.value(f"port.{port}.path", None)
    tables = {f"port.{port}.": "port.", f"qos.{port}.": "qos.", f"path.{path}.": "path."}
    for name, leaf in platform.leaves():
        for prefix, short in tables.items():
            key = name.removeprefix(prefix)
            if name.startswith(prefix) and key not in ("path", "aliases"):
                found[short + key] = leaf.value
    return found
