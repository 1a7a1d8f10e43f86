"""What Python knows of the model's keys, from the model itself: simulate/model_tables.py, a frozen
class for each of its tables, and platform/model_limits.py, what their values may be.

    tools/model_tables.py [--write]

Prints both modules, or writes them. A test compares them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import Any

from axiometer import _model

SOURCE = Path(__file__).resolve().parents[1] / "src" / "axiometer"
HEAD = '''\
"""Tables of the model's input: keys, types, limits, units and defaults.

Made by `tools/model_tables.py --write` from the `visit` of each structure of the model's
configuration (docs/keys.md). None: of a policy that does not have the key.
"""

from __future__ import annotations

from dataclasses import dataclass

from axiometer.simulate.table import Table

# ruff: noqa: N815
'''
LIMITS_HEAD = '''\
"""What each key of the model may be: kind, meaning, least, most, unit, words.

Made by `tools/model_tables.py --write` from the `visit` of each structure of the model's
configuration (docs/keys.md). A key for both directions is there for each, too.
"""

# ruff: noqa: E501
# fmt: off

from __future__ import annotations

Row = tuple[str, str, str, int | None, int | None, str | None, tuple[str, ...]]
Tables = dict[str, dict[str, tuple[Row, ...]]]
'''
KINDS = {
    "whole number": "whole",
    "truth": "truth",
    "word": "word",
    "list of whole numbers": "wholes",
}
MEMORY = {
    "clocks": "Clocks",
    "dram.timing": "Timing",
    "dram": "Dram",
    "controller": "Controller",
    "paths[]": "Path",
    "ports[]": "Port",
    "streams[]": "Stream",
    "measure": "Measure",
    "convolution": "Convolution",
}
START = {"": "Start"}
PROCESSOR = {
    "clocks": "ProcessorClocks",
    "memory": "Memory",
    "gp": "Gp",
    "slave": "Slave",
    "cache": "Cache",
    "cpu": "Cpu",
    "dmac": "Dmac",
    "system": "System",
    "fabric": "Fabric",
    "port": "SlavePort",
    "ring": "Ring",
    "transfer": "Work",
}
SHARED = {"shared": "Shared"}
TYPES = {
    "number": "float",
    "whole number": "int",
    "truth": "bool",
    "text": "str",
    "word": "str",
    "list of whole numbers": "tuple[int, ...]",
}


def module() -> str:
    """The whole module."""
    parts = [HEAD]
    for classes, rows in (
        (MEMORY, _model.describe()),
        (START, _model.describe_start()),
        (PROCESSOR, _model.describe_processor()),
        (SHARED, _model.describe_source()),
    ):
        order = list(classes)
        of = [row for row in rows if row["table"] in classes]
        for table, keys in groupby(
            sorted(of, key=lambda row: order.index(row["table"])), lambda row: row["table"]
        ):
            parts.append(_class(classes[table], table, list(keys)))
    return "".join(parts)


def _class(name: str, table: str, rows: list[dict[str, Any]]) -> str:
    lines = ["", "", "@dataclass(frozen=True, kw_only=True, repr=False)", f"class {name}(Table):"]
    lines += [f'    """{table or "A start."}"""', "", f'    TABLE = "{table}"']
    inner = [(below, of) for below, of in MEMORY.items() if below.startswith(f"{table}.")]
    if name == "Dram":
        lines += [f"    {below.rpartition('.')[2]}: {of}" for below, of in inner]
    for of_key in _by_key(rows):
        row, about = of_key[0], _of_each(of_key, _about)
        for key in (
            [f"{row['key']}_{way}" for way in ("read", "write")] if row["pair"] else [row["key"]]
        ):
            lines += [f"    {key}: {_type(row)}", f'    """{about}"""']
    return "\n".join(lines) + "\n"


def _by_key(rows: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """The rows of each key of a table: several controllers may have one of its name."""
    keys = dict.fromkeys(row["key"] for row in rows)
    return [[row for row in rows if row["key"] == key] for key in keys]


def _type(row: dict[str, Any]) -> str:
    kind = TYPES[row["type"]]
    if row["only"]:
        return f"{kind} | None = None"
    return kind if row["required"] else f"{kind} = {_default(row)}"


def _default(row: dict[str, Any]) -> str:
    if row["type"] == "list of whole numbers":
        return "()"
    if row["type"] == "truth":
        return str(row["default"] == "true")
    # A time that stands for never.
    never = row["default"].isdecimal() and int(row["default"]) > 2**60
    return (
        "-1"
        if never
        else json.dumps(row["default"])
        if row["words"] or row["type"] == "text"
        else row["default"]
    )


def _about(row: dict[str, Any]) -> str:
    """The range and the unit of a key."""
    may = " ".join(row["words"])
    if "number" in row["type"]:
        may = (
            f"{row['least']} to {row['most']}"
            if row["most"] < 2**63 - 1
            else f"from {row['least']}"
        )
    parts = [may or {"truth": "true or false"}.get(row["type"], row["type"]), row["unit"]]
    return " ".join(filter(None, parts))


def _of_each(rows: list[dict[str, Any]], text: Callable[[dict[str, Any]], str]) -> str:
    """The text of each row of a key, once, with the controllers for which it holds."""
    found: dict[str, list[str]] = {}
    for row in rows:
        found.setdefault(text(row), []).append(row["only"])
    return "; ".join(
        said + (f"; only {', '.join(only)}" if any(only) else "") for said, only in found.items()
    )


def limits() -> str:
    """The module of limits: by side and table, a row for each key."""
    lines = [LIMITS_HEAD, "TABLES: Tables = {"]
    for side, rows in (
        ("memory", _model.describe()),
        ("processor", _model.describe_processor()),
    ):
        lines.append(f'    "{side}": {{')
        for table in dict.fromkeys(row["table"] for row in rows):
            lines.append(f'        "{table}": (')
            for of_key in _by_key([row for row in rows if row["table"] == table]):
                if of_key[0]["type"] in KINDS:
                    lines += [f"            {limit}," for limit in _limits(of_key)]
            lines.append("        ),")
        lines.append("    },")
    return "\n".join([*lines, "}", ""])


def _limits(rows: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """The limits of a key that hold for all that have it."""
    row = rows[0]
    kind = KINDS[row["type"]]
    bounds: tuple[Any, ...] = (None, None)
    if kind in ("whole", "wholes"):
        bounds = min(r["least"] for r in rows), max(r["most"] for r in rows)
    unit = " or ".join(dict.fromkeys(r["unit"] for r in rows))
    about = (
        kind,
        _of_each(rows, lambda row: row["meaning"]),
        *bounds,
        unit or None,
        tuple(row["words"]),
    )
    keys = [f"{row['key']}{way}" for way in (("", "_read", "_write") if row["pair"] else ("",))]
    return [(key, *about) for key in keys]


MODULES = {"simulate/model_tables.py": module, "platform/model_limits.py": limits}

if __name__ == "__main__":
    for name, made in MODULES.items():
        if sys.argv[1:] == ["--write"]:
            (SOURCE / name).write_text(made(), encoding="utf-8")
        else:
            print(made(), end="")
