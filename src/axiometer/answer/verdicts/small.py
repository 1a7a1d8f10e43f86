"""The cost of a small transfer apart from its start: one access alone at the memory, and the rate
if starting took no time. Simulated; presented by `present/latency_text.py`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from axiometer.answer.analysis.results import MEASURED, Row
from axiometer.answer.relax.workload import started_at_once
from axiometer.experiment.keys_processor import AT_MEMORY
from axiometer.platform import Platform
from axiometer.simulate import program, run, side_by_side
from axiometer.simulate.scenario import Scenario

LARGER_PART = 0.5
"""A transfer is small if its start takes at least this share of its time."""
STARTS = 20
"""Starts at most, of the point and of a lone access, which may meet a refresh."""


@dataclass(frozen=True)
class Small:
    """A transfer whose start and detection of its end take the larger part. access_bytes: size of
    an access; access_ns: latency of an access alone at the memory, by direction; without_start:
    MB/s if starting took no time; transfer_us: from the first start until the processor sees the
    end."""

    access_bytes: int
    access_ns: Mapping[str, float]
    without_start: float
    transfer_us: float


def of(platform: Platform, row: Row, backend: str) -> Small | None:
    """The small transfer of `row`'s point; None where its start is not the larger part or does not
    exist (free runs, masters that request burst by burst), and where a board measured it."""
    values = row.values
    if values["transfer_bytes"] is None or values["master"] not in AT_MEMORY:
        return None
    elapsed = math.fsum(record["elapsed_s"] for record in row.records) / len(row.records)
    by = program.of(platform, values)
    starts = by.takes(len(values["ports"])) * 1e-6
    if backend == MEASURED or starts < LARGER_PART * elapsed:
        return None
    scenario = Scenario.of(platform, values)
    if scenario.sources:
        return None
    free = started_at_once(scenario, ()) or scenario
    numbers = range(min(STARTS, len(row.records)))
    rates = [r["total_MBps"] for r in side_by_side.repeats(free, numbers, values["seed"])]
    return Small(
        min(min(s.bytes, s.burst_bytes) for s in scenario.streams if not s.background),
        dict(_alone(free)),
        math.fsum(rates) / len(rates),
        elapsed * 1e6,
    )


def _alone(scenario: Scenario) -> Iterator[tuple[str, float]]:
    """Each direction with the mean latency in ns of one access of its first stream, alone."""
    seen = set()
    for stream in scenario.streams:
        if stream.background or stream.direction in seen:
            continue
        seen.add(stream.direction)
        first = min(stream.bytes, stream.burst_bytes)
        one = replace(stream.paired(-1, 1, 0), bytes=first, job=None)
        alone = replace(scenario, streams=(one,))
        found = [
            run.result(alone, alone.start(scenario.values["seed"], n))["streams"][0]
            for n in range(STARTS)
        ]
        cycles = sum(of["latency_sum"] for of in found) / sum(of["bursts"] for of in found)
        yield stream.direction, cycles * 1e3 / (stream.pl_mhz or scenario.values["pl_mhz"])
