"""One repeat of a point on a board: set up, run, check, and its record.

The processor's clock times a board; the fabric's counter times an emulated board, whose processor
has no timing. The DRAM is not observed: `dram` is None, and the only classes of time are those
that the monitors count.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import cast

from axiometer.base import latency_bins
from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.base.record import Latency, MonitorSide, Rates, Record
from axiometer.experiment.points import Point
from axiometer.platform import Platform
from axiometer.runs.agent import two_clocks
from axiometer.runs.agent.client import Client
from axiometer.runs.agent.replies import Line, Run
from axiometer.runs.backends import rtl_tops
from axiometer.runs.board.design import Loaded
from axiometer.runs.engines import vendor
from axiometer.runs.engines.dma import DmaEngines
from axiometer.runs.engines.engines import Engines
from axiometer.runs.engines.traffic import TrafficEngines
from axiometer.runs.engines.vendor import VendorEngines
from axiometer.simulate.outcome import StreamOutcome
from axiometer.simulate.rates import rates_of
from axiometer.simulate.scenario import Scenario

_CLASSES = ("idle", "address", "wait", "stall", "response")
_CLOCK_TRIES = 3  # Linux may have been late at a reading
# Limit of a run: this time, and the time for its bytes at so many a second.
LIMIT_MS = 10_000
_SLOWEST, _SLOWEST_EMULATED = 1e6, 2e4


def surroundings(client: Client) -> dict[str, str | int]:
    """The agent's report of conditions that may change a figure (docs/hosts.md, `environment`)."""
    answer = client.environment()
    return {name: value for name, value in answer.items() if not isinstance(value, list)}


class Bench:
    """A design behind an agent. emulated: its times are not those of a chip."""

    def __init__(self, client: Client, found: Loaded, platform: Platform, emulated: bool) -> None:
        self.client, self.found, self.platform = client, found, platform
        self.emulated = emulated
        self._before = surroundings(client)

    def run(self, point: Point, repeat: int) -> Record:
        """The record of one repeat. AxiometerError if a transfer failed, data are wrong, or the
        design's clock is not the target's, and the errors of `Conversation.ask`."""
        for _ in range(_CLOCK_TRIES):
            record, wrong = self._run(point, repeat)
            if wrong is None:
                return record
        raise AxiometerError(
            f"{wrong}: every rate would be wrong in this ratio",
            remedy="set the fabric's clock to the design's (axiometer doctor has its registers); "
            "without Linux, build the agent with the board's crystal, PS_CLK_HZ (STEPS.md)",
            status=RUN_FAILED,
        )

    def _run(self, point: Point, repeat: int) -> tuple[Record, str | None]:
        """A record, and why its times are wrong."""
        scenario = Scenario.of(self.platform, point.values)
        self.client.reset()
        engines = self._engines(point, scenario)
        drawn = scenario.start(point.values["seed"], repeat)
        # The processor starts one stream after the other, and reports the times.
        engines.prepare(replace(drawn, launch=(0,) * len(scenario.streams)))
        self.client.arm()
        outcome = self.client.run(timeout_ms=self._limit_ms(scenario))
        if outcome.state != "done":
            raise AxiometerError(
                f"a transfer ended with {outcome.state}: {engines.failures(outcome)}",
                remedy="run axiometer doctor to look for faults of the board",
                status=RUN_FAILED,
            )
        counters = self.client.counters()
        sides, latencies = [], []
        for number in range(len(engines.streams)):
            counted = engines.counted(number, counters)
            books = cast("StreamOutcome", {"bursts": counted.number("bursts")})
            size = engines.size(number, books, engines.line_of(number, outcome))
            engines.check_beats(number, counted, books)
            side = _side(engines, number, counted, size)
            engines.check_data(number, books, counters)
            sides.append(side)
            latencies.append(counted)
        clock_hz, late_ns = self.found.about.clock_hz, two_clocks.LATE_NS
        wrong = None if self.emulated else two_clocks.disagreement(clock_hz, outcome, late_ns)
        return self._record(repeat, outcome, sides, latencies, point, scenario), wrong

    def _engines(self, point: Point, scenario: Scenario) -> Engines:
        streams = [replace(s, port=self.found.number(s.name)) for s in scenario.streams]
        beats, about = rtl_tops.beats(point.values), self.found.about
        if masters := vendor.asked(point.values):
            return VendorEngines(self.client, streams, masters, about)
        if rtl_tops.choose(self.platform, point.values).top == rtl_tops.DMA_TOP:
            return DmaEngines(self.client, streams, beats, anywhere=True, design=about)
        stop = scenario.stop
        return TrafficEngines(self.client, streams, beats, stop, anywhere=True, design=about)

    def _limit_ms(self, scenario: Scenario) -> int:
        rate = _SLOWEST_EMULATED if self.emulated else _SLOWEST
        if scenario.stop >= 0:
            return round(LIMIT_MS + scenario.stop / self.found.about.clock_hz * 1e3)
        return round(LIMIT_MS + sum(s.bytes for s in scenario.streams) / rate * 1e3)

    def _record(
        self,
        repeat: int,
        outcome: Run,
        sides: list[MonitorSide],
        counted: list[Line],
        point: Point,
        scenario: Scenario,
    ) -> Record:
        before, self._before = self._before, surroundings(self.client)
        elapsed = outcome.ns * 1e-9
        if self.emulated and outcome.clocks is not None:
            elapsed = outcome.clocks / self.found.about.clock_hz
        moved = {way: sum(s["bytes"] for s in sides if s["direction"] == way) for way in _WAYS}
        by_port = {
            port: rates_of(_moved(sides, port, "read"), _moved(sides, port, "write"), elapsed)
            for port in point.values["ports"]
        }
        owners = dict.fromkeys(stream.owner for stream in scenario.streams if stream.owner)
        by_master = {owner: _rates_of_master(sides, scenario, owner, elapsed) for owner in owners}
        found = {
            "repeat": repeat,
            "elapsed_s": elapsed,
            "bytes": moved["read"] + moved["write"],
            **rates_of(moved["read"], moved["write"], elapsed),
            "by_port": by_port,
            "by_master": by_master,
            "latency_cycles": latency(counted),
            "dram": None,
            "streams": [],
            "board": {
                "ns": outcome.ns,
                "clocks": outcome.clocks,
                "clock_hz": self.found.about.clock_hz,
                "design": self.found.name,
                "before": before,
                "after": self._before,
                "streams": sides,
            },
        }
        return cast("Record", found)


