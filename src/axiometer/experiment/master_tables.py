"""The `[[master]]` tables of a file or a program, and the settings laid over them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import cast

from axiometer.base.errors import AxiometerError, did_you_mean
from axiometer.base.harmless import quoted
from axiometer.experiment import master_keys
from axiometer.experiment.keys import Given, in_unit
from axiometer.platform import limits

TABLES = "masters"
"""The name of the tables in `given`: a list of {key: Given}."""
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
MOST = 32  # tables of a point

Table = Mapping[str, Given]


def of_line(text: str) -> tuple[str, str, list[tuple[str, str, str]]]:
    """Name and direction of "NAME=DIRECTION,KEY=VALUE,...", and each further word, parted at its =.
    What is missing is ""."""
    head, *more = text.split(",")
    name, _, direction = head.partition("=")
    return name, direction, [word.partition("=") for word in more]


def tables(raw: object) -> Given:
    """`[{"kind": "engine", ...}, ...]`, from a program, as the value of `given["masters"]`."""
    if not isinstance(raw, list | tuple) or not all(isinstance(t, Mapping) for t in raw):
        raise AxiometerError(
            f"masters is {quoted(raw)}", remedy="give a list of mappings, one for each master"
        )
    return Given([{key: Given(value) for key, value in table.items()} for table in raw])


def from_settings(given: Mapping[str, Given]) -> dict[str, Given]:
    """`given` with tables made of its settings `master.NAME.KEY`; the default kind is an engine.
    For the command line, where no file is below the settings."""
    found: dict[str, dict[str, Given]] = {}
    for setting, value in given.items():
        if master_keys.is_setting(setting):
            name, key = master_keys.split(setting)
            table = found.setdefault(name, {"name": Given(name, *value[1:])})
            table[key] = value
    if not found:
        return dict(given)
    for table in found.values():
        table.setdefault("kind", Given(next(iter(master_keys.KINDS)), *table["name"][1:]))
    first = next(iter(found.values()))["name"]
    rest = {name: value for name, value in given.items() if not master_keys.is_setting(name)}
    return {**rest, TABLES: Given(list(found.values()), *first[1:])}


def with_settings(given: Mapping[str, Given]) -> list[dict[str, Given]]:
    """The tables with their names, and with the settings `master.NAME.KEY` laid over them."""
    found: list[dict[str, Given]] = []
    counts: dict[str, int] = {}
    for table in cast("Sequence[Table]", given[TABLES].value):  # `tables` makes it
        kind = _text("kind", table, tuple(master_keys.KINDS), given[TABLES])
        counts[kind] = counts.get(kind, 0) + 1
        name = table.get("name", Given(f"{kind}{counts[kind]}", *given[TABLES][1:]))
        if not isinstance(name.value, str) or not _NAME.fullmatch(name.value):
            raise name.error(f"name is {limits.shown(name.value)}", "use letters, digits, - and _")
        if any(other["name"].value == name.value for other in found):
            raise name.error(f"two masters are called {name.value}", "give another name")
        units = {key: in_unit(key, value) for key, value in table.items()}
        found.append({**units, "name": name})
    if not 1 <= len(found) <= MOST:
        raise given[TABLES].error(f"{len(found)} masters", f"give 1 to {MOST} masters")
    by_name = {str(table["name"].value): table for table in found}
    for setting, value in given.items():
        if not master_keys.is_setting(setting):
            continue
        master, key = master_keys.split(setting)
        if master not in by_name:
            raise value.error(f"no master is called {master!r}", did_you_mean(master, by_name))
        by_name[master].pop(master_keys.EXCLUDES.get(key, ""), None)
        by_name[master][key] = value
    return found


def _text(key: str, table: Table, known: Sequence[str], where: Given) -> str:
    if key not in table:
        raise where.error(f"a master has no {key}", f'add {key} = "{known[0]}"')
    value = table[key].value
    if isinstance(value, str) and value in known:
        return value
    hint = did_you_mean(limits.shown(value), known, "known values")
    raise table[key].error(f"{key} is {limits.shown(value)}", hint)
