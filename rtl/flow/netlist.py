#!/usr/bin/env python3
"""Writes a design as one flat Verilog-2005 module, for tools that cannot read the RTL.

    netlist.py TOP FILE [PARAMETER=VALUE ...]

TOP is one of flow.readers.DESIGNS. The parameters' values are built in; attributes are left out.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from flow import readers, tools  # noqa: E402


def write(top: str, sources: list[Path], file: Path, values: dict[str, object]) -> None:
    """`file` must be below the repository, which is all that Yosys as WebAssembly sees.

    RuntimeError if Yosys refuses the design, or leaves a cell that Verilog has no operator for.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    script = (
        f"{readers.read_slang(top, sources, values)};"
        f" hierarchy -check -top {top}; proc; flatten;"
        f" opt; memory_collect; bwmuxmap; pmuxtree; opt_clean -purge; rename -top {top};"
        f" write_verilog -noattr {os.path.relpath(file.resolve(), tools.ROOT)}"
    )
    done = readers.run_yosys(script)
    if done.returncode:
        raise RuntimeError(f"Yosys could not write {top}:\n{done.stderr[-4000:]}")
    left = sorted({*re.findall(r"^\s*(\\\$\w+)", file.read_text(), re.M)})
    if left:
        raise RuntimeError(f"{top}: Yosys left {', '.join(left)}, which Verilog does not have")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("top", choices=sorted(readers.DESIGNS))
    parser.add_argument("file", type=Path)
    parser.add_argument("parameter", nargs="*", help="PARAMETER=VALUE")
    options = parser.parse_args()
    values = dict(text.split("=", 1) for text in options.parameter)
    write(options.top, readers.DESIGNS[options.top][0], options.file, values)


if __name__ == "__main__":
    main()
