"""Measures DRAM and controller alone: builds model/bench/core.cpp and reads its output."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from figures import Figure

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "bench"

# Workload: bar, and the rate of the fastest open DRAM simulator in our comparison of DRAMSys 5.1,
# Ramulator 2.1 and DRAMsim3 on another machine (stated here, not measured).
_WORKLOADS = {
    "sequential read": (15, 0.71),
    "two streams, read/write": (12, 0.61),
    "eight streams": (8, None),
    "random read": (4, 0.26),
}


def build() -> Path:
    """Compile the benchmark and return its path. FileNotFoundError names a missing tool."""
    cmake, ninja = (_tool(name) for name in ("cmake", "ninja"))
    configure = [
        *(cmake, "-S", ROOT / "model", "-B", BUILD, "-G", "Ninja", "--log-level=WARNING"),
        *("-DAXIOMETER_TESTS=ON", "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_MAKE_PROGRAM={ninja}"),
    ]
    for command in (configure, [cmake, "--build", BUILD, "--target", "bench_core"]):
        subprocess.run(command, check=True, stdout=sys.stderr)
    return BUILD / "tests" / "bench_core"


def measure(rounds: int = 3) -> list[Figure]:
    """Million requests a second of processor time, the best of `rounds`."""
    program = build()
    best: dict[str, float] = {}
    for _ in range(rounds):
        done = subprocess.run([program], check=True, capture_output=True, text=True)
        for line in done.stdout.splitlines():
            name, rate, _ = line.rsplit(maxsplit=2)
            best[name.strip()] = max(best.get(name.strip(), 0.0), float(rate))
    figures = []
    for name, rate in best.items():
        bar, others = _WORKLOADS[name]
        how = "DDR3-1066 x64, every command computed, one core"
        if others:
            how += f"; {rate / others:.0f} x the best open simulator's {others} (stated)"
        figures.append(Figure(f"core: {name}", rate, "M requests/s", bar, how=how))
    return figures


def _tool(name: str) -> str:
    """The path of a tool beside this Python or on PATH."""
    beside = Path(sys.executable).parent / name
    found = str(beside) if beside.is_file() else shutil.which(name)
    if found is None:
        raise FileNotFoundError(f"{name} is missing: make build installs it into .venv")
    return found
