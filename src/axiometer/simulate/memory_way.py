"""A way to the memory of a master that is at none of the engines' ports: what its stream and port
are told, and what its accesses take on their way by the figures of the processor's side.

For: `memory_ports.py` and `fabric_ways.py`, which make a way of each kind of master.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from axiometer import _model
from axiometer.clocks import meant
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.simulate import chip
from axiometer.simulate.transfer import Transfer

Master = Mapping[str, Any]
# Two transfers of one program each; their difference is without what starting them costs.
_SHORT, _LONG = 8192, 16384
_MODES = {"read": "ps_to_pl", "write": "pl_to_ps"}


@dataclass(frozen=True)
class Way:
    """A memory port as the model takes it. Cycles of the port's clock, DRAM clocks for
    response_clocks; bursts for outstanding; `period_us`: least time from burst to burst;
    `think_cycles`: from the end of a burst to the next one, of a master that waits for it;
    serial_clocks: DRAM clocks from one part to the next at the least."""

    request_cycles_read: int
    request_cycles_write: int
    return_cycles: int
    response_clocks: int
    outstanding_read: int
    outstanding_write: int
    period_us: Fraction
    think_cycles: int = 0
    serial_clocks: int = 0

    def gap_cycles(self, master: Master) -> int:
        """Idle cycles that the period leaves after a burst's beats."""
        return max(0, round(self.period_us * meant(master["link_mhz"])) - beats(master))


@dataclass(frozen=True)
class Travel:
    """Times in us of an access of the processor's side, out and back, the DRAM's own left out.

    `processor.memory.dram_read_clocks` was fitted on accesses one after the other, whose rows are
    open, so a read's own time is that from a column command to its data behind the path. A write is
    answered when the controller has it (`model/src/processor/dram.cpp`)."""

    read: Fraction
    write: Fraction

    @classmethod
    def on(cls, platform: Platform, path: str) -> Travel:
        value = platform.value
        ddr = meant(value("clocks.ddr_mhz"))
        column = value("dram.timing.CL") + chip.burst_clocks(platform)
        behind_path = max(column, value(f"path.{path}.release_clocks_read")) / ddr
        whole = value("processor.memory.dram_read_clocks") / clock(platform, "cpu")
        opened = value("dram.timing.tRCD") / ddr
        return cls(
            max(Fraction(0), whole - behind_path) / 2,
            max(Fraction(0), whole - column / ddr - opened) / 2,
        )


def beats(master: Master) -> int:
    """Of a burst of the master."""
    return -(-master["burst_bytes"] * 8 // master["width_bits"])


def path(platform: Platform, master: Master) -> str:
    """The path that the master's way is on."""
    return str(platform.value(f"{platform.way(master['way'])}.path"))


def clock(platform: Platform, name: str) -> Fraction:
    """A clock of the processor's side, MHz."""
    return meant(platform.value(f"processor.clocks.{name}"))


def beside(platform: Platform, master: Master) -> dict[str, Any]:
    """What the processor's side is told of the master."""
    return _transfer(platform, master, _SHORT).document()


def pace(platform: Platform, master: Master) -> tuple[dict[str, Any], Fraction]:
    """The same, and its us from burst to burst there: of one whose other side sets the pace."""
    found: list[int] = []
    for size in (_SHORT, _LONG):
        transfer = _transfer(platform, master, size)
        document = transfer.document()
        found.append(_model.run_processor(document)["elapsed"])
    bursts = Fraction(_LONG - _SHORT, master["burst_bytes"])
    return document, (found[1] - found[0]) * transfer.unit * 10**6 / bursts


def _transfer(platform: Platform, master: Master, size: int) -> Transfer:
    point = single(
        platform,
        {
            "ports": master["port"],
            "master": master["kind"],
            "mode": _MODES[master["direction"]],
            "transfer_bytes": size,
            "pl_mhz": master["pl_mhz"],
        },
    )
    return Transfer.of(platform, point.values)
