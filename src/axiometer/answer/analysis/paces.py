"""What a stream's own time is made of, apart from the memory: its data, its gaps, its launch.

From that follows what it would gain if one of them took less, where the memory has time to spare.
Shares are 0–1 of the elapsed time, gains shares of the total rate (0.38: +38 %).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from axiometer.answer.analysis.time_classes import StreamStack
from axiometer.answer.analysis.time_shares import SERVED, Evidence, outstanding
from axiometer.experiment import master_keys
from axiometer.experiment.values import Master

TIMES = 2
"""What a relaxation (`relax/`) makes wider, faster or deeper, it makes twice as much so."""


@dataclass(frozen=True)
class Pace:
    """A stream's shares of time: data, gap (as it is told to leave, or as its rate leaves), launch
    (until it begins, and after it is done), others (data of others at its port's multiplexer) and
    rest, in which it waits. link: MB/s that its port carries; rated: whether it is told a rate.

    latency_us: mean time of a burst; None where none ended, or it is not known.

    way: how long a burst is under way, over the time of its data and the bursts in flight: above 1,
    there are too few of them to carry data all the time. None where latencies are not known."""

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
        """The time that is saved if it leaves no gap: what is under way may need some of it."""
        return max(0.0, self.gap - self.data * max(0.0, (self.way or 0.0) - 1))

    @property
    def saved_by_width(self) -> float:
        """The time that is saved if its port is `TIMES` as wide. (A full port's bursts are under
        way for as long as it takes to have their turn, so that their way says nothing.)"""
        return 0.0 if self.rated else (self.data + self.others) * (1 - 1 / TIMES)

    @property
    def covered(self) -> bool:
        """Whether bursts in flight suffice for what it saves without its gap."""
        return self.way is not None and self.way <= 1


def paces(e: Evidence) -> list[Pace]:
    """The pace of each stream."""
    masters = {m["name"]: m for m in master_keys.of(e.values)}
    channels: dict[tuple[str, str], float] = {}
    for s in e.streams:
        at = (s.port, s.direction)
        channels[at] = channels.get(at, 0.0) + s.share("data")
    return [
        _pace(s, masters.get(s.owner or ""), e, channels[s.port, s.direction]) for s in e.streams
    ]


def _pace(stream: StreamStack, master: Master | None, e: Evidence, channel: float) -> Pace:
    told = e.values if master is None else master
    mhz = e.values["pl_mhz"] if master is None else master["link_mhz"]
    link = told["width_bits"] / 8 * mhz
    beats = -(-told["burst_bytes"] * 8 // told["width_bits"])
    data, launch = stream.share("data"), stream.share("launch", "done")
    gap: float = told.get("gap_cycles") or 0
    rated = master is not None and bool(master["rate_mbs"])
    if master is not None and rated:
        asks = master_keys.asked_mbs(master, stream.direction)
        behind = data * link < SERVED * float(asks or 0)  # then it makes up for what it waited
        gap = 0 if behind else max(0.0, told["burst_bytes"] / float(asks or link) * mhz - beats)
    own = outstanding(e.values, stream.direction) if master is None else master["outstanding"]
    kept = own or e.facts.outstanding.get(stream.direction) or 1
    way = None if stream.latency is None else stream.latency / (beats * kept)
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
    """What all gain if each saves a share of its time."""
    now = sum(p.rate for p in of)
    return sum(p.rate / max(1 - saved(p), 0.01) for p in of) / now - 1 if now else 0.0


def gains(of: Sequence[Pace]) -> dict[str, float]:
    """What relaxing each cause would give if nothing else limited, by the causes' keys; `waiting`:
    if no stream waited for the memory."""
    return {
        "asked": _gain(of, lambda p: p.saved_without_gap),
        "port": _gain(of, lambda p: p.saved_by_width),
        "launch": _gain(of, lambda p: p.launch),
        "waiting": _gain(of, lambda p: p.rest),
    }
