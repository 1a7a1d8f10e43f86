"""What Python knows of the model's keys, from the model itself: simulate/model_tables.py, a frozen
class for each of its tables, and platform/model_limits.py, what their values may be.

    tools/model_tables.py [--write]

Prints both modules, or writes them. A test compares them.
"""

from __future__ import annotations

import json
import sys
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
# A text to the configuration, which does not know the machines.
POLICIES = {"type": "word", "words": list(_model.machine_parts())}
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
    for row in rows:
        for key in (
            [f"{row['key']}_{way}" for way in ("read", "write")] if row["pair"] else [row["key"]]
        ):
            lines += [f"    {key}: {_type(row)}", f'    """{_about(row)}"""']
    return "\n".join(lines) + "\n"


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
    """What it may be, in which unit, and where."""
    may = " ".join(row["words"])
    if "number" in row["type"]:
        may = (
            f"{row['least']} to {row['most']}"
            if row["most"] < 2**63 - 1
            else f"from {row['least']}"
        )
    parts = [may or {"truth": "true or false"}.get(row["type"], row["type"]), row["unit"]]
    return " ".join(filter(None, parts)) + (f"; only {row['only']}" if row["only"] else "")


def limits() -> str:
    """The module of limits: by side and table, a row for each key."""
    lines = [LIMITS_HEAD, "TABLES: Tables = {"]
    memory = [row | POLICIES if row["key"] == "policy" else row for row in _model.describe()]
    for side, rows in (("memory", memory), ("processor", _model.describe_processor())):
        lines.append(f'    "{side}": {{')
        for table in dict.fromkeys(row["table"] for row in rows):
            lines.append(f'        "{table}": (')
            for row in rows:
                if row["table"] == table and row["type"] in KINDS:
                    lines += [f"            {limit}," for limit in _limits(row)]
            lines.append("        ),")
        lines.append("    },")
    return "\n".join([*lines, "}", ""])


def _limits(row: dict[str, Any]) -> list[tuple[Any, ...]]:
    kind = KINDS[row["type"]]
    bounds = (row["least"], row["most"]) if kind in ("whole", "wholes") else (None, None)
    about = kind, row["meaning"], *bounds, row["unit"] or None, tuple(row["words"])
    keys = [f"{row['key']}{way}" for way in (("", "_read", "_write") if row["pair"] else ("",))]
    return [(key, *about) for key in keys]


MODULES = {"simulate/model_tables.py": module, "platform/model_limits.py": limits}

if __name__ == "__main__":
    for name, made in MODULES.items():
        if sys.argv[1:] == ["--write"]:
            (SOURCE / name).write_text(made(), encoding="utf-8")
        else:
            print(made(), end="")
