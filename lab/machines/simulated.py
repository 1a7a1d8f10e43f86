"""The chip's model behind the ports of a design with the data of an emulated machine.

Its time is that of fabric and memory alone: accesses of the emulated processor take no time
(lab/chip_memory/).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from axiometer.base.errors import AxiometerError
from axiometer.experiment.keys import Given
from axiometer.experiment.points import normalise
from axiometer.experiment.port_kinds import kind
from axiometer.platform import Platform
from axiometer.runs.cosim.process import flat
from axiometer.runs.cosim.rtl_design import RtlDesign
from axiometer.simulate.scenario import Scenario

USUAL_MHZ = 100.0
FILE = "chip"
_WORK = re.compile(
    r"^work: clocks=(\d+) periods=(\d+) read_bytes=(\d+) written_bytes=(\d+) pl_period_ps=(\d+)$",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Work:
    """The work of a design's ports. clocks: from the first handshake after a rest to the last one
    before the next rest, of all `periods`. Bytes: of beats."""

    clocks: int
    periods: int
    read_bytes: int
    written_bytes: int
    pl_period_ps: int

    @property
    def seconds(self) -> float:
        return self.clocks * self.pl_period_ps * 1e-12

    def __str__(self) -> str:
        return (
            f"fabric and memory worked for {self.seconds * 1e6:.3f} us ({self.clocks} "
            f"clocks of the fabric in {self.periods} periods), {self.read_bytes} bytes read and "
            f"{self.written_bytes} written; without the processor's time"
        )


def works(said: str) -> list[Work]:
    """The works that a server printed, one for each stop of the engine by software."""
    return [Work(*map(int, found)) for found in _WORK.findall(said)]


@dataclass(frozen=True)
class OnChip:
    """A loop with our DMA engine, rings included, at a port of a platform's memory model."""

    platform: Platform
    port: str
    scenario: Scenario
    pl_mhz: float

    @classmethod
    def of(cls, platform: Platform, port: str = "", pl_mhz: float = USUAL_MHZ) -> OnChip:
        """port: default: the platform's first port of the memory model. AxiometerError if it is not
        such a port, or the platform lacks a figure."""
        ports = [name for name in platform.ports if kind(platform, name) == "hp"]
        port = port or next(iter(ports), "")
        if port not in ports:
            raise AxiometerError(
                f"board {platform.name} has no port {port!r} in the memory model",
                remedy=f"ports with simulated times: {', '.join(ports) or 'none'}",
            )
        given = {
            "ports": port,
            "master": "dma",
            "mode": "duplex",
            "pl_mhz": pl_mhz,
            "transfer_bytes": 4096,
        }
        values = normalise({key: Given(value) for key, value in given.items()}, platform)
        return cls(platform, port, Scenario.of(platform, values), pl_mhz)

    def design(self) -> RtlDesign:
        values = self.scenario.values
        return RtlDesign(
            top="axm_dma_top",
            ports=1,
            width_bits=values["width_bits"],
            axi3=self.platform.whole(f"port.{self.port}.axi", 3) == 3,
            parameters=(("MODE", 0), ("UNALIGNED", 1), ("RINGS", 1)),
        )

    def lines(self) -> str:
        """The chip in the form that the design's server reads."""
        lines = [f"{key} {value}" for key, value in flat(self.scenario.chip_document())]
        lines.append(f"pl_period_ps {round(1e6 / self.pl_mhz)}")
        return "\n".join(lines) + "\n"

    def option(self, folder: Path) -> str:
        """The option of the design's server; writes its file into `folder`."""
        file = folder / FILE
        file.write_text(self.lines(), encoding="utf-8")
        return f"--chip={file}"

    def __str__(self) -> str:
        return f"port {self.port} of {self.platform.title} at {self.pl_mhz:g} MHz"
