"""Points that run on traffic generators, for `test_rtl_traffic.py` and `lab/validate/rtl.py`."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from axiometer.experiment import Experiment
from axiometer.platform import Platform

SIZE = "64KiB"
ALL_PORTS = "HP0+HP1+HP2+HP3"
# Not a chip: the Zybo with ports that take AXI4's bursts, to be sure of those.
LONG_BURSTS = "zybo with AXI4"


@dataclass(frozen=True)
class Case:
    """A point: its platform, and the keys that an experiment file would give."""

    platform: str
    keys: dict[str, Any] = field(hash=False)

    def __str__(self) -> str:
        return ", ".join(str(value) for value in self.keys.values())

    def load(self, **changed: Any) -> tuple[Platform, Any]:
        """Platform and point; `changed` lies over the keys."""
        keys = {"transfer_bytes": SIZE} | self.keys | changed
        if "duration" in keys:
            del keys["transfer_bytes"]
        lines = ["name = 'traffic'", "title = 'traffic'", "platform = 'zybo'", "[defaults]"]
        lines += [f"{key} = {value!r}" for key, value in keys.items()]
        experiment = Experiment("\n".join(lines), "traffic.toml", platform=_platform(self.platform))
        (point,) = experiment.points()
        return experiment.platform, point


def _platform(name: str) -> Platform:
    if name != LONG_BURSTS:
        return Platform.load(name)
    longer = 'axi = { value = 4, guess = "as" }\nburst_beats_max = { value = 256, guess = "as" }'
    board, chip, *others = json.loads(Platform.load("zybo").text)
    lines = [longer if s.startswith("axi = ") else s for s in chip["text"].splitlines()]
    files = [board, {**chip, "text": "\n".join(lines)}, *others]
    return Platform.kept(json.dumps(files), "zybo-axi4.toml")


def _zybo(mode: str, ports: str = "HP0", width_bits: int = 64, **keys: Any) -> Case:
    return Case("zybo", {"mode": mode, "ports": ports, "width_bits": width_bits, **keys})


def _long(mode: str, **keys: Any) -> Case:
    return Case(LONG_BURSTS, {"mode": mode, "ports": "HP0", "width_bits": 64, **keys})


READ, WRITE = "ps_to_pl", "pl_to_ps"

# Few points, on two designs.
QUICK = (
    _zybo(READ, "HP0+HP1", gap_cycles=7),
    _zybo(WRITE, "HP0+HP1", gap_cycles=7),
    _zybo(READ, gap_cycles=1, burst_beats=1, transfer_bytes="8KiB"),
    _zybo(READ, ALL_PORTS, pattern="random", burst_beats=4),
    _zybo(WRITE, ALL_PORTS, pattern="random", burst_beats=4),
    # Three steps, then the base again, 20 KiB before the end of the region.
    _zybo(READ, pattern="stride:24KiB"),
    _zybo(WRITE, "HP0+HP2", pattern="stride:24KiB"),
    _zybo(WRITE, pattern="random", transfer_bytes=20_004),
    _zybo(READ, ALL_PORTS, duration="12us"),
    _zybo(WRITE, "HP0+HP1", duration="12us"),
    _zybo(WRITE, duration="12us", pattern="stride:64KiB"),
    _zybo(READ, outstanding_read=63, burst_beats=2, transfer_bytes="8KiB"),
    _long(READ, burst_beats=256, gap_cycles=1),
    _long(READ, burst_beats=256, gap_cycles=20, pattern="random"),
    _long(WRITE, burst_beats=128, gap_cycles=20),
    _long(WRITE, burst_beats=64, pattern="stride:4KiB"),
)


def _many() -> list[Case]:
    settings: list[dict[str, Any]] = [
        {"gap_cycles": 1},
        {"gap_cycles": 40},
        {"pattern": "stride:4KiB"},
        {"pattern": "stride:24KiB", "mapping": "bank-row-column"},
        {"pattern": "random"},
        {"pattern": "random", "burst_beats": 2, "gap_cycles": 3},
        {"duration": "20us"},
    ]
    cases = [
        _zybo(mode, ports, width, **more)
        for width, mode, ports, more in product(
            (64, 32), (READ, WRITE), ("HP0", ALL_PORTS), settings
        )
    ]
    cases.append(_zybo(READ, ALL_PORTS, duration="20us", pattern="random"))
    cases += [
        Case("de1-soc", {"mode": mode, "ports": "F2S", "width_bits": width, **more})
        for width, mode, more in product(
            (32, 64, 128, 256), (READ, WRITE), ({"pattern": "random"}, {"gap_cycles": 5})
        )
    ]
    return cases


# What `lab/validate/rtl.py` runs.
MANY = (*_many(), *(case for case in QUICK if case not in _many()))
