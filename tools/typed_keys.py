"""The keys of an experiment as typed arguments: src/axiometer/api/typed_keys.py.

    tools/typed_keys.py [--write]

Prints the module, or writes it. A test compares them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from axiometer.experiment.directions import MODE_ALIASES, MODES
from axiometer.experiment.keys import BOTH, KEYS, PLACEMENTS
from axiometer.experiment.keys_processor import CHOICES
from axiometer.experiment.keys_qos import FILLS
from axiometer.platform import MAPPINGS, limits

MODULE = Path(__file__).resolve().parents[1] / "src" / "axiometer" / "api" / "typed_keys.py"
HEAD = '''\
"""The keys of an experiment as keyword arguments with types: for editors, type checkers and `help`.

Made by `tools/typed_keys.py --write` from `experiment/keys.py` and `platform/limits.toml`. A text
may have a unit: "150MHz", "1M". Not for: allowed values, which the board decides.
"""

# ruff: noqa: D403, E501
# fmt: off

from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict
'''
OF_KIND = {"number": "float | str", "whole": "int", "size": "int | str", "time": "str"}
OF_KEY = {"ports": "str | Sequence[str]", "width_bits": "int", "qos": "str"}
CLOSED = {
    **{name: choices for name, (_, choices, _) in CHOICES.items()},
    **{"mode": (*MODE_ALIASES, BOTH, *MODES), "placement": PLACEMENTS},
    **{"mapping": tuple(MAPPINGS), "fill": tuple(FILLS)},
}
TARGET = ("target", "str", "the memory of the masters: ocm, acp; absent: the DRAM")
MASTERS = (
    "masters",
    "Sequence[Mapping[str, object]]",
    "masters that differ, as [[master]] tables: kind, name, port, direction, rate_mbs, ...",
)
OF_POINT = ("mode", "transfer_bytes")
"""Keys that a curve and a search decide themselves, or take as arguments of their own."""

Row = tuple[str, str, str]


def type_of(name: str) -> str:
    """The type of a key's value."""
    if name in CLOSED:
        words = ", ".join(f'"{choice}"' for choice in CLOSED[name])
        return f"Literal[{words}]"
    try:
        return OF_KEY.get(name) or OF_KIND[limits.of_key(name).kind]
    except KeyError:
        return "str"


def module() -> str:
    """The text of the module."""
    keys = [(name, type_of(name), key.expects) for name, key in KEYS.items()]
    shared = [row for row in keys if row[0] not in OF_POINT] + [TARGET]
    own = [row for row in keys if row[0] in OF_POINT] + [MASTERS]
    parts = [
        HEAD,
        _class("LoadKeys", "TypedDict, total=False", "Keys of `curve`.", shared),
        _class("PointKeys", "LoadKeys, total=False", "Keys of a point, of `expect`.", own),
        _class(
            "ChoiceKeys",
            "TypedDict, total=False",
            "Keys of `advise`: the value for all candidates, or a list of values to try.",
            shared,
            lambda kind: f"{kind} | Sequence[{kind}]",
        ),
    ]
    return "\n\n".join(parts)


def _class(
    name: str, base: str, words: str, rows: list[Row], kind: Callable[[str], str] = str
) -> str:
    fields = "".join(
        f'\n    {key}: {kind(of)}\n    """{meaning}."""\n' for key, of, meaning in rows
    )
    return f'class {name}({base}):\n    """{words}"""\n{fields}'


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        MODULE.write_text(module(), encoding="utf-8")
    else:
        print(module(), end="")
