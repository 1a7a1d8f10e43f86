"""Proof of boot scripts without a board: runs each, and answers its accesses of a board.

The scripts for Linux are run by `sh`, those for JTAG by `tclsh`, that for U-Boot by an interpreter
of the commands in use (as U-Boot's documents describe them). Each leaves events in their order, and
the words of the registers. It cannot show that tools and boards behave as assumed here.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from axiometer.bringup.projects import boot
from axiometer.bringup.projects.plan import Plan
from axiometer.designs import ps_facts
from axiometer.platform.registers import tables
from axiometer.platform.registers.tables import Field, Register
from validate.projects.boot import run_shell, run_tcl, run_uboot
from validate.projects.boot.board_events import (
    BITSTREAM,
    CONNECT,
    CORE,
    GO,
    INIT,
    PROGRAM,
    RESET,
    SYSTEM,
    WIDTH,
    compare,
)
from validate.projects.vivado.recorded import Recorded


def left_out(it: Recorded, plan: Plan) -> list[str]:
    """Registers that hold the width of a port which the block design has on, and that the scripts
    leave as they are or set otherwise: by the chip's `registers/` and `exports.toml`."""
    system, set_to = ps_facts.system(plan.chip), {w.address: w for w in boot.widths(plan)}
    (ps,) = [cell for cell in it.cells.values() if cell.kind.vlnv in system.cores]
    found = []
    for name, bus in ps.interfaces().items():
        known = {**system.ports, **system.masters}[name]
        wanted = int(str(ps.resolved(bus["width"])))
        for register, field in _of_figures(plan.chip, known.get("width_figures", ())):
            width = set_to.get(register.address or 0)
            whole = width is not None and width.mask & field.mask == field.mask
            value = str(field.take(width.value)) if width and whole else ""
            if field.makes["values"].get(value) != wanted:
                found.append(
                    f"{register.shown}: {field.name} does not become {wanted} bits ({name})"
                )
    return found


def _of_figures(chip: str, figures: Collection[str]) -> Iterator[tuple[Register, Field]]:
    for register in tables.load(chip).registers.values():
        for field in register.fields.values():
            figure = str(field.makes.get("figure", ""))
            if figure.replace("{instance}", register.instance or "") in figures:
                yield register, field


PATTERNS = (0xA5A5A5A5, 0x5A5A5A5A)
"""What other bits of the registers hold: each is 1 once and 0 once."""


def start(plan: Plan, pattern: int = PATTERNS[0]) -> dict[int, int]:
    """Words of the registers before: another width, and a pattern in the other bits."""
    return {w.address: (pattern & w.keep) | (w.value ^ w.mask) & w.mask for w in boot.widths(plan)}


def check(plan: Plan, directory: Path, only: Collection[str] | None = None) -> list[str]:
    """Everything that is wrong with a project's boot scripts, or with `only` these: none if proven.
    AxiometerError if there is no tclsh."""
    found = []
    for name in ("afi.sh", "overlay.sh"):
        done = subprocess.run(
            ["sh", "-n", directory / boot.FOLDER / name], capture_output=True, text=True
        )
        if done.returncode:
            found.append(f"{name}: {done.stderr.strip()}")
    if found:
        return found
    for number, pattern in enumerate(PATTERNS):
        before = start(plan, pattern)
        for name in names(plan) if only is None else only:
            if name == "afi.sh":
                found += _shell(run_shell.afi, plan, directory, before)
            elif name == "overlay.sh" and number == 0:  # whatever the words, it calls afi.sh
                found += _shell(run_shell.overlay, plan, directory, before)
            elif name == "boot.cmd":
                session = run_uboot.run(plan, directory, before)
                found += compare(plan, name, session, _uboot_order(plan), before)
            elif name.startswith(("xsdb", "openocd")):
                session = run_tcl.run(plan, directory, name, before)
                found += compare(plan, name, session, _jtag_order(plan)[name], before)
    if shutil.which("mkimage"):
        found += _mkimage(plan, directory / boot.FOLDER / "boot.cmd")
    return list(dict.fromkeys(found))


_told: dict[tuple[object, ...], list[str]] = {}


def _shell(
    proof: Callable[[Plan, Path, dict[int, int]], list[str]],
    plan: Plan,
    directory: Path,
    before: dict[int, int],
) -> list[str]:
    """What a proof by `sh` finds. Boards of one chip have the same code below other titles: it is
    run once, as it starts some hundred programs."""
    scripts = [directory / boot.FOLDER / name for name in ("afi.sh", "overlay.sh")]
    code = [re.sub(r"\A(#!.*\n)?(#.*\n)+", r"\1", script.read_text()) for script in scripts]
    modes = [script.stat().st_mode for script in scripts]
    key = (proof, *code, *modes, *before.items(), *boot.widths(plan))
    if key not in _told:
        _told[key] = proof(plan, directory, before)
    return _told[key]


def names(plan: Plan) -> list[str]:
    """The scripts that a project has."""
    return ["afi.sh", "overlay.sh", "boot.cmd", "xsdb.tcl"] + (
        ["openocd.cfg"] if "openocd" in boot.of_chip(plan) else []
    )


def _jtag_order(plan: Plan) -> dict[str, list[str]]:
    widths = [WIDTH] if boot.widths(plan) else []
    last = [BITSTREAM, CONNECT, *widths]
    return {
        "xsdb.tcl": [RESET, INIT, *last, CORE, PROGRAM, GO],
        "openocd.cfg": [RESET, CORE, INIT, *last, PROGRAM, GO],
    }


def _uboot_order(plan: Plan) -> list[str]:
    return [BITSTREAM, *([WIDTH] if boot.widths(plan) else []), SYSTEM]


def _mkimage(plan: Plan, file: Path) -> list[str]:
    import tempfile

    with tempfile.TemporaryDirectory() as place:
        words = ["mkimage", "-A", boot.of_chip(plan)["arch"], "-T", "script", "-C", "none"]
        done = subprocess.run(
            [*words, "-d", file, Path(place) / "boot.scr"], capture_output=True, text=True
        )
    return [f"boot.cmd: mkimage: {done.stderr.strip()}"] if done.returncode else []
