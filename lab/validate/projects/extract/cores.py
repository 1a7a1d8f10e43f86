"""Facts of a core from its IP-XACT as it was generated for a design: settings with their choices,
pins and interfaces with the conditions under which they are there, clocks and resets that belong
together, memory and the addresses that lead through a master."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Mapping
from typing import Any

from validate.projects.extract.exports import Export
from validate.projects.extract.table import Place, Table

_S = "{http://www.spiritconsortium.org/XMLSchema/SPIRIT/1685-2009}"
_X = "{http://www.xilinx.com}"
_CORE = re.compile(
    rb'componentRef spirit:vendor="([^"]+)" spirit:library="([^"]+)" spirit:name="([^"]+)"'
    rb'|"component_reference": "([^":]+):([^":]+):([^":]+):'
)
_DECODED = re.compile(r"spirit:decode\(id\('?(MODEL)?PARAM_VALUE\.(\w+)'?\)\)")
_OF_BUS = {"PROTOCOL": "protocol", "DATA_WIDTH": "width", "ID_WIDTH": "id", "ADDR_WIDTH": "address"}
Facts = dict[str, Any]


def core_of(export: Export) -> str:
    """vendor:library:name of the core that an instance is of; "" if the file does not say it."""
    found = _CORE.search(export.beside)
    return ":".join(part.decode() for part in found.groups() if part) if found else ""


def take(export: Export, scope: Mapping[str, Facts], table: Table) -> None:
    """Put what an instance shows into the table."""
    core = core_of(export)
    if core not in scope:
        return
    try:
        root = ElementTree.fromstring(export.content)
    except ElementTree.ParseError:
        return
    version = root.findtext(f".//{_X}xilinxVersion", "")
    place = Place(version, export.repository, export.path, export.commit)
    wanted = scope[core]
    facts = table.cores.setdefault(
        core,
        {"settings": {}, "models": {}, "pins": {}, "interfaces": {}, "segments": {}, "windows": {}},
    )
    table.add(place, "core", core)
    _settings(root, core, wanted, facts, place, table)
    buses = list(root.iterfind(f"{_S}busInterfaces/{_S}busInterface"))
    _interfaces(buses, core, wanted, facts, place, table)
    values = {
        _text(each, "name"): each.findtext(f"{_S}value", "")
        for each in root.iterfind(f"{_S}parameters/{_S}parameter")
    }
    if any(values.get(name) != value for name, value in wanted.get("only", {}).items()):
        return
    _pins(root, buses, core, wanted, facts, place, table)
    _memory(root, core, wanted, facts, place, table)
    _named_as_settings(root, facts)


def _wanted(scope: Facts, kind: str, name: str) -> bool:
    return re.fullmatch(scope.get(kind, ".*"), name) is not None


def _settings(root: ElementTree.Element, core: str, scope: Facts, facts: Any, place: Place,
              table: Table) -> None:  # fmt: skip
    choices = {
        _text(choice, "name"): [each.text or "" for each in choice.iterfind(f"{_S}enumeration")]
        for choice in root.iterfind(f"{_S}choices/{_S}choice")
    }
    given = {
        info.get(f"{_X}referenceId", "").removeprefix("PARAM_VALUE.")
        for info in root.iter(f"{_X}configElementInfo")
        if info.get(f"{_X}valueSource")
    }
    for parameter in root.iterfind(f"{_S}parameters/{_S}parameter"):
        name, value = _text(parameter, "name"), parameter.find(f"{_S}value")
        if value is None or name == "Component_Name" or not _wanted(scope, "settings", name):
            continue
        known = facts["settings"].setdefault(name, {})
        may = set(choices.get(value.get(f"{_S}choiceRef", ""), []))
        if may:
            known["choices"] = sorted(may | set(known.get("choices", [])), key=_number)
        if value.get(f"{_S}maximum"):
            ends = (value.get(f"{_S}minimum", "0"), value.get(f"{_S}maximum", "0"))
            known["range"] = [float(end) for end in ends]
        if name not in given:
            known["default"] = value.text or ""
        elif (value.text or "") and value.get(f"{_S}choiceRef"):
            table.add(place, "setting", core, name, value.text or "")
        table.add(place, "setting", core, name)


def _number(text: str) -> tuple[int, str]:
    return (int(text) if text.isdigit() else 0, text)


def _interfaces(buses: list[ElementTree.Element], core: str, scope: Facts, facts: Any,
                place: Place, table: Table) -> None:  # fmt: skip
    for bus in buses:
        name, kind = _text(bus, "name"), _kind(bus)
        if kind not in ("aximm", "axis") or name.lower().endswith("_tlm"):
            continue
        if not _wanted(scope, "interfaces", name):
            continue
        table.add(place, "interface", core, name)
        known = facts["interfaces"].setdefault(name, {})
        known["master"] = bus.find(f"{_S}master") is not None
        condition, on = _condition(bus)
        if condition:
            known["if"] = condition
        for tag, key in ((f"{_S}memoryMapRef", "map"), (f"{_S}addressSpaceRef", "space")):
            for reference in bus.iter(tag):
                known[key] = reference.get(tag, "")
        if kind == "axis":
            known["protocol"] = "AXIS"
        elif on:
            known |= {_OF_BUS[n]: v for n, v in _parameters(bus).items() if n in _OF_BUS}


def _pins(root: ElementTree.Element, buses: list[ElementTree.Element], core: str, scope: Facts,
          facts: Any, place: Place, table: Table) -> None:  # fmt: skip
    kinds, low, clock_of, resets_of = {}, {}, {}, {}
    mapped: set[str] = set()
    for bus in buses:
        kind, values = _kind(bus), _parameters(bus)
        ends = [
            _text(m, f"physicalPort/{_S}name") for m in bus.iterfind(f"{_S}portMaps/{_S}portMap")
        ]
        if kind not in ("clock", "reset", "interrupt"):
            mapped |= set(ends)
            continue
        for pin in ends:
            kinds[pin] = kind
            low[pin] = values.get("POLARITY") == "ACTIVE_LOW"
            if kind == "clock":
                for one in filter(None, values.get("ASSOCIATED_BUSIF", "").split(":")):
                    # A port may have clocks of its own for reads and writes, and then not this one.
                    if one not in clock_of or _text(bus, "name").upper() == f"{one}_ACLK":
                        clock_of[one] = pin
                its = values.get("ASSOCIATED_RESET", "").lower().split(":")
                resets_of[pin] = [one for one in its if one]
    for port in root.iterfind(f"{_S}model/{_S}ports/{_S}port"):
        name = _text(port, "name")
        if name in mapped or not _wanted(scope, "pins", name):
            continue
        kind = kinds.get(name, "data")
        left = port.find(f"{_S}wire/{_S}vector/{_S}left")
        known = facts["pins"].setdefault(name, {})
        known["is"] = kind
        known["out"] = _text(port, f"wire/{_S}direction") == "out"
        width = 1 if left is None else int(left.text or "0") + 1
        known["width"] = min(width, known.get("width", width))
        if kind == "reset":
            known["low"] = low[name]
            known["of"], known["any_clock"] = _clock(name, resets_of)
        if port.find(f".//{_S}defaultValue") is not None:
            known["driven"] = True
        condition, _ = _condition(port)
        if condition:
            known["if"] = condition
        table.add(place, "pin", core, name)
    for name, pin in clock_of.items():
        if name in facts["interfaces"]:
            facts["interfaces"][name]["of"] = pin


def _clock(reset: str, resets_of: Mapping[str, list[str]]) -> tuple[str, bool]:
    """The clock that a reset belongs to ("": none is said), and whether it is one that may come at
    any clock: of a core that says of others which clock is theirs."""
    own = [clock for clock, resets in resets_of.items() if reset.lower() in resets]
    if own:
        return own[0], False
    if len(resets_of) == 1 and not any(resets_of.values()):
        return next(iter(resets_of)), False
    return "", any(resets_of.values())


def _memory(root: ElementTree.Element, core: str, scope: Facts, facts: Any, place: Place,
            table: Table) -> None:  # fmt: skip
    for memory in root.iterfind(f"{_S}memoryMaps/{_S}memoryMap"):
        for block in memory.iterfind(f"{_S}addressBlock"):
            name = f"{_text(memory, 'name')}/{_text(block, 'name')}"
            if not _wanted(scope, "segments", name):
                continue
            facts["segments"][name] = int(_text(block, "baseAddress"), 0)
            table.add(place, "segment", core, name)
    for space in root.iterfind(f"{_S}addressSpaces/{_S}addressSpace"):
        table.add(place, "space", core, _text(space, "name"))
        for segment in space.iterfind(f"{_S}segments/{_S}segment"):
            master, _, _ = _text(segment, "name").partition(":")
            low, size = (int(_text(segment, tag), 0) for tag in ("addressOffset", "range"))
            windows = facts["windows"].setdefault(master, [])
            if [low, size] not in windows:
                windows.append([low, size])
                windows.sort()


def _condition(element: ElementTree.Element) -> tuple[str, bool]:
    """When it is there ("": always), in Tcl's expressions of $SETTING; and whether it is, here."""
    found = element.find(f".//{_X}isEnabled")
    if found is None:
        return "", True
    text = _DECODED.sub(r"$\1\2", found.get(f"{_X}dependency", ""))
    text = re.sub(r"(?<![=!<>])=(?!=)", "==", text)
    return " ".join(text.split()), (found.text or "") == "true"


