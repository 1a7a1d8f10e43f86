"""An experiment file: the sweep, its platform, and the rows that it reproduces."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path

from axiometer.base import data
from axiometer.base.errors import AxiometerError, did_you_mean
from axiometer.base.harmless import quoted
from axiometer.base.toml_source import TomlSource
from axiometer.experiment import master_keys, master_tables, settings
from axiometer.experiment.keys import KEYS, Given, checked, excluded_by
from axiometer.experiment.points import Point, expand, how_many
from axiometer.platform import Platform

_TEXTS = ("name", "title", "platform", "source", "reference", "external_reference", "description")
_REQUIRED = ("name", "title", "platform")
_TABLES = ("defaults", "sweep", "point", "set", "plot")
_LISTS = ("point", "master")
_PLOT_KEYS = {"x": str, "log": bool}


class Experiment:
    """One experiment, with the settings that the command line laid over its file.

    `name`, `title`, `platform_name`, `source`, `reference` (a file of published figures),
    `external_reference` (a dataset outside the package) and `description` are as in the file, ""
    where absent; `plot` is a hint for drawing: {"x": KEY, "log": bool} or {}.
    """

    def __init__(
        self,
        text: str,
        file: object,
        overlay: Sequence[str] = (),
        platform: Platform | None = None,
    ) -> None:
        """Read the experiment from TOML `text`, with `overlay` ("KEY=VALUE" texts) laid over it.

        `platform` replaces the platform that the file names. Structure and key names are
        checked here, values when the points are expanded; AxiometerError names file and line.
        """
        source = TomlSource(text, file)
        self.text = text
        self.file = str(file)
        self.sha256 = hashlib.sha256(text.encode()).hexdigest()
        self.overlay = tuple(overlay)
        self._platform = platform
        _check_top(source)
        top = source.data
        self.name: str = top["name"]
        self.title: str = top["title"]
        self.platform_name: str = top["platform"]
        self.source: str = top.get("source", "")
        self.reference: str = top.get("reference", "")
        self.external_reference: str = top.get("external_reference", "")
        self.description: str = top.get("description", "").strip()
        self.plot: dict[str, object] = _plot(source)
        self._overrides = {
            **_target(source),
            **_overrides(source, ("set",)),
            **_overrides(source, ("defaults", "set")),
        }
        self._defaults = {**_defaults(source), **_masters(source)}
        self._sweep = _sweep(source, self._defaults)
        self._listed = _listed(source)
        self._varied = list(dict.fromkeys((*self._sweep, *chain.from_iterable(self._listed))))
        for setting in self.overlay:
            self._lay_over(setting)

    @classmethod
    def load(cls, name: str, overlay: Sequence[str] = ()) -> Experiment:
        """The experiment `name` of Axiometer, or the one in the TOML file `name`. `overlay` has
        settings over it: "repeats=2". AxiometerError for an unknown name, a bad file or setting."""
        path = data.find_toml("experiments", name)
        source = TomlSource.read(path)
        made = cls(source.text, path, overlay)
        # Not checked for stored runs: earlier versions accepted any text.
        made._check_plot(source)
        return made

    def laid_over(self, overlay: Sequence[str]) -> Experiment:
        """This experiment with further settings ("KEY=VALUE" texts) over it."""
        if not overlay:
            return self
        return Experiment(self.text, self.file, (*self.overlay, *overlay), self._platform)

    @cached_property
    def platform(self) -> Platform:
        """The platform, with the experiment's and the command line's overrides."""
        platform = self._platform
        if platform is None:
            try:
                platform = Platform.load(self.platform_name, Path(self.file).parent)
            except AxiometerError as error:
                if error.file is None:
                    line = TomlSource(self.text, self.file).line("platform")
                    error.file, error.line = self.file, line
                raise
        for path, given in self._overrides.items():
            try:
                platform = platform.with_overrides({path: given.value})
            except AxiometerError as error:
                raise given.error(error.message, error.remedy or "") from None
        return platform

    def points(self) -> list[Point]:
        """All points in order; AxiometerError points at the first bad value."""
        return expand(self._defaults, self._sweep, self._listed, self.platform)

    def how_many(self) -> int:
        """The number of points, without checking values; equals `len(points())` if all values are
        valid."""
        return how_many(self._sweep, self._listed)

    def _check_plot(self, source: TomlSource) -> None:
        """AxiometerError if plot.x is not a key that the file varies."""
        x = self.plot.get("x")
        if x is None or x in self._varied:
            return
        raise source.error(
            f"plot.x is {quoted(x)}, a key that no point varies",
            *("plot", "x"),
            remedy=did_you_mean(str(x), self._varied, "varied keys")
            if self._varied
            else "remove plot: [sweep] and [[point]] are empty",
        )

    def _lay_over(self, setting: str) -> None:
        name, value = settings.split(setting)
        if settings.is_platform_path(name):
            option = Given(settings.literal(value), f"--set {setting}")
            self._overrides[settings.platform_path(name)] = option
            return
        values = settings.choices(name, value)
        excluded = excluded_by(name) or ""
        self._defaults.pop(excluded, None)
        self._sweep.pop(excluded, None)
        if self._listed and (len(values) > 1 or any(name in point for point in self._listed)):
            raise AxiometerError(
                f"{self.name} lists its points one by one: --set cannot vary this key",
                file=f"--set {setting}",
                remedy=f"edit its [[point]] tables in {self.file}",
            )
        if name in self._sweep or len(values) > 1:
            self._defaults.pop(name, None)
            self._sweep[name] = values
        else:
            self._defaults[name] = values[0]


def _check_top(source: TomlSource) -> None:
    known = (*_TEXTS, *_TABLES, *_LISTS)
    for key, node in source.data.items():
        if key not in known:
            hint = did_you_mean(key, known, "known keys")
            if key in KEYS:
                hint = f"{key} belongs under [defaults] or [sweep]"
            raise source.error(f"unknown key {key!r}", key, remedy=hint)
        if key in _TEXTS and not isinstance(node, str):
            raise source.error(f"{key} is {node!r}", key, remedy=f'write {key} = "..."')
        if key in _LISTS:
            if not isinstance(node, list) or not all(isinstance(item, dict) for item in node):
                raise source.error(f"{key} is not a list of tables", key, remedy=f"write [[{key}]]")
        elif key in _TABLES and not isinstance(node, dict):
            raise source.error(f"{key} is not a table", key, remedy=f"write [{key}]")
    for key in _REQUIRED:
        if not source.data.get(key, "").strip():
            raise source.error(f"{key} is missing", key, remedy=f'add {key} = "..."')
    source.check_name("it names the runs")


def _plot(source: TomlSource) -> dict[str, object]:
    plot: dict[str, object] = source.data.get("plot", {})
    for key, value in plot.items():
        if key not in _PLOT_KEYS:
            hint = did_you_mean(key, _PLOT_KEYS, "known keys")
            raise source.error(f"unknown key {key!r} in plot", "plot", key, remedy=hint)
        if not isinstance(value, _PLOT_KEYS[key]):
            wanted = "the name of a swept key" if key == "x" else "true or false"
            raise source.error(f"plot.{key} is {value!r}", "plot", key, remedy=f"give {wanted}")
    return plot


def _target(source: TomlSource) -> dict[str, Given]:
    """`target = "ocm"` of the defaults, as the figure that it sets; {} where absent."""
    found = source.data.get("defaults", {})
    if not isinstance(found, dict) or settings.TARGET not in found:
        return {}
    line = source.line("defaults", settings.TARGET)
    given = Given(found[settings.TARGET], source.file, line)
    return {settings.platform_path(settings.TARGET): given}


def _overrides(source: TomlSource, path: tuple[str, ...]) -> dict[str, Given]:
    """`set."a.b" = value`, in any quoting, as {"a.b": value}."""
    node: object = source.data
    for part in path:
        node = node.get(part, {}) if isinstance(node, dict) else {}
    if not isinstance(node, dict):
        raise source.error(
            "set is not a table", *path, remedy='write set."controller.starve_clocks" = 32'
        )
    found: dict[str, Given] = {}

    def walk(at: tuple[str, ...], child: object) -> None:
        if isinstance(child, dict):
            for name, grandchild in child.items():
                walk((*at, name), grandchild)
        else:
            dotted = ".".join(at[len(path) :]).removeprefix("platform.")
            found[dotted] = Given(child, source.file, source.line(*at))

    walk(path, node)
    return found


def _keys(
    source: TomlSource, table: Mapping[str, object], *path: str | int
) -> Iterator[tuple[str, object, Given]]:
    """Every (name, value, place) in a table of experiment keys; unknown names are errors."""
    for name, value in table.items():
        if name == master_keys.PREFIX and isinstance(value, dict):
            yield from _of_masters(source, value, *path, name)
            continue
        if name in ("set", settings.TARGET):
            if path == ("defaults",):
                continue
            raise source.error(
                f"{name} is not allowed here",
                *(*path, name),
                remedy="platform settings apply to the whole experiment: move it to [defaults]",
            )
        given = checked(name, Given(value, source.file, source.line(*path, name)))
        yield name, given.value, given


def _of_masters(
    source: TomlSource, table: Mapping[str, object], *path: str | int
) -> Iterator[tuple[str, object, Given]]:
    """`master.video.rate_mbs = ...`, in any quoting."""
    for master, entries in table.items():
        if not isinstance(entries, dict):
            raise source.error(
                f"{master_keys.PREFIX}.{master} is not a key of a master",
                *(*path, master),
                remedy="write master.NAME.KEY, for example master.video.rate_mbs",
            )
        for key, value in entries.items():
            name = f"{master_keys.PREFIX}.{master}.{key}"
            given = checked(name, Given(value, source.file, source.line(*path, master, key)))
            yield name, given.value, given


def _masters(source: TomlSource) -> dict[str, Given]:
    """The `[[master]]` tables, under the name that `normalise` reads; {} where absent."""
    found = [
        {
            key: Given(value, source.file, source.line("master", number, key))
            for key, value in table.items()
        }
        for number, table in enumerate(source.data.get("master", []))
    ]
    line = source.line("master", 0) if found else None
    return {master_tables.TABLES: Given(found, source.file, line)} if found else {}


def _defaults(source: TomlSource) -> dict[str, Given]:
    defaults = {}
    for name, value, given in _keys(source, source.data.get("defaults", {}), "defaults"):
        if isinstance(value, list | dict):
            raise given.error(f"{name} is {value!r}", "give one value, or list it under [sweep]")
        defaults[name] = given
    return defaults


def _sweep(source: TomlSource, defaults: Mapping[str, Given]) -> dict[str, list[Given]]:
    sweep: dict[str, list[Given]] = {}
    for name, values, given in _keys(source, source.data.get("sweep", {}), "sweep"):
        if not isinstance(values, list) or not values:
            raise given.error(
                f"{name} is {values!r}",
                f"list its values: {name} = [..., ...], or move it to [defaults]",
            )
        if name in defaults:
            raise given.error(
                f"{name} is in [sweep] and, on line {defaults[name].line}, in [defaults]",
                "remove one of them",
            )
        sweep[name] = []
        seen: set[object] = set()
        for index, value in enumerate(values):
            item = Given(value, source.file, _line(source, name, index))
            alike = repr(value) if isinstance(value, list | dict) else value
            if alike in seen:
                raise item.error(f"{name} lists {value!r} twice", "remove one of them")
            seen.add(alike)
            sweep[name].append(item)
    return sweep


def _line(source: TomlSource, name: str, index: int) -> int | None:
    parts = name.split(".") if master_keys.is_setting(name) else [name]
    nested = len(parts) > 1 and name not in source.data["sweep"]
    return source.line("sweep", *(parts if nested else [name]), index)


def _listed(source: TomlSource) -> list[dict[str, Given]]:
    return [
        {name: given for name, _, given in _keys(source, table, "point", index)}
        for index, table in enumerate(source.data.get("point", []))
    ]
