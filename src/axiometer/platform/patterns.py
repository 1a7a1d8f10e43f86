"""Patterns of figures' paths, and the tables of a chip or board that name figures by them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product

from axiometer.base.errors import did_you_mean
from axiometer.base.toml_source import TomlSource

ALL = "*"
"""The pattern of every figure."""


@dataclass(frozen=True)
class Entry:
    """One `[[like]]` or `[[set_by_boards]]`: patterns of figures, and the reason.

    `other` is the file that has the figures ("" if none); `optional`: whether a board may leave
    them out; `needed_by`: figures of the chip that a board lacks if it leaves them out; `index`
    counts the entries of the file.
    """

    figures: tuple[str, ...]
    why: str
    other: str = ""
    optional: bool = False
    needed_by: tuple[str, ...] = ()
    index: int = 0


def matches(pattern: str, path: str) -> bool:
    """Whether `pattern` names the figure at `path`, or a table around it."""
    return _expression(pattern).match(path) is not None


def concrete(pattern: str, paths: Iterable[str]) -> list[str]:
    """`pattern` for each matching table among `paths`: `path.*.clock_mhz` with the name of each
    path. The last part stays unchanged."""
    *tables, last = pattern.split(".")
    if not _is_wild(".".join(tables)):
        return [pattern]
    known = [
        dict.fromkeys(
            path.split(".")[depth]
            for path in paths
            if path.count(".") > depth and matches(".".join(tables[: depth + 1]), path)
        )
        if _is_wild(part)
        else [part]
        for depth, part in enumerate(tables)
    ]
    return [".".join((*names, last)) for names in product(*known)]


def stands(pattern: str, paths: Iterable[str]) -> bool:
    """Whether `pattern` names any of `paths`."""
    return pattern in paths or any(matches(pattern, path) for path in paths)


def _is_wild(part: str) -> bool:
    return "*" in part or "?" in part


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    parts = r"\.".join(_part(part) for part in pattern.split("."))
    return re.compile(parts + r"(?:\.|\Z)")


def _part(part: str) -> str:
    """One part of a pattern as an expression without backtracking, as the file may be hostile."""
    first, *others = (re.escape(text).replace(r"\?", "[^.]") for text in part.split("*"))
    if not others:
        return first
    return first + "".join(f"(?>[^.]*?{text})" for text in others[:-1]) + f"[^.]*{others[-1]}"


def read_entries(source: TomlSource, table: str, other: str = "") -> Iterator[Entry]:
    """The entries of `[[table]]`. `other`: the key that names the file, if there is one.

    AxiometerError if an entry lacks a key or has an unknown one.
    """
    entries = source.data.get(table, [])
    if not isinstance(entries, list):
        raise source.error(f"{table} is not a list of tables", table, remedy=f"write [[{table}]]")
    own: dict[str, type] = {other: str} if other else {"optional": bool, "needed_by": list}
    own |= {"files": list} if other == "chip" else {}  # of a folder: axiometer.base.chip_files
    wanted = {"figures": list, "why": str, **own}
    for index, entry in enumerate(entries):
        place = (table, index)
        if not isinstance(entry, dict):
            raise source.error(
                f"{table} is not a list of tables", *place, remedy=f"write [[{table}]]"
            )
        for key, value in entry.items():
            if key not in wanted:
                raise source.error(
                    f"{table} has an unknown key {key!r}",
                    *(*place, key),
                    remedy=did_you_mean(key, wanted, "known keys"),
                )
            if not isinstance(value, wanted[key]):
                raise source.error(
                    f"{key} of {table} is {value!r:.60}",
                    *(*place, key),
                    remedy=f"give {_WORDS[wanted[key]]}",
                )
        for key in ("figures", "why", *([other] if other else [])):
            if not entry.get(key):
                raise source.error(f"{table} has no {key}", *place, remedy=f"add {key} = ...")
        needed_by = entry.get("needed_by", [])
        if not all(isinstance(item, str) and item for item in (*entry["figures"], *needed_by)):
            raise source.error(
                f"figures of {table} are not patterns", *place, remedy='list paths: ["dram.timing"]'
            )
        yield Entry(
            tuple(entry["figures"]),
            entry["why"],
            entry.get(other, ""),
            entry.get("optional", False),
            tuple(needed_by),
            index,
        )


_WORDS = {list: "a list", str: "text", bool: "true or false"}
