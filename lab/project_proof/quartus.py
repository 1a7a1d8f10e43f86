"""Proof of a project for Quartus without Quartus: its Tcl runs in tclsh, and each command,
property, interface, signal and parameter is held against public projects (`facts`), the system
against the plan and what the importer reads of the `.qsys`. `build.sh` runs with stubs of the
tools. Pins, timing and engines are in the snapshots.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from axiometer import designs
from axiometer.bringup.projects.plan import Plan
from axiometer.bringup.projects.quartus.make_plan import rates
from project_proof import facts, scripts
from project_proof.scripts import Call

_BUSES = ("avalon", "axi", "axi4", "axi4lite")
_SCRIPT = facts.LISTED["quartus"]
_TOOLS = [call.partition(" ")[0] for call in _SCRIPT["calls"]]


def _shown(kind: str, name: str) -> bool:
    return name in facts.names("quartus", kind)


@dataclass
class System:
    """What the scripts make: interfaces of the component with the pins of each role; instances,
    their parameters, connections, exports; what is no name of the tool's."""

    interfaces: dict[str, str] = field(default_factory=dict)
    clocked: dict[str, str] = field(default_factory=dict)
    pins: list[tuple[str, str, int]] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    module: str = ""
    kinds: dict[str, str] = field(default_factory=dict)
    values: dict[str, dict[str, str]] = field(default_factory=dict)
    joined: dict[tuple[str, str], dict[str, str]] = field(default_factory=dict)
    exports: dict[str, tuple[str, str]] = field(default_factory=dict)
    project: dict[str, str] = field(default_factory=dict)
    saved: str = ""

    def driver(self, end: str) -> str:
        return next((start for start, to in self.joined if to == end), "")

    def component(self, call: Call) -> str:
        """Keep a command of `_hw.tcl`; why the tool would refuse it, or ""."""
        words = call.words
        if call.name == "set_module_property" and words[0] == "NAME":
            self.module = words[1]
        elif call.name == "add_fileset_file":
            self.files[words[3]] = words[1]
            extra = [w for w in words[4:] if not _shown("words add_fileset_file attribute", w)]
            return f"no public component has {extra}" if extra else ""
        elif call.name == "add_interface":
            kind = self.interfaces[words[0]] = f"{words[1]} {words[2]}"
            return "" if _shown("interfaces", kind) else f"no public component has {kind}"
        elif call.name == "set_interface_property":
            kind = self.interfaces[words[0]]
            self.clocked |= {words[0]: words[2]} if words[1] == "associatedClock" else {}
            known = _shown(f"interface_properties {kind}", words[1])
            return "" if known else f"no public component has {words[1]} of {kind}"
        elif call.name == "add_interface_port":
            kind, role, way = self.interfaces[words[0]], words[2], words[3]
            self.pins.append((words[1], way.lower().removesuffix("put"), int(words[4])))
            side = {"end": "start", "start": "end"}[kind.split()[1]]
            back = {"Input": "Output", "Output": "Input"}[way]
            known = _shown(f"roles {kind}", f"{role} {way}") or _shown(
                f"roles {kind.split()[0]} {side}", f"{role} {back}"
            )
            return "" if known else f"no public component has {role} {way} of {kind}"
        return ""

    def system(self, call: Call) -> str:
        """Keep a command of the system's script; why the tool would refuse it, or ""."""
        words = call.words
        if call.name == "set_project_property":
            self.project[words[0]] = words[1]
        elif call.name == "add_instance":
            self.kinds[words[0]], self.values[words[0]] = words[1], {}
            if words[1] != self.module and not facts.names("quartus", f"ends {words[1]}"):
                return f"no public project has a core {words[1]}"
        elif call.name == "set_instance_parameter_value":
            if words[0] not in self.kinds:
                return f"there is no instance {words[0]}"
            self.values[words[0]][words[1]] = words[2]
            return _refused(self.kinds[words[0]], words[1], words[2])
        elif call.name == "add_connection":
            return self._join(*words)
        elif call.name == "set_connection_parameter_value":
            start, _, end = words[0].partition("/")
            if (start, end) not in self.joined:
                return f"there is no connection {words[0]}"
            self.joined[start, end][words[1]] = words[2]
        elif call.name == "add_interface":
            kind = f"{words[1]} {words[2]}"
            self.exports[words[0]] = (kind, "")
            return "" if _shown("words system add_interface", kind) else f"no export of {kind}"
        elif call.name == "set_interface_property":
            kind = self.exports[words[0]][0].replace("sink", "end").replace("source", "start")
            self.exports[words[0]] = (kind, words[2])
            return "" if self._end(words[2]) == kind else f"{words[2]} is no {kind}"
        elif call.name == "save_system":
            self.saved = words[0]
        return ""

    def _end(self, path: str) -> str:
        """ "kind side" of an interface; "" if no project has it."""
        instance, _, interface = path.partition(".")
        kind = self.kinds.get(instance, "")
        if kind == self.module:
            return self.interfaces.get(interface, "")
        known = (end.partition(" ") for end in facts.names("quartus", f"ends {kind}"))
        return next((about for name, _, about in known if name == interface), "")

    def _join(self, start: str, end: str) -> str:
        said = [self._end(path).split() for path in (start, end)]
        if not all(said):
            return f"{start} or {end} is no interface of a public project"
        kinds = ["avalon" if kind in _BUSES else kind for kind, _ in said]
        if kinds[0] != kinds[1] or [side for _, side in said] != ["start", "end"]:
            return f"{start} is a {' '.join(said[0])}, {end} a {' '.join(said[1])}"
        if kinds[0] != "avalon" and self.driver(end):
            return f"{end} is connected already"
        self.joined[start, end] = {}
        return ""


