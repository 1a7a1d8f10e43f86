"""Random points for `validate.explain` and `validate.causes`: engines, pairs and mixes of masters
on boards of all chips.

The same seed and number give the same point. Impossible combinations are drawn again.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from axiometer.base.errors import AxiometerError
from axiometer.experiment.keys_processor import kind
from axiometer.experiment.keys_shared import MAX_MASTERS, runs_freely
from axiometer.experiment.master_keys import SIMPLE
from axiometer.experiment.points import Point, single
from axiometer.platform import Platform
from axiometer.simulate.scenario import Scenario

BOARDS = {
    "zynq-7000": ("zybo", "zedboard", "zc702", "zc706", "microzed", "zybo-z7"),
    "cyclone-v": ("de1-soc", "de0-nano-soc", "sockit", "cyclone5-socdk"),
    "zynq-ultrascale-plus": ("zcu102", "ultra96", "zcu104", "zcu106"),
}
SHARES = {"zynq-7000": 5, "cyclone-v": 2, "zynq-ultrascale-plus": 2}
"""How often a chip is drawn."""
DURATION = "400us"
FREE_DURATION = "settled:800us"
"""Of a run that ends by itself when its rate has settled."""
GAPS = (1, 4, 12, 30, 100)
PATTERNS = ("random", "stride:4096", "stride:65536")
BURSTS = (16, 32, 64, 128, 256, 512, 1024, 2048)

Keys = dict[str, Any]
T = TypeVar("T")


@dataclass(frozen=True)
class Drawn:
    """A point of a board; keys as a file would have them."""

    number: int
    chip: str
    board: str
    kind: str
    keys: Keys
    point: Point

    @property
    def platform(self) -> Platform:
        return board(self.board)


@functools.cache
def board(name: str) -> Platform:
    """The platform of that name, read once."""
    return Platform.load(name)


def draw(seed: int, number: int) -> Drawn:
    """Point `number` of those of `seed`."""
    rng = random.Random(f"explain:{seed}:{number}")
    while True:
        chip = rng.choices(list(SHARES), weights=list(SHARES.values()))[0]
        name = rng.choice(BOARDS[chip])
        platform = board(name)
        what = rng.choice(("engines", "engines", "mix"))
        keys = _engines(platform, rng) if what == "engines" else _mix(platform, rng)
        try:
            point = single(platform, keys | {"repeats": 1})
            Scenario.of(platform, point.values)
        except AxiometerError:
            continue
        return Drawn(number, chip, name, what, keys, point)


def over(one: Callable[[Drawn], T], seed: int, points: int, jobs: int = 1) -> Iterator[T]:
    """What `one` makes of so many points of a seed, in so many processes."""
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(functools.partial(_one, one, seed), range(points), chunksize=4)


def _one(one: Callable[[Drawn], T], seed: int, number: int) -> T:
    return one(draw(seed, number))


def few(seed: int, points: int, free: int) -> list[Drawn]:
    """The first `points` of a seed, of them `free` of the chip whose points take longest."""
    left = dict.fromkeys(SHARES, points) | {"zynq-ultrascale-plus": free}
    found: list[Drawn] = []
    for number in range(10 * points):
        one = draw(seed, number)
        if left[one.chip] and len(found) < points:
            left[one.chip] -= 1
            found.append(one)
    return found


def _ports(platform: Platform) -> list[str]:
    """Ports on a path of the memory of which somebody published rates."""
    never = platform.unvalidated()
    return [p for p in platform.ports if kind(platform, p) == "hp" and p not in never]


def _clock(platform: Platform, rng: random.Random) -> int:
    leaf = platform.leaf("clocks.pl_mhz")
    return rng.choice([c for c in (50, 100, 125, 150, 200, 250, 300) if c <= leaf.max])


def _burst(rng: random.Random, width: int) -> int:
    return rng.choice([b for b in BURSTS if b >= width // 8])


def _engines(platform: Platform, rng: random.Random) -> Keys:
    free = runs_freely(platform)
    names = _ports(platform)
    ports = rng.sample(names, rng.randint(1, min(4, len(names))))
    widths = platform.value(f"port.{ports[0]}.widths")
    keys: Keys = {
        "ports": "+".join(ports),
        "mode": rng.choice(["read", "write", "mixed" if free else "duplex"]),
        "pl_mhz": _clock(platform, rng),
        "width_bits": rng.choice(widths),
        "duration": FREE_DURATION if free else DURATION,
    }
    keys["burst_bytes"] = _burst(rng, keys["width_bits"])
    if not free and rng.random() < 0.3:
        del keys["duration"]
        keys["transfer_bytes"] = rng.choice([4096, 16384, 65536, "256KiB", "4MiB"])
    if free and rng.random() < 0.15:
        keys["masters_per_port"] = rng.randint(2, MAX_MASTERS)
    if platform.neighbours and rng.random() < 0.1:
        keys["background"] = f"{rng.choice(platform.neighbours)}={rng.choice([200, 1000])}"
    if rng.random() < 0.2:
        keys["pattern"] = rng.choice(PATTERNS)
    if rng.random() < 0.3:
        keys["gap_cycles"] = rng.choice(GAPS)
    if rng.random() < 0.3:
        keys["placement"] = rng.choice(["packed", "random"])
    for direction in ("read", "write"):
        if rng.random() < 0.4:
            keys[f"outstanding_{direction}"] = rng.choice([1, 2, 4, 8, 16])
    return keys


def _mix(platform: Platform, rng: random.Random) -> Keys:
    masters: list[Keys] = []
    names = _ports(platform)
    for port in rng.sample(names, rng.randint(1, min(4, len(names)))):
        name, other = f"m{len(masters)}", rng.random()
        if other < 0.1:
            masters.append(_accelerator(platform, rng, port, name))
        elif other < 0.2 and platform.memory_ports:
            masters.append(_simple(rng, port, name))
        else:
            masters.append(_engine(platform, rng, port, name))
    if platform.memory_ports and rng.random() < 0.5:
        masters.append(_of_the_processor(rng))
    return {"masters": masters, "duration": FREE_DURATION if runs_freely(platform) else DURATION}


def _engine(platform: Platform, rng: random.Random, port: str, name: str) -> Keys:
    width = rng.choice(platform.value(f"port.{port}.widths"))
    own: Keys = {
        "kind": "engine",
        "name": name,
        "port": port,
        "direction": rng.choice(["read", "write", "both", "pair"]),
        "width_bits": width,
        "pl_mhz": _clock(platform, rng),
        "burst_bytes": _burst(rng, width),
    }
    asks = rng.random()
    if asks < 0.3:
        own["rate_mbs"] = rng.choice([20, 100, 300, 700])
    elif asks < 0.45:
        own["gap_cycles"] = rng.choice(GAPS)
    if rng.random() < 0.4:
        own["outstanding"] = rng.choice([1, 2, 4, 8, 16])
    if rng.random() < 0.15:
        own["pattern"] = rng.choice(PATTERNS)
    return own


def _accelerator(platform: Platform, rng: random.Random, port: str, name: str) -> Keys:
    width = rng.choice(platform.value(f"port.{port}.widths"))
    return {
        "kind": "accelerator",
        "name": name,
        "port": port,
        "width_bits": width,
        "pl_mhz": _clock(platform, rng),
        "burst_bytes": _burst(rng, width),
        "bytes_in": rng.choice([4096, 16384]),
        "bytes_out": rng.choice([4096, 16384]),
        "compute_cycles": rng.choice([10, 300, 3000]),
        "buffers": rng.choice([1, 2]),
    }


def _simple(rng: random.Random, port: str, name: str) -> Keys:
    return {
        "kind": rng.choice(SIMPLE),
        "name": name,
        "port": port,
        "direction": rng.choice(["read", "write"]),
    }


def _of_the_processor(rng: random.Random) -> Keys:
    what = rng.choice(["processor", "ps_dma", "axi_dma", "ring"])
    own: Keys = {"kind": what, "name": "cpu"}
    if what == "ring":
        return own | {"port": "ACP", "packet_bytes": rng.choice([128, 1024, 8192])}
    if what == "processor":
        own["operation"] = rng.choice(["read", "write", "copy"])
    else:
        own["port"] = "GP0" if what == "ps_dma" else "ACP"
        own["direction"] = rng.choice(["read", "write"])
    if rng.random() < 0.3:
        own["rate_mbs"] = rng.choice([5, 20, 60])
    return own