def _named_as_settings(root: ElementTree.Element, facts: Any) -> None:
    """Conditions ask for settings in any case, and for parameters of the module (`$MODELNAME`),
    which are settings as well; of those that follow from settings in ways that no export says,
    `models` keeps what one has."""
    settings = {name.upper(): name for name in facts["settings"]}
    values = {_text(each, "name"): each.findtext(f"{_S}value", "")
              for each in root.iter(f"{_S}modelParameter")}  # fmt: skip

    def called(found: re.Match[str]) -> str:
        model, name = found[1], found[2]
        if name.upper() in settings:
            return f"${settings[name.upper()]}"
        if model:
            facts["models"][name] = values.get(name, "")
        return f"${name}"

    for kind in ("pins", "interfaces"):
        for known in facts[kind].values():
            if "if" in known:
                known["if"] = re.sub(r"\$(MODEL)?(\w+)", called, known["if"])


def _kind(bus: ElementTree.Element) -> str:
    kind = bus.find(f"{_S}busType")
    return "" if kind is None else kind.get(f"{_S}name", "")


def _parameters(bus: ElementTree.Element) -> dict[str, str]:
    return dict(_pairs(bus))


def _pairs(bus: ElementTree.Element) -> Iterator[tuple[str, str]]:
    for each in bus.iterfind(f"{_S}parameters/{_S}parameter"):
        yield _text(each, "name"), each.findtext(f"{_S}value", "")


def _text(element: ElementTree.Element, path: str) -> str:
    return element.findtext(f"{_S}{path}", "")
