"""The result of a script: cells, pins and connections, by absolute paths (/video/vdma).

Nothing here depends on a core. A script does not list the pins of a core: its pins are those that
the script names.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field

from axiometer.designs.ip_xact import Library
from axiometer.designs.netlist import BUS, STREAM
from axiometer.designs.tcl import expression
from axiometer.designs.tcl.interpreter import TooMuchError
from axiometer.designs.tcl.parser import TclError

MAX_CELLS = 5000
MAX_ENDS = 200_000  # of all connections
_SUFFIXES = {"k": 10, "m": 20, "g": 30, "t": 40}
HIERARCHY, CORE, MODULE = "hier", "ip", "module"
_CLOCK = re.compile(r"cl(?:oc)?k(?!_?en)", re.I)


def is_clock(pin: str) -> bool:
    """Whether a pin is that of a clock, by its name."""
    return _CLOCK.search(pin) is not None


@dataclass
class Cell:
    """An instance of `vlnv` ("": a hierarchy) with the `parameters` that are set, names without
    CONFIG."""

    path: str
    kind: str
    vlnv: str
    line: int
    parameters: dict[str, str] = field(default_factory=dict)


def bus_kind(vlnv: str) -> str | None:
    """Whether the interface `vlnv` is a bus or a stream; None for other kinds."""
    name = (vlnv.split(":") + ["", "", ""])[2]
    if name.startswith(("aximm", "acemm")):
        return BUS
    return STREAM if name.startswith("axis") else None


@dataclass(frozen=True)
class Pin:
    """A pin of a hierarchy, or a port of the design, that a script creates. `vlnv` of an interface,
    `kind` of a single pin ("clk"), `drives`: as seen from inside."""

    path: str
    drives: bool
    vlnv: str = ""
    kind: str = ""

    @property
    def is_bus(self) -> bool:
        """Whether it is a memory-mapped interface."""
        return bus_kind(self.vlnv) == BUS


@dataclass(frozen=True)
class Assigned:
    """Addresses of `segment` in `space`; None where the tool assigns them."""

    space: str
    segment: str
    offset: int | None
    range: int | None


def size(text: str) -> int | None:
    """The value of an address or range: 0x1000, 64K, 1G."""
    word = text.strip().lower()
    shift = _SUFFIXES.get(word[-1:], 0)
    value = expression.numeric(word[:-1] if shift else word)
    if not isinstance(value, int) or not 0 <= value << shift < 2**64:
        raise TclError(f"{text[:40]!r} is not an address or range")
    return value << shift


class Joined:
    """Paths in sets, a set for each net."""

    def __init__(self) -> None:
        self._over: dict[str, str] = {}

    def join(self, paths: list[str]) -> None:
        for path in paths:
            self._over.setdefault(path, path)
            if len(self._over) > MAX_ENDS:
                raise TooMuchError(f"more than {MAX_ENDS} ends of connections")
        for path in paths[1:]:
            self._over[self.net(path)] = self.net(paths[0])

    def ends(self) -> Collection[str]:
        """All paths, in the order of joining."""
        return self._over.keys()

    def net(self, path: str) -> str:
        """The path that represents the net of `path`."""
        at = path
        while self._over.get(at, at) != at:
            self._over[at] = self._over[self._over[at]]
            at = self._over[at]
        return at

    def sets(self) -> dict[str, list[str]]:
        """The paths of each net, in the order of joining."""
        found: dict[str, list[str]] = {}
        for path in self._over:
            found.setdefault(self.net(path), []).append(path)
        return found


@dataclass
class BlockDesign:
    """A block design. `library`: the cores beside it; `project`: the open project; `here`: the
    script's current instance; `settings`: of pins; `automated`: requests to Vivado's automation:
    line, settings, objects."""

    name: str = ""
    library: Library | None = None
    project: str = ""
    part: str = ""
    board: str = ""
    here: str = "/"
    cells: dict[str, Cell] = field(default_factory=dict)
    pins: dict[str, Pin] = field(default_factory=dict)
    settings: dict[str, dict[str, str]] = field(default_factory=dict)
    interfaces: Joined = field(default_factory=Joined)
    nets: Joined = field(default_factory=Joined)
    addresses: list[Assigned] = field(default_factory=list)
    automated: list[tuple[int, dict[str, str], list[str]]] = field(default_factory=list)

    def absolute(self, name: str) -> str:
        """The absolute path of `name` in the current instance."""
        if name.startswith("/"):
            return name.rstrip("/") or "/"
        name = name.removeprefix("./")
        return f"{self.here.rstrip('/')}/{name}" if name not in ("", ".") else self.here

    def owner(self, path: str) -> Cell | None:
        """The cell that the pin or object at `path` belongs to."""
        return self.cells.get(path.rpartition("/")[0])

    def add(self, cell: Cell) -> None:
        """Add a cell. TooMuchError above MAX_CELLS."""
        if len(self.cells) >= MAX_CELLS:
            raise TooMuchError(f"more than {MAX_CELLS} cells")
        self.cells[cell.path] = cell
