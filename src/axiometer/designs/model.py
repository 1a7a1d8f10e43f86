"""What a user put into the fabric, as far as it moves data: the design model.

Names of ports are the instrument's (HP0); names of instances and interfaces are the design's own.
Widths are bits, clocks MHz, bursts beats of the master's width or bytes where the name says so. A
master reads if it has a `read` channel and writes if it has a `write` channel, seen from itself.
Not for: what the chip does with the traffic (platforms), or what is wrong with it (`checks`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

DATA, DESCRIPTORS, PROCESSOR, DEBUG = "data", "descriptors", "processor", "debug"


@dataclass(frozen=True)
class Clock:
    """A clock of the fabric. `mhz` is what its PLL and dividers make, `asked_mhz` what the tool was
    asked for (None: not told, or set by hand), `source` where `mhz` comes from, `file_mhz` the rate
    that the tool wrote beside the net; `pll_mhz` and `dividers` dividers of 1 to `divider_max` tell
    what else it could be (None and 0: not known)."""

    name: str
    mhz: float
    asked_mhz: float | None = None
    source: str = ""
    file_mhz: float | None = None
    pll_mhz: float | None = None
    dividers: int = 0
    divider_max: int = 0


@dataclass(frozen=True)
class Segment:
    """Addresses `base` to `high` (both included) that a master sees, and what they reach."""

    base: int
    high: int
    name: str


@dataclass(frozen=True)
class Port:
    """A port of the processor system (PS) that a master in the fabric drives.

    `kind`: memory, general (made for control, not for data) or coherent; `platform_port` is its
    name in platforms and experiments (None: they have no such port). `set_bits` is the width that
    the initialisation's registers give it (None: they do not tell). `coherent` is whether the
    export makes its traffic coherent by itself (None: the port has no such setting).
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
    """What stands between a master and its port; width, protocol and clock are those behind it.
    `effects` are sentences on what it changes; `outstanding` what it lets through at once, if it
    limits that; `blocks` what it is of (`experiment/between.toml`)."""

    instance: str
    core: str
    width_bits: int
    protocol: str
    clock: str | None = None
    effects: tuple[str, ...] = ()
    outstanding: int | None = None
    blocks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Route:
    """The way of a master to a port: hops in order, the longest burst in bytes that gets through in
    one piece, and the segments that the master sees there."""

    port: str
    hops: tuple[Hop, ...] = ()
    burst_bytes_max: int = 4096
    segments: tuple[Segment, ...] = ()


@dataclass(frozen=True)
class Channel:
    """One direction of a master: beats of its bursts, bursts outstanding (None: not known, left to
    the platform), its AxCACHE (None: driven by the core, or not told), and the MB/s that it asks
    for, which software or a video clock sets (None: all that it can get); the idle clocks that its
    core leaves between bursts."""

    burst_beats: int
    outstanding: int | None = None
    cache: int | None = None
    rate_mbs: float | None = None
    gap_cycles: int = 0


@dataclass(frozen=True)
class Master:
    """An AXI or Avalon master in the fabric that reaches a port.

    `role`: data, descriptors, processor or debug. `partner` names the master that it is coupled
    with through stream FIFOs: itself, where it writes what it reads. `assumed` says, in sentences,
    what is taken as a default. `length_bits`: of the register that holds a transfer's bytes;
    `frames`: frame buffers of a VDMA; `user_bits`: of its AxUSER.
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

    @property
    def channels(self) -> dict[str, Channel]:
        """The channels by direction, "read" and "write", as far as it has them."""
        both = (("read", self.read), ("write", self.write))
        return {direction: channel for direction, channel in both if channel is not None}

    @property
    def directions(self) -> tuple[str, ...]:
        """ "read" and "write", as far as it does them."""
        return tuple(self.channels)

    @property
    def ports(self) -> tuple[str, ...]:
        """Names of the ports that it reaches."""
        return tuple(dict.fromkeys(route.port for route in self.routes))

    def burst_bytes(self, direction: str, route: Route) -> int:
        """Bytes of its bursts in `direction` as the port sees them."""
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
    """The DRAM that a design's parameters ask for: its kind as platforms call it (DDR3), bits of
    its bus, its clock in MHz and its size in MiB (0: not told). What runs is what the boot loader
    writes, which may differ."""

    type: str
    bus_bits: int
    mhz: float
    size_MiB: int = 0  # noqa: N815 - as platforms call it


@dataclass(frozen=True)
class Design:
    """All of it. `chip` names the chip's file, `free_ports` the ports that nothing uses, with the
    shared path that each is on; `notes` say what was not understood. `platform` is the name of a
    platform or its file ("": found by `board`, `part`, registers or `memory`)."""

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
        """The port in use that is called so; KeyError if there is none."""
        for port in self.ports:
            if port.name == name:
                return port
        raise KeyError(name)

    def clock(self, name: str | None) -> Clock | None:
        """The clock that is called so; None if there is none."""
        return next((clock for clock in self.clocks if clock.name == name), None)

    def behind(self, port: str, role: str | None = DATA) -> list[Master]:
        """The masters of `role` (None: all) that reach `port`, in the design's order."""
        return [m for m in self.masters if port in m.ports and role in (None, m.role)]
