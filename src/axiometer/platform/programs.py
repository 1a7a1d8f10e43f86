"""Programs that start transfers: their figures on a chip, from `programs/*.toml`.

`[figures]` applies to every chip; `[on.CHIP]` overrides it on that chip, and on chips that are like
it in everything. A platform has them at `program.NAME.FIGURE`, where a board may have its own. Not
for: a point's choice of program (`experiment/programs.py`), or the use of figures
(`simulate/program.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from axiometer.base.errors import AxiometerError, did_you_mean
from axiometer.base.toml_source import TomlSource
from axiometer.platform.files import Files
from axiometer.platform.leaf import Leaf, read_leaf
from axiometer.platform.leaf_values import checked
from axiometer.platform.row_sets import Sets, read_sets

TABLE = "program"
NEEDS = "host.access_us"
"""A figure of chips; platforms in older stores lack it and have no programs."""
FIGURES = (
    *("launch_us", "system_call_us", "launch_jitter_us", "completion_us", "interrupt_us"),
    *("first_look_us", "sleep_us", "sleep_jitter_us"),
)
_TOP = ("name", "title", "os", "figures", "on")


def laid(files: Files, by: TomlSource, chips: Sequence[TomlSource]) -> dict[str, Leaf]:
    """The figures of all programs by path. chips: the chip's file, then those of the chips that it
    is like in everything."""
    found: dict[str, Leaf] = {}
    for source in files.programs(by):
        found |= _of(source, tuple(reversed(chips)))
    return found


# Cached, as all boards of a chip share them.
@lru_cache(maxsize=128)
def _of(source: TomlSource, chips: tuple[TomlSource, ...]) -> Mapping[str, Leaf]:
    for key in source.data:
        if key not in _TOP:
            raise source.error(
                f"unknown key {key!r}", key, remedy=did_you_mean(key, _TOP, "known keys")
            )
    source.check_name("it names the program in experiments")
    name, found = source.data["name"], _read(source, ("figures",), {})
    for chip in chips:
        table = ("on", str(chip.data["name"]))
        if table[1] in source.data.get("on", {}):
            found |= _read(source, table, read_sets(chip))
    return {f"{TABLE}.{name}.{figure}": leaf for figure, leaf in found.items()}


def _read(source: TomlSource, table: tuple[str, ...], sets: Sets) -> dict[str, Leaf]:
    node = source.data
    for key in table:
        node = node.get(key, {})
    found = {}
    for figure, leaf in node.items():
        path = (*table, figure)
        if figure not in FIGURES or not isinstance(leaf, dict):
            raise source.error(
                f"{figure!r} is not a figure of a program",
                *path,
                remedy=did_you_mean(figure, FIGURES, "known figures"),
            )
        found[figure] = read_leaf(source, path, leaf, sets)
        if found[figure].same_as is None:
            try:
                checked(f"{TABLE}.{source.data['name']}.{figure}", found[figure], leaf["value"])
            except AxiometerError as error:
                raise source.error(error.message, *path, remedy=error.remedy) from None
    return found


def spread(leaves: Mapping[str, Leaf], overrides: Mapping[str, object]) -> dict[str, object]:
    """`overrides`, with `program.FIGURE` expanded to every program. AxiometerError for a figure of
    the time before programs."""
    found: dict[str, object] = {}
    for path, value in overrides.items():
        table, _, figure = path.partition(".")
        if table == "host" and figure in FIGURES and path not in leaves:
            raise AxiometerError(
                f"{path} is a figure of a program, not of a board",
                remedy=f"set {TABLE}.{figure}: it applies to any program of the point",
            )
        if table == TABLE and figure in FIGURES:
            names = dict.fromkeys(p.split(".")[1] for p in leaves if p.startswith(f"{TABLE}."))
            every = [f"{TABLE}.{name}.{figure}" for name in names]
            found |= {each: value for each in every if each in leaves}
        else:
            found[path] = value
    return found
