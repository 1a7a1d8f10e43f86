"""Checks the files around the system: QSF, SDC, the Verilog of the pins, `build.sh`, `.qsys`."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from axiometer.bringup.projects.plan import Plan
from axiometer.bringup.projects.quartus.board import boards
from validate.projects.quartus import facts, tcl
from validate.projects.quartus.component import Component
from validate.projects.quartus.extract import texts
from validate.projects.quartus.system import Recorded

_LIMIT_S = 60
_TOOLS = ("qsys-script", "qsys-generate", "quartus_map", "quartus_sta", "quartus_sh", "quartus_cpf")
_SUBMODULES = "synthesis/submodules/hps_sdram_p0_pin_assignments.tcl"


def settings(it: Recorded, plan: Plan, directory: Path) -> Iterator[str]:
    """axm.qsf: assignments, part, files, standards of pins."""
    commands, wrong = tcl.run(directory / "axm.qsf")
    yield from wrong
    of: dict[str, str] = {}
    standards, places = {}, {}
    for command in commands:
        words = command.words
        if not facts.shows("commands", "project", command.name):
            yield f"axm.qsf:{command.line}: no public project uses {command.name}"
        elif command.name == "set_location_assignment":
            places[words[2]] = words[0]
        elif not facts.shows("words", command.name, words[1]):
            yield f"axm.qsf:{command.line}: no public project sets {words[1]}"
        elif command.name == "set_global_assignment":
            of[words[1]] = words[2]
        else:
            standards[words[words.index("-to") + 1]] = words[2]
            if not facts.shows("words", "IO_STANDARD", words[2]):
                yield f"axm.qsf:{command.line}: no public project has the standard {words[2]!r}"
    board = boards()[plan.board]
    text = (directory / of.get("VERILOG_FILE", "none")).read_text(encoding="utf-8")
    if (of.get("FAMILY"), of.get("DEVICE")) != ("Cyclone V", board.device):
        yield f"axm.qsf: the part is {of.get('FAMILY')} {of.get('DEVICE')}"
    if f"module {of.get('TOP_LEVEL_ENTITY')} " not in text:
        yield f"axm.qsf: there is no module {of.get('TOP_LEVEL_ENTITY')}"
    if of.get("QIP_FILE") != f"{it.name}/synthesis/{it.name}.qip":
        yield f"axm.qsf: {of.get('QIP_FILE')} is not what qsys-generate writes"
    if not (directory / of.get("SDC_FILE", "none")).is_file():
        yield f"axm.qsf: there is no file {of.get('SDC_FILE')}"
    memory = {pin for port, pin in board.joined if not port.startswith("hps_io")}
    for name, pin in texts.pins(text[: text.index(");")]).items():
        names = [name] if pin.width == 1 else [f"{name}[{i}]" for i in range(pin.width)]
        missing = [each for each in names if each not in standards]
        if missing and name not in memory:
            yield f"axm.qsf: {missing[0]} has no I/O standard"
    if places != {board.clock.pin: board.clock.location}:
        yield f"axm.qsf: places are {places}, the clock's is {board.clock.location}"


def timing(it: Recorded, plan: Plan, directory: Path) -> Iterator[str]:
    """axm.sdc: the oscillator's period, and that what follows from it is derived."""
    commands, wrong = tcl.run(directory / "axm.sdc")
    yield from wrong
    for command in commands:
        own = command.name == "get_ports"
        if not own and not facts.shows("commands", "constraints", command.name):
            yield f"axm.sdc:{command.line}: no public project uses {command.name}"
    clocks = [c.words for c in commands if c.name == "create_clock"]
    pin = boards()[plan.board].clock.pin
    hertz = int(it.parameters.get("clk", {}).get("clockFrequency", "1"))
    if [(w[w.index("-period") + 1], w[-1]) for w in clocks] != [
        (f"{10**9 / hertz:.3f}", f"[get_ports {pin}]")
    ]:
        yield f"axm.sdc: no clock of {hertz} Hz at {pin}"
    for needed in ("derive_pll_clocks", "derive_clock_uncertainty"):
        if needed not in [command.name for command in commands]:
            yield f"axm.sdc: {needed} is missing"


def pins(it: Recorded, plan: Plan, directory: Path) -> Iterator[str]:
    """axm_system_top.v: each port of the exported interfaces is connected, in its direction."""
    text = (directory / f"{it.name}_top.v").read_text(encoding="utf-8")
    if f"  {it.name} u_system (" not in text:
        yield f"{it.name}_top.v: there is no instance of {it.name}"
        return
    links = dict(texts.links(text[text.index("u_system (") :]))
    declared = texts.pins(text[: text.index(");")])
    wanted = set()
    for name, (kind, _, of) in it.exports.items():
        if kind == "conduit" and of.partition(".")[2] in ("memory", "hps_io"):
            wanted |= {
                f"{name}_{role}"
                for role, _ in boards()[plan.board].joined
                if role.startswith("hps_io") == of.endswith(".hps_io")
            }
        else:
            wanted.add(f"{name}_{ {'clock': 'clk', 'reset': 'reset_n'}.get(kind, 'export') }")
    for port in wanted ^ links.keys():
        yield f"{it.name}_top.v: {port} is {'not connected' if port in wanted else 'no port'}"
    for role, pin in boards()[plan.board].joined:
        interface = "hps_io" if role.startswith("hps_io") else "memory"
        shown = facts.known("widths", f"altera_hps {interface}")
        if not any(
            facts.shows("widths", f"altera_hps {interface}", name)
            for name in shown
            if name.split()[0] == role
        ):
            yield f"{it.name}_top.v: no public system has {role} of {interface}"
        if links.get(f"{interface}_{role}") != pin:
            yield f"{it.name}_top.v: {role} is at {links.get(f'{interface}_{role}')}, not at {pin}"
    for net in links.values():
        pin = re.sub(r"\[\d+\]$", "", net)
        if pin.isupper() and pin not in declared:
            yield f"{it.name}_top.v: {pin} is no pin"
    clock = boards()[plan.board].clock.pin
    if links.get("clk_clk") != clock:
        yield f"{it.name}_top.v: the oscillator is not at clk_clk"
    if set(re.findall(r"\w+", links.get("fabric_reset_reset_n", ""))) != {
        links.get("pll_locked_export"), links.get("h2f_reset_reset_n")
    }:  # fmt: skip
        yield f"{it.name}_top.v: the fabric does not wait for processor and PLL"
    if links.get("reset_reset_n") != links.get("h2f_reset_reset_n"):
        yield f"{it.name}_top.v: the PLL is not started by the processor's reset"


