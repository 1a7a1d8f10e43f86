"""Makes a record (`base/record.py`) of the model's result."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import cast

from axiometer.base import clocks
from axiometer.base.errors import AxiometerError
from axiometer.base.record import Rates, Record, Steady, StreamRecord
from axiometer.simulate import program
from axiometer.simulate import record_masters as masters
from axiometer.simulate.end_detection import detected
from axiometer.simulate.latencies import latency
from axiometer.simulate.outcome import Outcome, StreamOutcome
from axiometer.simulate.rates import rates_of
from axiometer.simulate.scenario import Scenario
from axiometer.simulate.stream import Stream


def record(scenario: Scenario, repeat: int, result: Outcome, seed: int = 0) -> Record:
    """The record of one repeat. MB = 1e6 bytes; rates are over the whole elapsed time. seed: of the
    run, for the times at which the processor looks."""
    platform, values = scenario.platform, scenario.values
    pl_hz = values["pl_mhz"] * 1e6
    ddr_hz = float(clocks.meant(platform.number("clocks.ddr_mhz")) * 10**6)
    end = result["cycles"] / pl_hz
    both = zip(scenario.streams, result["streams"], strict=True)
    started = max((of["launch"] / _hz(stream, pl_hz) for stream, of in both), default=0.0)
    draw = random.Random(f"look:{seed}:{repeat}") if values["transfer_bytes"] else None
    # Sources are measured over the whole run, and no one detects when they have settled.
    beside_sources = any(stream.outside for stream in scenario.streams)
    # A processor that copies itself detects no end.
    own = all(stream.outside for stream in scenario.streams)
    after = 0.0 if own else detected(program.of(platform, values), started, end, draw)
    elapsed = end + after
    if elapsed <= 0:
        raise AxiometerError(
            "the run was over before any stream began",
            remedy="give a longer duration, or start the streams closer together (skew_us)",
        )
    pairs = list(zip(scenario.streams, result["streams"], strict=True))
    beside = [_stream(s, of, pl_hz, elapsed, after) for s, of in pairs if s.background]
    pairs = [(s, of) for s, of in pairs if not s.background]
    streams = [_stream(s, of, pl_hz, elapsed, after) for s, of in pairs]
    moved = {d: sum(s["bytes"] for s in streams if s["direction"] == d) for d in ("read", "write")}
    classes = {name: count / ddr_hz for name, count in result["classes"].items()}
    _until(elapsed, classes, 1 / ddr_hz)
    whole = beside_sources or values["transfer_bytes"] is not None
    steady = None if whole else _steady(result, sum(moved.values()), elapsed, pl_hz)
    found = {
        "repeat": repeat,
        "elapsed_s": elapsed,
        "bytes": moved["read"] + moved["write"],
        **rates_of(moved["read"], moved["write"], elapsed),
        "by_port": {
            port: rates_of(_of(streams, port, "read"), _of(streams, port, "write"), elapsed)
            for port in values["ports"]
        },
        "by_master": masters.by_master(pairs, streams, elapsed),
        **({"background": _background(beside, elapsed)} if beside else {}),
        "latency_cycles": latency(masters.in_pl_cycles(pairs, values), with_histogram=True),
        "dram": {"classes_s": classes, "counts": result["counts"]},
        **({"steady": steady} if steady else {}),
        "streams": streams,
    }
    return cast("Record", found)  # optional parts keep their places


def _of(streams: Iterable[StreamRecord], port: str, direction: str) -> int:
    return sum(s["bytes"] for s in streams if (s["port"], s["direction"]) == (port, direction))


def _until(elapsed: float, classes: dict[str, float], clock_s: float) -> None:
    """Make the DRAM's classes of time, which are whole clocks of `clock_s`, end with the run: the
    DRAM idles until the processor detects the end, or the run ends within its last clock."""
    classes["idle_no_request"] += elapsed - sum(classes.values())
    if -clock_s < classes["idle_no_request"] < 0:
        # Nothing was idle: subtract that part of a clock from the largest class.
        most = max(classes, key=classes.__getitem__)
        classes[most] += classes["idle_no_request"]
        classes["idle_no_request"] = 0.0


def _steady(result: Outcome, moved: int, elapsed: float, pl_hz: float) -> Steady | None:
    """The precision of a free run's rate, of which a part is measured; None for other runs."""
    of = result.get("measured")
    if of is None:
        return None
    known = of["half_width"] >= 0
    return {
        "settled": of["settled"],
        "may_drift": of["may_drift"],
        "half_width_MBps": of["half_width"] * moved / elapsed * 1e-6 if known else None,
        "start_up_s": of["begins"] / pl_hz,
        "simulated_s": (of["begins"] + result["cycles"]) / pl_hz,
    }


def _background(streams: list[StreamRecord], elapsed: float) -> dict[str, Rates]:
    """Rates of the chip's own masters, which are in no total."""
    moved: dict[str, dict[str, int]] = {}
    for s in streams:
        moved.setdefault(s["port"], {"read": 0, "write": 0})[s["direction"]] += s["bytes"]
    return {name: rates_of(of["read"], of["write"], elapsed) for name, of in moved.items()}


def _hz(stream: Stream, pl_hz: float) -> float:
    """The rate of the cycles in a stream's times, Hz."""
    return pl_hz if stream.pl_mhz is None else stream.pl_mhz * 1e6


def _stream(
    stream: Stream, outcome: StreamOutcome, pl_hz: float, elapsed: float, after: float
) -> StreamRecord:
    hz = _hz(stream, pl_hz)
    classes = {name: cycles / hz for name, cycles in outcome["classes"].items()}
    classes["done"] += after
    if hz != pl_hz:  # whole cycles of its own clock do not cover the whole run
        classes["done"] += elapsed - sum(classes.values())
    waited = outcome.get("longest_wait", -1)
    at_memory = outcome["bytes"]
    moved = outcome.get("payload", at_memory) if stream.payload else 0
    found = {
        "port": stream.name,
        "master": stream.owner,
        "direction": stream.direction,
        "bytes": moved,
        **({"memory_bytes": at_memory} if stream.outside else {}),
        "start_s": outcome["launch"] / hz,
        "end_s": outcome["end"] / hz,
        "classes_s": classes,
        "latency_cycles": latency([outcome]),
        **({"inactivity_cycles": waited} if waited >= 0 else {}),
    }
    return cast("StreamRecord", found)
