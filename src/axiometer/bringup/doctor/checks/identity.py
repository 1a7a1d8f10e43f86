"""Checks of the identification block, whose registers are the first to be read in the fabric."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from axiometer.base.errors import AxiometerError
from axiometer.bringup.doctor.examination import Visit
from axiometer.bringup.doctor.expected import TOPS
from axiometer.bringup.doctor.finding import Finding, Notes
from axiometer.bringup.doctor.target import BusError, NotThere
from axiometer.runs.cosim.registers import registers

MAGIC = 0x41584D31
MAJOR = 0
WINDOW = 4096
_BUILD = "load the bitstream of this project, or give the loaded project: --project DIR"


@dataclass(frozen=True)
class Reader:
    """Reads a register of a window: by the agent if the target has one, else on the bus."""

    visit: Visit

    def __call__(self, window: int, offset: int) -> int:
        try:
            client = self.visit.target.agent()
        except NotThere:
            base = self.visit.expected.base
            if base is None:
                raise NotThere(
                    "no agent is given, and the address of the registers is unknown",
                    "add --agent COMMAND or --project DIR",
                ) from None
            return self.visit.target.read32(base + WINDOW * window + offset)
        return client.read_register(window, offset)


def identity(visit: Visit) -> Finding:
    """The magic word, and the version of the design."""
    notes, read, id_ = Notes("identification"), Reader(visit), registers("id")
    try:
        magic = read(0, id_.MAGIC.OFFSET)
        notes.saw(f"MAGIC = {magic:#010x}")
        if magic != MAGIC:
            return notes.fault(
                f"this is not Axiometer's design, whose magic word is {MAGIC:#010x}",
                f"{_BUILD}; check the address of the registers",
            )
        version = read(0, id_.VERSION.OFFSET)
    except NotThere as error:
        return notes.not_checked(error.why, error.remedy)
    except BusError as error:
        return notes.fault(f"{error}", "check the address of the design's registers")
    except AxiometerError as error:
        return notes.fault(f"the agent: {error.message}", error.remedy or "restart the agent")
    major, minor, patch = version >> 16 & 255, version >> 8 & 255, version & 255
    notes.saw(f"VERSION = {major}.{minor}.{patch}")
    if major != MAJOR:
        return notes.fault(
            f"the design has version {major}, this program supports version {MAJOR}",
            "rebuild the project with this program",
        )
    return notes.ok(f"Axiometer's design, version {major}.{minor}.{patch}")


def design(visit: Visit) -> Finding:
    """Compares top, clock, ports and table of blocks with the project, and each block with the
    table."""
    notes, read, id_ = Notes("design"), Reader(visit), registers("id")
    try:
        word = read(0, id_.DESIGN.OFFSET)
        clock = read(0, id_.CLOCK_HZ.OFFSET)
        blocks = read(0, id_.BLOCKS.OFFSET)
        if not 1 <= blocks <= 64:
            return notes.fault(f"the design reports {blocks} blocks instead of 1 to 64", _BUILD)
        table = [read(0, 0x100 + 4 * window) & 0xFFFF for window in range(blocks)]
        types = [read(w, 0) & 0xFFFF if t not in _WITHOUT_ID else t for w, t in enumerate(table)]
    except NotThere as error:
        return notes.not_checked(error.why, error.remedy)
    except BusError as error:
        return notes.fault(f"{error}, where the design's table has a block", _BUILD)
    except AxiometerError as error:
        return notes.fault(f"the agent: {error.message}", error.remedy or "restart the agent")
    top, ports, width = word & 255, word >> 8 & 255, (word >> 16 & 255) * 8
    notes.saw(f"DESIGN: top {top}, {ports} ports of {width} bits; CLOCK_HZ = {clock}")
    notes.saw(f"table: types {', '.join(map(str, table))}")
    wrong = [
        f"window {w} has a block of type {there}, the table has {said}"
        for w, (said, there) in enumerate(zip(table, types, strict=True))
        if said != there
    ]
    wrong += _other(visit, top, ports, width, clock, table)
    if wrong:
        return notes.fault("; ".join(wrong), _BUILD)
    against = "as in the project" if visit.expected.top else "no project to compare with"
    told = f"{blocks} blocks, {ports} ports of {width} bits, {clock / 1e6:g} MHz"
    return notes.ok(f"{told}; {against}")


_WITHOUT_ID = (11,)  # a RAM's window is its memory


def _other(
    visit: Visit, top: int, ports: int, width: int, clock: int, table: list[int]
) -> Iterator[str]:
    """The differences from the project, a phrase each."""
    wanted = visit.expected
    if wanted.top is not None and TOPS.get(wanted.top, 0) != top:
        yield f"the top has number {top}, {wanted.top} is {TOPS.get(wanted.top, 0)}"
    if wanted.clock_hz is not None and wanted.clock_hz != clock:
        yield f"it is built for {clock} Hz, the project for {wanted.clock_hz}"
    values = wanted.parameters or {}
    if values.get("PORTS", ports) != ports:
        yield f"it has {ports} ports, the project {values['PORTS']}"
    if values.get("DATA_W", width) != width:
        yield f"its ports have {width} bits, the project's {values['DATA_W']}"
    if wanted.blocks:
        types = [registers(name).BLOCK_TYPE for name in wanted.blocks]
        if types != table:
            yield f"its blocks are of the types {table}, the project's of {types}"
