"""The tables of a synthesis report: `csynth.xml`, or `csynth.rpt` with the same tables as text.

Format: reports of Vitis HLS 2022.1, 2022.2 and 2025.1 in public repositories (terenceza/
AccelAutoencoderOnFPGA, HanderRi/AMD-Pervasive-AI, Marui-9/swiglu). A text cell that contains ", "
is ambiguous in the XML: only problems, which are sentences, have one.
Not for: the meaning of a table (`report.py`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from axiometer.base import harmless
from axiometer.base.xml_parts import BadPartError, Budget, Element, visit

MAX_ELEMENTS = 1_000_000  # a report of 1 MB has 10 000
MAX_ROWS = 20_000  # of all tables
MAX_COLUMNS = 64
MAX_HEADING = 8  # lines
LONGEST_TEXT = 500  # characters of a cell
_PROBLEM = "Problem"
_FACTS = {"Version", "ProductFamily", "Part", "TopModelName", "TargetClockPeriod"}
_TEXT_FACTS = {
    "Version": re.compile(r"^ *\* Version: +(\S+)", re.M),
    "ProductFamily": re.compile(r"^ *\* Product family: +(\S+)", re.M),
    "Part": re.compile(r"^ *\* Target device: +(\S+)", re.M),
    "TopModelName": re.compile(r"^== Synthesis Summary Report of '(.{1,200})'", re.M),
}

Row = Mapping[str, str]


@dataclass
class Tables:
    """Facts by their name in the XML (TargetClockPeriod, in ns, is only there); rows by the title
    of their table, each with its cells by column."""

    facts: dict[str, str] = field(default_factory=dict)
    rows: dict[str, list[Row]] = field(default_factory=dict)
    count: int = 0

    def titled(self, word: str) -> list[Row]:
        """The rows of the tables whose title contains `word`."""
        return [row for title, rows in self.rows.items() if word in title for row in rows]

    def add(self, title: str, keys: Sequence[str], cells: Sequence[str]) -> None:
        """Add a row. BadPartError above MAX_ROWS."""
        self.count += 1
        if self.count > MAX_ROWS:
            raise BadPartError(f"its tables have more than {MAX_ROWS} rows")
        self.rows.setdefault(title, []).append(dict(zip(keys, map(_clean, cells), strict=False)))


def of_xml(content: bytes, name: str) -> Tables:
    """The tables of an XML report. BadPartError where it is no XML."""
    found = Tables()
    title, keys = "", [""]

    def see(element: Element, ended: bool) -> None:
        nonlocal title, keys
        if not ended:
            if element.name == "item":
                title = element.get("name")
        elif element.name == "keys":
            keys = [key.strip() for key in element.text.split(",")]
        elif element.name == "column" and "table" in element.within:
            cells = [element.get("name"), *element.text.split(", ")]
            found.add(title, keys, _joined(keys, cells))
        elif element.name in _FACTS:  # those of the core come before those of its modules
            found.facts.setdefault(element.name, _clean(element.text))

    visit(content, name, Budget(MAX_ELEMENTS), see)
    return found


def of_text(content: bytes) -> Tables:
    """The tables of a text report. BadPartError where a table exceeds the bounds."""
    text = content.decode("utf-8", "replace")
    found = Tables()
    for name, pattern in _TEXT_FACTS.items():
        if match := pattern.search(text):
            found.facts[name] = _clean(match[1])
    title, ends, keys, borders, heading = "", [0], [""], 0, 0
    for line in text.replace("\r\n", "\n").split("\n"):
        if line.startswith("* "):
            title, borders = line[2:].strip(), 0
        elif line.startswith("+-"):
            ends = [at for at, character in enumerate(line) if character == "+"]
            if len(ends) > MAX_COLUMNS + 1:
                raise BadPartError(f"a table has more than {MAX_COLUMNS} columns")
            heading = 0
            keys = [""] * (len(ends) - 1) if borders == 0 else keys
            borders += 1
        elif line.startswith("|") and borders:
            cells = [line[a + 1 : b].strip() for a, b in zip(ends, ends[1:], strict=False)]
            if borders == 1:  # a heading may have several lines
                heading += 1
                if heading > MAX_HEADING:
                    raise BadPartError(f"a table's heading has more than {MAX_HEADING} lines")
                keys = [f"{key} {cell}".strip() for key, cell in zip(keys, cells, strict=True)]
            else:
                found.add(title, keys, cells)
        else:
            borders = 0
    return found


def _joined(keys: Sequence[str], cells: list[str]) -> list[str]:
    """The cells, with the parts of a problem that was split joined again."""
    more = len(cells) - len(keys)
    if more <= 0 or _PROBLEM not in keys:
        return cells
    at = keys.index(_PROBLEM)
    return [*cells[:at], ", ".join(cells[at : at + more + 1]), *cells[at + more + 1 :]]


def _clean(text: str) -> str:
    return harmless.line(text.strip(), LONGEST_TEXT)
