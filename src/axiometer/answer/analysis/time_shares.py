"""The evidence for the ranking of bottlenecks: the shares of time of one point, and its platform.

Shares are 0–1 of the elapsed time. Names of ports and paths come from the platform and the records
only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from axiometer.answer.analysis.ports_and_paths import Facts
from axiometer.answer.analysis.time_classes import PointStacks, Stack, StreamStack
from axiometer.experiment import listed, master_keys
from axiometer.experiment.values import Master, Values, known

SERVED = 0.99
"""A master that gets this share of its request is served, and a port that carries data for this
share of the time is full: the rest are starts and ends."""
MOST = 0.5
"""A larger share of a time or a rate is most of it."""
WAITS = ("path", "controller", "latency", "master", "partner")
"""A stream's own time without data. The place where a burst waits hardly shows the reason: with a
full path the master is at its limit, with a slow reading half its partner waits. The DRAM's classes
show the reason."""


@dataclass(frozen=True)
class Evidence:
    """One point's stacks, its values and its platform."""

    stacks: PointStacks
    values: Values
    facts: Facts

    @cached_property
    def masters(self) -> Sequence[Master]:
        """The point's masters; none for a transfer of the processor's side."""
        return listed.masters(self.values)

    @property
    def dram(self) -> Stack:
        return self.stacks.dram

    @property
    def streams(self) -> Sequence[StreamStack]:
        return self.stacks.streams

    @cached_property
    def ports(self) -> list[str]:
        """The ports that moved something, in the order of the records."""
        return list(dict.fromkeys(s.port for s in self.streams))

    @cached_property
    def directions(self) -> set[str]:
        return {s.direction for s in self.streams}

    def mean(self, *keys: str) -> float:
        """Mean share of the named classes over the streams."""
        if not self.streams:
            return 0.0
        return sum(s.share(*keys) for s in self.streams) / len(self.streams)

    @cached_property
    def port_busy(self) -> float:
        """The lowest share of data in any stream's own time (without launch and done)."""
        shares = []
        for s in self.streams:
            own = 1 - s.share("launch", "done")
            shares.append(s.share("data") / own if own > 0 else 0.0)
        return min(shares, default=0.0)

    @cached_property
    def asked(self) -> dict[str, float]:
        """By title, each stream whose master requests a rate: the share of the request that it gets
        (0–1, except for rounding)."""
        masters = {m["name"]: m for m in self.masters if m["rate_mbs"]}
        found = {}
        for stream in self.streams:
            if stream.owner in masters:
                of = masters[stream.owner]
                link = of["width_bits"] / 8 * of["link_mhz"]
                asks = known(master_keys.asked_mbs(of, stream.direction))
                found[stream.title] = stream.share("data") * link / float(asks)
        return found

    @property
    def in_caches(self) -> bool:
        """Whether caches may hold all that a processor moves."""
        return any(m["operation"] and m["memory_type"] == "cached" for m in self.masters)

    @property
    def served(self) -> bool:
        """Whether every stream requests a rate, and gets it."""
        return bool(self.streams) and all(
            self.asked.get(stream.title, 0.0) >= SERVED for stream in self.streams
        )

    @property
    def full(self) -> bool:
        """Whether each used port carries data all the time, in each used direction."""
        channels: dict[tuple[str, str], float] = {}
        for s in self.streams:
            at = (s.port, s.direction)
            channels[at] = channels.get(at, 0.0) + s.share("data")
        return min(channels.values(), default=0.0) >= SERVED

    @cached_property
    def in_turn(self) -> list[str]:
        """The masters that wait for each response before the next burst."""
        return [m["name"] for m in self.masters if m["kind"] in master_keys.ONE_AT_A_TIME]

    def waiting_in_turn(self) -> float:
        """The share of the streams' time in which these masters wait; 0 where others wait for
        longer."""
        if not self.streams:
            return 0.0
        own = [s.share(*WAITS) for s in self.streams if s.owner in self.in_turn]
        part = sum(own) / len(self.streams)
        return part if 2 * part > self.waiting else 0.0

    @property
    def dram_data(self) -> float:
        return self.dram.share("read_data", "write_data")

    @property
    def turnaround(self) -> float:
        return self.dram.share("read_to_write", "write_to_read")

    @cached_property
    def waiting(self) -> float:
        """Mean share of the streams' own time without data, except the time in which the halves of
        a pair wait for one another."""
        return self.mean(*WAITS) - self.uncoupled

    @property
    def launching(self) -> float:
        """Share of the time in which the processor starts transfers and detects their end."""
        return self.mean("launch") + min((s.share("done") for s in self.streams), default=0.0)

    @property
    def mostly_launching(self) -> bool:
        """Whether starting transfers takes longer than moving data."""
        return self.launching > MOST

    @property
    def early(self) -> list[str]:
        """The ports that finish long before the last one."""
        done = self.done
        return [p for p in self.ports if done[p] > max(done.values()) * MOST]

    @property
    def done(self) -> dict[str, float]:
        """By port, the share of the time that is left when it has finished."""
        return {p: max(s.share("done") for s in self.streams if s.port == p) for p in self.ports}

    @property
    def wastes_columns(self) -> bool:
        """Whether bursts are shorter than the DRAM's data for one command."""
        burst, column = self.values.get("burst_bytes"), self.facts.column_bytes
        return isinstance(burst, int) and column is not None and burst < column

    @property
    def uneven(self) -> float:
        """Mean share of the time in which streams have finished while the slowest still runs."""
        done = [s.share("done") for s in self.streams]
        return sum(done) / len(done) - min(done) if done else 0.0

    @property
    def uncoupled(self) -> float:
        """Share of the time in which both halves of a loop-back pair wait for one another."""
        by_port: dict[str, list[float]] = {}
        for s in self.streams:
            if s.owner not in self.with_jobs:
                by_port.setdefault(s.port, []).append(s.share("partner"))
        both = [min(shares) for shares in by_port.values() if len(shares) == 2]
        return sum(both) / len(both) if both else 0.0

    @cached_property
    def with_jobs(self) -> dict[str, float]:
        """By master that works in jobs, the share of the time in which neither half moves data: one
        waits for the job's end, the other for its results."""
        masters = [m for m in self.masters if master_keys.works_in_jobs(m)]
        found = {}
        for name in (m["name"] for m in masters):
            shares = [s.share("partner") for s in self.streams if s.owner == name]
            found[name] = min(shares, default=0.0)
        return found

    @property
    def in_jobs(self) -> float:
        """The share of `with_jobs` in all streams' time."""
        return 2 * sum(self.with_jobs.values()) / max(1, len(self.streams))

    @cached_property
    def worst_path(self) -> tuple[str, list[str], float]:
        """The path whose streams wait most: its name, their ports, their mean waiting."""
        groups: dict[str, list[StreamStack]] = {}
        for s in self.streams:
            groups.setdefault(self.facts.port_paths.get(s.port, s.port), []).append(s)
        found = [
            (sum(s.share(*WAITS) for s in members) / len(members), name)
            for name, members in groups.items()
        ]
        share, name = max(found)
        return name, list(dict.fromkeys(s.port for s in groups[name])), share

    @cached_property
    def crowded(self) -> bool:
        """Whether the ports on the worst path need more in flight than it has places for."""
        name, ports, _ = self.worst_path
        path, at = self.facts.paths.get(name), [m for m in self.masters if m["way"] in ports]
        if path is None or len(ports) < 2:
            return False
        for way in self.directions:
            usual, limit = self.facts.outstanding.get(way, 0), path.inflight.get(way)
            moving = [m for m in at if way in master_keys.directions(m)]
            needs = sum(
                m["burst_bytes"] * (master_keys.outstanding(m, way) or usual) for m in moving
            )
            if limit and needs > limit:
                return True
        return False