def _refused(kind: str, name: str, value: str) -> str:
    if not _shown(f"parameters {kind}", name):
        return f"no public project sets {name} of {kind}"
    known = facts.names("quartus", f"values {kind}.{name}")
    words = {word for one in known for word in one.split()} | known.keys()
    plain = {"0": "false", "1": "true"}.get(value, value) if "Enable" in name else value
    fits = not known or plain in words or all(word in words for word in value.split())
    return "" if fits else f"{name} is {value!r}; public projects have {sorted(known)}"


def check(plan: Plan, directory: Path) -> tuple[int, list[str]]:
    """How many commands the scripts give, and everything that is wrong with the project."""
    (hardware,) = directory.glob("ip/*/*_hw.tcl")
    it, wrong, count = System(), list[str](), 0
    for path, place, take in (
        (hardware, "component", it.component),
        (directory / "axm_system.tcl", "system", it.system),
        (directory / "axm.qsf", "project", lambda call: ""),
        (directory / "axm.sdc", "constraints", lambda call: ""),
    ):
        calls, stops = scripts.run(path)
        count += len(calls)
        wrong += stops
        for call in calls:
            try:
                why = _named(call, place) or take(call)
            except (KeyError, ValueError) as error:
                why = f"there is no {error}"
            wrong += [f"{call.where}: {call.name}: {why}"] if why else []
    if not wrong:
        wrong += [*_component(it, hardware.parent), *_system(it, plan)]
        wrong += [*_qsys(it, plan, directory), *_build(directory)]
    return count, wrong


def _named(call: Call, place: str) -> str:
    if call.name not in ("get_ports",) and not _shown(f"commands {place}", call.name):
        return "no public project uses this command"
    at = _SCRIPT["named"].get(call.name)
    if at is not None and not _shown(f"words {call.name}", call.words[at]):
        return f"no public project has {call.words[at]}"
    standard = call.words[2] if call.words[1:2] == ("IO_STANDARD",) else ""
    unknown = standard and not _shown("words IO_STANDARD", standard)
    return f"no public project has the standard {standard!r}" if unknown else ""


def _component(it: System, folder: Path) -> Iterator[str]:
    """Files are there; ports are the wrapper's; each interface has the clock and a partner."""
    for name, kind in it.files.items():
        if not (folder / name).is_file():
            yield f"there is no file {name}"
        if name.endswith(".svh") != (kind == "SYSTEM_VERILOG_INCLUDE"):
            yield f"{name} is {kind}"
    wrapper = next((folder / name for name in it.files if name.endswith("_ip.v")), folder)
    declared = scripts.declared(wrapper) if wrapper.is_file() else []
    if sorted(declared) != sorted(it.pins):
        odd = sorted(set(declared) ^ set(it.pins)) or ["one is in two interfaces"]
        yield f"ports are not those of the wrapper: {odd[0]}"
    for name in it.interfaces:
        if name != "clock" and it.clocked.get(name) != "clock":
            yield f"{name} has no clock of the component's"
        if not any(f"axm.{name}" in ends for ends in it.joined):
            yield f"axm.{name} is connected to nothing"


