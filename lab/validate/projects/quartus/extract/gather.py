"""Gathers facts from the texts of sources: `Facts`, each with the sources that show it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from validate.projects.quartus.extract import texts

Seen = defaultdict[str, set[str]]
"""A name, and the sources that show it."""
_SIDES = {"end": "end", "start": "start", "slave": "end", "master": "start", "sink": "end",
          "source": "start", "receiver": "start", "sender": "end"}  # fmt: skip
_INTERRUPT_SIDES = {"end": "end", "sender": "end", "start": "start", "receiver": "start"}
_LONGEST_VALUE = 60


def _seen() -> Seen:
    return defaultdict(set)


def _by_kind() -> defaultdict[str, Seen]:
    return defaultdict(_seen)


@dataclass
class Facts:
    """`commands` by place: "component", "system", "project", "constraints"; `interfaces` are
    "type side"; `roles` of a "type side": "role direction", widths apart; `parameters`,
    `values`, `ends` (its interfaces: "name kind side") by core."""

    commands: defaultdict[str, Seen] = field(default_factory=_by_kind)
    words: defaultdict[str, Seen] = field(default_factory=_by_kind)
    interfaces: Seen = field(default_factory=_seen)
    interface_properties: defaultdict[str, Seen] = field(default_factory=_by_kind)
    roles: defaultdict[str, Seen] = field(default_factory=_by_kind)
    parameters: defaultdict[str, Seen] = field(default_factory=_by_kind)
    values: defaultdict[str, Seen] = field(default_factory=_by_kind)
    ends: defaultdict[str, Seen] = field(default_factory=_by_kind)
    connections: defaultdict[str, Seen] = field(default_factory=_by_kind)
    widths: defaultdict[str, Seen] = field(default_factory=_by_kind)
    versions: Seen = field(default_factory=_seen)


class Gatherer:
    """Takes files of sources. types: of interfaces that are kept, kinds: of cores, values: patterns
    of parameters."""

    def __init__(self, types: list[str], kinds: list[str], values: list[str]) -> None:
        self.facts, self.types, self.kinds, self.kept = Facts(), types, kinds, values

    def take(self, source: str, path: str, text: str) -> None:
        """A file, by what its name says it is."""
        if path.endswith(".qsys"):
            self._system(source, texts.system(text))
        elif path.endswith(".v"):
            self._verilog(source, text)
        elif path.endswith(".sdc"):
            self._words(source, "constraints", texts.commands(text))
        elif path.endswith(".qsf"):
            self._project(source, texts.commands(text))
        elif path.endswith("_hw.tcl") or "ip_intel" in path:
            self._component(source, list(texts.commands(text)))
        elif path.endswith(".tcl"):
            self._script(source, list(texts.commands(text)))
        elif path.endswith("Makefile"):
            self._tools(source, text)

    def _words(self, source: str, place: str, commands: Iterator[list[str]]) -> None:
        for words in commands:
            if re.fullmatch(r"[a-z_]+", words[0]):
                self.facts.commands[place][words[0]].add(source)

    def _project(self, source: str, commands: Iterator[list[str]]) -> None:
        for words in commands:
            self._assignment(source, words)

    def _assignment(self, source: str, words: list[str]) -> None:
        if words[0] in ("set_global_assignment", "set_instance_assignment"):
            self.facts.commands["project"][words[0]].add(source)
            if "-name" in words:
                name = words[words.index("-name") + 1]
                self.facts.words[words[0]][name].add(source)
                if name == "IO_STANDARD":
                    self.facts.words["IO_STANDARD"][words[words.index("-name") + 2]].add(source)
        elif words[0] == "set_location_assignment":
            self.facts.commands["project"][words[0]].add(source)

    def _component(self, source: str, commands: list[list[str]]) -> None:
        known: dict[str, list[str]] = {}
        set_to: Seen = _seen()
        for words in commands:
            if words[0] == "set" and len(words) == 3:
                set_to[f"${words[1]}"].add(words[2])
        # An interface that a procedure makes of its argument stands for those that nothing names.
        made = [words for words in commands if words[0] == "add_interface" and "$" in words[1]]
        for words in commands:
            verb, rest = words[0], words[1:]
            if not re.fullmatch(r"(?:add|set|get|package)_?\w*", verb):
                continue
            self.facts.commands["component"][verb].add(source)
            if verb in ("set_module_property", "set_fileset_property") and len(rest) > 1:
                self.facts.words[verb][rest[0 if verb == "set_module_property" else 1]].add(source)
            elif verb == "add_fileset" and len(rest) > 1:
                self.facts.words[verb][rest[1]].add(source)
            elif verb == "add_fileset_file" and len(rest) > 2:
                self.facts.words[verb][rest[1]].add(source)
                for word in rest[4:]:
                    self.facts.words["add_fileset_file attribute"][word].add(source)
            elif verb == "add_interface" and len(rest) > 2 and rest[2] in _SIDES:
                kinds = sorted(set_to.get(rest[1], set())) if "$" in rest[1] else [rest[1]]
                known[rest[0]] = [
                    f"{kind} {_side(kind, rest[2])}" for kind in kinds if kind in self.types
                ]
                for kind in known[rest[0]]:
                    self.facts.interfaces[kind].add(source)
            elif verb == "set_interface_property" and len(rest) > 2:
                same = known.get(made[0][1], []) if len(made) == 1 else []
                for kind in known.get(rest[0], same):
                    self.facts.interface_properties[kind][rest[1]].add(source)
            elif verb == "add_interface_port" and len(rest) > 3:
                if not re.fullmatch(r"[a-z_]+", rest[2]):
                    continue
                for kind in known.get(rest[0], []):
                    self.facts.roles[kind][f"{rest[2]} {rest[3].capitalize()}"].add(source)
                    if rest[4:] and rest[4].isdigit():
                        self.facts.widths[kind][f"{rest[2]} {rest[4]}"].add(source)

    def _script(self, source: str, commands: list[list[str]]) -> None:
        """A script for qsys-script, or for quartus_sh."""
        joined = {words[0] for words in commands}
        place = "system" if "add_instance" in joined else "project"
        kinds: dict[str, str] = {}
        for words in commands:
            verb, rest = words[0], words[1:]
            self._assignment(source, words)
            if re.fullmatch(r"(?:add|set|save|create|get|lock|validate)_\w+|package|load_package"
                            r"|project_\w+|execute_\w+|export_assignments", verb):  # fmt: skip
                self.facts.commands[place][verb].add(source)
            if verb == "load_package" and rest:
                self.facts.words["load_package"][rest[0]].add(source)
            elif verb == "set_project_property" and len(rest) > 1:
                self.facts.words[verb][rest[0]].add(source)
            elif verb == "add_instance" and len(rest) > 1:
                kinds[rest[0]] = rest[1]
            elif verb == "set_instance_parameter_value" and len(rest) > 1:
                kind = kinds.get(rest[0], "")
                self._parameter(source, kind, rest[1], rest[2] if len(rest) > 2 else "")
            elif verb == "set_connection_parameter_value" and len(rest) > 1:
                self.facts.words[verb][rest[1]].add(source)
            elif verb == "set_interface_property" and len(rest) > 2:
                self.facts.words["system set_interface_property"][rest[1]].add(source)
            elif verb == "add_interface" and len(rest) > 2:
                self.facts.words["system add_interface"][" ".join(rest[1:3])].add(source)

    def _parameter(self, source: str, kind: str, name: str, value: str) -> None:
        if kind not in self.kinds or "$" in name:
            return
        self.facts.parameters[kind][name].add(source)
        if any(fnmatchcase(name, pattern) for pattern in self.kept) and "$" not in value:
            value = {"0": "false", "1": "true"}.get(value, value) if "Enable" in name else value
            value = " ".join(value.replace("\\", "").split(","))
            if len(value) <= _LONGEST_VALUE:
                self.facts.values[f"{kind}.{name}"][value].add(source)

    def _system(self, source: str, system: texts.System) -> None:
        for name, kind in system.kinds.items():
            for parameter, value in system.values[name].items():
                self._parameter(source, kind, parameter, value)
        for version in system.versions:
            self.facts.versions[version].add(source)
        for c in system.connections:
            for parameter in c.parameters:
                self.facts.connections[c.kind][parameter].add(source)
            for end, side in ((c.start, "start"), (c.end, "end")):
                self._end(source, system, end, c.kind, side)
        for end, kind, side in system.exports:
            if side in _SIDES:
                self._end(source, system, end, kind, side)

    def _end(self, source: str, system: texts.System, end: str, kind: str, side: str) -> None:
        module, _, interface = end.partition(".")
        if system.kinds.get(module) in self.kinds:
            name = f"{interface} {kind} {_side(kind, side)}"
            self.facts.ends[system.kinds[module]][name].add(source)

    def _verilog(self, source: str, text: str) -> None:
        """Roles and widths of the HPS in what Platform Designer wrote."""
        nets = texts.nets(text)
        for instance in ("hps_0", "hps"):
            for interface, role, net in texts.roles(text, instance):
                width = f" {nets[net]}" if net in nets else ""
                self.facts.widths[f"altera_hps {interface}"][f"{role}{width}"].add(source)

    def _tools(self, source: str, text: str) -> None:
        for tool, options in re.findall(
            r"\b(qsys-script|qsys-generate|quartus_\w+)((?: +[-\w=/.$(){}]+)*)", text
        ):
            self.facts.commands["shell"][tool].add(source)
            for option in re.findall(r"(?<= )--?[a-z][\w-]*", options):
                self.facts.words[tool][option].add(source)


def _side(kind: str, side: str) -> str:
    sides = _INTERRUPT_SIDES if kind == "interrupt" else _SIDES
    return sides.get(side, side)
