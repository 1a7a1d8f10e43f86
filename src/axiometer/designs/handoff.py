"""`load`: finds the design among the files of an export, and its initialisation."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from axiometer.base.errors import AxiometerError
from axiometer.base.xml_parts import BadPartError
from axiometer.designs import bd, design_file, hls, hwh, initialisation, qsys, tcl
from axiometer.designs.build import build, find_ps
from axiometer.designs.files import Export
from axiometer.designs.initialisation import Initialisation
from axiometer.designs.ip_xact import FILE, Library
from axiometer.designs.model import Design
from axiometer.designs.netlist import Netlist
from axiometer.designs.ps_facts import all_systems
from axiometer.platform.registers.readers.quartus_handoff import FILES as HANDOFF

_READERS = (".hwh", ".qsys")
_BLOCK_DESIGN = (
    "give the hardware handoff of the block design: an .xsa from File > Export > Export Hardware "
    "in Vivado (write_hw_platform), the .hwh below a generated block design, its .bd, or its Tcl "
    "(write_bd_tcl)"
)
_REGISTERS = "this file has registers and no design: give it to `import board`, or give the .xsa"
_NO_MASTERS = (
    "a handoff of Quartus has no masters: give the .qsys of Platform Designer, or the directory "
    "with it and hps_isw_handoff; for the memory alone use `import board`"
)
# Files that people give instead of the export, and the remedy.
_INSTEAD = {
    "ps7_init.tcl": _REGISTERS,
    "psu_init.tcl": _REGISTERS,
    ".tcl": "no Tcl file here has create_bd_cell, which creates the cells of a block design: if "
    "procedures of another file do, give a directory with both; or " + _BLOCK_DESIGN,
    ".xpr": _BLOCK_DESIGN,
    ".bit": _BLOCK_DESIGN,
    **dict.fromkeys(HANDOFF, _NO_MASTERS),
    ".qpf": "give the .qsys of Platform Designer, not the project",
}
MOST = 50  # hardware handoffs in one export: each SmartConnect adds one


def load(path: Path | str) -> Design:
    """The design in the export, HLS report or design file (.toml) at `path`. AxiometerError where
    it cannot be read, is for an unsupported chip, or holds more than one design."""
    path = Path(path)
    if path.suffix.lower() == ".toml":
        return design_file.load(path)
    if hls.is_report(path):
        return hls.load(path)
    export = Export(_of_handoff(path))
    netlist = _netlist(export)
    registers = initialisation.find(export, find_ps(netlist, export.path)[1])
    return build(netlist, export.path.name, registers)


def registers_of(path: Path | str) -> Initialisation:
    """The register writes of the initialisation in the export at `path`; empty where there is none,
    as in a design file. AxiometerError where export or initialisation cannot be read."""
    path = Path(path)
    if path.suffix.lower() == ".toml" or hls.is_report(path):
        return Initialisation(load(path).chip)
    export = Export(_of_handoff(path))
    return initialisation.find(export, find_ps(_netlist(export), export.path)[1])


def _of_handoff(path: Path) -> Path:
    """The directory of the system if `path` is its handoff or within it, else `path`."""
    if path.is_file() and path.name in HANDOFF:
        path = path.parent
    if path.is_dir() and not any(path.glob("*.qsys")):
        inside = any((path / name).is_file() for name in HANDOFF)
        around = path.parent.parent if inside else path.parent
        if (inside or path.name == "hps_isw_handoff") and any(around.glob("*.qsys")):
            return around
    return path


def _netlist(export: Export) -> Netlist:
    """The one block design with a processor system; an export may also hold sub-blocks."""
    names = export.ending(*_READERS) or export.ending(".sopcinfo")
    if not names:
        if designs := _block_designs(export):
            return designs
        scripts = _scripts(export)
        if scripts:
            return _of_scripts(export, scripts)
        instead = [words for ending, words in _INSTEAD.items() if export.ending(ending)]
        raise export.error(
            "has no hardware handoff (.hwh), no Platform Designer system (.qsys) and no Tcl or .bd "
            "of a block design",
            instead[0] if instead else None,
        )
    if len(names) > MOST:
        raise export.error(f"has {len(names)} hardware handoffs, more than {MOST}")
    found, refusal = [], None
    within: set[str] = set()  # systems that are parts of others

    def beside(name: str) -> bytes | None:
        within.add(name)
        return export.beside(name)

    for name in names:
        content, bare = export.read(name), PurePosixPath(name).name
        try:
            if bare.lower().endswith(".hwh"):
                netlist = hwh.read(content, bare)
            else:
                netlist = qsys.read(content, bare, beside)
        except BadPartError as error:
            if len(names) == 1:
                raise export.error(f"cannot be read: {error}") from None
            continue
        try:
            find_ps(netlist, export.path)
            found.append((name, netlist))
        except AxiometerError as error:
            refusal = error
    if not found and refusal is not None:
        raise refusal
    found = [of for of in found if PurePosixPath(of[0]).name not in within] or found
    if len(found) != 1:
        listed = ", ".join(name for name, _ in found) or "none"
        raise export.error(
            f"holds {len(found)} designs with a processor system ({listed})",
            "give the file of one of them",
        )
    return found[0][1]


def _block_designs(export: Export) -> Netlist | None:
    """The block design (.bd) with a processor system; None where there is no .bd."""
    made, refusal = {}, None
    for name in export.ending(".bd")[:MOST]:
        try:
            content = export.read(name)
            made[name] = bd.read(content, PurePosixPath(name).name, _library(export))
        except BadPartError as error:
            refusal = refusal or export.error(f"cannot be read: {error}")
        except AxiometerError as error:
            refusal = error
    if refusal is not None and not made:
        raise refusal
    return _only(export, made) if made else None


def _only(export: Export, made: Mapping[str, Netlist]) -> Netlist:
    """The one block design among those of some files; AxiometerError where there are several."""
    if len(made) != 1:
        raise export.error(
            f"holds {len(made)} block designs with a processor system: {', '.join(made) or 'none'}",
            "give the file of one of them",
        )
    return next(iter(made.values()))


def _scripts(export: Export) -> dict[str, bytes]:
    """The Tcl files of the export except initialisations; empty where none has a block design."""
    known = {name for s in all_systems() for group in s.initialisation for name in group}
    names = [n for n in export.ending(".tcl") if PurePosixPath(n).name not in known]
    found = {name: export.read(name) for name in names}
    designs = {name: content for name, content in found.items() if tcl.is_block_design(content)}
    if len(designs) > MOST:
        raise export.error(f"has {len(designs)} Tcl files with a block design, more than {MOST}")
    return designs if len(found) > MOST else found if designs else {}


def _library(export: Export) -> Library:
    return Library(lambda folders: export.every(FILE, folders))


def _of_scripts(export: Export, scripts: Mapping[str, bytes]) -> Netlist:
    """The design of the one script with a processor system that no other script sources."""
    sourced: set[str] = set()

    def source(name: str) -> str | None:
        wanted = PurePosixPath(name).name
        found = next((n for n in scripts if PurePosixPath(n).name == wanted), None)
        if found is None:
            other = export.script(name)
            return None if other is None else tcl.decoded(other)
        sourced.add(found)
        return tcl.decoded(scripts[found])

    made: dict[str, Netlist] = {}
    refusal: Exception | None = None
    for name, content in scripts.items():
        try:
            made[name] = tcl.read(content, PurePosixPath(name).name, source, _library(export))
        except BadPartError as error:
            refusal = refusal or export.error(f"cannot be read: {error}")
        except AxiometerError as error:
            error.file = str(export.path if len(scripts) == 1 else export.path / name)
            # The error of a script with a block design says most.
            refusal = error if refusal is None or tcl.is_block_design(content) else refusal
    whole = [name for name in made if name not in sourced] or list(made)
    if not whole and refusal is not None:
        raise refusal
    return _only(export, {name: made[name] for name in whole})
