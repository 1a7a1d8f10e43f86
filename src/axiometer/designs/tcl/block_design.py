"""What a script builds: cells, pins, and what joins them, by their absolute paths (/video/vdma).

Nothing here knows a core. Which pins a core has is not in a script: they are those that it names.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from axiometer.designs.tcl.interpreter import TooMuchError

MAX_CELLS = 5000
MAX_ENDS = 200_000  # of all connections
HIERARCHY, CORE, MODULE = "hier", "ip", "module"


@dataclass
class Cell:
    """`vlnv` is what it is an instance of ("" of a hierarchy), `parameters` those that are set,
    without CONFIG."""

    path: str
    kind: str
    vlnv: str
    line: int
    parameters: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Pin:
    """A pin or port that a script makes: of a hierarchy, or at the design's edge. `vlnv` of an
    interface, `kind` of another ("clk"), `drives`: as seen from inside."""

    path: str
    drives: bool
    vlnv: str = ""
    kind: str = ""


@dataclass(frozen=True)
class Assigned:
    """Addresses of `segment` in `space`: None where they are left to the tool."""

    space: str
    segment: str
    offset: int | None
    range: int | None


class Joined:
    """Sets of paths that are one net."""

    def __init__(self) -> None:
        self._over: dict[str, str] = {}

    def join(self, paths: list[str]) -> None:
        for path in paths:
            self._over.setdefault(path, path)
            if len(self._over) > MAX_ENDS:
                raise TooMuchError(f"more than {MAX_ENDS} ends of connections")
        for path in paths[1:]:
            self._over[self.net(path)] = self.net(paths[0])

    def net(self, path: str) -> str:
        """The one path that stands for all that are joined with `path`."""
        at = path
        while self._over.get(at, at) != at:
            self._over[at] = self._over[self._over[at]]
            at = self._over[at]
        return at

    def sets(self) -> dict[str, list[str]]:
        """The paths of each net, in the order in which they were joined."""
        found: dict[str, list[str]] = {}
        for path in self._over:
            found.setdefault(self.net(path), []).append(path)
        return found


@dataclass
class BlockDesign:
    """`project` is the one that is open, `here` where the script is. `settings` are those of pins;
    `automated` what a script leaves to the tool: line, settings, objects."""

    name: str = ""
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
        """The path of what is called so where the script is."""
        if name.startswith("/"):
            return name.rstrip("/") or "/"
        name = name.removeprefix("./")
        return f"{self.here.rstrip('/')}/{name}" if name not in ("", ".") else self.here

    def owner(self, path: str) -> Cell | None:
        """The cell that a pin, or anything below it, is of."""
        return self.cells.get(path.rpartition("/")[0])

    def add(self, cell: Cell) -> None:
        """Add a cell. TooMuchError past the bounds."""
        if len(self.cells) >= MAX_CELLS:
            raise TooMuchError(f"more than {MAX_CELLS} cells")
        self.cells[cell.path] = cell
