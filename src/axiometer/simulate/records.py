"""From a result of the model to a record (docs/internals.md says what is in one)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from typing import Any

from axiometer import clocks
from axiometer.errors import AxiometerError
from axiometer.simulate.noticing import noticed
from axiometer.simulate.scenario import Scenario
from axiometer.simulate.stream import Stream


def record(
    scenario: Scenario, repeat: int, result: dict[str, Any], seed: int = 0
) -> dict[str, Any]:
    """The record of one repeat. MB = 1e6 bytes; rates are over the whole elapsed time. seed: of
    the run, for what the processor's looks draw."""
    platform, values = scenario.platform, scenario.values
    pl_hz = values["pl_mhz"] * 1e6
    ddr_hz = float(clocks.meant(platform.value("clocks.ddr_mhz")) * 10**6)
    end = result["cycles"] / pl_hz
    started = max((stream["launch"] for stream in result["streams"]), default=0) / pl_hz
    draw = random.Random(f"look:{seed}:{repeat}") if values["transfer_bytes"] else None
    after = noticed(platform, started, end, draw) - end
    elapsed = end + after
    if elapsed <= 0:
        raise AxiometerError(
            "the run was over before any stream began",
            remedy="give a longer duration, or start the streams closer together (skew_us)",
        )
    pairs = list(zip(scenario.streams, result["streams"], strict=True))
    beside = [_stream(*pair, pl_hz, after) for pair in pairs if pair[0].background]
    pairs = [pair for pair in pairs if not pair[0].background]
    streams = [_stream(*pair, pl_hz, after) for pair in pairs]
    moved = {d: sum(s["bytes"] for s in streams if s["direction"] == d) for d in ("read", "write")}
    classes = {name: count / ddr_hz for name, count in result["classes"].items()}
    # The DRAM's books are in whole clocks, and the processor notices the end later.
    classes["idle_no_request"] += elapsed - sum(classes.values())
    several = {} if values.get("masters_per_port", 1) == 1 else _by_master(streams, elapsed)
    return {
        "repeat": repeat,
        "elapsed_s": elapsed,
        "bytes": moved["read"] + moved["write"],
        **_rates(moved["read"], moved["write"], elapsed),
        "by_port": {
            port: _rates(
                *(
                    sum(s["bytes"] for s in streams if (s["port"], s["direction"]) == (port, d))
                    for d in ("read", "write")
                ),
                elapsed,
            )
            for port in values["ports"]
        },
        **several,
        **({"background": _background(beside, elapsed)} if beside else {}),
        "latency_cycles": _latency((outcome for _, outcome in pairs), with_histogram=True),
        "dram": {"classes_s": classes, "counts": result["counts"]},
        **_steady(result, moved["read"] + moved["write"], elapsed, pl_hz),
        "streams": streams,
    }


def _steady(
    result: dict[str, Any], moved: int, elapsed: float, pl_hz: float
) -> dict[str, dict[str, Any]]:
    """How sure the rate of a free run is, of which a part is measured; nothing of other runs."""
    of = result.get("measured")
    if of is None:
        return {}
    known = of["half_width"] >= 0
    return {
        "steady": {
            "settled": of["settled"],
            "half_width_MBps": of["half_width"] * moved / elapsed * 1e-6 if known else None,
            "start_up_s": of["begins"] / pl_hz,
            "simulated_s": (of["begins"] + result["cycles"]) / pl_hz,
        }
    }


def _background(streams: list[dict[str, Any]], elapsed: float) -> dict[str, dict[str, float]]:
    """Rates of the chip's own masters, which are in no total."""
    moved: dict[str, dict[str, int]] = {}
    for s in streams:
        moved.setdefault(s["port"], {"read": 0, "write": 0})[s["direction"]] += s["bytes"]
    return {name: _rates(of["read"], of["write"], elapsed) for name, of in moved.items()}


def _by_master(streams: list[dict[str, Any]], elapsed: float) -> dict[str, Any]:
    """Rates of each master behind a multiplexer: "HP0.1" is the second one of port HP0."""
    moved: dict[str, dict[str, int]] = {}
    for s in streams:
        of = moved.setdefault(f"{s['port']}.{s['master']}", {"read": 0, "write": 0})
        of[s["direction"]] += s["bytes"]
    return {"by_master": {n: _rates(of["read"], of["write"], elapsed) for n, of in moved.items()}}


def _rates(read: int, write: int, elapsed: float) -> dict[str, float]:
    scale = 1e-6 / elapsed
    return {
        "total_MBps": (read + write) * scale,
        "read_MBps": read * scale,
        "write_MBps": write * scale,
    }


def _stream(stream: Stream, outcome: dict[str, Any], pl_hz: float, after: float) -> dict[str, Any]:
    classes = {name: cycles / pl_hz for name, cycles in outcome["classes"].items()}
    classes["done"] += after
    waited = outcome.get("longest_wait", -1)
    return {
        "port": stream.name,
        **({} if stream.master is None else {"master": stream.master}),
        "direction": stream.direction,
        "bytes": outcome["bytes"],
        "start_s": outcome["launch"] / pl_hz,
        "end_s": outcome["end"] / pl_hz,
        "classes_s": classes,
        "latency_cycles": _latency([outcome]),
        **({"inactivity_cycles": waited} if waited >= 0 else {}),
    }


def _latency(
    outcomes: Iterable[dict[str, Any]], with_histogram: bool = False
) -> dict[str, Any] | None:
    """Latency over bursts in PL clocks. Exact below 512; above, a bin is a 1/16 octave and
    `max` and the percentiles are its lower edge."""
    counts: Counter[int] = Counter()
    total = number = 0
    for outcome in outcomes:
        counts.update(dict(outcome["latency"]))
        total += outcome["latency_sum"]
        number += outcome["bursts"]
    if not number:
        return None
    summary: dict[str, Any] = {
        "mean": total / number,
        "min": min(counts),
        "max": max(counts),
        "p50": _percentile(counts, number, 0.50),
        "p99": _percentile(counts, number, 0.99),
        "n": number,
    }
    if with_histogram:
        summary["hist"] = {str(latency): counts[latency] for latency in sorted(counts)}
    return summary


def _percentile(counts: Counter[int], number: int, share: float) -> int:
    """The least latency that at least `share` of the bursts do not exceed."""
    seen = 0
    for latency in sorted(counts):
        seen += counts[latency]
        if seen >= share * number:
            return latency
    return max(counts)
