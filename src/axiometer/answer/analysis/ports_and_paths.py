"""The facts of a platform for explanations: its peak, its ports and its shared paths.

Figures that a platform file does not have are None; none is assumed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from axiometer.experiment import directions, listed, master_keys
from axiometer.experiment.values import Master, Values


@dataclass(frozen=True)
class Path:
    """A shared path from some ports to the controller. `inflight`: bytes that it can have in flight
    in each direction (read, write); a direction without a limit is absent."""

    name: str
    ports: tuple[str, ...]
    inflight: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Facts:
    """Platform facts. Clocks in MHz, rates in MB/s (1e6 bytes a second); `outstanding`: bursts
    that a master has under way at most, for each direction; `neighbours`: the chip's own masters
    beside the ports."""

    name: str
    title: str
    ddr_mhz: float | None = None
    bus_bits: int | None = None
    banks: int | None = None
    row_bytes: int | None = None
    column_bytes: int | None = None
    pl_mhz: float | None = None
    paths: Mapping[str, Path] = field(default_factory=dict)
    port_paths: Mapping[str, str] = field(default_factory=dict)
    port_widths: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    outstanding: Mapping[str, int] = field(default_factory=dict)
    unvalidated: Sequence[str] = ()
    """Ports without a published measurement; no advice names them."""
    neighbours: Sequence[str] = ()
    target: str = ""
    """The memory that masters reach, if it is not the DRAM."""
    ps_dma: bool = True
    """Whether the processor's DMA engine is described."""
    taken: Sequence[str] = ()
    """Ports that other masters of a design use; no advice names them."""

    @property
    def advised(self) -> list[str]:
        """The ports that advice may name."""
        never = (*self.unvalidated, *self.taken)
        return [port for port in self.port_paths if port not in never]

    @property
    def dram_peak(self) -> float | None:
        """Peak of the DRAM bus in MB/s: bytes of the bus × two transfers a clock × the clock."""
        if self.ddr_mhz is None or self.bus_bits is None:
            return None
        return self.bus_bits / 8 * 2 * self.ddr_mhz

    def paths_of(self, ports: Sequence[str]) -> dict[str, list[str]]:
        """The given ports by the path that each takes; a port without one is its own."""
        out: dict[str, list[str]] = {}
        for port in ports:
            out.setdefault(self.port_paths.get(port, port), []).append(port)
        return out

    def spread(self, ports: Sequence[str]) -> list[str] | None:
        """As many ports as `ports` on more paths, with `ports` preferred; None if there are none,
        or one of `ports` is no port of the fabric."""
        if not self.port_paths.keys() >= set(ports):
            return None
        groups = self.paths_of(list(ports) + [p for p in self.advised if p not in ports])
        chosen: list[str] = []
        queues = [list(members) for members in groups.values()]
        while len(chosen) < len(ports) and any(queues):
            for queue in queues:
                if queue and len(chosen) < len(ports):
                    chosen.append(queue.pop(0))
        if len(chosen) < len(ports) or len(self.paths_of(chosen)) <= len(self.paths_of(ports)):
            return None
        order = list(self.port_paths)
        return sorted(chosen, key=order.index)


def ceiling(facts: Facts, values: Values) -> Ceiling:
    """The peak rate of a point as the papers define it: the most that ports and DRAM can carry.

    Sum over the streams of width × PL clock (a duplex port is two streams), at most the DRAM's
    peak. Parts that neither point nor platform states are None.
    """
    masters = listed.masters(values)
    if masters:
        return Ceiling(sum(listed.at_ports(masters, _asked).values()), facts.dram_peak)
    ports, width, clock = values.get("ports"), values.get("width_bits"), values.get("pl_mhz")
    if not ports or not width or not clock:
        return Ceiling(None, facts.dram_peak)
    streams = len(ports) * len(directions.ways(values["mode"]))
    return Ceiling(streams * width / 8 * clock, facts.dram_peak)


def _asked(master: Master, way: str) -> float:
    """MB/s of a master in a direction: its rate, or its link's."""
    link = master["width_bits"] / 8 * master["link_mhz"]
    rate = master_keys.asked_mbs(master, way)
    return link if rate is None else min(link, float(rate))


@dataclass(frozen=True)
class Ceiling:
    """The most that can be carried, MB/s: by all ports together, by the DRAM's bus."""

    ports: float | None
    dram: float | None

    @property
    def value(self) -> float | None:
        """The lower of the two; None when the ports' figure is unknown."""
        if self.ports is None:
            return None
        return self.ports if self.dram is None else min(self.ports, self.dram)

    @property
    def dram_limits(self) -> bool:
        """Whether the DRAM's peak is below the ports' peak."""
        return self.ports is not None and self.dram is not None and self.dram < self.ports
