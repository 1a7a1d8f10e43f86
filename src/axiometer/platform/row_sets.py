"""Named sets of published rows: the table `[rows]` of a chip or board.

With `usp_base = ["FILE.csv: mode=duplex", ...]` there, a figure may have `fitted = "usp_base"`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from axiometer.base.errors import did_you_mean
from axiometer.base.toml_source import TomlSource

_NAME = re.compile(r"[\w-]+")
Sets = Mapping[str, tuple[str, ...]]


def read_sets(source: TomlSource, known: Sets | None = None) -> dict[str, tuple[str, ...]]:
    """The sets of `source` and those in `known`, each a tuple of selectors of rows.

    AxiometerError for a value that is not a list of selectors, or a name that exists.
    """
    table = source.data.get("rows", {})
    if not isinstance(table, dict):
        raise source.error("rows is not a table", "rows", remedy="write [rows]")
    found = dict(known or {})
    for name, rows in table.items():
        if name in found:
            raise source.error(
                f"the chip already has rows called {name!r}",
                *("rows", name),
                remedy="use another name",
            )
        found[name] = expanded(source, ("rows", name), rows, {})
    return found


def expanded(
    source: TomlSource, path: tuple[str, ...], given: object, sets: Sets | None
) -> tuple[str, ...]:
    """The selectors in `given`, a name or selector or a list of them.

    `sets` None: names stay unchanged. AxiometerError for a name without a set.
    """
    items = [given] if isinstance(given, str) else given if isinstance(given, list) else []
    if not items or not all(isinstance(item, str) and item.strip() for item in items):
        raise source.error(
            f"{'.'.join(path[:-1])} does not name its rows ({path[-1]})"
            if path[0] != "rows"
            else f"the rows {path[-1]!r} are not a list of selectors",
            *path,
            remedy=f'list published rows: {path[-1]} = ["FILE.csv: mode=duplex"]',
        )
    found: list[str] = []
    for item in items:
        if sets is None or not _NAME.fullmatch(item):
            found.append(item)
        elif item in sets:
            found += sets[item]
        else:
            raise source.error(
                f"no set of rows is called {item!r}",
                *path,
                remedy=did_you_mean(item, sets, "known sets")
                if sets
                else 'add it: [rows] and NAME = ["FILE.csv: mode=duplex"]',
            )
    return tuple(found)
