"""A chip and its masters, made of a platform and a point, for all machines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from axiometer.experiment import listed
from axiometer.experiment.keys_shared import split_background
from axiometer.experiment.values import Values
from axiometer.platform import Platform
from axiometer.simulate import chip, engines, machine, master_streams, sources
from axiometer.simulate.engines import Accelerators, Measure
from axiometer.simulate.model_tables import Clocks, Controller, Dram, Path, Port
from axiometer.simulate.sources import Source
from axiometer.simulate.start import Start, draw, stop
from axiometer.simulate.stream import Stream
from axiometer.simulate.table import Document

_NO_SWITCH: Document = {"buffers": True, "part_clocks": 0}


@dataclass(frozen=True)
class Scenario:
    """A chip with its masters at the memory. Immutable: `dataclasses.replace` makes another. Tables
    are those of the model (docs/keys.md), times in the clocks that each key names.

    platform, values: its origin, the point's values normalised; records need them. measure,
    accelerators: None if the model has none. sources: masters whose streams are outside.
    """

    platform: Platform
    values: Values
    clocks: Clocks
    dram: Dram
    controller: Controller
    paths: tuple[Path, ...]
    ports: tuple[Port, ...]
    streams: tuple[Stream, ...]
    measure: Measure | None = None
    accelerators: Accelerators | None = None
    sources: tuple[Source, ...] = ()

    @classmethod
    def of(cls, platform: Platform, values: Values) -> Scenario:
        """The scenario of a point's `values`. AxiometerError if related figures contradict each
        other, or one is missing."""
        chip.check(platform, values)
        background = split_background(values["background"])
        used = {platform.value(f"{platform.way(port)}.path") for port in values["ports"]}
        used |= {platform.value(f"neighbour.{name}.path") for name in background}
        parts = machine.of(platform)
        # With an arbiter, unused paths have no effect; else every path with ports has its turns.
        always = set() if parts.arbiter else chip.paths_of_ports(platform)
        paths = [name for name in platform.paths if name in used | always]
        masters = listed.masters(values)
        ports, periods = master_streams.ports(platform, values, masters, paths)
        own = master_streams.streams(platform, values, masters)
        return cls(
            platform=platform,
            values=values,
            clocks=Clocks(**periods),
            dram=chip.dram(platform, values["mapping"]),
            controller=chip.controller(platform),
            paths=tuple(chip.path(platform, name) for name in paths),
            ports=(
                *ports,
                *(
                    chip.neighbour(platform, name, values["width_bits"], paths, values["ports"][0])
                    for name in background
                ),
            ),
            streams=(
                *own,
                *engines.background(platform, values, background),
            ),
            measure=Measure.of_point(values) if parts.measures_part else None,
            accelerators=Accelerators.of_point(values),
            sources=sources.of(platform, values, masters, own),
        )

    def with_own_regions(self, streams: Sequence[Stream]) -> Scenario:
        """The scenario with other streams, each in its own part of the memory, as large as equal
        parts allow."""
        memory = self.platform.memory_bytes
        room = 1 << ((memory // len(streams)).bit_length() - 1)
        own = (
            replace(stream, base=n * room, region=room // stream.burst_bytes * stream.burst_bytes)
            for n, stream in enumerate(streams)
        )
        return replace(self, streams=tuple(own))

    def start(self, seed: int, repeat: int) -> Start:
        """The start of repeat `repeat` of a run with this seed."""
        return draw(self.platform, self.values, self.streams, seed, repeat)

    @property
    def stop(self) -> int:
        """The PL cycle at which a run by duration begins no more bursts; -1 for a run by size."""
        return stop(self.values)

    def chip_document(self) -> Document:
        """`document` without accelerators: the chip is the same for all masters at its ports. For
        backends with their own masters."""
        found: Document = {
            "clocks": self.clocks.document(),
            "dram": self.dram.document(),
            "controller": self.controller.document(),
            "paths": [self._path(number, path) for number, path in enumerate(self.paths)],
            "ports": [self._port(number, port) for number, port in enumerate(self.ports)],
            "streams": [stream.document() for stream in self.streams],
        }
        if self.measure is not None:
            found["measure"] = self.measure.document()
        return found

    def document(self) -> Document:
        """The input of the model."""
        found = self.chip_document()
        if self.accelerators is not None:
            found["convolution"] = self.accelerators.document()
        return found

    def _path(self, number: int, path: Path) -> Document:
        """A path as the model reads it. A switch with one port has nothing to choose, so that
        paths that differ in their switches only are the same machine."""
        found = path.document()
        if sum(port.path == number for port in self.ports) == 1:
            found |= {key: value for key, value in _NO_SWITCH.items() if key in found}
        return found

    def _port(self, number: int, port: Port) -> Document:
        """A port's document; sources reach their ports at the DRAM's clock."""
        outside = any(s.outside for s in self.streams if s.port == number)
        return (replace(port, period=self.clocks.ddr) if outside else port).document()

    def source_documents(self) -> list[Document]:
        """The input of the model for the sources."""
        ports = list(dict.fromkeys(s.port for s in self.sources if s.port is not None))
        return [source.document(self.streams, ports) for source in self.sources]
