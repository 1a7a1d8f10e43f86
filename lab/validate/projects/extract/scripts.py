"""Facts from block designs as Tcl: commands with their options, properties, cores with the values
that were set, and which pins, interfaces and segments were connected. A script is followed by
`axiometer.designs.tcl`, which knows the commands of block designs and runs nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import Any

from axiometer.designs.netlist import core_of
from axiometer.designs.tcl import PROJECT, builtins, decoded, texts
from axiometer.designs.tcl.block_design import CORE, BlockDesign
from axiometer.designs.tcl.commands import Commands
from axiometer.designs.tcl.interpreter import Function, Interpreter, TooMuchError
from axiometer.designs.tcl.parser import TclError, items
from validate.projects.extract.exports import Export
from validate.projects.extract.table import Place, Table

_OBJECTS = {"current_fileset": "fileset", "get_runs": "run", "get_timing_paths": "path"}
_WRITTEN = _OBJECTS | {"current_project": "project", "current_run": "run", "get_bd_pins": "pin"}
_CLASSES = {PROJECT: "project"} | {f"the_{kind}": kind for kind in _OBJECTS.values()}
_MARKS = (b"create_bd_cell", b"create_project", b"launch_runs", b"write_hw_platform", b"open_run",
          b"report_timing", b"get_timing_paths", b"get_bd_pins")  # fmt: skip
_VERSION = re.compile(rb"scripts_vivado_version\s+\"?(\d{4}\.\d)")
Call = tuple[str, list[str]]


def take(export: Export, scope: Mapping[str, Any], commands: Collection[str],
         properties: Mapping[str, Collection[str]], table: Table) -> None:  # fmt: skip
    """Put what a script shows into the table."""
    if not any(mark in export.content for mark in _MARKS) or b"\0" in export.content:
        return
    version = _VERSION.search(export.content)
    place = Place(
        version[1].decode() if version else "", export.repository, export.path, export.commit
    )
    text = decoded(export.content)
    _written(text, commands, properties, place, table)
    for project in ("", PROJECT):
        calls, design = _followed(text, project, commands)
        for name, words in calls:
            if name in commands:
                _call(name, words, scope, properties, place, table)
        _design(design, scope, place, table)
        if design.cells:
            return


def _followed(text: str, project: str, commands: Collection[str]) -> tuple[list[Call], BlockDesign]:
    calls: list[Call] = []
    design = BlockDesign(project=project)
    functions = {**builtins.FUNCTIONS, **texts.FUNCTIONS, **Commands(design).functions()}

    def kept(name: str, then: Function | None) -> Function:
        def call(tcl: Interpreter, words: list[str]) -> str:
            calls.append((name, list(words)))
            if name in _OBJECTS:
                return f"the_{_OBJECTS[name]}"
            return then(tcl, words) if then else ""

        return call

    own: dict[str, Callable[[Interpreter, list[str]], str]] = {
        name: kept(name, functions.get(name)) for name in commands
    }
    tcl = Interpreter({**functions, **own}, lambda other: None)
    with suppress(TclError, TooMuchError, RecursionError):  # what came before was seen
        tcl.run(text)
    return calls, design


def _written(text: str, commands: Collection[str], properties: Mapping[str, Collection[str]],
             place: Place, table: Table) -> None:  # fmt: skip
    """Commands where they stand, run or not: in procedures that nothing here calls."""
    text = re.sub(r"^\s*#.*$", "", text, flags=re.M).replace("\\\n", " ")
    for name, words in re.findall(
        rf"(?:^|[\[;{{])[ \t]*({'|'.join(commands)})\b([^\n;\[\]]*)", text, re.M
    ):
        table.add(place, "command", name)
        for option in re.findall(r"(?<!\S)-[A-Za-z]\w*", words):
            table.add(place, "command", name, option)
    if "get_bd_pins" in text and re.search(r"get_property\s+CONFIG\.FREQ_HZ\b", text):
        table.add(place, "property", "pin", "config.freq_hz")
    pattern = r"[gs]et_property\s+(?:-quiet\s+)?[\"{]?([A-Za-z_.]+)[\"}]?\s[^\n]*?\[\s*(\w+)"
    for name, of in re.findall(pattern, text):
        kind = _WRITTEN.get(of, "")
        if name.lower() in properties.get(kind, ()):
            table.add(place, "property", kind, name.lower())


def _call(
    name: str,
    words: list[str],
    scope: Mapping[str, Any],
    properties: Mapping[str, Collection[str]],
    place: Place,
    table: Table,
) -> None:
    table.add(place, "command", name)
    for word in words:
        if re.fullmatch(r"-[A-Za-z]\w*", word):
            table.add(place, "command", name, word)
    if name in ("set_property", "get_property"):
        alone = [word for word in words if not word.startswith("-")]
        kind = _CLASSES.get(alone[-1] if alone else "", "")
        if kind and alone[0].lower() in properties[kind]:
            table.add(place, "property", kind, alone[0].lower())
    if name == "apply_bd_automation" and "-rule" in words[:-1]:
        rule = words[words.index("-rule") + 1]
        config = words[words.index("-config") + 1] if "-config" in words[:-1] else ""
        try:
            for key in items(config)[::2]:
                if rule.rpartition(":")[2] in {core.rpartition(":")[2] for core in scope}:
                    table.add(place, "rule", rule, key)
        except TclError:
            pass


def _design(design: BlockDesign, scope: Mapping[str, Any], place: Place, table: Table) -> None:
    cores = {path: core_of(cell.vlnv) for path, cell in design.cells.items() if cell.kind == CORE}
    for path, core in cores.items():
        if core not in scope:
            continue
        table.add(place, "core", core)
        for name, value in design.cells[path].parameters.items():
            if re.fullmatch(scope[core].get("settings", ".*"), name) and len(value) <= 40:
                table.add(place, "setting", core, name)
                table.add(place, "setting", core, name, value)
    for kind, joined in (("pin", design.nets), ("interface", design.interfaces)):
        for end in (end for net in joined.sets().values() for end in net):
            path, _, pin = end.rpartition("/")
            if cores.get(path) in scope:
                table.add(place, kind, cores[path], pin)
    for one in design.addresses:
        for path, core in cores.items():
            if core not in scope:
                continue
            if one.segment.startswith(f"{path}/"):
                table.add(place, "segment", core, one.segment.removeprefix(f"{path}/"))
            if one.space.startswith(f"{path}/"):
                table.add(place, "space", core, one.space.removeprefix(f"{path}/"))
