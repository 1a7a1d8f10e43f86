"""Compares decoded figures with JEDEC's speed bins and lists deviations.

A board may run a part slower than its rating, with the part's own timing in ns: a bin of the same
clock or above must fit. Not for: command traces (tests/jedec), timings that no bin has.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Literal, TypedDict, cast

from axiometer.platform.registers.results import Decoded, number, whole
from axiometer.platform.registers.tables import load

_CORE: tuple[Literal["tRCD", "tRP", "tRAS", "tRC"], ...] = ("tRCD", "tRP", "tRAS", "tRC")
_NOISE_NS = 0.2  # for clocks that differ slightly from the bin's
_DEVICE_BITS = (8, 16)  # of parts on boards, if no register has it
_SIZES_MIB = (64, 65536)
_INTERVAL_SHARE = 0.03  # manufacturers round the interval down to whole units of 32 clocks


class _Bin(TypedDict):
    name: str
    clock: float
    tRCD: float  # noqa: N815 - the name in data sheets
    tRP: float  # noqa: N815
    tRAS: float  # noqa: N815
    tRC: float  # noqa: N815


class _Type(TypedDict):
    """A type of DRAM in `speed_bins.toml`."""

    bins: list[_Bin]
    least: dict[str, float]
    refresh: dict[str, float]
    most_core: dict[str, float]
    interval_us: list[float]


def problems(decoded: Decoded) -> list[str]:
    """In words, each figure outside JEDEC's limits for a part of its type; [] for a usable
    memory."""
    kind = decoded.value("dram.type")
    table = _tables().get(str(kind))
    if table is None:
        return [f"no speed bins are known for the type {kind}"]
    memory = _Memory(decoded, table)
    return [*memory.core(), *memory.least(), *memory.refresh(), *memory.size()]


class _Memory:
    def __init__(self, decoded: Decoded, table: _Type) -> None:
        self.value = decoded.value
        self.table = table
        self.mhz = float(number(decoded.value("clocks.ddr_mhz")))
        # Fields of a controller at half the DRAM's clock are rounded to its own clocks.
        ratio = load(decoded.chip).about.get("dram_clocks", 1)
        self.slack = _NOISE_NS + (ratio - 1) / self.mhz * 1e3

    def ns(self, name: str) -> float:
        return float(number(self.value(f"dram.timing.{name}"))) / self.mhz * 1e3

    def fitting(self) -> list[_Bin]:
        return [
            entry
            for entry in self.table["bins"]
            if entry["clock"] * 1.001 >= self.mhz
            and all(self.ns(name) >= entry[name] - self.slack for name in _CORE)
        ]

    def core(self) -> list[str]:
        found = []
        if not self.fitting():
            times = ", ".join(f"{name} {self.ns(name):.2f} ns" for name in _CORE)
            found.append(f"no speed bin has {times} at {self.mhz:.4g} MHz")
        for name, most in self.table["most_core"].items():
            if self.ns(name) > most:
                found.append(f"{name} is {self.ns(name):.2f} ns, more than any part needs ({most})")
        return found

    def least(self) -> list[str]:
        return [
            f"{name} is {self.ns(name):.2f} ns; JEDEC requires at least {least}"
            for name, least in self.table["least"].items()
            if self.value(f"dram.timing.{name}") is not None and self.ns(name) < least - self.slack
        ]

    def refresh(self) -> list[str]:
        known: dict[float, float] = {int(gbit): ns for gbit, ns in self.table["refresh"].items()}
        fits = [known[gbit] for gbit in self._densities() if gbit in known]
        found = []
        if not fits:
            found.append(f"no part of a known density makes {self.value('dram.size_MiB')} MiB")
        elif self.ns("tRFC") < min(fits) - self.slack:
            found.append(f"tRFC is {self.ns('tRFC'):.1f} ns; JEDEC has {min(fits)} for this size")
        interval = self.ns("tREFI") / 1e3
        if all(abs(interval / us - 1) > _INTERVAL_SHARE for us in self.table["interval_us"]):
            found.append(f"tREFI is {interval:.2f} us; JEDEC has {self.table['interval_us']}")
        return found

    def _densities(self) -> set[float]:
        """Gbit of a part (LPDDR4: of a channel of 16 bits)."""
        bits = self.value("dram.device_bits")
        usual = (whole(bits),) if bits else _DEVICE_BITS
        widths = (16,) if self.value("dram.type") == "LPDDR4" else usual
        gbit = whole(self.value("dram.size_MiB")) / 128 / whole(self.value("dram.ranks") or 1)
        return {gbit * width / whole(self.value("dram.bus_bits")) for width in widths}

    def size(self) -> list[str]:
        size = whole(self.value("dram.size_MiB"))
        usual = size & (size - 1) == 0 or size % 3 == 0
        if usual and _SIZES_MIB[0] <= size <= _SIZES_MIB[1]:
            return []
        return [f"{size} MiB is not a size of a memory"]


@cache
def _tables() -> dict[str, _Type]:
    path = Path(__file__).with_name("speed_bins.toml")
    return cast("dict[str, _Type]", tomllib.loads(path.read_text(encoding="utf-8")))
