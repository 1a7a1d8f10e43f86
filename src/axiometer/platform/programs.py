"""Programs that start transfers: their figures on a chip, from `programs/*.toml`.

`[figures]` hold on every chip; `[on.CHIP]` lies over them on that chip, and on those that are like
it in all. In a platform they stand at `program.NAME.FIGURE`, where a board may have its own. Not
for: which program a point has (`experiment/programs.py`), and what figures mean
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
"""A figure of chips; those of which a store kept no such figure have no programs."""
FIGURES = (
    *("launch_us", "system_call_us", "launch_jitter_us", "completion_us", "interrupt_us"),
    *("first_look_us", "sleep_us", "sleep_jitter_us"),
)
_TOP = ("name", "title", "os", "figures", "on")


def laid(files: Files, by: TomlSource, chips: Sequence[TomlSource]) -> dict[str, Leaf]:
    """The figures of all programs by path. chips: the chip's file, then those of chips that it is
    like in all."""
    found: dict[str, Leaf] = {}
    for source in files.programs(by):
        found |= _of(source, tuple(reversed(chips)))
    return found


# Of each board of a chip these are the same.
@lru_cache(maxsize=128)
def _of(source: TomlSource, chips: tuple[TomlSource, ...]) -> Mapping[str, Leaf]:
    for key in source.data:
        if key not in _TOP:
            raise source.error(
                f"unknown key {key!r}", key, remedy=did_you_mean(key, _TOP, "known keys")
            )
    source.check_name("an experiment calls it by it")
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
                f"{figure!r} is no figure of a program",
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
    """`overrides`, where `program.FIGURE` is that figure of every program. AxiometerError for a
    figure of before there were programs."""
    found: dict[str, object] = {}
    for path, value in overrides.items():
        table, _, figure = path.partition(".")
        if table == "host" and figure in FIGURES and path not in leaves:
            raise AxiometerError(
                f"{path} is a figure of a program, not of a board",
                remedy=f"set {TABLE}.{figure}: it holds for whichever program the point has",
            )
        if table == TABLE and figure in FIGURES:
            names = dict.fromkeys(p.split(".")[1] for p in leaves if p.startswith(f"{TABLE}."))
            every = [f"{TABLE}.{name}.{figure}" for name in names]
            found |= {each: value for each in every if each in leaves}
        else:
            found[path] = value
    return found
