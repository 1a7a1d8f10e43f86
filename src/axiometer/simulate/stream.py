"""One engine of a scenario: what it reads or writes, and through which port."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from axiometer.base import pace
from axiometer.experiment import between
from axiometer.simulate import model_tables
from axiometer.simulate.jobs import Job
from axiometer.simulate.table import Document

ENDLESS = 2**50
"""Bytes of a stream that runs for a time, not for a size: more than it can move."""


_NOT_TOLD = ("master", "job", "pace", "owner", "pl_mhz", "start_us", "start_cycles", "turn")


@dataclass(frozen=True)
class Stream:
    """A stream, in the model's own terms (docs/keys.md, `streams[]`).

    port: its number among the scenario's. name: of the port, or of the chip's own master, which
    `background` says that it is. direction: "read" or "write", as the master sees it. base, bytes,
    region, burst_bytes, stride: bytes. outstanding: bursts. gap_cycles, address_cycles,
    between_cycles: PL cycles.
    outside: whether a source asks for its bursts one by one. partner: number of the other half of a
    loop-back pair, -1 if there is none. master: number behind the port's multiplexer; None where
    there is none.
    stop: cycle of its port from which on it begins no burst; -1: none of its own. job: of a half
    whose work comes in jobs. pace: PL cycles from burst to burst at the rate that its master asks
    for, on average; None: as fast as it can.

    Not the model's affair are: owner, the `[[master]]` that it belongs to; pl_mhz, its port's
    clock; start_us, when it begins; each None where the point as a whole says so. start_cycles:
    of its port, from when it is started to its first burst. turn: PL cycles from burst to burst
    that those which share its port, or what stands before it, leave it; None: any, or the model
    sees to it.
    """

    port: int
    name: str
    direction: str
    base: int
    bytes: int
    region: int
    burst_bytes: int
    outstanding: int
    gap_cycles: int = 0
    pattern: str = "sequential"
    stride: int = 0
    partner: int = -1
    loopback_bursts: int = 1
    loopback_cycles: int = 0
    master: int | None = None
    background: bool = False
    outside: bool = False
    stop: int = -1
    address_cycles: int = 0
    between_cycles: int = 0
    job: Job | None = None
    pace: Fraction | None = None
    owner: str | None = None
    pl_mhz: float | None = None
    start_us: float | None = None
    start_cycles: int = 0
    turn: Fraction | None = None

    def at_multiplexer(self, number: int | None) -> Stream:
        """The same as number `number` behind its port's multiplexer."""
        return replace(self, master=number)

    def behind(
        self, through: str | None, known: str | None, pl_mhz: float, width_bits: int
    ) -> Stream:
        """The same with what stands before its port, of so many MHz and bits: `between.py`. The
        port's figures have the clocks of what is `known` to have stood there."""
        if not through:
            return self
        apart = between.apart(through)
        held = apart * width_bits > 8 * self.burst_bytes
        own, had = (
            (between.cycles(text, self.direction, pl_mhz), between.loop_cycles(text, pl_mhz))
            for text in (through, known)
        )
        more = [max(0, a - b) for a, b in zip(own, had, strict=True)]
        return replace(
            self,
            between_cycles=more[0],
            loopback_cycles=self.loopback_cycles + (more[1] if self.partner >= 0 else 0),
            turn=max(self.turn or Fraction(0), Fraction(apart)) if held else self.turn,
        )

    def paired(self, partner: int, bursts: int, cycles: int) -> Stream:
        """The same as a half of a loop-back; of `partner` -1, as none."""
        return replace(self, partner=partner, loopback_bursts=bursts, loopback_cycles=cycles)

    def document(self) -> Document:
        """The stream as the model reads it."""
        found = {name: value for name, value in vars(self).items() if name not in _NOT_TOLD}
        if self.job is not None:
            found |= self.job.document()
        # Of a stream outside the run its source has what says when it asks.
        kept = [] if self.outside else [c for c in (self.pace, self.turn) if c is not None]
        found |= pace.document(max(kept, default=Fraction(0)))
        found |= {"master": self.master or 0}
        found |= {"gap_cycles": 0 if self.outside else self.gap_cycles}
        return model_tables.Stream.of(found).document()


def split_pattern(text: str) -> tuple[str, int]:
    """Pattern and stride (bytes, 0 if none) in "stride:4096"."""
    pattern, _, stride = text.partition(":")
    return pattern, int(stride) if stride else 0
