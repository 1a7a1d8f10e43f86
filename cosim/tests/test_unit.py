"""Compiles and runs the unit tests of the co-simulation's parts that need no design."""

import os
import subprocess
from pathlib import Path

COSIM = Path(__file__).resolve().parents[1]
MODEL = COSIM.parent / "model"
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
PARTS = ("axi_port", "chip_config", "fault", "memory", "watchdog")


def test_unit(tmp_path):
    program = tmp_path / "unit"
    compiler = os.environ.get("CXX", "g++").split()
    subprocess.run(
        [
            *compiler, "-std=c++20", "-O1", "-g1", *SANITIZERS, "-Wall", "-Wextra", "-Wshadow", "-Werror",
            f"-I{COSIM / 'src'}", f"-I{MODEL / 'include'}", "-o", program,
            COSIM / "tests" / "unit.cpp", *(COSIM / "src" / f"{part}.cpp" for part in PARTS),
            *sorted((MODEL / "src").rglob("*.cpp")),
        ],
        check=True,
    )  # fmt: skip
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
