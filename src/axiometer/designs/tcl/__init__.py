"""Reads a block design as Tcl, written by `write_bd_tcl` or manually.

A bounded interpreter of a part of Tcl (`interpreter`) runs the commands that build a block design
(`commands`) and nothing else; notes list the skipped commands by line. Parameters that a script
leaves at their defaults come from `cores/` and `exports.toml`, with a note. Vivado's own automation
(`apply_bd_automation`) makes its connections through assumed blocks (`automation`).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePosixPath

from axiometer.base import harmless
from axiometer.base.errors import AxiometerError
from axiometer.base.xml_parts import BadPartError
from axiometer.designs import core_facts
from axiometer.designs.build import check_chip
from axiometer.designs.ip_xact import Library
from axiometer.designs.netlist import EXTERNAL, Module, Netlist, core_of
from axiometer.designs.ps_facts import System, all_systems, of_core
from axiometer.designs.tcl import automation, builtins, texts, well_known
from axiometer.designs.tcl.block_design import HIERARCHY, BlockDesign
from axiometer.designs.tcl.commands import PROJECT, Commands
from axiometer.designs.tcl.interpreter import Interpreter, TooMuchError
from axiometer.designs.tcl.nets import Nets
from axiometer.designs.tcl.parser import TclError

MAX_BYTES = 2 * 2**20
MOST_NOTES = 12
_EXPORT = (
    "generate the block design and give the .hwh below it, or give the .xsa of File > Export > "
    "Export Hardware (write_hw_platform)"
)
_MARKS = (b"create_bd_cell", b"create_bd_design")


def is_block_design(content: bytes) -> bool:
    """Whether a Tcl file builds a block design."""
    return any(mark in content for mark in _MARKS) or well_known.uses(content)


def decoded(content: bytes) -> str:
    """The text of a script."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")  # comments of older tools
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read(
    content: bytes,
    name: str,
    source: Callable[[str], str | None] | None = None,
    library: Library | None = None,
) -> Netlist:
    """The block design that the Tcl file `name` builds. source: returns the text of a file that it
    sources, by the name in the script (None: not available). library: the cores beside it.

    BadPartError where it is no text or too large; AxiometerError where it builds no design, or
    leaves a needed part to the tool.
    """
    if len(content) > MAX_BYTES:
        raise BadPartError(f"a Tcl file of more than {MAX_BYTES >> 20} MiB")
    text = decoded(content)
    if "\x00" in text:
        raise BadPartError("it is not a text file")
    try:
        design, tcl = _run(text, source, "", library)
        if not design.cells:
            # Older scripts end if no project is open.
            design, tcl = _run(text, source, PROJECT, library)
        known = "::scripts_vivado_version"
        version = tcl.get(known) if tcl.has(known) else ""
        problems = [f"line {problem.line}: {problem.words}" for problem in tcl.problems]
        return netlist(design, name, f"Vivado {version}", problems)
    except (TclError, TooMuchError) as error:
        raise BadPartError(str(error)) from None
    except RecursionError:
        raise BadPartError("it is nested too deeply") from None


def _run(
    text: str,
    source: Callable[[str], str | None] | None,
    project: str,
    library: Library | None,
) -> tuple[BlockDesign, Interpreter]:
    """The result of a script that runs while `project` is open ("": none)."""
    design = BlockDesign(project=project, library=library)
    functions = {**builtins.FUNCTIONS, **texts.FUNCTIONS, **Commands(design).functions()}
    carrying = {*builtins.FUNCTIONS, *texts.FUNCTIONS, "set_property"} - {*texts.TELLING}
    tcl = Interpreter(functions, source or (lambda other: None), carrying, texts.TELLING)
    try:
        tcl.run(well_known.SCRIPT)
        tcl.kept = {name for name in tcl.procedures if well_known.KEPT.fullmatch(name)}
        tcl.run(text)
    except TooMuchError as error:
        raise BadPartError(f"{error}, at line {tcl.line}") from None
    return design, tcl


