"""What each figure and each key may be, from limits.toml and the model: a section of docs/keys.md.

    tools/limits_page.py [--write]

Prints the section, or writes it. A test compares them.
"""

from __future__ import annotations

import sys
from pathlib import Path

from axiometer.platform import limits

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "lab"))
from validate import marks  # noqa: E402

COMMAND = "python tools/limits_page.py --write"
KINDS = {
    "whole": "whole number",
    "number": "number",
    "truth": "true or false",
    "word": "one of",
    "text": "text",
    "wholes": "list of whole numbers",
    "texts": "list of texts",
    "rate": "text: number or fraction",
    "size": "size: whole number, or text with a unit",
    "time": "text with a unit",
}


def page() -> str:
    """The section."""
    parts = []
    for title, of in (
        ("Figures that reach the model as they stand", limits.of_the_model()),
        ("Other figures of a platform", limits.table("figure")),
        ("Keys of an experiment", limits.table("key")),
    ):
        parts.append(f"\n### {title}\n")
        parts.append("| path | may be | least | most | unit | why |\n|---|---|---|---|---|---|\n")
        parts += [_row(limit) for limit in of]
    return "".join(parts).strip("\n")


def _row(limit: limits.Limit) -> str:
    paths = ", ".join(f"`{key}`" for key in limit.keys)
    may = KINDS[limit.kind] + "".join(f" `{word}`" for word in limit.choices)
    least, most = ("" if x is None else f"{x}" for x in (limit.least, limit.most))
    return f"| {paths} | {may} | {least} | {most} | {limit.unit or ''} | {limit.why} |\n"


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        marks.write(marks.DOCS / "keys.md", COMMAND, page())
    else:
        print(page())
