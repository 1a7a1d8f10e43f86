"""Random jobs of traffic generators: any port, one direction or both."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

from axiometer import _model
from axiometer.runs.backends import rtl
from axiometer.runs.cosim import build
from axiometer.runs.cosim.bench import WRITE_CLOCKS
from axiometer.runs.cosim.process import Cosim
from axiometer.runs.cosim.traffic_bench import TrafficBench
from axiometer.simulate.scenario import Scenario
from axiometer.simulate.start import Start
from axiometer.simulate.stream import ENDLESS, Stream
from validate.traffic_cases import ALL_PORTS, READ, Case
from validate.usp_cases import BOARDS, QOS, UspCase

PLACE = 2**22  # bytes that each stream has for itself
LARGEST = 6_000  # bytes of a stream, at most


def differences(seed: int) -> dict[str, Any]:
    """The differences between RTL and model for the job drawn from `seed`; empty if none.

    AxiometerError if a check of the bench fails.
    """
    keys = {"mode": READ, "ports": ALL_PORTS, "width_bits": 64, "gap_cycles": 1}
    platform, point = Case("zybo", keys).load()
    draw = random.Random(f"traffic {seed}")
    beats = draw.choice([1, 2, 4, 16, 16])
    streams = _streams(draw, beats * 8)
    start = _start(draw, streams)
    if start.stop >= 0:
        streams = _endless(streams)
    return _differences(platform, point, streams, start)


def usp_differences(seed: int) -> dict[str, Any]:
    """The same of a board of Zynq UltraScale+; runs are free, and half of each is counted."""
    draw = random.Random(f"usp traffic {seed}")
    burst = 16 * draw.choice([1, 2, 3, 4, 5, 8, 16, 17, 72, 200, 256])
    case = UspCase(
        draw.choice(BOARDS),
        {"ports": ALL_PORTS, "mode": "mixed", "burst_bytes": burst, "pl_mhz": 300},
        {f"qos.{port}.mode": draw.choice(QOS) for port in ALL_PORTS.split("+")},
    )
    streams = _streams(draw, burst)
    start = _start(draw, streams)
    if start.stop < 0:
        start = replace(start, stop=draw.randint(1, 6000))
    streams = _endless(streams)
    return _differences(*case.load(), streams, start)


def _differences(platform: Any, point: Any, streams: list[Stream], start: Start) -> dict[str, Any]:
    scenario = replace(Scenario.of(platform, point.values), streams=tuple(streams))
    spec = scenario.document()
    beats = streams[0].burst_bytes * 8 // point.values["width_bits"]
    program = build.executable(rtl.design(platform, point.values))
    with Cosim(program, spec, point.values["pl_mhz"]) as cosim:
        ours = TrafficBench(cosim, streams, beats, start.stop).run(start)
    theirs = json.loads(
        json.dumps(_model.Simulator(spec).run(start.document()))
    )  # lists for tuples
    return {key: (ours[key], theirs[key]) for key in theirs if ours[key] != theirs[key]}


def _streams(draw: random.Random, burst: int) -> list[Stream]:
    streams: list[Stream] = []
    for port in range(4):
        for direction in draw.choice([[], ["read"], ["write"], ["write", "read"]]):
            pattern = draw.choice(["sequential", "stride", "random"])
            region = draw.choice([burst, 3 * burst, 4096, 20_000 // burst * burst, 2**20])
            if pattern == "sequential":
                region = draw.choice([0, region])
            streams.append(
                Stream(
                    port=port,
                    name=f"HP{port}",
                    direction=direction,
                    base=PLACE * len(streams) + draw.randrange(64) * 128,
                    bytes=draw.choice([1, burst, draw.randint(1, LARGEST)]),
                    region=region,
                    burst_bytes=burst,
                    outstanding=draw.choice([1, 2, 8, 16, 63]),
                    gap_cycles=draw.choice([0, 0, 1, 5, 50]),
                    pattern=pattern,
                    stride=burst * draw.choice([1, 4, 32, 160]) if pattern == "stride" else 0,
                )
            )
    return streams or _streams(draw, burst)


def _start(draw: random.Random, streams: list[Stream]) -> Start:
    """Both directions of a generator start together."""
    launches: dict[int, int] = {}
    at = draw.randint(TrafficBench.start_clocks, 60)
    for stream in streams:
        if stream.port not in launches:
            launches[stream.port] = at
            at += draw.choice([WRITE_CLOCKS, draw.randint(WRITE_CLOCKS, 200)])
    stop = -1
    if draw.random() < 0.4:
        stop = draw.choice([1, draw.randint(1, 300), draw.randint(1, 3000)])
    return Start(
        launch=tuple(launches[stream.port] for stream in streams),
        first_refresh=draw.randrange(4000),
        stop=stop,
        pattern_seed=draw.getrandbits(63),
    )


def _endless(streams: list[Stream]) -> list[Stream]:
    """A run by time goes on in its region."""
    return [replace(s, bytes=ENDLESS, region=s.region or 2**20) for s in streams]