def netlist(
    design: BlockDesign, name: str, tool: str, problems: list[str], form: str = "as Tcl"
) -> Netlist:
    """The netlist of a block design in the file `name`. `problems`: skipped parts of the file.
    AxiometerError where it has no processor system."""
    modules: dict[str, Module] = {}
    net = Netlist(
        harmless.line(design.name, 200) or name.rpartition(".")[0],
        f"{harmless.line(tool, 60).strip()}, {form}",
        "",
        harmless.line(design.part, 80),
        harmless.line(design.board, 200),
    )
    ps: tuple[str, System] | None = None
    for path, cell in design.cells.items():
        if cell.kind == HIERARCHY:
            continue
        module = _module(path, cell.vlnv, cell.parameters, net)
        modules[path] = module
        system = of_core(module.core, net.part)
        if system is not None and ps is None:
            ps = (path, system)
            module.defaults = dict(system.defaults)
            net.board = net.board or _preset_of(module, system)
            if not _is_preset(design, module, system):
                module.defaults |= system.defaults_without_preset
    for path in (p for p, pin in design.pins.items() if not pin.drives and pin.is_bus):
        if path.count("/") == 1:
            modules[path] = _module(path, EXTERNAL, {}, net)
    if ps is None:
        check_chip(net, name)
        raise AxiometerError(
            _no_ps(design, problems),
            file=name,
            remedy="give the script that creates the processor system, or the directory with all "
            f"scripts of the design; or {_EXPORT}",
        )
    notes = automation.join(design, *ps)
    for path in (path for path, cell in design.cells.items() if cell.vlnv and path not in modules):
        modules[path] = _module(path, design.cells[path].vlnv, {}, net)
    notes += Nets(design, net, modules, ps).fill()
    notes += _defaults(net, modules[ps[0]], ps[1], design)
    notes += problems[:MOST_NOTES]
    if len(problems) > MOST_NOTES:
        notes.append(f"{len(problems) - MOST_NOTES} more lines of the Tcl were skipped")
    net.notes = [harmless.line(note, 300) for note in notes]
    return net


def _module(path: str, vlnv: str, parameters: dict[str, str], net: Netlist) -> Module:
    instance = path[1:].replace("/", "_")
    while instance in net.modules:
        instance += "_"
    shown = {harmless.line(k, 200): harmless.text(v, 2000) for k, v in parameters.items()}
    core = harmless.line(core_of(vlnv), 200)
    module = Module(harmless.line(path[1:], 200), harmless.line(instance, 200), core, shown)
    facts = core_facts.core(core)
    if facts is not None:
        module.defaults = dict(facts.defaults)
        for name, other in facts.at_least.items():
            wider = core_facts.figure(other, module).value
            if wider and wider > int(facts.defaults[name]):
                module.defaults[name] = str(wider)
    net.modules[module.instance] = module
    return module


def _preset_of(ps: Module, system: System) -> str:
    """The name of the preset that sets the processor system; "" where there is none."""
    given = [(ps.given(name) or "").strip() for name in system.presets]
    named = (PurePosixPath(name[:200]).stem for name in given if name.lower() not in ("", "none"))
    return next(named, "")


def _is_preset(design: BlockDesign, ps: Module, system: System) -> bool:
    """Whether a board's preset sets parameters of the processor system besides the script."""
    automated = any(config.get("apply_board_preset") == "1" for _, config, _ in design.automated)
    return bool(_preset_of(ps, system)) or automated


def _no_ps(design: BlockDesign, problems: list[str]) -> str:
    every = dict.fromkeys(core.rpartition(":")[2] for s in all_systems() for core in s.cores)
    known = ", ".join(every)
    if not design.cells:
        what = "no cell of a block design was found"
    else:
        what = f"none of its {len(design.cells)} cells is a processor system ({known})"
    return f"{what}; skipped: {'; '.join(problems[:5])}" if problems else what


def _defaults(net: Netlist, ps: Module, system: System, design: BlockDesign) -> list[str]:
    """Notes on parameters of the processor system that come from defaults or from a preset."""
    notes = []
    used = [i for i in ps.interfaces if i in system.ports]
    wanted = [system.ports[i].get("width") for i in used]
    wanted += [f["asked"] for f in system.clocks.values() if f["pin"] in ps.made]
    for parameter in dict.fromkeys(w for w in wanted if isinstance(w, str)):
        if parameter in ps.parameters:
            continue
        if parameter in ps.defaults:
            value = ps.defaults[parameter]
            notes.append(f"{parameter} is not set in the Tcl: {value}, the core's default")
        else:
            notes.append(
                f"{parameter} comes from the board's preset and is not in the Tcl: give the "
                "design's .hwh, or set it in the design file"
            )
    if _is_preset(design, ps, system):
        board = _preset_of(ps, system) or design.board or "a board without a name"
        notes.append(f"the processor system has the preset of {harmless.line(board, 80)}")
    return notes
