"""What a project needs of a board, from its reference design: device, clock, pins, HPS."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from typing import Any

from validate.projects.quartus.extract import texts

_LISTS = ("GPIO_Enable", "LOANIO_Enable")
_PORT = re.compile(r"(?:.*_)?(hps_io_\w+_inst_\w+|mem_\w+|oct_rzqin)$")
_MEMORY = re.compile(r"mem_|oct_")


def board(about: dict[str, str], chosen: set[str], read: Callable[[str], str]) -> str:
    """The file of a board. chosen: names of the HPS's parameters that a board sets."""
    system = texts.system(read(about["system"]))
    standards, places, device = _assignments(read(about["pins"]))
    top = read(about["top"])
    declared = texts.pins(top)
    hps = next(name for name, kind in system.kinds.items() if kind == "altera_hps")
    values = {name: _value(name, value) for name, value in system.values[hps].items()}
    lines = [f'device = "{device}"', "", "[clock]", f'pin = "{about["clock"]}"',
             f'location = "{places[about["clock"]]}"',
             f'standard = "{standards[about["clock"]]}"', "", "[hps]"]  # fmt: skip
    lines += [f'"{name}" = "{values[name]}"' for name in sorted(chosen) if name in values]
    linked = list(joined(texts.links(top)))
    lines += ["", "# name, direction, bits, I/O standard (the memory's: a script of the tool's)",
              "pins = ["]  # fmt: skip
    for pin in dict.fromkeys(re.sub(r"\[\d+\]$", "", pin) for _, pin in linked):
        memory = any(_MEMORY.match(port) and p == pin for port, p in linked)
        standard = "" if memory else standards.get(pin) or standards[f"{pin}[0]"]
        of = declared[pin]
        lines.append(f'  ["{pin}", "{of.direction}", {of.width}, "{standard}"],')
    lines += ["]", "", "# port of the system, pin", "joined = ["]
    lines += [f'  ["{port}", "{pin}"],' for port, pin in linked]
    return "\n".join([*_tables_last(lines, "]"), ""])


def _tables_last(lines: list[str], end: str) -> list[str]:
    """The lines with what belongs to no table before the first table."""
    table = lines.index("[clock]")
    free = next(i for i, line in enumerate(lines) if line.startswith("# name,"))
    return [*lines[:table], *lines[free:], end, "", *lines[table:free]][:-1]


def joined(links: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The ports of memory and HPS pins with the pins, without the system's own names."""
    for port, net in links:
        found = _PORT.search(port)
        if found and ("memory_" in port or "hps_io" in port):
            yield found[1], net


def _value(name: str, value: str) -> str:
    return " ".join(value.split(",")) if name in _LISTS else value


def _assignments(text: str) -> tuple[dict[str, str], dict[str, str], str]:
    standards, places, device = {}, {}, ""
    for words in texts.commands(text):
        if words[0] == "set_location_assignment":
            places[words[-1]] = words[1]
        elif words[:3] == ["set_instance_assignment", "-name", "IO_STANDARD"]:
            standards[words[words.index("-to") + 1]] = words[3]
        elif words[:3] == ["set_global_assignment", "-name", "DEVICE"]:
            device = words[3]
    return standards, places, device


def parameters(about: dict[str, Any], values: list[str], read: Callable[[str], str]) -> set[str]:
    """Names of the HPS's parameters that a board sets: those that public scripts set of boards.
    values: all names that are known."""
    found = {name for name in values if any(fnmatchcase(name, p) for p in about["also"])}
    for path in about["files"]:
        for words in texts.commands(read(path)):
            if words[0] == "set_instance_parameter_value" and words[1] == "sys_hps":
                found.add(words[2])
    return {name for name in found if not any(fnmatchcase(name, p) for p in about["but"])}