_WAYS = ("read", "write")


def _rates_of_master(
    sides: list[MonitorSide], scenario: Scenario, owner: str, elapsed: float
) -> Rates:
    moved = dict.fromkeys(_WAYS, 0)
    for side, stream in zip(sides, scenario.streams, strict=True):
        if stream.owner == owner:
            moved[side["direction"]] += side["bytes"]
    return rates_of(moved["read"], moved["write"], elapsed)


def _moved(sides: list[MonitorSide], port: str, way: str) -> int:
    return sum(s["bytes"] for s in sides if (s["port"], s["direction"]) == (port, way))


def _side(engines: Engines, number: int, counted: Line, size: int) -> MonitorSide:
    stream = engines.streams[number]
    names = ("bursts", "beats", "cycles", *_CLASSES)
    found = {name: counted.number(name) for name in names if name in counted}
    side = {"port": stream.name, "direction": stream.direction, "bytes": size, **found}
    return cast("MonitorSide", side)


def latency(counted: list[Line]) -> Latency | None:
    """The latency of all streams together, from the monitors; None for a sniffer. `p50` and `p99`
    are the upper ends of their bins, which end at powers of two (docs/hosts.md, `histogram`),
    within the least and the greatest of all."""
    counted = [line for line in counted if "latency_sum" in line]
    bursts = sum(line.number("bursts") for line in counted)
    if not bursts:
        return None
    some = [line for line in counted if line.number("bursts")]
    greatest = max(line.number("latency_max") for line in some)
    least = min(line.number("latency_min") for line in some)
    bins: Counter[int] = Counter()
    for line in some:
        bins.update(dict(enumerate(line.numbers("histogram"))))
    powers = (latency_bins.percentile(bins, share) for share in (0.50, 0.99))
    p50, p99 = (max(min(2 ** (power + 1) - 1, greatest), least) for power in powers)
    mean = sum(line.number("latency_sum") for line in some) / bursts
    return {"mean": mean, "min": least, "max": greatest, "p50": p50, "p99": p99, "n": bursts}
