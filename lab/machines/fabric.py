"""Builds what stands in for the fabric of a machine: the servers of lab/vfio/ and lab/window/, each
with a verilated design on plain memory or on a simulated chip, or with a model of an engine."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from axiometer.base import data
from axiometer.base.standard_streams import tell
from axiometer.runs.cosim import build, compile
from axiometer.runs.cosim.compile import Object, Pool, hash_of, tree
from axiometer.runs.cosim.rtl_design import RtlDesign
from machines import TREE
from machines.simulated import OnChip

LAB, ENGINES = TREE / "lab", TREE / "lab" / "engines"
VFIO, WINDOW, CHIP = (LAB / name for name in ("vfio", "window", "chip_memory"))
# Of lab/vfio/: what a design needs, and with memory of no chip; what the window needs, too. Of
# cosim/src/: what ports need, and a chip behind them besides lab/chip_memory/ and the model.
DESIGN, PLAIN, GUEST = (
    VFIO / f"{name}.cpp" for name in ("rtl_device", "served_design", "guest_memory")
)
PORTS, CHIP_PARTS = ("axi_port", "fault"), ("chip_config", "ports")


Behind = RtlDesign | OnChip | str
"""A design, our design on a simulated chip, or a model of lab/engines/ by its name."""


def program(room: Path, behind: Behind) -> Path:
    """What presents `behind` to a virtual machine (VFIO) or an emulated processor (WINDOW); models
    of engines need no RTL and no Verilator. AxiometerError if a tool is missing or it does not
    compile."""
    name = f"axm_{room.name}"
    if isinstance(behind, str):
        return build._alone(_Engines(room), name, tell)
    on_chip = isinstance(behind, OnChip)
    return build._alone(_Design(behind.design() if on_chip else behind, room, on_chip), name, tell)


def option(behind: Behind, work: Path) -> list[str]:
    """Of such a program, which may need a file in `work`."""
    if isinstance(behind, OnChip):
        return [behind.option(work)]
    return [f"--engine={behind}"] if isinstance(behind, str) else []


def _program(room: Path) -> list[Path]:
    """The sources of a server without what it serves."""
    if room == WINDOW:
        return [GUEST, WINDOW / "main.cpp"]
    return [path for path in sorted(VFIO.glob("*.cpp")) if path not in (PLAIN, DESIGN)]


class _Design(build._Recipe):
    """A server of a design, without the agent."""

    # It runs for hours: twice the compile time for a few per cent.
    _verilate_options = tuple(option for option in build.VERILATE if option != "-fno-inline")

    def __init__(self, design: RtlDesign, room: Path, chip: bool) -> None:
        self.room, self.chip = room, chip
        super().__init__(design)

    def _rooms(self) -> dict[str, Path]:
        rooms = {"cosim": data.directory("cosim") / "src", "regs": data.directory("regs")}
        rooms |= {"vfio": VFIO, "window": WINDOW, "engines": ENGINES}
        rooms |= {"bare": data.directory("host") / "bare", "model": data.directory("model")}
        return rooms | ({"chip": CHIP} if self.chip else {})

    def _shared_objects(self) -> Iterator[Object]:
        mark = hash_of(*(tree(path) for path in self.rooms.values()))
        include = [path for room, path in self.rooms.items() if room != "model"]
        include.append(self.rooms["model"] / "include")
        parts = [*PORTS, *(CHIP_PARTS if self.chip else ())]
        memory = [self.rooms["cosim"] / f"{name}.cpp" for name in parts]
        memory += sorted(CHIP.glob("*.cpp")) if self.chip else [PLAIN]
        if self.chip:
            yield from self._model_objects()
        for source in (*_program(self.room), DESIGN, *memory):
            yield self._kept(source.stem, "CXX", build.CXX_FLAGS, include, [source], mark)
        yield from self._runtime_objects()


class _Engines:
    """A server of the models of engines."""

    what = "the vendors' engines"

    def __init__(self, room: Path) -> None:
        engines = (*ENGINES.glob("*.cpp"), *(ENGINES / "served").glob("*.cpp"))
        self.sources = [*_program(room), *sorted(engines)]
        host = data.directory("host") / "bare"
        self.include = [VFIO, WINDOW, ENGINES, data.directory("regs"), host]
        build._check_tools("CXX")
        self.compiler = build._compiler("CXX")
        trees = [tree(path) for path in self.include]
        self.name = hash_of(room.name, repr((build.CXX_FLAGS, self.compiler)), *trees)

    def build(self, program: Path, pool: Pool) -> None:
        with tempfile.TemporaryDirectory(dir=program.parent) as work:
            made = pool.start(
                Object(self.compiler, build.CXX_FLAGS, self.include, [path], Path(work) / f"{n}.o")
                for n, path in enumerate(self.sources)
            )
            compile.link(self.compiler, [each.result() for each in made], program, Path(work))
