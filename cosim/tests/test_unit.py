"""Compiles and runs the unit tests of the co-simulation's parts that need no design.

The parts are built with the sanitizers; the model has its own tests with them, and is here in the
objects of the co-simulation. What was compiled before of the same sources is not compiled again.
"""

import os
import subprocess
from pathlib import Path

from axiometer.runs.cosim import build, compile

COSIM = Path(__file__).resolve().parents[1]
MODEL = COSIM.parent / "model"
CHIP_MEMORY = COSIM.parent / "lab" / "chip_memory"
PARTS = ("axi_port", "chip_config", "fault", "memory", "plan", "watchdog")
INCLUDE = (COSIM / "tests", COSIM / "src", CHIP_MEMORY, MODEL / "include")
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
STRICT = ("-std=c++20", "-O1", "-g1", "-Wall", "-Wextra", "-Wshadow", "-Werror", *SANITIZERS)


def test_unit(tmp_path):
    compiler = os.environ.get("CXX", "g++").split()
    folder = build.cache() / "cosim" / "objects"
    mark = compile.tree(MODEL)
    objects = [
        compile.kept(folder, piece, compiler, build.MODEL_FLAGS, [MODEL / "include"], sources, mark)
        for piece, sources in build.model_sources(MODEL).items()
    ]
    tests = sorted((COSIM / "tests").glob("unit*.cpp"))
    mark += compile.tree(COSIM)
    objects += (
        compile.kept(folder, f"unit-{path.stem}", compiler, STRICT, INCLUDE, [path], mark)
        for path in (*tests, *(COSIM / "src" / f"{part}.cpp" for part in PARTS))
    )
    program = tmp_path / "unit"
    made = [one.make() for one in objects]
    subprocess.run([*compiler, *SANITIZERS, *made, "-o", program], check=True)
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
