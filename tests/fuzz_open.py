"""Random open runs: the cases of `fuzz_model.py`, or of `fuzz_usp.py`, with fewer streams, and
bursts from outside. The same seed gives the same case.

What asks is a script: at a clock, or so long after another burst was served, as a processor does.
"""

from __future__ import annotations

import json
import random

import fuzz_compare
import fuzz_model
import fuzz_usp
from axiometer import _model as model
from fuzz_model import DIRECTIONS, Spec, rates
from shrink import shrunk

Script = list[tuple[int, ...]]


class OpenCase:
    """A specification, a start, and the script of its outside streams."""

    def __init__(self, spec: Spec, start: Spec, script: Script) -> None:
        self.spec, self.start, self.script = spec, start, script

    def __repr__(self) -> str:
        return json.dumps({"spec": self.spec, "start": self.start, "script": self.script})

    def run(self, plain: bool = False) -> tuple[Spec, list, list]:
        """(result, served, commands)."""
        return model.run_open(self.spec, self.start, self.script, plain)


def case(seed: int) -> OpenCase:
    """The case of a seed. Cases that the model refuses are drawn again."""
    draw = random.Random(f"open:{seed}")
    while True:
        drawn = fuzz_model.case(draw.getrandbits(32))
        spec, start = drawn.spec, drawn.starts[0]
        # One of eight is without ordinary streams.
        for index in range(len(spec["streams"]) - 1, draw.choice([-1, 0, 0, 1, 1, 1, 2, 2]), -1):
            fuzz_compare.drop(spec, [start], index)
        outside = [_outside(draw, spec, start) for _ in range(draw.randint(1, 2))]
        script = _script(draw, spec, outside)
        try:
            model.run_open(spec, start, [])
        except ValueError:
            continue
        return OpenCase(spec, start, script)


def _outside(draw: random.Random, spec: Spec, start: Spec) -> int:
    """The number of a new outside stream, at its own port or at the port of another stream."""
    ddr = spec["clocks"]["ddr"]
    others = [s["port"] for s in spec["streams"] if s.get("outside")]
    if others and draw.random() < 0.5:
        port = others[0]
    else:
        port = len(spec["ports"])
        drawn = fuzz_model.draw_port(draw, len(spec["paths"]), port)
        spec["ports"].append(drawn | {"period": ddr})
    spec["streams"].append(
        {
            "port": port,
            "outside": True,
            "direction": draw.choice(["read", "write"]),
            "base": 0,
            "bytes": 1,
            "region": 0,
            "burst_bytes": draw.choice([4, 32, 64, 128, 256, 1000]),
            "outstanding": 1,
            "gap_cycles": 0,
            "pattern": "sequential",
            "stride": 0,
            "partner": -1,
            "loopback_bursts": 0,
            "loopback_cycles": 0,
        }
    )
    start["launch"].append(0)
    return len(spec["streams"]) - 1


def _script(draw: random.Random, spec: Spec, outside: list[int]) -> Script:
    """From none to dozens of bursts: back to back, or long after one another."""
    script: Script = []
    at = 0
    pause = draw.choice([0, 1, 10, 100, spec["dram"]["timing"]["tREFI"]])
    closed = draw.choice([0, 0.5, 0.9, 1])
    aligned = draw.random() < 0.5
    for number in range(draw.choice([0, 1, 5, 20, 60])):
        stream = draw.choice(outside)
        most = spec["streams"][stream]["burst_bytes"]
        size = draw.choice([most, most, draw.randint(1, most)])
        address = draw.randrange(draw.choice([2**12, 2**24]) - most)
        if aligned:
            address = address // 64 * 64
        if draw.random() < 0.7:
            at += draw.randint(0, pause)
        after = draw.randrange(number) if number and draw.random() < closed else -1
        if after >= 0 and draw.random() < 0.5:
            after = number - 1
        delay = draw.choice([0, 0, 1, 5, draw.randint(0, pause)])
        script.append((stream, at, address, size, after, delay))
    return script


