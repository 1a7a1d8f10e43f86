"""Masters whose next burst depends on the completion of the last one: the processor, its DMA
engine, simple masters and DMAs in the fabric. Each is a source of the model (docs/keys.md,
`shared`): a transfer as on the processor's side, whose bursts at the memory are those of two
streams."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import ceil, gcd, lcm

from axiometer import _model
from axiometer.base import pace
from axiometer.base.clocks import meant
from axiometer.experiment.directions import MODE_OF
from axiometer.experiment.keys_processor import kind
from axiometer.experiment.master_keys import BUFFERS, asked_mbs, directions, is_source
from axiometer.experiment.points import single
from axiometer.experiment.values import Master, Values
from axiometer.platform import Platform
from axiometer.simulate import chip
from axiometer.simulate.model_tables import Port, Shared
from axiometer.simulate.stream import ENDLESS, Stream
from axiometer.simulate.table import Document, Table
from axiometer.simulate.transfer import Side, Transfer

# The source's own path includes everything before the port.
_NO_WAY = dict.fromkeys(("request_cycles", "return_cycles", "response_clocks"), 0)
# Bytes after which an endless transfer starts again: more than the caches hold.
_ENDLESS_BYTES = 2**22


def moves_all(master: Master) -> bool:
    """Whether a source's data all pass the memory, and nothing else does; else caches interfere."""
    through_caches = master["operation"] in BUFFERS or master["memory_type"] == "cached"
    return not through_caches and master["kind"] not in ("memcpy", "loop")


def _beside(master: Master) -> tuple[str, ...]:
    """Directions of a source's further accesses: the DMA engine of the PS reads its program, caches
    read lines and write them back."""
    if master["kind"] == "ps_dma":
        return ("read",)
    return () if moves_all(master) else ("read", "write")


@dataclass(frozen=True)
class Travel:
    """Times in us of an access of the processor's side, out and back, without the DRAM's own.

    `processor.memory.dram_read_clocks` was fitted on consecutive accesses in open rows, so a read's
    own time is that from a column command to its data behind the path. A write is answered when the
    controller has it (`model/src/sources/memory.cpp`)."""

    read: Fraction
    write: Fraction

    @classmethod
    def on(cls, platform: Platform, path: str) -> Travel:
        value = platform.value
        ddr = meant(value("clocks.ddr_mhz"))
        way = chip.path(platform, path)
        column = value("dram.timing.CL") + chip.burst_clocks(platform)
        read = chip.read_clocks(platform, path)
        write = way.request_clocks_write + column + value("dram.timing.tRCD")
        cpu = meant(value("processor.clocks.cpu"))
        whole = value("processor.memory.dram_read_clocks") / cpu
        return cls(
            max(Fraction(0), whole - read / ddr) / 2, max(Fraction(0), whole - write / ddr) / 2
        )


@dataclass(frozen=True)
class Source:
    """A source of a scenario. tables: of its transfer, times in `unit` seconds; read, write:
    numbers of its streams, -1: none; travel: on its path to the memory; port: its port into the
    fabric; at_port: whether it is in the fabric, at one of the fabric's ports."""

    tables: Side
    unit: Fraction
    read: int
    write: int
    travel: Travel
    port: str | None
    at_port: bool

    def having(self, table: str, **changes: Callable[[int], int]) -> Source:
        """The source with changes of keys of one of its tables, if it has that table."""
        of: Table | None = getattr(self.tables, table)
        if of is None or (made := of.having(changes)) == of:
            return self
        return replace(self, tables=self.tables.but({table: made}))

    def scaled(self, times: int, but: str | None = None) -> Source:
        """The source in a unit `times` times smaller; the period of the clock `but` keeps its
        number of units."""
        longer = {
            name: table.having(dict.fromkeys(_times(name) - {but or ""}, lambda time: time * times))
            for name, table in vars(self.tables).items()
            if isinstance(table, Table)
        }
        return replace(self, tables=self.tables.but(longer), unit=self.unit / times)

    def document(self, streams: Sequence[Stream], ports: Sequence[str]) -> Document:
        """The input of the model; `ports`: names of all ports into the fabric with sources."""
        of = streams[max(self.read, self.write)]
        clock = self.tables.clocks.ddr
        read, write = (
            round(us / 10**6 / self.unit) for us in (self.travel.read, self.travel.write)
        )
        shared = Shared(
            read_stream=self.read,
            write_stream=self.write,
            fabric_port=ports.index(self.port) if self.port in ports else -1,
            read_there=read,
            read_back=read,
            write_there=write,
            write_back=write,
            gap=of.gap_cycles * clock,
            pace=of.pace.numerator * clock if of.pace is not None else 0,
            pace_bytes=of.pace.denominator * of.burst_bytes if of.pace is not None else 1,
        )
        return {**self.tables.document(), "shared": shared.document()}


