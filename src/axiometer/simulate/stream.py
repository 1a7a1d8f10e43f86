"""One engine of a scenario: its accesses, and its port."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from axiometer.base import pace
from axiometer.experiment import between
from axiometer.simulate import model_tables
from axiometer.simulate.jobs import Job
from axiometer.simulate.table import Document

ENDLESS = 2**50
"""Bytes of a stream that runs for a time: more than it can move."""


_NOT_OF_THE_MODEL = (
    *("master", "job", "pace", "owner", "pl_mhz", "start_us", "start_cycles", "turn", "payload"),
)


@dataclass(frozen=True)
class Stream:
    """A stream, in the model's terms (docs/keys.md, `streams[]`).

    port: its number in the scenario. name: of the port, or, with `background`, of the chip's own
    master. direction: "read" or "write", seen from the master. base, bytes, region, burst_bytes,
    stride: bytes. outstanding: bursts. gap_cycles, address_cycles, between_cycles: PL cycles.
    outside: whether a source requests its bursts one by one. partner: number of the other half of a
    loop-back pair, or -1. master: number behind the port's multiplexer; None without one. stop:
    cycle of its port after which it begins no burst; -1: none. job: of a half whose work comes in
    jobs. pace: average PL cycles from burst to burst at its master's rate; None: as fast as
    possible.

    Not for the model: owner, its master; pl_mhz, its port's clock; start_us, its start time;
    each None if the point's value applies. start_cycles: of its port, from its start to its first
    burst. turn: least PL cycles from burst to burst because of streams that share its port or of
    blocks before it; None: no limit, or the model has it. payload: whether its bytes are what its
    master was asked to move; a DMA's program, and lines that a cache fetches or writes back, are
    not.
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
    payload: bool = True

    def at_multiplexer(self, number: int | None) -> Stream:
        """The stream with number `number` behind its port's multiplexer."""
        return replace(self, master=number)

    def behind(
        self, through: str | None, known: str | None, pl_mhz: float, width_bits: int
    ) -> Stream:
        """The stream with the blocks before its port, at its MHz and bits: `between.py`. The port's
        figures already include the clocks of the blocks in `known`."""
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
        """The stream as a half of a loop-back; as none for `partner` -1."""
        return replace(self, partner=partner, loopback_bursts=bursts, loopback_cycles=cycles)

    def document(self) -> Document:
        """The input of the model for the stream."""
        found = {name: value for name, value in vars(self).items() if name not in _NOT_OF_THE_MODEL}
        if self.job is not None:
            found |= self.job.document()
        # The source of a stream outside has its request times.
        kept = [] if self.outside else [c for c in (self.pace, self.turn) if c is not None]
        found |= pace.document(max(kept, default=Fraction(0)))
        found |= {"master": self.master or 0}
        found |= {"gap_cycles": 0 if self.outside else self.gap_cycles}
        return model_tables.Stream.of(found).document()


def split_pattern(text: str) -> tuple[str, int]:
    """Pattern and stride (bytes, 0 if none) in "stride:4096"."""
    pattern, _, stride = text.partition(":")
    return pattern, int(stride) if stride else 0
