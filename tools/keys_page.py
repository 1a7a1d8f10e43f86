"""Every key of the model, from the model itself: a section of docs/keys.md.

    tools/keys_page.py [--write]

Prints the section, or writes it. A test compares them.
"""

from __future__ import annotations

import sys
from itertools import groupby
from pathlib import Path
from typing import Any

from axiometer import _model

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "lab"))
from validate import marks  # noqa: E402

COMMAND = "python tools/keys_page.py --write"
MOST = 2**63 - 1


def page() -> str:
    """The section."""
    parts = []
    shared = [row for row in _model.describe_source() if row["table"] == "shared"]
    for title, rows in (
        ("The memory's side", _model.describe()),
        ("A repeat of it", _model.describe_start()),
        ("The processor's side", _model.describe_processor()),
        ("A source of the processor's side that shares the memory", shared),
    ):
        parts.append(f"\n### {title}\n")
        for table, keys in groupby(sorted(rows, key=_first_of(rows)), lambda row: row["table"]):
            parts.append(f"\n#### {f'`{table}`' if table else 'Not in a table'}\n")
            parts.append("| key | may be | unit | default | meaning |\n|---|---|---|---|---|\n")
            parts += [_row(row) for row in keys]
    return "".join(parts).strip("\n")


def _first_of(rows: list[dict[str, Any]]) -> Any:
    """The order of a row's table: tables in the order of their first rows."""
    order = {row["table"]: n for n, row in reversed(list(enumerate(rows)))}
    return lambda row: order[row["table"]]


def _row(row: dict[str, Any]) -> str:
    key = f"`{row['key']}`" + (" *[_read, _write]*" if row["pair"] else "")
    default = "" if row["required"] else _default(row["default"])
    meaning = row["meaning"] + (f"; *only `{row['only']}`*" if row["only"] else "")
    return f"| {key} | {_may_be(row)} | {row['unit']} | {default} | {meaning} |\n"


def _default(text: str) -> str:
    """The default as text; "" for a number that means never, and for an empty text."""
    never = text.isdecimal() and int(text) > MOST // 8
    return "none" if never or not text else f"`{text}`"


def _may_be(row: dict[str, Any]) -> str:
    if row["words"]:
        return " ".join(f"`{word}`" for word in row["words"])
    kind = {"truth": "true or false"}.get(row["type"], row["type"])
    if "number" not in row["type"]:
        return kind
    if row["most"] == MOST:
        return f"{kind} from {row['least']}"
    return f"{kind}, {row['least']} to {_number(row['most'])}"


def _number(most: int) -> str:
    """A number as text; large powers of two as 2^n."""
    power = most.bit_length() - 1
    return f"2^{power}" if most >= 2**16 and most == 2**power else f"{most}"


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        marks.write(marks.DOCS / "keys.md", COMMAND, page())
    else:
        print(page())
