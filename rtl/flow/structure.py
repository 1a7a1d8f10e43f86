"""What a design's netlist says of its structure: paths without a register, and memories.

A path runs from an input through logic alone to an output; AXI forbids them. A wire that is passed
on as it is is the neighbour's own, and none. A memory that is read without a clock is one too.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from flow import kept, readers, tools

CLOCKS = {"aclk", "clk"}


def look(top: str, sources: list[Path], values: dict[str, object] | None = None) -> dict[str, Any]:
    """`paths`: the inputs that reach each output; `irq`: whether a register drives it, if it is
    there; `memories`: of each that is read without a clock, its place, bits, `ramstyle`, and
    whether nothing but a register is its address (`at_register`)."""
    inputs = (top, values)
    return kept.result(
        inputs, [*sources, Path(__file__)], lambda: _look(_netlist(top, sources, values or {}))
    )


def bare(found: dict[str, Any]) -> list[str]:
    """Of what `look` found: memories that Quartus makes registers of, as they are read without a
    clock. `ramstyle` says otherwise; if a register is its address, Quartus can make it as it is
    written (docs/rtl-results.md)."""
    return [
        memory["place"]
        for memory in found["memories"]
        if memory["ramstyle"] != "MLAB, no_rw_check"
        and not (memory["at_register"] and memory["ramstyle"] == "MLAB")
    ]


def _netlist(top: str, sources: list[Path], values: dict[str, object]) -> dict[str, Any]:
    """The flattened design, its logic in single bits but for arithmetic."""
    build = tools.ROOT / "build" / "structure"  # Yosys as WebAssembly sees what is below the root
    build.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=build) as folder:
        file = Path(folder) / "netlist.json"
        script = (
            f"{readers.read_slang(top, sources, values)};"
            f" hierarchy -check -top {top}; proc; flatten; opt; memory -nomap; opt; simplemap;"
            f" opt_clean -purge; write_json {file.relative_to(tools.ROOT)}"
        )
        done = readers.run_yosys(script)
        if done.returncode:
            raise RuntimeError(f"Yosys failed on {top}:\n{done.stderr[-4000:]}")
        module: dict[str, Any] = json.loads(file.read_text())["modules"][top]
        return module


def _look(module: dict[str, Any]) -> dict[str, Any]:
    after: dict[int, list[list[int]]] = {}  # the bits that follow a bit through logic
    registers: set[int] = set()
    memories = []
    for place, cell in module["cells"].items():
        kind, ends = cell["type"], cell["connections"]
        if kind == "$mem_v2":
            ports = list(_unclocked(cell))
            for data, address in ports:
                _join(after, address, data)
            if ports:
                at_register = not any(address for _, address in ports)
                memories.append(_memory(place, cell) | {"at_register": at_register})
        elif "dff" in kind.lower():
            registers.update(bit for bit in ends["Q"] if isinstance(bit, int))
        else:
            sides: dict[str, list[int]] = {"input": [], "output": []}
            for end, bits in ends.items():
                sides[cell["port_directions"][end]] += bits
            _join(after, sides["input"], sides["output"])
    outputs = {n: p["bits"] for n, p in module["ports"].items() if p["direction"] == "output"}
    paths: dict[str, list[str]] = {}
    for pin, port in sorted(module["ports"].items()):
        if port["direction"] != "input" or pin in CLOCKS:
            continue
        reached = _reached(after, port["bits"])
        for name, bits in outputs.items():
            if not reached.isdisjoint(bits):
                paths.setdefault(name, []).append(pin)
    result: dict[str, Any] = {
        "paths": dict(sorted(paths.items())),
        "memories": sorted(memories, key=lambda memory: str(memory["place"])),
    }
    if "irq" in outputs:
        (bit,) = outputs["irq"]
        result["irq"] = bit in registers or not isinstance(bit, int)
    return result


def _join(after: dict[int, list[list[int]]], into: list[int], out: list[int]) -> None:
    for bit in into:
        if isinstance(bit, int):  # no constant
            after.setdefault(bit, []).append(out)


def _reached(after: dict[int, list[list[int]]], bits: list[int]) -> set[int]:
    """What follows these bits through logic; not they themselves, which a wire passes on."""
    reached: set[int] = set()
    edge = list(bits)
    while edge:
        for out in after.get(edge.pop(), ()):
            fresh = [bit for bit in out if bit not in reached]
            reached.update(fresh)
            edge += fresh
    return reached


def _unclocked(cell: dict[str, Any]) -> Iterator[tuple[list[int], list[int]]]:
    """Data and address of each port of a memory that is read without a clock.

    One that shows a word as soon as it is written is such a port, too: Yosys made a clocked one of
    it, for a register is its address; that has no address here.
    """
    own, ends = cell["parameters"], cell["connections"]
    width, address = int(own["WIDTH"], 2), int(own["ABITS"], 2)
    writes = int(own["WR_PORTS"], 2)
    clocked, shows = own["RD_CLK_ENABLE"][::-1], own["RD_TRANSPARENCY_MASK"][::-1]
    for k in range(int(own["RD_PORTS"], 2)):
        place = ends["RD_ADDR"][k * address : (k + 1) * address]
        if all(isinstance(bit, str) for bit in place):
            continue  # words at fixed places are registers
        if clocked[k] == "0" or "1" in shows[k * writes : (k + 1) * writes]:
            data = ends["RD_DATA"][k * width : (k + 1) * width]
            yield data, place if clocked[k] == "0" else []


def _memory(place: str, cell: dict[str, Any]) -> dict[str, Any]:
    own = cell["parameters"]
    return {
        "place": own["MEMID"].lstrip("\\") or place,
        "bits": int(own["WIDTH"], 2) * int(own["SIZE"], 2),
        "ramstyle": cell["attributes"].get("ramstyle", ""),
    }
