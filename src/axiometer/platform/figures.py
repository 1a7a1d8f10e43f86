"""The figures in one file: a chip's, a board's, or a whole platform's.

A table may have `like = "port.HP0"`: it takes the figures of that table, which must be above it in
the same file, except those that it has itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from axiometer.base.errors import did_you_mean
from axiometer.base.toml_source import TomlSource
from axiometer.platform.checks import Place
from axiometer.platform.leaf import LEAF_KEYS, Leaf, read_leaf
from axiometer.platform.row_sets import Sets

# Tables of figures, in the order of a platform's output.
TABLES = (
    *("clocks", "dram", "mapping", "controller", "path", "port", "qos", "neighbour", "master"),
    *("memory_port", "host", "program", "processor", "fabric", "memory"),
)
# Other top-level entries of a file, by kind: texts, and tables without figures.
TEXTS = {
    "platform": ("name", "title", "family"),
    "chip": ("name", "title"),
    "board": ("name", "title", "chip"),
}
OTHERS = {
    "platform": ("rows",),
    "chip": ("rows", "like", "set_by_boards", "aliases"),
    "board": ("rows", "like", "aliases", "figures_from", "tool"),
}
# A file that lacks this key has no `chip` either.
_REMEDIES = {
    "family": 'add chip = "..." for a board, or family = "..." if the file has a whole platform'
}


def read_figures(source: TomlSource, kind: str, rows: Sets | None) -> dict[str, Leaf]:
    """The figures of `source` by path, in the order of the file.

    `rows`: the named sets of rows for fitted figures; None leaves names unchanged.
    AxiometerError with file and line for a bad figure.
    """
    check_top(source, kind)
    found: dict[str, Leaf] = {}
    for table in source.data:
        if table in TABLES:
            _collect(source, (table,), source.data[table], rows, found)
    return found


def check_top(source: TomlSource, kind: str) -> None:
    """AxiometerError unless the file has the texts of its kind, and no unknown top-level key."""
    texts = TEXTS[kind]
    known = (*texts, *TABLES, *OTHERS[kind])
    for key, node in source.data.items():
        if key not in known:
            raise source.error(
                f"unknown key {key!r}", key, remedy=did_you_mean(key, known, "known keys")
            )
        if key in TABLES and not isinstance(node, dict):
            raise source.error(f"{key} is not a table", key, remedy=f"write [{key}]")
    aliases = source.data.get("aliases", [])
    if not isinstance(aliases, list) or not all(isinstance(a, str) and a for a in aliases):
        raise source.error(
            "aliases is not a list of names", "aliases", remedy='write aliases = ["other-name"]'
        )
    if not isinstance(source.data.get("figures_from", ""), str):
        raise source.error(
            "figures_from is not text",
            "figures_from",
            remedy='write figures_from = "from a manual"',
        )
    for key in texts:
        if not isinstance(source.data.get(key), str) or not source.data[key].strip():
            raise source.error(
                f"{key} is missing", key, remedy=_REMEDIES.get(key, f'add {key} = "..."')
            )
    source.check_name("it names the reports")


def resolved(source: Place, leaves: Mapping[str, Leaf]) -> dict[str, Leaf]:
    """`leaves`, where each with `same_as` has the other figure's value, unit and range.

    AxiometerError (by `source.error`) if that figure does not exist, or itself has `same_as`.
    """
    found = dict(leaves)
    for path, leaf in leaves.items():
        if leaf.same_as is None:
            continue
        other = leaves.get(leaf.same_as)
        if other is None or other.same_as is not None:
            raise source.error(
                f"{path} is the same as {leaf.same_as!r}, which is not a figure with a value",
                *path.split("."),
                remedy=did_you_mean(leaf.same_as, leaves, "known paths"),
            )
        found[path] = replace(
            leaf,
            value=leaf.as_other(other.value),
            unit=leaf.unit or other.unit,
            min=other.min if leaf.times is None else None,
            max=other.max if leaf.times is None else None,
        )
    return found


def _collect(
    source: TomlSource,
    path: tuple[str, ...],
    node: object,
    rows: Sets | None,
    found: dict[str, Leaf],
) -> None:
    dotted = ".".join(path)
    if "." in path[-1]:
        raise source.error(
            f"the name {path[-1]!r} has a dot in it", *path, remedy="use another character"
        )
    if not isinstance(node, dict):
        raise source.error(
            f"{dotted} is a bare value",
            *path,
            remedy=f'write {path[-1]} = {{ value = ..., source = "document and place" }}',
        )
    if "value" in node or "same_as" in node:
        found[dotted] = read_leaf(source, path, node, rows)
        return
    if any(key in LEAF_KEYS for key in node) and len(path) > 1:
        raise source.error(f"{dotted} has no value", *path, remedy="add value = ...")
    for key, child in node.items():
        if key != "like" or isinstance(child, dict):
            _collect(source, (*path, key), child, rows, found)
    if isinstance(node.get("like"), str):
        _take_over(source, path, node["like"], found)


def _take_over(
    source: TomlSource, path: tuple[str, ...], other: str, found: dict[str, Leaf]
) -> None:
    dotted = ".".join(path)
    taken = {
        f"{dotted}.{name.removeprefix(f'{other}.')}": leaf
        for name, leaf in found.items()
        if name.startswith(f"{other}.") and not name.startswith(f"{dotted}.")
    }
    if not taken:
        above = dict.fromkeys(name.rpartition(".")[0] for name in found)
        raise source.error(
            f"{dotted} is like {other!r}, but there is no such table above it",
            *(*path, "like"),
            remedy=did_you_mean(other, above, "tables above it"),
        )
    for name, leaf in taken.items():
        same = leaf.source is not None or leaf.register is not None
        found.setdefault(name, leaf if same else leaf.taken_over(f"as {other}"))
