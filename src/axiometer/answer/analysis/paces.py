"""The parts of a stream's own time, apart from the memory: its data, its gaps, its launch.

They give the stream's gain if one of them took less, where the memory has time to spare. Shares are
0–1 of the elapsed time, gains shares of the total rate (0.38: +38 %).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from axiometer.answer.analysis.ports_and_paths import Facts
from axiometer.answer.analysis.time_classes import StreamStack
from axiometer.answer.analysis.time_shares import SERVED, Evidence
from axiometer.experiment import master_keys
from axiometer.experiment.values import Master

TIMES = 2
"""The factor by which a relaxation (`relax/`) makes a part wider, faster or deeper."""


@dataclass(frozen=True)
class Pace:
    """A stream's shares of time: data, gap (set, or left by its rate), launch (until it begins, and
    after its end), others (data of others at its port's multiplexer) and rest, in which it waits.
    link: MB/s that its port carries; rated: whether it has a requested rate.

    latency_us: mean time of a burst; None where none ended, or it is not known.

    way: latency of a burst over the time for the data of all bursts in flight: above 1, they are
    too few to carry data all the time. None where latencies are not known."""

    link: float
    data: float
    gap: float
    launch: float
    rated: bool
    others: float = 0.0
    way: float | None = None
    latency_us: float | None = None

    @property
    def rest(self) -> float:
        return max(0.0, 1 - self.data - self.gap - self.launch - self.others)

    @property
    def rate(self) -> float:
        return self.link * self.data

    @property
    def saved_without_gap(self) -> float:
        """The time saved without the gap; bursts under way may need part of the gap."""
        return max(0.0, self.gap - self.data * max(0.0, (self.way or 0.0) - 1))

    @property
    def saved_by_width(self) -> float:
        """The time saved if the port is `TIMES` as wide. (`way` is not used: bursts at a full port
        are under way until their turn comes.)"""
        return 0.0 if self.rated else (self.data + self.others) * (1 - 1 / TIMES)

    @property
    def covered(self) -> bool:
        """Whether the bursts in flight suffice to carry data all the time without the gap."""
        return self.way is not None and self.way <= 1


def paces(e: Evidence) -> list[Pace]:
    """The pace of each stream."""
    masters = {m["name"]: m for m in e.masters}
    channels: dict[tuple[str, str], float] = {}
    for s in e.streams:
        at = (s.port, s.direction)
        channels[at] = channels.get(at, 0.0) + s.share("data")
    return [_pace(s, masters[s.owner], e.facts, channels[s.port, s.direction]) for s in e.streams]


def _pace(stream: StreamStack, master: Master, facts: Facts, channel: float) -> Pace:
    mhz = master["link_mhz"]
    link = master["width_bits"] / 8 * mhz
    beats = -(-master["burst_bytes"] * 8 // master["width_bits"])
    data, launch = stream.share("data"), stream.share("launch", "done")
    gap: float = master["gap_cycles"] or 0
    rated = bool(master["rate_mbs"])
    if rated:
        asks = master_keys.asked_mbs(master, stream.direction)
        behind = data * link < SERVED * float(asks or 0)  # then it makes up for its waiting
        gap = 0 if behind else max(0.0, master["burst_bytes"] / float(asks or link) * mhz - beats)
    own = master_keys.outstanding(master, stream.direction)
    bursts = own or facts.outstanding.get(stream.direction) or 1
    way = None if stream.latency is None else stream.latency / (beats * bursts)
    return Pace(
        link=link,
        data=data,
        gap=min(data * gap / beats, 1 - data),
        launch=launch,
        rated=rated,
        others=channel - data,
        way=way,
        latency_us=None if stream.latency is None else stream.latency / mhz,
    )


def _gain(of: Sequence[Pace], saved: Callable[[Pace], float]) -> float:
    """The gain of all streams if each saves a share of its time."""
    now = sum(p.rate for p in of)
    return sum(p.rate / max(1 - saved(p), 0.01) for p in of) / now - 1 if now else 0.0


def gains(of: Sequence[Pace]) -> dict[str, float]:
    """The gain of relaxing each cause if nothing else limited, by the causes' keys; `waiting`: the
    gain if no stream waited for the memory."""
    return {
        "asked": _gain(of, lambda p: p.saved_without_gap),
        "port": _gain(of, lambda p: p.saved_by_width),
        "launch": _gain(of, lambda p: p.launch),
        "waiting": _gain(of, lambda p: p.rest),
    }
