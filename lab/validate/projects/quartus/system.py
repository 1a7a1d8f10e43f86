"""Checks `axm_system.tcl` as qsys-script would run it, and keeps the system that it makes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from validate.projects.quartus import facts, tcl
from validate.projects.quartus.component import Component

_SIDES = {"sink": "end", "source": "start", "end": "end", "start": "start"}
_BUSES = ("avalon", "axi", "axi4", "axi4lite")
_BOOLEANS = {"0": "false", "1": "true"}


@dataclass
class Recorded:
    """What a script makes: of instances the kind, version and parameters; connections (start, end)
    with their parameters; exports by name: (kind, side, of)."""

    kinds: dict[str, str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    parameters: dict[str, dict[str, str]] = field(default_factory=dict)
    connections: dict[tuple[str, str], dict[str, str]] = field(default_factory=dict)
    exports: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    project: dict[str, str] = field(default_factory=dict)
    name: str = ""
    saved: str = ""
    commands: int = 0

    def of_kind(self, kind: str) -> str:
        """The name of the instance of a kind; "" if there is none."""
        return next((name for name, its in self.kinds.items() if its == kind), "")

    def driver(self, end: str) -> str:
        """What is connected to the end of a connection; "" if nothing is."""
        return next((start for start, to in self.connections if to == end), "")


def read(path: Path, component: Component) -> tuple[Recorded, list[str]]:
    """The system of a script, and everything that is wrong with it."""
    commands, wrong = tcl.run(path)
    it = Recorded(commands=len(commands))
    for command in commands:
        why = _do(it, command, component)
        if why:
            wrong.append(f"{path.name}:{command.line}: {command.name}: {why}")
    if not wrong:
        wrong = [f"{path.name}: {why}" for why in _check(it, component)]
    return it, wrong


def _do(it: Recorded, command: tcl.Command, component: Component) -> str:
    name, words = command.name, command.words
    if not facts.shows("commands", "system", name):
        return "no public script uses this command"
    if it.saved:
        return "it comes after the system was saved"
    if name == "package":
        return "" if words[:3] == ("require", "-exact", "qsys") else "not of qsys"
    if name == "create_system":
        it.name = words[0]
        return ""
    if not it.name:
        return "there is no system yet"
    if name == "set_project_property":
        it.project[words[0]] = words[1]
        return "" if facts.shows("words", name, words[0]) else f"no property {words[0]}"
    if name == "add_instance":
        return _instance(it, words, component)
    if name == "set_instance_parameter_value":
        return _parameter(it, *words, component=component)
    if name == "add_connection":
        return _connection(it, *words[:2], component=component)
    if name == "set_connection_parameter_value":
        start, _, end = words[0].partition("/")
        if (start, end) not in it.connections:
            return f"there is no connection {words[0]}"
        it.connections[start, end][words[1]] = words[2]
        return "" if facts.shows("words", name, words[1]) else f"no parameter {words[1]}"
    if name == "add_interface":
        if not facts.shows("words", "system add_interface", f"{words[1]} {words[2]}"):
            return f"no public script exports {words[1]} {words[2]}"
        it.exports[words[0]] = (words[1], _SIDES[words[2]], "")
        return ""
    if name == "set_interface_property":
        return _export(it, *words, component=component)
    it.saved = words[0]
    return "" if name == "save_system" else "not understood"


def _instance(it: Recorded, words: tuple[str, ...], component: Component) -> str:
    if words[0] in it.kinds:
        return f"there is an instance {words[0]} already"
    if words[1] != component.properties.get("NAME") and not facts.known("ends", words[1]):
        return f"no public project has a core {words[1]}, and it is not the component"
    it.kinds[words[0]] = words[1]
    it.versions[words[0]] = words[2] if len(words) > 2 else ""
    it.parameters[words[0]] = {}
    return ""


def _parameter(it: Recorded, instance: str, key: str, value: str, component: Component) -> str:
    kind = it.kinds.get(instance)
    if kind is None:
        return f"there is no instance {instance}"
    it.parameters[instance][key] = value
    if not facts.shows("parameters", kind, key):
        return f"no public project sets {key} of {kind}"
    seen = facts.values(f"{kind}.{key}")
    plain = _BOOLEANS.get(value, value) if "Enable" in key else value
    if seen and plain not in seen and any(word not in seen for word in value.split()):
        return f"{key} is {value!r}; public projects have {', '.join(sorted(seen)) or 'none'}"
    return ""


def ends(it: Recorded, instance: str, component: Component) -> dict[str, tuple[str, str]]:
    """(kind, side) of the interfaces that an instance has as it is set."""
    kind = it.kinds[instance]
    if kind == component.properties.get("NAME"):
        return {n: (i.kind, i.side) for n, i in component.interfaces.items()}
    found = {}
    for entry in facts.known("ends", kind):
        name, what, side = entry.split()
        if _there(kind, it.parameters[instance], name):
            found[name] = (what, side)
    return found


def _there(kind: str, values: dict[str, str], interface: str) -> bool:
    """Whether a core has an interface, with these parameters."""
    if kind == "altera_pll" and interface not in ("refclk", "reset"):
        clocks = int(values.get("gui_number_of_clocks", "1"))
        locked = values.get("gui_use_locked", "true") in ("true", "1")
        return interface in {f"outclk{n}" for n in range(clocks)} or (
            interface == "locked" and locked
        )
    if kind == "altera_msgdma":
        return _of_msgdma(values, interface)
    if kind != "altera_hps":
        return True
    types = values.get("F2SDRAM_Type", "")
    ports = len(types.replace("Avalon-MM ", "").split())
    if interface.startswith("f2h_sdram"):
        return int(interface[len("f2h_sdram")]) < ports
    on = {
        "f2h_axi": values.get("F2S_Width", "0") != "0",
        "h2f_axi": values.get("S2F_Width", "0") != "0",
        "h2f_lw": values.get("LWH2F_Enable", "false") in ("true", "1"),
        "f2h_irq": values.get("F2SINTERRUPT_Enable", "false") in ("true", "1"),
        "h2f_reset": True,
        "memory": values.get("HPS_PROTOCOL", "") != "",
        "hps_io": True,
    }
    return next((there for start, there in on.items() if interface.startswith(start)), False)


def _of_msgdma(values: dict[str, str], interface: str) -> bool:
    """683130, mSGDMA: copying has both masters, sending and receiving one and a stream."""
    mode, prefetches = values.get("MODE", "0"), values.get("PREFETCHER_ENABLE", "0") == "1"
    on = {
        "mm_read": mode != "2",
        "mm_write": mode != "1",
        "st_source": mode == "1",
        "st_sink": mode == "2",
        "response": mode != "1" and values.get("RESPONSE_PORT") == "0",
        "descriptor_slave": not prefetches,
    }
    of_prefetcher = interface in (
        "prefetcher_csr", "descriptor_read_master", "descriptor_write_master")  # fmt: skip
    return prefetches if of_prefetcher else on.get(interface, True)


def _end(it: Recorded, path: str, component: Component) -> tuple[str, str] | str:
    instance, _, interface = path.partition(".")
    if instance not in it.kinds:
        return f"there is no instance {instance}"
    found = ends(it, instance, component).get(interface)
    if found is None:
        return f"{instance} has no interface {interface} as it is set"
    facts.shows("ends", it.kinds[instance], f"{interface} {' '.join(found)}")
    return found


def _connection(it: Recorded, start: str, end: str, component: Component) -> str:
    a, b = _end(it, start, component), _end(it, end, component)
    for found in (a, b):
        if isinstance(found, str):
            return found
    kinds = ["avalon" if kind in _BUSES else kind for kind in (a[0], b[0])]
    if kinds[0] != kinds[1]:
        return f"{start} is {a[0]}, {end} is {b[0]}"
    if (a[1], b[1]) != ("start", "end"):
        return f"{start} is at the {a[1]} of connections, {end} at the {b[1]}"
    if kinds[0] != "avalon" and it.driver(end):
        return f"{end} is connected already"
    it.connections[start, end] = {}
    return ""


def _export(it: Recorded, name: str, key: str, of: str, component: Component) -> str:
    if name not in it.exports or not facts.shows("words", "system set_interface_property", key):
        return f"no interface {name}, or no property {key}"
    kind, side, _ = it.exports[name]
    found = _end(it, of, component)
    if isinstance(found, str):
        return found
    if found != (kind, side):
        return f"{of} is {' '.join(found)}, not {kind} {side}"
    it.exports[name] = (kind, side, of)
    return ""


def _check(it: Recorded, component: Component) -> Iterator[str]:
    exported = {of for _, _, of in it.exports.values()}
    for name, (_, _, of) in it.exports.items():
        if not of:
            yield f"{name} exports nothing"
        elif it.driver(of):
            yield f"{of} is exported and connected"
    for instance in it.kinds:
        for interface, (kind, side) in ends(it, instance, component).items():
            path = f"{instance}.{interface}"
            joined = path in exported or any(path in pair for pair in it.connections)
            needed = side == "end" or kind not in ("clock", "reset", "interrupt")
            if needed and not joined:
                yield f"{path} is connected to nothing"
    yield from _clocks(it, component)
    yield from _addresses(it, component)
    if it.saved != f"{it.name}.qsys":
        yield f"the system {it.name} is saved as {it.saved or 'nothing'}"


def clock_of(it: Recorded, path: str, component: Component) -> str:
    """The clock of a bus interface: what drives its clock."""
    instance, _, interface = path.partition(".")
    if it.kinds[instance] == component.properties.get("NAME"):
        pin = component.interfaces[interface].properties.get("associatedClock", "")
    elif it.kinds[instance] == "altera_msgdma":
        pin = "clock"
    else:
        base = interface.removesuffix("_data").removesuffix("_slave").removesuffix("_master")
        pin = f"{base}_clock"
    return it.driver(f"{instance}.{pin}")


def _clocks(it: Recorded, component: Component) -> Iterator[str]:
    """All buses have one clock at both ends: nothing crosses clocks in these projects."""
    for start, end in it.connections:
        if "avalon" in _kinds(it, start, end, component):
            clocks = [clock_of(it, path, component) for path in (start, end)]
            if len(set(clocks)) > 1 or "" in clocks:
                yield f"{start} has the clock {clocks[0] or 'none'}, {end} {clocks[1] or 'none'}"


def _kinds(it: Recorded, start: str, end: str, component: Component) -> set[str]:
    found = set()
    for path in (start, end):
        kind = _end(it, path, component)[0]
        found.add("avalon" if kind in _BUSES else kind)
    return found


def _addresses(it: Recorded, component: Component) -> Iterator[str]:
    for (start, end), values in it.connections.items():
        kinds = _kinds(it, start, end, component)
        if "avalon" in kinds and "baseAddress" not in values:
            yield f"{start}/{end} has no base address"
        if "interrupt" in kinds and "irqNumber" not in values:
            yield f"{start}/{end} has no number of an interrupt"
        apart = facts.table("documents")["apart"].get(it.kinds[end.partition(".")[0]], 4096)
        if "avalon" in kinds and int(values.get("baseAddress", "0"), 0) % apart:
            yield f"{start}/{end}: {values['baseAddress']} is no multiple of {apart} bytes"
