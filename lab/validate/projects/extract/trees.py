"""Facts from device trees as text: which properties stand with a `compatible`, and which are put
into a labelled node. Only what a line shows is read; nothing is included or compiled."""

from __future__ import annotations

import re
from collections.abc import Collection

from validate.projects.extract.exports import Export
from validate.projects.extract.table import Place, Table

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*|^\s*#\s*(?:include|define|\d)[^\n]*", re.S | re.M)
_PART = re.compile(r'"(?:[^"\\]|\\.)*"|[{};]|[^{};"]+')
_STRINGS = re.compile(r'"([^"]*)"')


def take(export: Export, nodes: Collection[str], targets: Collection[str], table: Table) -> None:
    """Put what a device tree shows into the table."""
    place = Place("", export.repository, export.path, export.commit)
    text = _COMMENT.sub(" ", export.content.decode("utf-8", "replace"))
    stack: list[tuple[str, dict[str, str]]] = []
    statement = ""
    for part in _PART.findall(text):
        if part == "{":
            stack.append((statement.strip(), {}))
            statement = ""
        elif part == "}":
            if stack:
                _node(*stack.pop(), place, nodes, targets, table)
            statement = ""
        elif part == ";":
            name, _, value = statement.strip().partition("=")
            if stack and name.strip():
                stack[-1][1][name.split()[-1]] = value.strip()
            statement = ""
        else:
            statement += part


def _node(head: str, properties: dict[str, str], place: Place, nodes: Collection[str],
          targets: Collection[str], table: Table) -> None:  # fmt: skip
    for compatible in _STRINGS.findall(properties.get("compatible", "")):
        if compatible in nodes:
            for name in properties:
                table.add(place, "node", compatible, name)
    label = head.split()[-1].removeprefix("&") if head else ""
    if label in targets and (head.startswith("&") or head == "/"):
        for name in properties:
            table.add(place, "target", label, name)