def _system(it: System, plan: Plan) -> Iterator[str]:
    """Part, clock, reset, ports, registers and interrupt are the plan's."""
    if it.project != {"DEVICE_FAMILY": "Cyclone V", "DEVICE": plan.part}:
        yield f"the project's properties are {it.project}"
    if it.saved != "axm_system.qsys":
        yield f"the system is saved as {it.saved or 'nothing'}"
    pll, reference = it.values["pll"], it.values["clk"]["clockFrequency"]
    made = Fraction(pll["gui_output_clock_frequency0"])
    if abs(made - plan.mhz) > Fraction(1, 10**5) or plan.mhz not in rates(
        plan.system["pll"], plan.mhz
    ):
        yield f"the PLL makes {float(made):g} MHz, the design is built for {float(plan.mhz):g}"
    if int(it.values["fabric"]["clockFrequency"]) != plan.module.parameters["CLOCK_HZ"]:
        yield "the fabric's clock is said to have another rate"
    if Fraction(pll["gui_reference_clock_frequency"]) * 10**6 != int(reference):
        yield f"the PLL's reference is not {reference} Hz"
    ways = {"pll.refclk": "clk.clk", "pll.reset": "clk.clk_reset",
            "fabric.clk_in": "pll.outclk0",
            "axm.s_axil": f"hps.{plan.system['registers']['master']}",
            "axm.irq": f"hps.{plan.system['interrupt_pin']}"}  # fmt: skip
    ways |= {f"hps.{link.interface}": f"axm.m{link.number}_axi" for link in plan.links}
    ends = {end for _, end in it.joined} | {f"hps.{link.clock_pin}" for link in plan.links}
    for end in ends - ways.keys():
        kind = it._end(end)
        if kind in ("clock end", "reset end"):  # one clock: nothing crosses
            ways[end] = "fabric.clk" if kind == "clock end" else "fabric.clk_reset"
    for end, start in ways.items():
        if it.driver(end) != start:
            yield f"{end} is connected to {it.driver(end) or 'nothing'}, not to {start}"
    for (start, end), values in it.joined.items():
        base = values.get("baseAddress")
        if it._end(start).split()[0] in _BUSES and base is None:
            yield f"{start}/{end} has no base address"
        if base is not None and "axm." in start + end and int(base, 0):
            yield f"{start}/{end} is at {base}, not at 0"
        if end == "axm.irq" and values.get("irqNumber") != "0":
            yield f"the interrupt is number {values.get('irqNumber')}"
    exported = {of for _, of in it.exports.values()}
    if missing := {"hps.memory", "hps.hps_io", "hps.h2f_reset", "pll.locked"} - exported:
        yield f"not exported: {sorted(missing)}"
    types = it.values["hps"].get("F2SDRAM_Type", "").split()
    if types != ["AXI-3"] * sum(link.name.startswith("F2S") for link in plan.links):
        yield f"ports to the memory are {types}"


def _qsys(it: System, plan: Plan, directory: Path) -> Iterator[str]:
    """The .qsys is the script's system, and the importer reads the plan of it."""
    root = ElementTree.parse(directory / "axm_system.qsys").getroot()

    def values(element: ElementTree.Element) -> dict[str, str]:
        return {p.get("name", ""): p.get("value", "").replace(",", " ") for p in element}

    modules = {m.get("name"): (m.get("kind"), values(m)) for m in root.iter("module")}
    if modules != {name: (kind, it.values[name]) for name, kind in it.kinds.items()}:
        yield "axm_system.qsys: the modules are not the script's"
    found = {(c.get("start"), c.get("end")): values(c) for c in root.iter("connection")}
    if found != it.joined:
        yield "axm_system.qsys: the connections are not the script's"
    exports = {i.get("name"): (f"{i.get('type')} {i.get('dir')}", i.get("internal"))
               for i in root.iter("interface")}  # fmt: skip
    if exports != it.exports:
        yield "axm_system.qsys: the exports are not the script's"
    read = designs.load(directory / "axm_system.qsys")
    shown = sorted((p.interface, p.width_bits, p.protocol) for p in read.ports)
    if shown != sorted((link.interface, link.width, link.protocol) for link in plan.links):
        yield f"the importer reads the ports {shown}"
    bases = {slave.segment.base for slave in read.slaves}
    if plan.registers_base not in bases:
        yield f"the importer reads registers at {[hex(base) for base in bases]}"


def _build(directory: Path) -> Iterator[str]:
    """build.sh with stubs of the tools: their order, and what stops it."""
    wanted = _SCRIPT["calls"]
    for slack, missing, expected in (
        ("0.125", "", (0, wanted)),
        ("-0.125", "", (1, wanted[:-1])),
        *(("0.125", tool, (1, [])) for tool in _TOOLS),
    ):
        if (done := _built(directory / "build.sh", slack, missing)) != expected:
            yield f"build.sh (slack {slack}, without {missing or 'nothing'}): {done}"
    for call in wanted:
        tool, *words = call.split()
        options = [word.partition("=")[0] for word in words if word.startswith("-")]
        if not _shown("commands shell", tool) or not all(
            _shown(f"words {tool}", o) for o in options
        ):
            yield f"build.sh: no public project has {call}"


def _built(script: Path, slack: str, missing: str) -> tuple[int, list[str]]:
    """(exit status, calls) in a directory of its own."""
    pins = _SCRIPT["pins"]
    with tempfile.TemporaryDirectory(prefix="axiometer-build-") as place:
        folder = Path(place)
        (folder / "bin").mkdir()
        (folder / "build.sh").write_text(script.read_text("utf-8"))
        leaves = {
            "qsys-generate": f"mkdir -p {Path(pins).parent}; : > {pins}",
            "quartus_sh": "mkdir output_files\n"
            f"echo 'Slack : {slack}' > output_files/axm.sta.summary",
        }
        for tool in _TOOLS:
            stub = folder / "bin" / tool
            stub.write_text(f'#!/bin/sh\necho "{tool} $*" >> calls\n{leaves.get(tool, ":")}\n')
            stub.chmod(0o644 if tool == missing else 0o755)
        path = f"{folder / 'bin'}:/usr/bin:/bin"
        done = subprocess.run(["sh", "build.sh"], cwd=folder, env={**os.environ, "PATH": path},
                              capture_output=True, timeout=scripts.LIMIT_S)  # fmt: skip
        calls = folder / "calls"
        return done.returncode, calls.read_text().splitlines() if calls.is_file() else []
