"""What is known of Platform Designer and Quartus: `facts.toml`, which `extract` makes of public
projects, and `documents.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent
asked: dict[tuple[str, str, str], None] = {}
"""What `shows` was asked for and found, in this order: `sources_page` makes a table of it."""


@cache
def table(name: str) -> dict[str, Any]:
    """A data file of this room: "facts", "documents"."""
    return tomllib.loads((_HERE / f"{name}.toml").read_text(encoding="utf-8"))


def known(kind: str, of: str) -> Collection[str]:
    """The names that public projects show, or documents name: `known("commands", "system")`."""
    shown: dict[str, object] = table("facts").get(kind, {}).get(of, {})
    told: dict[str, object] = table("documents").get(kind, {}).get(of, {})
    return shown | told


def shows(kind: str, of: str, name: str) -> bool:
    """Whether a public project shows a name, or a document has it."""
    shown = name in (known(kind, of) if of else table("facts")[kind])
    if shown:
        asked[kind, of, name] = None
    return shown


def values(parameter: str) -> set[str]:
    """Words that a parameter was seen with ("altera_hps.F2SDRAM_Width"), or documents name."""
    seen = {word for value in known("values", parameter) for word in value.split()}
    return seen | set(known("values", parameter)) | set(
        table("documents")["values"].get(parameter, {})
    )  # fmt: skip
