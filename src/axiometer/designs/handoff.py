"""`load`: which of the files of an export is the design, and what goes with it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from axiometer.base.errors import AxiometerError
from axiometer.base.xml_parts import BadPartError
from axiometer.designs import design_file, hwh, initialisation, qsys, tcl
from axiometer.designs.build import build, find_ps
from axiometer.designs.files import Export
from axiometer.designs.initialisation import Initialisation
from axiometer.designs.model import Design
from axiometer.designs.netlist import Netlist
from axiometer.designs.ps_facts import all_systems
from axiometer.platform.registers.readers.quartus_handoff import FILES as HANDOFF

_READERS = {".hwh": hwh.read, ".qsys": qsys.read}
_BLOCK_DESIGN = (
    "a block design is read from its hardware handoff: File > Export > Export Hardware in Vivado "
    "(write_hw_platform) makes an .xsa; or generate the block design, and take the .hwh below it; "
    "or write it as Tcl (write_bd_tcl)"
)
_REGISTERS = "it has registers, not a design: give it to `import board`, or give the .xsa here"
_NO_MASTERS = (
    "a handoff of Quartus has no masters: name the .qsys of Platform Designer, or the directory in "
    "which it stands with hps_isw_handoff; the memory alone is read by `import board`"
)
# What people have beside the export, and where the export is.
_INSTEAD = {
    "ps7_init.tcl": _REGISTERS,
    "psu_init.tcl": _REGISTERS,
    ".tcl": "a block design's Tcl creates its cells with create_bd_cell, which is in none here: "
    "where procedures of another file do that, give a directory with both; or " + _BLOCK_DESIGN,
    ".bd": _BLOCK_DESIGN,
    ".xpr": _BLOCK_DESIGN,
    ".bit": _BLOCK_DESIGN,
    **dict.fromkeys(HANDOFF, _NO_MASTERS),
    ".sopcinfo": "name the .qsys that the .sopcinfo was made from",
    ".qpf": "name the .qsys of Platform Designer, not the project",
}
MOST = 50  # hardware handoffs in one export: SmartConnects bring theirs


def load(path: Path | str) -> Design:
    """The design in the export or design file (.toml) at `path`. AxiometerError where it cannot be
    read, is for a chip that is not known, or holds more than one design."""
    path = Path(path)
    if path.suffix.lower() == ".toml":
        return design_file.load(path)
    export = Export(_of_handoff(path))
    netlist = _netlist(export)
    registers = initialisation.find(export, find_ps(netlist, export.path)[1])
    return build(netlist, export.path.name, registers)


def registers_of(path: Path | str) -> Initialisation:
    """What the initialisation in the export at `path` writes; nothing where there is none, as in a
    design file. AxiometerError where export or initialisation cannot be read."""
    path = Path(path)
    if path.suffix.lower() == ".toml":
        return Initialisation(design_file.load(path).chip)
    export = Export(_of_handoff(path))
    return initialisation.find(export, find_ps(_netlist(export), export.path)[1])


def _of_handoff(path: Path) -> Path:
    """The directory of the system, where `path` is that of its handoff, or a part of it."""
    if path.is_file() and path.name in HANDOFF:
        path = path.parent
    if path.is_dir() and not any(path.glob("*.qsys")):
        inside = any((path / name).is_file() for name in HANDOFF)
        around = path.parent.parent if inside else path.parent
        if (inside or path.name == "hps_isw_handoff") and any(around.glob("*.qsys")):
            return around
    return path


def _netlist(export: Export) -> Netlist:
    """The one block design with a processor system: an export may carry those of sub-blocks."""
    names = export.ending(*_READERS)
    if not names:
        scripts = _scripts(export)
        if scripts:
            return _of_scripts(export, scripts)
        instead = [words for ending, words in _INSTEAD.items() if export.ending(ending)]
        raise export.error(
            "has no hardware handoff (.hwh), no Platform Designer system (.qsys) and no Tcl of a "
            "block design",
            instead[0] if instead else None,
        )
    if len(names) > MOST:
        raise export.error(f"has {len(names)} hardware handoffs, at most {MOST} are looked at")
    found, refusal = [], None
    for name in names:
        reader = _READERS[PurePosixPath(name).suffix.lower()]
        content = export.read(name)
        try:
            netlist = reader(content, PurePosixPath(name).name)
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
    if len(found) != 1:
        listed = ", ".join(name for name, _ in found) or "none"
        raise export.error(
            f"holds {len(found)} designs with a processor system ({listed})",
            "name the file of one of them",
        )
    return found[0][1]


def _scripts(export: Export) -> dict[str, bytes]:
    """The Tcl files of the export that may take part in a block design, where one of them is."""
    known = {name for s in all_systems() for group in s.initialisation for name in group}
    names = [n for n in export.ending(".tcl") if PurePosixPath(n).name not in known]
    if len(names) > MOST:
        raise export.error(f"has {len(names)} Tcl files, at most {MOST} are looked at")
    found = {name: export.read(name) for name in names}
    return found if any(map(tcl.is_block_design, found.values())) else {}


def _of_scripts(export: Export, scripts: Mapping[str, bytes]) -> Netlist:
    """The design of the one script that no other sources and that has a processor system."""
    sourced: set[str] = set()

    def source(name: str) -> str | None:
        wanted = PurePosixPath(name).name
        found = next((n for n in scripts if PurePosixPath(n).name == wanted), None)
        if found is None:
            return None
        sourced.add(found)
        return tcl.decoded(scripts[found])

    made: dict[str, Netlist] = {}
    refusal: Exception | None = None
    for name, content in scripts.items():
        try:
            made[name] = tcl.read(content, PurePosixPath(name).name, source)
        except BadPartError as error:
            refusal = refusal or export.error(f"cannot be read: {error}")
        except AxiometerError as error:
            error.file = str(export.path if len(scripts) == 1 else export.path / name)
            # What was followed furthest says most.
            refusal = error if refusal is None or tcl.is_block_design(content) else refusal
    whole = [name for name in made if name not in sourced] or list(made)
    if not whole and refusal is not None:
        raise refusal
    if len(whole) != 1:
        listed = ", ".join(whole) or "none"
        raise export.error(
            f"holds {len(whole)} block designs with a processor system ({listed})",
            "name the file of one of them",
        )
    return made[whole[0]]
