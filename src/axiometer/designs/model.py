"""The design model: the parts of a user's fabric design that move data.

Ports have Axiometer's names (HP0), instances and interfaces those of the design. Widths are in
bits, clocks in MHz, bursts in beats of the master's width, or in bytes where the name says so. A
master reads if it has a `read` channel and writes if it has a `write` channel.
Not for: the chip's handling of the traffic (platforms), or mistakes (`checks`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

DATA, DESCRIPTORS, PROCESSOR, DEBUG = "data", "descriptors", "processor", "debug"


@dataclass(frozen=True)
class Clock:
    """A clock of the fabric, in MHz. `mhz` is the rate that its PLL and dividers make, `source` the
    origin of `mhz`, `asked_mhz` the rate requested from the tool (None: unknown, or set manually),
    `file_mhz` the rate that the tool wrote at the net. `pll_mhz` (None: unknown) and `dividers`
    dividers of 1 to `divider_max` (0: unknown) give the other rates that it can have. `used`:
    whether it clocks a block or a port of the design. `mhz` is 0 where nothing gives the rate."""

    name: str
    mhz: float
    asked_mhz: float | None = None
    source: str = ""
    file_mhz: float | None = None
    pll_mhz: float | None = None
    dividers: int = 0
    divider_max: int = 0
    used: bool = True


@dataclass(frozen=True)
class Segment:
    """Addresses `base` to `high` (inclusive) that a master sees, and the target's name."""

    base: int
    high: int
    name: str


@dataclass(frozen=True)
class Port:
    """A port of the processor system (PS) that a master in the fabric drives.

    `kind`: memory, general (for control, not for data) or coherent. `platform_port` is its name in
    platforms and experiments (None: they lack this port). `set_bits` is the width that the
    initialisation's registers set (None: unknown). `coherent` is whether a setting of the export
    makes its traffic coherent (None: the port has no such setting).
    """

    name: str
    interface: str
    kind: str
    width_bits: int
    protocol: str
    clock: str | None = None
    path: str | None = None
    platform_port: str | None = None
    set_bits: int | None = None
    coherent: bool | None = None


@dataclass(frozen=True)
class Hop:
    """A block between a master and its port; width, protocol and clock are those of its output.
    `effects` are phrases on what it changes; `outstanding` the most bursts that it passes at a time
    (None: no limit), `reads` the same of reads alone; `blocks` its parts as
    `experiment/between.toml` names them; `burst_bytes` the longest burst that it passes (None: that
    of its protocol)."""

    instance: str
    core: str
    width_bits: int
    protocol: str
    clock: str | None = None
    effects: tuple[str, ...] = ()
    outstanding: int | None = None
    blocks: tuple[str, ...] = ()
    burst_bytes: int | None = None
    reads: int | None = None


@dataclass(frozen=True)
class Route:
    """The path of a master to a port: hops in order, the longest burst in bytes that passes whole,
    and the segments that the master sees there."""

    port: str
    hops: tuple[Hop, ...] = ()
    burst_bytes_max: int = 4096
    segments: tuple[Segment, ...] = ()


@dataclass(frozen=True)
class Channel:
    """One direction of a master: beats of its bursts, outstanding bursts (None: unknown, the
    platform's default), its AxCACHE (None: unknown), the MB/s that software or a video
    clock requests (None: unlimited), the idle clocks that its core leaves between bursts, the beats
    of the longest burst that it could make (None: those of its bursts), and its AxUSER (None:
    unknown)."""

    burst_beats: int
    outstanding: int | None = None
    cache: int | None = None
    rate_mbs: float | None = None
    gap_cycles: int = 0
    burst_beats_max: int | None = None
    user: int | None = None


@dataclass(frozen=True)
class Missed:
    """An access of HLS code that became no burst, or kept its narrow beats (`widens`): direction
    ("": unknown), variable and place in the code, the tool's reason and the number of its
    guidance."""

    direction: str
    variable: str
    place: str
    reason: str
    guidance: str = ""
    widens: bool = False


