"""A platform: all figures of one board and its chip, with origins.

A figure (*leaf*) is an inline table `{ value, ORIGIN }`. Its path names it, such as
`controller.starve_clocks` or `port.HP0.fifo_bytes`; names have no dots. Backends decide how to use
a figure; `checks.py` checks the structure that every platform needs, `layers.py` lays a board over
its chip.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypedDict, TypeVar, cast, overload

from axiometer.base import data
from axiometer.base.errors import AxiometerError, did_you_mean, near
from axiometer.base.toml_source import TomlSource
from axiometer.platform import checks, limits, programs
from axiometer.platform.checks import MAX_FITTED, MAX_FITTED_FABRIC, MAX_FITTED_PROCESSOR
from axiometer.platform.files import Files, read_kept
from axiometer.platform.layers import lay
from axiometer.platform.leaf import ORIGINS, Leaf
from axiometer.platform.leaf_values import checked
from axiometer.platform.targets import DRAM, TARGET, reached

T = TypeVar("T")

__all__ = ["MAX_FITTED", "MAX_FITTED_FABRIC", "MAX_FITTED_PROCESSOR", "MAPPINGS", "Platform"]

MAPPINGS = limits.of_model("dram.mapping").choices


class _OfPoint(TypedDict):
    """The part of a point's values that this file reads (`experiment/values.py`)."""

    ports: list[str]
    background: str | None