@lru_cache
def _times(table: str) -> frozenset[str]:
    """The keys of a table that are times in base units."""
    rows = (row for row in _model.describe_source() if row["unit"] == "base units")
    return frozenset(row["key"] for row in rows if row["table"] == table)


def port(platform: Platform, master: Master, paths: Sequence[str]) -> Port:
    """The model's port of a source at the memory; its clock is the DRAM's. `paths`: names of the
    scenario's paths."""
    name = master["way"]
    # A beat a clock of the DRAM: as wide as all accesses, or, for a processor that moves less than
    # lines, as its port.
    width = min(platform.value(f"{platform.way(name)}.part_bytes"), master["burst_bytes"])
    if not moves_all(master):
        width = min(width, master["width_bits"] // 8)
    elif is_mapped(master):
        width = min(width, access_bytes(platform, master))
    return chip.port(platform, name, width * 8, paths, None, _NO_WAY)


def of(
    platform: Platform, values: Values, masters: Sequence[Master], streams: Sequence[Stream]
) -> tuple[Source, ...]:
    """The sources among the masters of a point, whose streams are `streams`; times in one unit."""
    found = []
    for master in masters:
        if not is_source(master):
            continue
        own = {s.direction: n for n, s in enumerate(streams) if s.owner == master["name"]}
        transfer = _transfer(platform, master, values["transfer_bytes"])
        path = platform.value(f"{platform.way(master['way'])}.path")
        found.append(
            Source(
                tables=_tables(platform, master, transfer),
                unit=transfer.unit,
                read=own.get("read", -1),
                write=own.get("write", -1),
                travel=Travel.on(platform, path),
                port=master["port"] if kind_of(platform, master) == "gp-master" else None,
                at_port=platform.way(master["way"]).startswith("port."),
            )
        )
    if not found:
        return ()
    common = _common(source.unit for source in found)
    return tuple(source.scaled(int(source.unit / common)) for source in found)


def burst_bytes(platform: Platform, master: Master) -> int:
    """The most bytes that a source requests in one burst."""
    return max(master["burst_bytes"], platform.whole("processor.cache.line_bytes"))


def is_mapped(master: Master) -> bool:
    """Whether a master is a processor at buffers in the memory whose mapping is given."""
    return master["kind"] == "processor" and master["memory_type"] is not None


def access_bytes(platform: Platform, master: Master) -> int:
    """The least bytes that a source requests at once: of uncached buffers a load of its routine."""
    if not is_mapped(master) or master["memory_type"] == "cached":
        return master["burst_bytes"]
    return _transfer(platform, master, None).tables.cpu.access_bytes


def kind_of(platform: Platform, master: Master) -> str | None:
    """The kind of a master's port; None without port."""
    return kind(platform, master["port"]) if master["port"] else None


def _common(units: Iterable[Fraction]) -> Fraction:
    """The largest unit of which all are whole multiples."""
    every = list(units)
    return Fraction(gcd(*(u.numerator for u in every)), lcm(*(u.denominator for u in every)))


def _transfer(platform: Platform, master: Master, size: int | None) -> Transfer:
    settings: dict[str, object] = {
        "transfer_bytes": size or min(_ENDLESS_BYTES, platform.memory_bytes)
    }
    by_kernel = master["kind"] == "processor" and master["operation"] in BUFFERS
    if master["kind"] == "processor":
        into = next(p for p in platform.ports if kind(platform, p) == "gp-master")
        settings |= {"ports": into, "master": "memcpy", "mode": "ps_to_pl"}
        if by_kernel:
            settings |= {"os": "linux"}
    else:
        settings |= {"ports": master["port"], "master": master["kind"]}
        settings |= {"mode": MODE_OF[master["direction"]], "pl_mhz": master["pl_mhz"]}
        settings["through"] = master.get("through")
    if master["memory_type"]:
        settings["memory_type"] = master["memory_type"]
    if master.get("copy_bytes"):
        settings["copy_bytes"] = master["copy_bytes"]
    values = single(platform, settings).values
    return Transfer.of(platform, values, as_asked=True, by_kernel=by_kernel)


def _tables(platform: Platform, master: Master, transfer: Transfer) -> Side:
    """The tables of a transfer without its start, which belongs to the point. Dirty lines of mapped
    buffers take their path one after the other."""
    of, carried = transfer.tables, _carried(platform, master)
    line_us = of.cache.line_bytes / carried if carried and is_mapped(master) else 0
    return replace(
        of,
        transfer=replace(of.transfer, prepare=False, mapped=is_mapped(master)),
        master=f"memory_{master['operation']}" if master["kind"] == "processor" else of.master,
        fabric=of.fabric and replace(of.fabric, start_accesses=0),
        cache=replace(of.cache, write_back_time=ceil(line_us / 10**6 / transfer.unit)),
    )


def _rate(platform: Platform, master: Master) -> Fraction | None:
    """The MB/s at which a source begins its bursts: what it requests, and no more than its path
    carries, whose data channel the model's port of a source, at the DRAM's clock, does not have.
    What is in the caches does not take that path."""
    asked, most = asked_mbs(master, "read"), _carried(platform, master)
    if most is None or (is_mapped(master) and not moves_all(master)):
        return asked
    return most if asked is None else min(asked, most)


def _carried(platform: Platform, master: Master) -> Fraction | None:
    """MB/s that the path of a source carries; None without a limit."""
    way = platform.way(master["way"])
    path = f"path.{platform.word(f'{way}.path')}"
    if not platform.has(f"{path}.width_bits"):
        return None
    return platform.whole(f"{path}.width_bits") // 8 * meant(platform.value(f"{path}.clock_mhz"))


def streams_of(
    platform: Platform,
    master: Master,
    port: int,
    size: int | None,
    bases: Sequence[int],
    region: int,
) -> list[Stream]:
    """The streams of a source at port number `port`. size: bytes of its transfer, None: as many as
    possible; bases: of its buffers, one or both. Cycles are the DRAM clock's."""
    ddr = meant(platform.value("clocks.ddr_mhz"))
    burst = burst_bytes(platform, master)
    rate = _rate(platform, master)
    stop = master["stop_us"]
    return [
        Stream(
            port=port,
            name=master["way"],
            owner=master["name"],
            direction=direction,
            base=base,
            bytes=size or ENDLESS,
            region=max(region // burst, 1) * burst,
            burst_bytes=burst,
            outstanding=1,
            gap_cycles=round((master["gap_cycles"] or 0) * ddr / meant(master["link_mhz"])),
            pace=None if rate is None else pace.of(rate, burst, float(ddr)),
            pl_mhz=float(ddr),
            start_us=master["start_us"],
            stop=-1 if stop is None else round(stop * ddr),
            outside=True,
            payload=direction in directions(master),
        )
        for direction, base in (("read", bases[0]), ("write", bases[-1]))
        if direction in (*directions(master), *_beside(master))
    ]
