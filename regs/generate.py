#!/usr/bin/env python3
"""Writes everything that is made from the register descriptions regs/*.rdl.

For each block: <block>_regs.sv and <block>_regs_pkg.sv (AXI4-Lite register file), <block>.h (C),
all in regs/generated/. Of the block types: block_types_pkg.sv there,
host/include/axm/block_types.h, and src/axiometer/runs/agent/block_types.py.

    generate.py              writes what has changed
    generate.py --check      lists files that differ; status 1 if any does
    generate.py dma id       only these blocks, not the block types
"""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
import tempfile
from pathlib import Path

from peakrdl_regblock import RegblockExporter
from peakrdl_regblock.udps import ALL_UDPS
from systemrdl import RDLCompileError, RDLCompiler
from systemrdl.node import AddrmapNode

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE))

import block_types  # noqa: E402
from axil_slave import PatientAxiLite, SmallAxiLite  # noqa: E402
from clocked import clocked  # noqa: E402
from flat import flatten  # noqa: E402
from views import c_header  # noqa: E402

# Blocks whose counters are in a memory that is read when it has a clock to spare.
PATIENT = {"monitor", "traffic"}
GENERATED = HERE / "generated"
WINDOW = 1 << SmallAxiLite.window_bits  # bytes that a block has
# What is not for regs/generated/: a public header, a module of the package.
OUTSIDE = {
    "block_types.h": ROOT / "host" / "include" / "axm",
    "block_types.py": ROOT / "src" / "axiometer" / "runs" / "agent",
}
WRITTEN_BY_HAND = {"README.md", "__init__.py"}
NOTICE = "Generated from regs/{block}.rdl by regs/generate.py; changes here are lost."
# Without clocked.py: the area of the simple masters differs with it by more than 2 %.
AS_REGBLOCK_WRITES = {"masters"}


def blocks() -> list[str]:
    """The blocks that have a description, in order of their names."""
    return sorted(path.stem for path in HERE.glob("*.rdl") if path.stem != "common")


def compile_block(block: str) -> AddrmapNode:
    """The elaborated register map of a block; RDLCompileError with the place if it is wrong."""
    compiler = RDLCompiler()
    for udp in ALL_UDPS:
        compiler.register_udp(udp)
    compiler.compile_file(str(HERE / f"{block}.rdl"), incl_search_paths=[str(HERE)])
    # The name of the instance is the prefix of every C name: `id_t` alone is POSIX's.
    top = compiler.elaborate(f"axm_{block}").top
    if top.total_size > WINDOW:
        raise ValueError(f"{block}.rdl: {top.total_size} bytes, but a window has {WINDOW}")
    return top


def generate(block: str) -> dict[str, str]:
    """The generated files of one block: name and content."""
    top = compile_block(block)
    interface = PatientAxiLite if block in PATIENT else SmallAxiLite
    with tempfile.TemporaryDirectory() as folder:
        RegblockExporter().export(
            top,
            folder,
            cpuif_cls=interface,
            module_name=f"{block}_regs",
            package_name=f"{block}_regs_pkg",
            reuse_hwif_typedefs=False,
        )
        files = {path.name: path.read_text() for path in Path(folder).iterdir()}
    module, package = f"{block}_regs.sv", f"{block}_regs_pkg.sv"
    files[module] = interface.read_by_its_own_address(files[module])
    files[module], files[package] = flatten(block, files[module], files[package])
    if block not in AS_REGBLOCK_WRITES:
        files[module] = clocked(files[module])
    files[f"{block}.h"] = c_header(block, top)
    return {name: _sign(block, name, text) for name, text in files.items()}


def generate_types() -> dict[str, str]:
    """The generated files of the block types, whose source is common.rdl: name and content."""
    views = block_types.files(block_types.types_of(compile_block("id")))
    return {name: _sign("common", name, text) for name, text in views.items()}


def place(name: str) -> Path:
    """Where a generated file is."""
    return OUTSIDE.get(name, GENERATED) / name


def _sign(block: str, name: str, text: str) -> str:
    """The file with the notice that it is generated, without trailing blanks."""
    notice = NOTICE.format(block=block)
    opening = {
        ".sv": f"// {notice}\n",
        ".h": f"/* {notice} */\n",
        ".py": f"# {notice}\n",
    }
    lines = (line.rstrip() for line in text.strip().splitlines())
    return opening[Path(name).suffix] + "\n".join(lines) + "\n"


def stale(wanted: dict[str, str]) -> list[str]:
    """Names of generated files that are missing, differ, or belong to no block any more."""
    differ = [
        name
        for name, text in wanted.items()
        if not place(name).is_file() or place(name).read_text() != text
    ]
    there = {path.name for path in GENERATED.iterdir() if path.is_file()} - WRITTEN_BY_HAND
    return sorted(differ) + sorted(there - set(wanted))


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Generates the views of the register maps.")
    parser.add_argument("--check", action="store_true", help="compare only; status 1 on difference")
    parser.add_argument("block", nargs="*", help="blocks to generate (default: all)")
    options = parser.parse_args(arguments)
    chosen = options.block or blocks()
    unknown = set(chosen) - set(blocks())
    if unknown:
        parser.error(f"no regs/{min(unknown)}.rdl; there are: {', '.join(blocks())}")
    GENERATED.mkdir(exist_ok=True)
    wanted: dict[str, str] = {}
    wrong = []
    for block in chosen:
        # The compiler prints fault and place; its exception has neither.
        said = io.StringIO()
        try:
            with contextlib.redirect_stderr(said):
                wanted |= generate(block)
        except (RDLCompileError, ValueError) as error:
            print(f"{said.getvalue()}{block}: {error}", file=sys.stderr)
            wrong.append(block)
    if not options.block and not wrong:
        wanted |= generate_types()
    differ = stale(wanted)
    if options.block or wrong:  # then other files are none of our business
        differ = [name for name in differ if name in wanted]
    for name in differ:
        path = place(name)
        shown = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
        if options.check:
            print(f"{shown} is not what regs/*.rdl gives: run regs/generate.py")
        elif name in wanted:
            path.write_text(wanted[name])
            print(f"wrote {shown}")
        else:
            path.unlink()
            print(f"removed {shown}")
    return 1 if wrong or (options.check and differ) else 0


if __name__ == "__main__":
    sys.exit(main())