def usp_case(seed: int) -> OpenCase:
    """The same of Zynq UltraScale+: at most three ordinary streams, outside ones at any port."""
    draw = random.Random(f"open:usp:{seed}")
    while True:
        spec = fuzz_usp._spec(draw)
        rates(draw, spec)
        for _ in range(len(spec["streams"]) - draw.randint(0, 3)):
            fuzz_compare.drop(spec, [], draw.randrange(len(spec["streams"])))
        outside = [_usp_outside(draw, spec) for _ in range(draw.randint(1, 2))]
        start = fuzz_usp._start(draw, spec)
        if draw.random() < 0.4:  # to the end of what streams do by themselves
            start["stop"] = -1
            for stream in spec["streams"]:
                if not stream.get("outside") and stream["stop"] < 0:
                    _usp_stop(spec["streams"], stream, draw.randint(0, 1000))
        try:
            model.run_open(spec, start, [])
        except ValueError:
            continue
        return OpenCase(spec, start, _usp_script(draw, spec, outside))


def _usp_stop(streams: list[Spec], stream: Spec, stop: int) -> None:
    """The stream, and the other half of its pair, begin nothing from that cycle on."""
    stream["stop"] = stop
    if stream["partner"] >= 0:
        streams[stream["partner"]]["stop"] = stop


def _usp_outside(draw: random.Random, spec: Spec) -> int:
    """A new outside stream at any port; its number."""
    port = draw.randrange(len(spec["ports"]))
    drawn = fuzz_usp._stream(draw, port, spec["ports"][port], draw.choice(DIRECTIONS))
    at_will = {"base": 0, "bytes": 1, "region": 0, "outstanding": 1, "gap_cycles": 0}
    drawn |= at_will | {"outside": True, "pattern": "sequential", "stride": 0}
    spec["streams"].append(drawn)
    return len(spec["streams"]) - 1


def _usp_script(draw: random.Random, spec: Spec, outside: list[int]) -> Script:
    """From none to dozens of bursts: together, apart, or so far apart that the chip is idle."""
    script: Script = []
    at = 0
    pause = draw.choice([0, 3, 60, 900, 9000])
    closed = draw.choice([0, 0.5, 0.9, 1])
    for number in range(draw.choice([0, 1, 3, 12, 40, 90])):
        stream = draw.choice(outside)
        width = spec["ports"][spec["streams"][stream]["port"]]["width_bytes"]
        beats = draw.randint(1, spec["streams"][stream]["burst_bytes"] // width)
        most = draw.choice([2**12, fuzz_usp.CAPACITY]) // width - beats
        address = draw.randint(0, most) * width
        at += draw.randint(0, pause)
        after = draw.randrange(number) if number and draw.random() < closed else -1
        if after >= 0 and draw.random() < 0.5:
            after = number - 1
        delay = draw.choice([0, 0, 1, 7, draw.randint(0, pause)])
        script.append((stream, at, address, beats * width, after, delay))
    return script


def disagreement(drawn: OpenCase) -> str | None:
    """What differs between the plain model and the fast one, or nothing."""
    try:
        expected, got = drawn.run(plain=True), drawn.run()
    except RuntimeError as error:
        return str(error)
    for number, (a, b) in enumerate(zip(expected[1], got[1], strict=True)):
        if a != b:
            return f"burst {number} is served at {a}, {b}"
    return fuzz_compare.difference((expected[0], expected[2]), (got[0], got[2]))


def report(seed: int, drawn: OpenCase, found: str) -> str:
    """A disagreement, and the case without what it does not need."""
    document = [drawn.spec, drawn.start, drawn.script]
    small = OpenCase(*shrunk(document, lambda d: disagreement(OpenCase(*d)) is not None))
    return f"seed {seed}: {found}\nshrunk: {disagreement(small)}\n{small!r}"
