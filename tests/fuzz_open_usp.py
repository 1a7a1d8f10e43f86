"""Random open runs of Zynq UltraScale+: the specifications of `fuzz_usp.py` with at most three
ordinary streams, and bursts from outside. The same seed gives the same case; `fuzz_open.py`
compares the forms of the model on them."""

from __future__ import annotations

import random

import fuzz_compare
import fuzz_usp
from axiometer import _model as model
from fuzz_model import DIRECTIONS, Spec, rates
from fuzz_open import OpenCase, Script


def case(seed: int) -> OpenCase:
    """The case of a seed. Cases that the model refuses are drawn again."""
    draw = random.Random(f"open:usp:{seed}")
    while True:
        spec = fuzz_usp._spec(draw)
        rates(draw, spec)
        for _ in range(len(spec["streams"]) - draw.randint(0, 3)):
            fuzz_compare.drop(spec, [], draw.randrange(len(spec["streams"])))
        outside = [_outside(draw, spec) for _ in range(draw.randint(1, 2))]
        start = fuzz_usp._start(draw, spec)
        if draw.random() < 0.4:  # to the end of what streams do by themselves
            start["stop"] = -1
            for stream in spec["streams"]:
                if not stream.get("outside") and stream["stop"] < 0:
                    _stop(spec["streams"], stream, draw.randint(0, 1000))
        try:
            model.run_open(spec, start, [])
        except ValueError:
            continue
        return OpenCase(spec, start, _script(draw, spec, outside))


def _stop(streams: list[Spec], stream: Spec, stop: int) -> None:
    """The stream, and the other half of its pair, begin nothing from that cycle on."""
    stream["stop"] = stop
    if stream["partner"] >= 0:
        streams[stream["partner"]]["stop"] = stop


def _outside(draw: random.Random, spec: Spec) -> int:
    """A new outside stream at any port; its number."""
    port = draw.randrange(len(spec["ports"]))
    drawn = fuzz_usp._stream(draw, port, spec["ports"][port], draw.choice(DIRECTIONS))
    at_will = {"base": 0, "bytes": 1, "region": 0, "outstanding": 1, "gap_cycles": 0}
    drawn |= at_will | {"outside": True, "pattern": "sequential", "stride": 0}
    spec["streams"].append(drawn)
    return len(spec["streams"]) - 1


def _script(draw: random.Random, spec: Spec, outside: list[int]) -> Script:
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
