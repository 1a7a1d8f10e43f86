"""A platform: every figure that the model knows about one board, each with its origin.

A figure (*leaf*) is an inline table `{ value, source | fitted | guess }`. Leaves are named by
their path, such as `controller.starve_clocks` or `port.HP0.fifo_bytes`; a name with a dot in
it is not possible. What a backend makes of a figure is the backend's own matter: here only the
structure is checked that every platform needs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from axiometer import data
from axiometer.errors import AxiometerError, did_you_mean
from axiometer.leaf import LEAF_KEYS, Leaf, checked, read_leaf
from axiometer.toml_source import TomlSource

MAX_FITTED = 6
MAX_FITTED_PROCESSOR = 10
MAX_FITTED_FABRIC = 6
MAPPINGS = ("row-bank-column", "bank-row-column")

# The processor's side; its fitted figures are counted apart, and so are those of the designs in
# the fabric that were measured with it.
_PROCESSOR_TABLES = ("processor", "fabric")
_TABLES = (
    *("clocks", "dram", "mapping", "controller", "path", "port", "qos", "neighbour", "master"),
    "host",
    *_PROCESSOR_TABLES,
)
_TEXTS = ("name", "title", "family")
_REQUIRED = (
    "clocks.ddr_mhz",
    "clocks.pl_mhz",
    "dram.type",
    "dram.bus_bits",
    "dram.burst_length",
    "dram.size_MiB",
    "dram.banks",
    "dram.row_bytes",
    "mapping.default",
    "controller.policy",
)


class Platform:
    """The figures of one board. Immutable; can be pickled for worker processes."""

    def __init__(self, text: str, file: object) -> None:
        """Read the platform from TOML `text`; AxiometerError names `file` and line."""
        source = TomlSource(text, file)
        self.text = text
        self.file = str(file)
        self.sha256 = hashlib.sha256(text.encode()).hexdigest()
        self.overrides: dict[str, Any] = {}
        self._leaves: dict[str, Leaf] = {}
        self._names: dict[str, tuple[str, ...]] = {}
        _check_top(source)
        self.name: str = source.data["name"]
        self.title: str = source.data["title"]
        self.family: str = source.data["family"]
        for table in source.data:
            if table not in _TEXTS:
                self._collect(source, (table,), source.data[table])
        self._check_structure(source)

    @classmethod
    def load(cls, name: str, beside: Any = None) -> Platform:
        """The platform called `name`, or in the TOML file `name` (looked for in the directory
        `beside` too). AxiometerError if there is none or it is not right."""
        path = data.find_toml("platforms", name, beside)
        return cls(TomlSource.read(path).text, path)

    def leaf(self, path: str) -> Leaf:
        """The figure at `path`; AxiometerError with the nearest paths if there is none."""
        if path not in self._leaves:
            raise AxiometerError(
                f"platform {self.name} has no figure {path!r}",
                file=self.file,
                remedy=self._hint(path),
            )
        return self._leaves[path]

    def value(self, path: str, *default: Any) -> Any:
        """The value of the figure at `path`; `default`, if given, where there is no such figure."""
        if default and path not in self._leaves:
            return default[0]
        return self.leaf(path).value

    def leaves(self) -> list[tuple[str, Leaf]]:
        """All figures as (path, leaf), in the order of the file."""
        return list(self._leaves.items())

    def fitted(self) -> list[tuple[str, Leaf]]:
        """The figures that were fitted on published rows."""
        return [(path, leaf) for path, leaf in self._leaves.items() if leaf.fitted]

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
    def slaves(self) -> list[str]:
        """Names of the slaves that are described in the fabric; the first is the default."""
        return self._names_in("fabric.slave")

    def unvalidated(self, ports: Iterable[str] | None = None) -> list[str]:
        """Those of `ports` (default: all) of which no measurement is published."""
        return [
            port
            for port in (self.ports if ports is None else ports)
            if self.value(f"port.{port}.unvalidated", False)
        ]

    def unvalidated_in(self, values: Mapping[str, Any]) -> list[str]:
        """The ports, and the chip's own masters, in the values of a point of which no measurement
        is published."""
        background = values.get("background") or ""
        named = [name for name in self.neighbours if f"{name}=" in background]
        return [*self.unvalidated(values["ports"]), *named]

    def port_aliases(self) -> dict[str, str]:
        """Every name that a port may be called by (its own and its aliases) -> its name."""
        aliases = {port: port for port in self.ports}
        for port in self.ports:
            for alias in self.value(f"port.{port}.aliases", []):
                aliases.setdefault(alias, port)
        return aliases

    def with_overrides(self, overrides: Mapping[str, Any]) -> Platform:
        """This platform with other values at some paths.

        AxiometerError for an unknown path, a value of another type, or one out of the
        figure's `min` to `max`.
        """
        other = object.__new__(Platform)
        other.__dict__.update(self.__dict__)
        other.overrides = {**self.overrides, **overrides}
        other._leaves = dict(self._leaves)
        for path, value in overrides.items():
            leaf = self.leaf(path)
            other._leaves[path] = replace(leaf, value=checked(path, leaf, value), overridden=True)
        other._check_ports(None)
        return other

    def has(self, path: str) -> bool:
        """Whether there is a figure at `path`."""
        return path in self._leaves

    def _names_in(self, table: str) -> list[str]:
        # Asked for at each point of an experiment; no override changes it.
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

    def _collect(self, source: TomlSource, path: tuple[str, ...], node: Any) -> None:
        dotted = ".".join(path)
        if "." in path[-1]:
            raise source.error(
                f"the name {path[-1]!r} has a dot in it", *path, remedy="use another character"
            )
        if not isinstance(node, dict):
            raise source.error(
                f"{dotted} is a bare value",
                *path,
                remedy=f'write {path[-1]} = {{ value = ..., source = "where it is written" }}',
            )
        if "value" in node:
            self._leaves[dotted] = read_leaf(source, path, node)
            return
        if any(key in LEAF_KEYS for key in node) and len(path) > 1:
            raise source.error(f"{dotted} has no value", *path, remedy="add value = ...")
        for key, child in node.items():
            self._collect(source, (*path, key), child)

    def _check_structure(self, source: TomlSource) -> None:
        for path in _REQUIRED:
            if path not in self._leaves:
                raise source.error(
                    f"{path} is missing",
                    *path.split("."),
                    remedy=f"add {path.split('.')[-1]} = {{ value = ..., source = ... }}",
                )
        if self.leaf("clocks.pl_mhz").min is None or self.leaf("clocks.pl_mhz").max is None:
            raise source.error(
                "clocks.pl_mhz has no range", "clocks", "pl_mhz", remedy="add min = ..., max = ..."
            )
        self._check_ports(source)
        for part, most in (
            (None, MAX_FITTED),
            ("processor", MAX_FITTED_PROCESSOR),
            ("fabric", MAX_FITTED_FABRIC),
        ):
            fitted = [path for path, _ in self.fitted() if _part(path) == part]
            if len(fitted) > most:
                raise source.error(
                    f"{len(fitted)} figures are fitted: {', '.join(fitted)}",
                    *fitted[most].split("."),
                    remedy=f"at most {most} may be: cite or guess the others",
                )

    def _check_ports(self, source: TomlSource | None) -> None:
        """source: where the figures stand; None where they are overrides."""

        def error(message: str, *path: str, remedy: str) -> AxiometerError:
            if source is None:
                return AxiometerError(message, remedy=remedy)
            return source.error(message, *path, remedy=remedy)

        if not self.ports:
            raise error("there is no port", "port", remedy="add a table [port.NAME]")
        for port in self.ports:
            processor_side = self.has(f"port.{port}.kind")
            for key in ("widths",) if processor_side else ("path", "widths"):
                if not self.has(f"port.{port}.{key}"):
                    raise error(
                        f"port {port} has no {key}",
                        "port",
                        port,
                        remedy=f"add {key} = {{ value = ..., source = ... }}",
                    )
            path = self.value(f"port.{port}.path", None)
            if (not processor_side or path is not None) and path not in self.paths:
                raise error(
                    f"port {port} is on path {path!r}, which does not exist",
                    *("port", port, "path"),
                    remedy=did_you_mean(str(path), self.paths, "known paths"),
                )
            widths = self.value(f"port.{port}.widths")
            if not _are_widths(widths):
                raise error(
                    f"widths of port {port} are {widths!r}",
                    *("port", port, "widths"),
                    remedy="give a list of bits, each 8 times a power of two: [32, 64]",
                )
        for name in self.neighbours:
            path = self.value(f"neighbour.{name}.path", None)
            if path not in self.paths:
                raise error(
                    f"neighbour {name} is on path {path!r}, which does not exist",
                    *("neighbour", name, "path"),
                    remedy=did_you_mean(str(path), self.paths, "known paths"),
                )


def _part(path: str) -> str | None:
    """The part of a platform whose fitted figures are counted together; None is the memory."""
    table = path.split(".")[0]
    return table if table in _PROCESSOR_TABLES else None


def _check_top(source: TomlSource) -> None:
    known = (*_TEXTS, *_TABLES)
    for key, node in source.data.items():
        if key not in known:
            raise source.error(
                f"unknown key {key!r}", key, remedy=did_you_mean(key, known, "known keys")
            )
        if key in _TABLES and not isinstance(node, dict):
            raise source.error(f"{key} is not a table", key, remedy=f"write [{key}]")
    for key in _TEXTS:
        if not isinstance(source.data.get(key), str) or not source.data[key].strip():
            raise source.error(f"{key} is missing", key, remedy=f'add {key} = "..."')
    source.check_name("a report is called by it")


def _are_widths(widths: Any) -> bool:
    return (
        isinstance(widths, list)
        and bool(widths)
        and all(isinstance(w, int) and w >= 8 and w & (w - 1) == 0 for w in widths)
    )
