"""One engine of a scenario: what it reads or writes, and through which port."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

ENDLESS = 2**50
"""Bytes of a stream that runs for a time, not for a size: more than it can move."""


@dataclass(frozen=True)
class Stream:
    """A stream, in the model's own terms (docs/model-keys.md, `streams[]`).

    port: its number among the scenario's. name: of the port, or of the chip's own master, which
    `background` says that it is. direction: "read" or "write", as the master sees it. base, bytes,
    region, burst_bytes, stride: bytes. outstanding: bursts. gap_cycles: PL cycles. partner: number
    of the other half of a loop-back pair, -1 if there is none. master: number behind the port's
    multiplexer; None where there is no multiplexer.
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

    def document(self) -> dict[str, Any]:
        """The stream as the model reads it."""
        found = dict(vars(self))
        if self.master is None:  # the chip under the RTL knows of ports alone
            del found["master"]
        return found


def split_pattern(text: str) -> tuple[str, int]:
    """Pattern and stride (bytes, 0 if none) in "stride:4096"."""
    pattern, _, stride = text.partition(":")
    return pattern, int(stride) if stride else 0
