"""Costs of packets, measured once and cached by a hash of all inputs.

Booting a machine takes far longer than a packet, so all usual sizes are measured together, and a
size always with the same other sizes.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from axiometer.base import atomic_file, data
from axiometer.bringup.vm import (
    bare,
    driver_source,
    freertos,
    linux_apps,
    machine,
    packages,
    packet_costs,
)
from axiometer.bringup.vm.packet_costs import Cost, Way
from axiometer.bringup.vm.simulated import OnChip, Work
from axiometer.platform import Platform
from axiometer.runs.cosim import build


@dataclass(frozen=True)
class Asked:
    """A packet on a host. port: of the memory model ("": the first one)."""

    host: str
    chip: str
    port: str
    pl_mhz: float
    way: Way
    bytes: int


def of(asked: Asked, platform: Platform, say: Callable[[str], None]) -> Cost:
    """The cost, measured if it is not cached. AxiometerError if that fails."""
    sizes = linux_apps.SIZES if asked.bytes in linux_apps.SIZES else (asked.bytes,)
    fabric = OnChip.of(platform, asked.port, asked.pl_mhz)
    file = build.cache() / "hosts" / f"{_mark(asked, sizes, fabric)}.json"
    if not file.is_file():
        how = f"{'copied' if asked.way.copies else 'not copied'}, caches "
        how += "left alone" if asked.way.coherent else "maintained"
        say(f"{asked.host}: the program sends packets of {len(sizes)} sizes ({how})")
        found = packet_costs.costs(asked.host, asked.chip, fabric, sizes, asked.way, say)
        file.parent.mkdir(parents=True, exist_ok=True)
        atomic_file.write_text(file, json.dumps([asdict(cost) for cost in found]))
    return next(cost for cost in _read(file) if cost.bytes == asked.bytes)


def _read(file: Path) -> Iterator[Cost]:
    for row in json.loads(file.read_text(encoding="utf-8")):
        yield Cost(**row | {"work": Work(**row["work"])})


def _mark(asked: Asked, sizes: tuple[int, ...], fabric: OnChip) -> str:
    """A hash of all inputs of a measurement."""
    linux = asked.host == "linux"
    made = (build.server if linux else build.window)(fabric.design(), chip=True)
    parts: list[object] = [asked.host, asked.chip, asked.way, sizes, packet_costs.PACKETS]
    parts += [made.parent.name, fabric.lines()]
    rooms = [data.directory("host")]
    if linux:
        kernel = packet_costs.kernel(asked.chip)
        rooms.append(driver_source.tree() / driver_source.DRIVER)
        parts += [folder.path.name for folder in packages.needed(kernel)]
        parts += [
            Path(module.__file__ or "").read_bytes()
            for module in (linux_apps, packet_costs, machine)
        ]
    else:
        program = bare.facts(asked.chip)["emulator"]["program"]
        parts += [bare.facts(asked.chip), _version(program)]
        parts += [str(freertos.require())] if asked.host == "freertos" else []
    found = hashlib.sha256(repr(parts).encode())
    for room in rooms:
        for file in sorted(path for path in room.rglob("*") if path.suffix in _SOURCES):
            found.update(file.read_bytes())
    return found.hexdigest()[:20]


_SOURCES = (".c", ".h", ".S", ".ld", ".mk")


def _version(program: str) -> str:
    """An emulator's version: its file, which another version replaces."""
    at = Path(shutil.which(program) or program).stat()
    return f"{at.st_size} {at.st_mtime_ns}"
