"""What projects have for every tool: sources, plan.json, the end of README.txt."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from axiometer.base import atomic_file
from axiometer.base.errors import AxiometerError
from axiometer.bringup.projects.engines import STEP
from axiometer.bringup.projects.plan import Plan


def write(plan: Plan, directory: Path, core: str, texts: Mapping[str, str]) -> list[Path]:
    """Write `texts` of a tool with plan.json and the sources of our RTL (in `core`) into
    `directory`, which must be missing or empty, and return the written files. AxiometerError where
    it cannot be written."""
    # In a new directory a full disk destroys nothing, so files are written directly.
    if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
        raise AxiometerError(
            "the directory is not empty", file=directory, remedy="give another directory with -o"
        )
    sources = {
        f"{core}/src/{source.name}": source.read_text(encoding="utf-8")
        for source in (*plan.headers, *plan.sources)
    }
    about = {"plan.json": json.dumps(summary(plan), indent=1) + "\n"}
    return atomic_file.write_texts(directory, {**texts, **about, **sources})


def summary(plan: Plan) -> dict[str, object]:
    """The project for other tools: names, addresses, clock."""
    return {
        "note": plan.never_run,
        "board": plan.board,
        "part": plan.part,
        "top": plan.module.name,
        "parameters": dict(plan.module.parameters),
        "clock_mhz": {"asked": float(plan.asked_mhz), "made": float(plan.mhz)},
        "ports": [
            {
                "name": link.name,
                "width_bits": link.width,
                "protocol": link.protocol,
                "converters": [
                    word
                    for word, there in (("width", link.resized), ("protocol", link.converted))
                    if there
                ],
            }
            for link in plan.links
        ],
        "masters": [{"name": each.name, "width_bits": each.width} for each in plan.masters],
        "registers": {"base": hex(plan.registers_base), "bytes": plan.registers_size},
        **(
            {"engines": {"base": hex(plan.engine.base), "bytes": STEP, "core": plan.engine.core}}
            if plan.engine
            else {}
        ),
        "blocks": [{"window": block.window, "map": block.map} for block in plan.blocks],
        **port_reset(plan),
        **({"ram": {"base": hex(plan.ram_base), "bytes": plan.ram}} if plan.ram else {}),
    }


def port_reset(plan: Plan) -> dict[str, dict[str, str]]:
    """The bits that take the design's ports to the memory out of reset, on a chip that has them."""
    if "port_reset" not in plan.system:
        return {}
    from axiometer.bringup.projects.boot.socfpga import port_bits  # it imports this file

    register = plan.system["port_reset"]["register"]
    return {"port_reset": {"register": register, "bits": hex(port_bits(plan))}}


def ending(plan: Plan, more: str = "") -> str:
    """The last lines of README.txt: ports, clock, addresses. more: further lines."""
    ports = ", ".join(link.name for link in plan.links) or "none (the top is a slave)"
    ram = f"\nRAM at {plan.ram_base:#x}, {plan.ram:#x} bytes" if plan.ram else ""
    engines = f"; engines' at {plan.engine.base:#x}, {STEP:#x} bytes each" if plan.engine else ""
    return f"""\
Ports: {ports}; {plan.width} bit, {plan.protocol}
Clock: {float(plan.mhz):g} MHz (asked: {float(plan.asked_mhz):g})
Registers at {plan.registers_base:#x}, {plan.registers_size:#x} bytes{engines}{ram}{more}
From here to the first table: STEPS.md
"""
