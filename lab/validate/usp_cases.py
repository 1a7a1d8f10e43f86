"""Configurations of Zynq UltraScale+ that RTL and model both run, for `test_rtl_traffic.py` and
`lab/validate/rtl_usp.py`."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import Any

from axiometer.experiment import points
from axiometer.platform import Platform

BOARDS = ("zcu102", "ultra96")
MODES = ("read", "write", "mixed")
PATTERNS = ("sequential", "stride", "random")
PORTS = ("HP0", "HP1", "HP2", "HP3")
MAPPINGS = ("row-bank-column", "bank-row-column")
QOS = ("best_effort", "video", "low_latency")
# Of the public dataset.
BURSTS = (*range(16, 513, 16), *range(640, 4097, 128))
COMBINATIONS = tuple("+".join(c) for n in range(1, 5) for c in combinations(PORTS, n))
# From each board, mode and pattern; drawn anew with the same outcome each time.
EACH = 4


@dataclass(frozen=True)
class UspCase:
    """A point: its board, the keys that an experiment file would give, figures that it changes."""

    platform: str
    point: dict[str, Any] = field(hash=False)
    sets: dict[str, Any] = field(hash=False, default_factory=dict)

    @property
    def keys(self) -> dict[str, Any]:
        """All that tells it from others on its board."""
        return self.point | self.sets

    def __str__(self) -> str:
        return ", ".join([self.platform, *(str(value) for value in self.keys.values())])

    def load(self) -> tuple[Platform, Any]:
        """Platform and point."""
        platform = Platform.load(self.platform).with_overrides(self.sets)
        return platform, points.single(platform, {"duration": "20us"} | self.point)


def drawn(board: str, mode: str, pattern: str, number: int) -> UspCase:
    """Configuration `number` of those of a board, a mode and a pattern."""
    draw = random.Random(f"usp {board} {mode} {pattern} {number}")
    burst = draw.choice(BURSTS)
    point: dict[str, Any] = {
        "ports": draw.choice(COMBINATIONS),
        "mode": mode,
        "burst_bytes": burst,
        "pl_mhz": draw.choice((100, 300)),
    }
    if pattern == "stride":
        # A row, and a burst more, as the paper has it; or a page.
        row = 8192 if board == "zcu102" else 65536 + 4096
        point["pattern"] = f"stride:{draw.choice((row + burst, 4096))}"
    elif pattern == "random":
        point["pattern"] = "random"
    if draw.random() < 0.25:
        default = Platform.load(board).value("mapping.default")
        point["mapping"] = next(m for m in MAPPINGS if m != default)
    if draw.random() < 0.2:
        point["gap_cycles"] = draw.choice((1, 10, 100))
    point["duration"] = draw.choice(("20us", "33us", "50us"))
    sets = {}
    if draw.random() < 0.35:
        sets[f"qos.{draw.choice(point['ports'].split('+'))}.mode"] = draw.choice(QOS)
    return UspCase(board, point, sets)


# What `lab/validate/rtl_usp.py` runs.
SAMPLE = tuple(
    drawn(*stratum, number)
    for stratum in product(BOARDS, MODES, PATTERNS)
    for number in range(EACH)
)


def multiplexed(number: int) -> UspCase:
    """Configuration `number` of those with several masters a port; of few designs."""
    draw = random.Random(f"usp multiplexer {number}")
    masters, ports = draw.choice(((2, "HP1+HP2"), (3, "HP0"), (4, "HP3")))
    burst = draw.choice(BURSTS)
    point: dict[str, Any] = {"ports": ports, "masters_per_port": masters}
    point |= {"mode": draw.choice(MODES), "burst_bytes": burst, "pl_mhz": 300}
    pattern = draw.choice(PATTERNS)
    if pattern != "sequential":
        point["pattern"] = "stride:4096" if pattern == "stride" else pattern
    if draw.random() < 0.4:
        point["gap_cycles"] = draw.choice((1, 10, 100))
    return UspCase(draw.choice(BOARDS), point | {"duration": "20us"})


MULTIPLEXED = tuple(multiplexed(number) for number in range(18))

ALL = "HP0+HP1+HP2+HP3"
# Few points, on one design, and on another.
QUICK = (
    UspCase("zcu102", {"ports": "HP0", "mode": "read", "burst_bytes": 64}),
    UspCase("zcu102", {"ports": "HP1+HP2", "mode": "write", "burst_bytes": 16}),
    # Bursts across 4 KiB.
    UspCase("zcu102", {"ports": ALL, "mode": "mixed", "burst_bytes": 272}),
    UspCase(
        "zcu102",
        {"ports": "HP0+HP1+HP3", "mode": "read", "burst_bytes": 256, "mapping": MAPPINGS[1]},
    ),
    UspCase(
        "ultra96",
        {"ports": "HP0+HP3", "mode": "mixed", "burst_bytes": 4096, "pl_mhz": 300},
        {"qos.HP3.mode": "low_latency"},
    ),
    UspCase(
        "ultra96",
        {"ports": "HP1", "mode": "mixed", "burst_bytes": 80, "pl_mhz": 300, "pattern": "random"},
    ),
    UspCase(
        "ultra96",
        {"ports": ALL, "mode": "write", "burst_bytes": 48, "pl_mhz": 300, "pattern": "stride:4096"},
    ),
    UspCase(
        "zcu102", {"ports": "HP2", "mode": "mixed", "burst_bytes": 128, "gap_cycles": 5}
    ),
)  # fmt: skip
QUICK_MULTIPLEXED = (
    UspCase("zcu102", {"ports": "HP0", "masters_per_port": 2, "mode": "mixed", "burst_bytes": 272}),
    # Gaps run on while an address waits for its turn.
    UspCase(
        "zcu102",
        {"ports": "HP0", "masters_per_port": 2, "mode": "read", "burst_bytes": 16, "gap_cycles": 7},
    ),
    UspCase(
        "ultra96",
        {
            **{"ports": "HP0", "masters_per_port": 2, "mode": "write", "burst_bytes": 16},
            **{"gap_cycles": 5, "pl_mhz": 300},
        },
    ),
)