@dataclass(frozen=True)
class Master:
    """An AXI or Avalon master in the fabric that reaches a port.

    `role`: data, descriptors, processor or debug. `partner` names the master at the other end of
    its stream, which is itself if it writes what it reads. `assumed` lists assumed figures, a
    phrase each; `unknown` names those on which no finding or advice may rest, because the file
    leaves them open: width_bits, burst_beats, stream_bits. `length_bits`: width of the register for
    a transfer's bytes; `frames`: frame buffers of a VDMA; `user_bits`: width of its AxUSER;
    `warned`: what `checks/known.toml` knows of it; `missed`: of an HLS core, from its report.
    `stream_bits` and `stream_clock`: of the stream that its data come from or go to (None: it has
    none; of the clock: the master's own).
    """

    name: str
    instance: str
    interface: str
    core: str
    title: str
    role: str
    width_bits: int
    protocol: str
    clock: str | None
    read: Channel | None
    write: Channel | None
    routes: tuple[Route, ...]
    partner: str | None = None
    length_bits: int | None = None
    frames: int | None = None
    user_bits: int = 0
    assumed: tuple[str, ...] = ()
    missed: tuple[Missed, ...] = ()
    warned: tuple[str, ...] = ()
    stream_bits: int | None = None
    stream_clock: str | None = None
    unknown: tuple[str, ...] = ()

    @property
    def channels(self) -> dict[str, Channel]:
        """Its channels by direction, "read" and "write"."""
        both = (("read", self.read), ("write", self.write))
        return {direction: channel for direction, channel in both if channel is not None}

    @property
    def directions(self) -> tuple[str, ...]:
        """Its directions: "read", "write" or both."""
        return tuple(self.channels)

    @property
    def ports(self) -> tuple[str, ...]:
        """The names of the ports that it reaches."""
        return tuple(dict.fromkeys(route.port for route in self.routes))

    def burst_bytes(self, direction: str, route: Route) -> int:
        """The bytes of its bursts in `direction` at the port."""
        beats = self.channels[direction].burst_beats
        return min(beats * self.width_bits // 8, route.burst_bytes_max)


@dataclass(frozen=True)
class Slave:
    """A slave in the fabric that the processor reaches through `port` (GP0, HPM0)."""

    port: str
    instance: str
    interface: str
    segment: Segment


@dataclass(frozen=True)
class Memory:
    """The DRAM in a design's parameters: its type as platforms name it (DDR3), bus width in bits,
    clock in MHz and size in MiB (0: unknown). The boot loader may set another one."""

    type: str
    bus_bits: int
    mhz: float
    size_MiB: int = 0  # noqa: N815 - as platforms call it


@dataclass(frozen=True)
class Design:
    """A design. `chip` names the chip's file. `free_ports` are the unused ports. `notes` list the
    parts of the export that the reader skipped. `platform` is the name of a platform or its file
    ("": derived from `board`, `part`, registers or `memory`)."""

    name: str
    file: str
    tool: str
    chip: str
    part: str
    board: str = ""
    clocks: tuple[Clock, ...] = ()
    ports: tuple[Port, ...] = ()
    masters: tuple[Master, ...] = ()
    slaves: tuple[Slave, ...] = ()
    free_ports: tuple[Port, ...] = ()
    initialised: str = ""
    notes: tuple[str, ...] = field(default=())
    memory: Memory | None = None
    platform: str = ""

    def port(self, name: str) -> Port:
        """The port in use with this name; KeyError if there is none."""
        for port in self.ports:
            if port.name == name:
                return port
        raise KeyError(name)

    def clock(self, name: str | None) -> Clock | None:
        """The clock with this name; None if there is none or its rate is unknown."""
        return next((clock for clock in self.clocks if clock.name == name and clock.mhz), None)

    @property
    def undriven(self) -> str:
        """A sentence on the ports to the memory that no master of the design drives; "" if none."""
        names = [p.name for p in self.ports if p.platform_port and not self.behind(p.name, None)]
        verb, which = ("are", "them") if len(names) > 1 else ("is", "it")
        drives = f"{verb} used, and nothing in this file drives {which}"
        return f"{' and '.join(names)} {drives}: RTL or another file does" if names else ""

    def behind(self, port: str, role: str | None = DATA) -> list[Master]:
        """The masters of `role` (None: all) that reach `port`, in the design's order."""
        return [m for m in self.masters if port in m.ports and role in (None, m.role)]