def kept(it: Recorded, directory: Path) -> Iterator[str]:
    """axm_system.qsys: the system that the script makes."""
    path = directory / f"{it.name}.qsys"
    found = texts.system(path.read_text(encoding="utf-8"))
    if found.kinds != it.kinds:
        yield f"{path.name}: the modules are {found.kinds}"
        return
    for instance, values in it.parameters.items():
        for key in values.keys() | found.values[instance].keys():
            own = found.values[instance].get(key, "").replace(",", " ")
            if own != values.get(key, ""):
                yield f"{path.name}: {instance} has {key} {own!r}, the script {values.get(key)!r}"
    if {(c.start, c.end) for c in found.connections} != set(it.connections):
        yield f"{path.name}: the connections are not the script's"
    if {of: (kind, side) for of, kind, side in found.exports} != {
        of: (kind, side) for kind, side, of in it.exports.values()
    }:
        yield f"{path.name}: the exports are not the script's"


def script(it: Recorded, directory: Path) -> Iterator[str]:
    """build.sh with stubs of the tools: which are called, in which order, and what stops it."""
    path = directory / "build.sh"
    wanted = [
        f"qsys-script --script={it.name}.tcl", f"qsys-generate {it.name}.qsys --synthesis=VERILOG",
        "quartus_map axm", f"quartus_sta -t {it.name}/{_SUBMODULES} axm",
        "quartus_sh --flow compile axm",
    ]  # fmt: skip
    last = "quartus_cpf -c -o bitstream_compression=on output_files/axm.sof axm.rbf"
    for slack, expected in (("0.125", [*wanted, last]), ("-0.125", wanted)):
        status, calls = _run(path, it.name, slack)
        if calls != expected:
            yield f"build.sh calls {calls}, in order it is {expected}"
            return
        if (status == 0) != (slack[0] != "-"):
            yield f"build.sh ends with {status} where the slack is {slack} ns"
    for missing in _TOOLS:
        if _run(path, it.name, "0.125", missing) != (1, []):
            yield f"build.sh starts though there is no {missing}"
    for call in [*wanted, last]:
        tool, *words = call.split()
        if not facts.shows("commands", "shell", tool):
            yield f"build.sh: no public project uses {tool}"
        for option in (w.partition("=")[0] for w in words if w.startswith("-")):
            if not facts.shows("words", tool, option):
                yield f"build.sh: no public project gives {option} to {tool}"


def _run(path: Path, name: str, slack: str, missing: str = "") -> tuple[int, list[str]]:
    """(exit status, calls) in a directory of its own."""
    with tempfile.TemporaryDirectory(prefix="axiometer-build-") as place:
        folder = Path(place)
        (folder / "bin").mkdir()
        (folder / "build.sh").write_text(path.read_text(encoding="utf-8"))
        for tool in _TOOLS:
            if tool == missing:
                continue
            more = {
                "qsys-generate": f"mkdir -p {name}/synthesis/submodules; : > {name}/{_SUBMODULES}",
                "quartus_sh": "mkdir -p output_files\n"
                f"echo 'Slack : {slack}' > output_files/axm.sta.summary",
            }.get(tool, ":")
            stub = folder / "bin" / tool
            stub.write_text(f'#!/bin/sh\necho "{tool} $*" >> calls\n{more}\n')
            stub.chmod(0o755)
        env = {**os.environ, "PATH": f"{folder / 'bin'}:/usr/bin:/bin"}
        done = subprocess.run(["sh", "build.sh"], cwd=folder, env=env, capture_output=True,
                              text=True, timeout=_LIMIT_S)  # fmt: skip
        calls = folder / "calls"
        return done.returncode, calls.read_text().splitlines() if calls.is_file() else []


def imported(component: Component, plan: Plan, directory: Path) -> Iterator[str]:
    """What `axiometer import design` reads of the .qsys: the same ports, registers and clock."""
    from axiometer import designs

    read = designs.load(directory / "axm_system.qsys")
    found = {(p.interface, p.width_bits, p.protocol) for p in read.ports}
    wanted = {(link.interface, link.width, link.protocol) for link in plan.links}
    if found != wanted:
        yield f"the importer reads the ports {sorted(found)}, planned are {sorted(wanted)}"
    bases = {slave.segment.base for slave in read.slaves}
    if plan.registers_base not in bases:
        yield f"the importer reads registers at {[hex(base) for base in bases]}"
    if [round(c.mhz or 0, 3) for c in read.clocks if c.mhz] and not any(
        abs((c.mhz or 0) - float(plan.mhz)) < 1e-3 for c in read.clocks
    ):
        yield f"the importer reads the clocks {[c.mhz for c in read.clocks]}"
