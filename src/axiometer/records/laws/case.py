"""The input of laws: a record, and the limits of its platform and point.

Bytes in buffers are the slack of laws that compare two places: a run that is measured from one
cycle to another counts bytes at the port that the DRAM moved before, or moves later.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property

from axiometer.base import clocks
from axiometer.base.record import Record, StreamRecord, owner, rate_of
from axiometer.experiment import kinds, listed, master_keys
from axiometer.experiment.keys_processor import AT_MEMORY, kind
from axiometer.experiment.keys_shared import runs_freely, split_background
from axiometer.experiment.values import Master, Values
from axiometer.platform import Platform
from axiometer.simulate import master_streams
from axiometer.simulate.stream import Stream
from axiometer.simulate.transfer import pl_mhz

DIRECTIONS = ("read", "write")
# For sums of floating-point numbers that are equal in exact arithmetic.
ROUNDING = 1e-9


class Case:
    """A record with its platform, the values of its point, and its streams' specification."""

    def __init__(
        self,
        platform: Platform,
        values: Values,
        record: Record,
        streams: Sequence[Stream] | None,
    ) -> None:
        self.platform, self.values, self.record = platform, values, record
        self.at_memory = values["master"] in AT_MEMORY
        self.given = None if streams is None else [s for s in streams if not s.background]
        self.elapsed = record.get("elapsed_s", 0.0)

    @property
    def streams(self) -> Sequence[StreamRecord]:
        return self.record.get("streams") or ()

    @cached_property
    def free(self) -> bool:
        """Whether a part of the run is measured, from one cycle to another."""
        endless = self.values["transfer_bytes"] is None
        return endless and self.at_memory and runs_freely(self.platform)

    @cached_property
    def combines(self) -> bool:
        """Whether the controller may combine overlapping writes: a processor's stores meet lines
        that its caches write back."""
        every = self.masters.values()
        return any(kinds.of(master).by_processor or _combines(master) for master in every)

    @cached_property
    def masters(self) -> dict[str, Master]:
        """The point's masters by name; {} for a transfer of the processor's side."""
        return {master["name"]: master for master in listed.masters(self.values)}

    def master_of(self, stream: StreamRecord) -> Master | None:
        """The master of a stream of the record; None for the processor's side."""
        return self.masters.get(owner(stream))

    def link(self, stream: StreamRecord) -> tuple[int, float]:
        """Bytes of a beat, and the clock in Hz, at the port of a stream of the record."""
        master = self.master_of(stream)
        return (self.beat_bytes, self.pl_hz) if master is None else _link(master)

    def is_source(self, stream: StreamRecord) -> bool:
        """Whether a stream of the record belongs to a source, which requests burst by burst."""
        master = self.master_of(stream)
        return master is not None and master_keys.is_source(master)

    def link_of(self, port: str) -> tuple[int, float]:
        """`link` of a port; for the chip's own masters, the point's."""
        at = (master for master in self.masters.values() if master["way"] == port)
        return next(map(_link, at), (self.beat_bytes, self.pl_hz))

    @cached_property
    def ddr_hz(self) -> float:
        return self.mhz("clocks.ddr_mhz") * 1e6

    def mhz(self, path: str) -> float:
        """A clock for the model: the exact fraction behind its decimals."""
        return float(clocks.meant(self.platform.number(path)))

    @cached_property
    def column_bytes(self) -> int:
        return self.platform.whole("dram.bus_bits") // 8 * self.platform.whole("dram.burst_length")

    @cached_property
    def pl_hz(self) -> float:
        """The clock at which beats pass the port."""
        asked = self.values["pl_mhz"]
        if self.at_memory:
            return asked * 1e6
        if self.values["memory_type"] == "cached":  # cached data do not pass the port
            return _mhz(self.platform.word("processor.clocks.cpu")) * 1e6
        if kind(self.platform, self.values["ports"][0]) == "emio":  # a register, without the fabric
            return _mhz(self.platform.word("processor.clocks.apb")) * 1e6
        return float(pl_mhz(self.platform, asked)) * 1e6

    @cached_property
    def beat_bytes(self) -> int:
        return self.values["width_bits"] // 8

    @cached_property
    def background(self) -> dict[str, float]:
        """MB/s of each of the chip's own masters in the record."""
        rates = self.record.get("background") or {}
        return {name: rates[name]["total_MBps"] for name in rates}

    def background_on(self, path: str) -> dict[str, float]:
        """MB/s by direction of the chip's own masters on a path."""
        found = dict.fromkeys(DIRECTIONS, 0.0)
        for name, rates in (self.record.get("background") or {}).items():
            if self.platform.word(f"neighbour.{name}.path", None) == path:
                for direction in DIRECTIONS:
                    found[direction] += rate_of(rates, direction)
        return found

    def past_payload(self, direction: str, ports: Iterable[str]) -> float:
        """MB/s in one direction at the memory of `ports` beside the payload of their masters; below
        0 where caches had it."""
        found = 0
        for stream in self.streams:
            if stream["direction"] == direction and stream["port"] in ports:
                found += stream.get("memory_bytes", stream["bytes"]) - stream["bytes"]
        return found / self.elapsed * 1e-6

    def neighbours_on(self, path: str) -> int:
        names = split_background(self.values.get("background"))
        return sum(self.platform.word(f"neighbour.{name}.path", None) == path for name in names)

    def buffered(self, direction: str, ports: Iterable[str]) -> int:
        """The most bytes between the fabric and the DRAM in one direction of `ports`."""
        figure, held = self.platform.whole, 0
        for port in ports:
            way = self.platform.way(port)
            path = self.platform.word(f"{way}.path", None)
            part = figure(f"{way}.part_bytes", self.column_bytes)
            # A part may touch one more column command at its end.
            whole = part + self.column_bytes
            fifo = figure(f"{way}.fifo_bytes_{direction}", 0)
            held += figure(f"{way}.fifo_bytes", fifo) + whole
            held += figure(f"{way}.inflight_parts", 0) * whole
            held += figure(f"path.{path}.inflight_bytes_{direction}", 0)
            held += figure(f"path.{path}.queue_parts_{direction}", 0) * whole
        entries = figure(f"controller.{direction}_entries", 0)
        entries += figure("controller.low_latency_entries", 0) * (direction == "read")
        return held + entries * self.column_bytes

    def outstanding(self, number: int) -> int | None:
        """The limit of outstanding bursts of stream `number` of the record; None: no law
        applies."""
        stream = self.streams[number]
        if self.is_source(stream):
            return None
        if self.given is not None:
            return self.given[number].outstanding
        every, master = [*self.masters.values()], self.masters[owner(stream)]
        return master_streams.outstanding(self.platform, every, master, stream["direction"])


def _combines(master: Master) -> bool:
    """Whether bursts of a master may overlap."""
    pattern, _, stride = str(master["pattern"]).partition(":")
    return pattern == "random" or (pattern == "stride" and int(stride) < master["burst_bytes"])


def _link(master: Master) -> tuple[int, float]:
    return master["width_bits"] // 8, master["link_mhz"] * 1e6


def _mhz(text: str) -> float:
    """A clock given as a quotient, "2000/3"."""
    return float(Fraction(str(text)))