class Platform:
    """The figures of one board and its chip. Immutable; can be pickled for worker processes."""

    def __init__(self, text: str, file: object) -> None:
        """Read the platform from the TOML `text` of a board, or of a platform without a chip.

        Other files are found relative to `file`. AxiometerError with file and line.
        """
        self._read(Files(TomlSource(text, file)))

    def _read(self, files: Files) -> None:
        made = lay(files)
        self.file = files.sources[0].file
        self.text = files.text
        self.sha256 = files.sha256
        self.overrides: dict[str, object] = {}
        self._names: dict[str, tuple[str, ...]] = {}
        self.name, self.title, self.family = made.name, made.title, made.family
        self._leaves = made.leaves
        checks.check(self, made)

    @classmethod
    def kept(cls, text: str, file: object) -> Platform:
        """The platform from the `text` that a store saved, without reading other files."""
        platform = object.__new__(cls)
        platform._read(read_kept(text, file))
        return platform

    @classmethod
    def load(cls, name: str, beside: Path | None = None) -> Platform:
        """The platform called `name`, or in the TOML file `name` (also looked for in the directory
        `beside`). AxiometerError if it does not exist or is not valid."""
        platform = object.__new__(cls)
        platform._read(Files(TomlSource.read(data.find_toml("platforms", name, beside))))
        return platform

    @staticmethod
    def boards() -> list[str]:
        """Names of the boards that come with Axiometer, sorted."""
        return data.names("boards")

    def leaf(self, path: str) -> Leaf:
        """The figure at `path`; AxiometerError with the nearest paths if there is none."""
        if path not in self._leaves:
            raise AxiometerError(
                f"board {self.name} has no figure {path!r}",
                file=self.file,
                remedy=self._hint(path),
            )
        return self._leaves[path]

    # For figures of any kind, or of an unknown one.
    def value(self, path: str, *default: Any) -> Any:  # type: ignore[explicit-any]
        """The value of the figure at `path`; for a missing figure `default`, if given, else an
        AxiometerError."""
        if default and path not in self._leaves:
            return default[0]
        if path not in self._leaves:
            table, _, name = path.rpartition(".")
            raise AxiometerError(
                f"{path} is missing; this point needs it",
                file=self.file,
                remedy=near(path, self._leaves, 0.85)
                or f'add {name} = {{ value = ..., guess = "..." }} under [{table}]; '
                "docs/architecture.md describes it",
            )
        return self._leaves[path].value

    # Typed variants. `limits.toml` has checked the kind of each value.

    @overload
    def whole(self, path: str) -> int: ...
    @overload
    def whole(self, path: str, default: T, /) -> int | T: ...
    def whole(self, path: str, *default: T) -> int | T:
        """`value` of a figure that is a whole number."""
        return cast("int | T", self.value(path, *default))

    @overload
    def number(self, path: str) -> float: ...
    @overload
    def number(self, path: str, default: T, /) -> float | T: ...
    def number(self, path: str, *default: T) -> float | T:
        """`value` of a figure that is a number, with its type in the file."""
        return cast("float | T", self.value(path, *default))

    @overload
    def word(self, path: str) -> str: ...
    @overload
    def word(self, path: str, default: T, /) -> str | T: ...
    def word(self, path: str, *default: T) -> str | T:
        """`value` of a figure that is a word or a text."""
        return cast("str | T", self.value(path, *default))

    @overload
    def flag(self, path: str) -> bool: ...
    @overload
    def flag(self, path: str, default: T, /) -> bool | T: ...
    def flag(self, path: str, *default: T) -> bool | T:
        """`value` of a figure that is true or false."""
        return cast("bool | T", self.value(path, *default))

    @overload
    def wholes(self, path: str) -> list[int]: ...
    @overload
    def wholes(self, path: str, default: T, /) -> list[int] | T: ...
    def wholes(self, path: str, *default: T) -> list[int] | T:
        """`value` of a figure that is a list of whole numbers."""
        return cast("list[int] | T", self.value(path, *default))

    @overload
    def words(self, path: str) -> list[str]: ...
    @overload
    def words(self, path: str, default: T, /) -> list[str] | T: ...
    def words(self, path: str, *default: T) -> list[str] | T:
        """`value` of a figure that is a list of texts."""
        return cast("list[str] | T", self.value(path, *default))

    def leaves(self) -> list[tuple[str, Leaf]]:
        """All figures as (path, leaf), in the order of the file; with a chip, table by table."""
        return list(self._leaves.items())

    def fitted(self) -> list[tuple[str, Leaf]]:
        """The figures that were fitted on published rows."""
        return [(path, leaf) for path, leaf in self._leaves.items() if leaf.fitted]

    def origins(self) -> dict[str, int]:
        """The number of figures of each origin in `leaf.ORIGINS`, in that order."""
        count = Counter(leaf.origin for leaf in self._leaves.values())
        return {origin: count[origin] for origin in ORIGINS}

    @property
    def ports(self) -> list[str]:
        """Names of the ports, in the order of the file."""
        return self._names_in("port")

    @property
    def paths(self) -> list[str]:
        """Names of the shared paths from ports to the controller, in the order of the file."""
        return self._names_in("path")

    @property
    def neighbours(self) -> list[str]:
        """Names of the chip's own masters that share a path with ports."""
        return self._names_in("neighbour")

    @property
    def memory_ports(self) -> list[str]:
        """Names of the paths to the memory for masters that are at none of the fabric's ports."""
        return self._names_in("memory_port")

    def way(self, name: str) -> str:
        """The table of figures of a path to the memory by its name: a port, one of the chip's own
        masters, or a memory port."""
        tables = (f"{table}.{name}" for table in ("port", "neighbour"))
        return next((t for t in tables if self.has(f"{t}.path")), f"memory_port.{name}")

    @property
    def programs(self) -> list[str]:
        """Names of the programs that can start transfers."""
        return self._names_in(programs.TABLE)

    @property
    def slaves(self) -> list[str]:
        """Names of the described slaves in the fabric; the first is the default."""
        return self._names_in("fabric.slave")

    def unvalidated(self, ports: Iterable[str] | None = None) -> list[str]:
        """The ports in `ports` (default: all) without published measurements."""
        return [
            port
            for port in (self.ports if ports is None else ports)
            if self.value(f"port.{port}.unvalidated", False)
        ]

    def unvalidated_in(self, values: _OfPoint) -> list[str]:
        """The ports, the chip's own masters and the memory (unless it is the DRAM) in the values of
        a point that have no published measurements."""
        background = values.get("background") or ""
        other = [] if self.target == DRAM else [self.target]
        named = [name for name in self.neighbours if f"{name}=" in background]
        return [*self.unvalidated(values["ports"]), *named, *other]

    @property
    def target(self) -> str:
        """The memory that masters reach."""
        return str(self.value(TARGET, DRAM))

    @property
    def memory_bytes(self) -> int:
        """Bytes of the memory that masters reach."""
        if self.has("dram.size_KiB"):
            return int(self.value("dram.size_KiB")) * 2**10
        return int(self.value("dram.size_MiB")) * 2**20

    def port_aliases(self) -> dict[str, str]:
        """All names of ports (their own and their aliases) -> name."""
        aliases = {port: port for port in self.ports}
        for port in self.ports:
            for alias in self.value(f"port.{port}.aliases", []):
                aliases.setdefault(alias, port)
        return aliases

    def with_overrides(self, overrides: Mapping[str, object]) -> Platform:
        """This platform with other values at some paths; a figure with same_as follows its figure,
        unless it has its own value here.

        AxiometerError for an unknown path, a value of another type, or one outside the figure's
        `min` to `max`. `memory.target` selects the figures of that memory; `program.FIGURE` is that
        figure of every program.
        """
        other = object.__new__(Platform)
        other.__dict__.update(self.__dict__)
        other.overrides = {**self.overrides, **overrides}
        other._leaves = dict(self._leaves)
        if TARGET in overrides:
            other._names = {}
            other._leaves = reached(self.name, self._leaves, overrides[TARGET])
        each = programs.spread(self._leaves, overrides)
        for path, value in each.items():
            leaf = other.leaf(path)
            other._leaves[path] = replace(leaf, value=checked(path, leaf, value), overridden=True)
        own = programs.spread(self._leaves, other.overrides)
        for path, leaf in list(other._leaves.items()):
            if leaf.same_as and leaf.same_as in each and path not in own:
                same = leaf.as_other(other._leaves[leaf.same_as].value)
                other._leaves[path] = replace(leaf, value=same, overridden=True)
        checks.check_names(other, checks.Overridden())
        return other

    def has(self, path: str) -> bool:
        """Whether the platform has a figure at `path`."""
        return path in self._leaves

    def figures_of(self, table: str) -> dict[str, object]:
        """The values of all figures of a table, without those of its subtables."""
        paths = ((name, f"{table}.{name}") for name in self._names_in(table))
        return {name: self._leaves[path].value for name, path in paths if path in self._leaves}

    def _names_in(self, table: str) -> list[str]:
        # Cached: each point of an experiment needs it, and overrides do not change it.
        if table not in self._names:
            start = f"{table}."
            below = (p.removeprefix(start) for p in self._leaves if p.startswith(start))
            self._names[table] = tuple(dict.fromkeys(p.split(".")[0] for p in below))
        return list(self._names[table])

    def _hint(self, path: str) -> str:
        last = path.rsplit(".", 1)[-1]
        same = [known for known in self._leaves if known.rsplit(".", 1)[-1] == last]
        if same:
            return f"did you mean {' or '.join(repr(known) for known in same[:3])}?"
        return did_you_mean(path, self._leaves, "known paths")
