"""Points for the self-test, drawn at random: any ports, widths, bursts, patterns and masters."""

from __future__ import annotations

import random
from collections.abc import Callable

from axiometer.experiment import keys_qos, points
from axiometer.experiment.keys_processor import AT_MEMORY, CHOICES, KINDS, is_coherent, kind
from axiometer.experiment.keys_shared import MAX_MASTERS, PORTS_AT_MEMORY, runs_freely
from axiometer.experiment.points import Point
from axiometer.platform import Platform

Keys = dict[str, object]
SIZES = (64, 1000, 4096, 65536, "256KiB")
TIMES = ("5us", "20us", "60us", "200us")
BURSTS = (16, 32, 48, 64, 80, 128, 256, 512, 1024, 4096)
PATTERNS = ("random", "stride:64", "stride:128", "stride:4096")
GAPS = (1, 10, 1000)


def streams(platform: Platform, rng: random.Random) -> Keys:
    """Engines at the memory's ports."""
    free = runs_freely(platform)
    names = _ports(platform)
    keys: Keys = {
        "ports": "+".join(rng.sample(names, rng.randint(1, min(4, len(names))))),
        "mode": rng.choice(["read", "write", "mixed" if free else "duplex"]),
    }
    if free or rng.random() < 0.3:
        keys["duration"] = rng.choice(TIMES)
    else:
        keys["transfer_bytes"] = rng.choice(SIZES)
    if free and rng.random() < 0.25:
        keys["masters_per_port"] = rng.randint(2, MAX_MASTERS)
    if platform.neighbours and rng.random() < 0.2:
        keys["background"] = f"{rng.choice(platform.neighbours)}={rng.choice([100, 700])}"
    if rng.random() < 0.3:
        keys["pattern"] = rng.choice(PATTERNS)
    if rng.random() < 0.2:
        keys["gap_cycles"] = rng.choice(GAPS)
    if rng.random() < 0.2:
        keys["mapping"] = rng.choice(["row-bank-column", "bank-row-column"])
    return keys | _usual(platform, rng)


def alone(platform: Platform, rng: random.Random) -> Keys:
    """One engine at one port, for relations between points."""
    free = runs_freely(platform)
    keys: Keys = {"ports": rng.choice(_ports(platform)), "mode": rng.choice(["read", "write"])}
    # Long enough that the start does not matter.
    keys |= {"duration": "400us"} if free else {"transfer_bytes": rng.choice([65536, "256KiB"])}
    return keys | _usual(platform, rng)


def convolution(platform: Platform, rng: random.Random) -> Keys:
    """Accelerators behind the ports."""
    names = [port for port in _ports(platform) if kind(platform, port) == "hp"]
    return {
        "master": "convolution",
        "ports": "+".join(rng.sample(names, rng.randint(1, min(4, len(names))))),
        "burst_bytes": 2 ** rng.randint(6, 12),
        "accelerators": rng.randint(1, keys_qos.MOST_ACCELERATORS),
        "fill": rng.choice(keys_qos.FILLS),
        "duration": rng.choice(TIMES[2:]),
    }


def processor(platform: Platform, rng: random.Random) -> Keys:
    """Transfers that the processor starts, carries or pays for."""
    master = rng.choice([name for name in KINDS if name not in AT_MEMORY])
    fitting = [port for port in platform.ports if kind(platform, port) in KINDS[master]]
    port = rng.choice(fitting or platform.ports)
    keys: Keys = {
        "master": master,
        "ports": port,
        "mode": "duplex" if master == "ring" else rng.choice(["read", "write"]),
        "transfer_bytes": rng.choice([4, 64, 1000, 4096, 65536]),
    }
    for name, (_, choices, _) in CHOICES.items():
        if name != "master" and rng.random() < 0.4:
            keys[name] = rng.choice(choices)
    if master == "ring":
        keys |= {"os": "linux", "ring_depth": rng.choice([1, 2, 8])}
        coherent = is_coherent(platform, port)
        keys["cache_control"] = "coherent" if coherent else rng.choice(["explicit", "none"])
    return keys


def _ports(platform: Platform) -> list[str]:
    return [port for port in platform.ports if kind(platform, port) in PORTS_AT_MEMORY]


def _usual(platform: Platform, rng: random.Random) -> Keys:
    """Burst, clock, width and limits, each sometimes."""
    keys: Keys = {}
    if rng.random() < 0.6:
        keys["burst_bytes"] = rng.choice(BURSTS)
    clock = platform.leaf("clocks.pl_mhz")
    if rng.random() < 0.5 and clock.min is not None and clock.max is not None:
        keys["pl_mhz"] = rng.randint(max(10, round(clock.min)), round(clock.max))
    if rng.random() < 0.3:
        keys["width_bits"] = rng.choice([32, 64, 128])
    for direction in ("read", "write"):
        if rng.random() < 0.3:
            keys[f"outstanding_{direction}"] = rng.randint(1, 63)
    return keys


# By kind: the function that draws it, whether a platform has it, its weight.
KINDS_OF_POINTS: dict[
    str, tuple[Callable[[Platform, random.Random], Keys], Callable[[Platform], bool], int]
] = {
    "streams": (streams, lambda p: bool(_ports(p)), 4),
    "alone": (alone, lambda p: bool(_ports(p)), 2),
    "convolution": (convolution, runs_freely, 1),
    "processor": (processor, lambda p: p.has("processor.clocks.cpu"), 4),
}


def point(platform: Platform, rng: random.Random) -> tuple[str, Point]:
    """A kind and a point of it; AxiometerError where the drawn keys do not fit together."""
    has = {name: often for name, (_, fits, often) in KINDS_OF_POINTS.items() if fits(platform)}
    name = rng.choices(list(has), weights=list(has.values()))[0]
    keys = KINDS_OF_POINTS[name][0](platform, rng) | {"repeats": 1, "seed": rng.randint(0, 999)}
    return name, points.single(platform, points.with_effect(platform, keys))
