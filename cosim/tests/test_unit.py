"""Compiles and runs the unit tests of the co-simulation's parts that need no design.

The parts are built with the sanitizers; the model has its own tests with them.
"""

import os
import subprocess
from pathlib import Path

COSIM = Path(__file__).resolve().parents[1]
MODEL = COSIM.parent / "model"
PARTS = ("axi_port", "chip_config", "fault", "memory", "processor_side", "port_chip", "watchdog")
INCLUDE = (COSIM / "src", COSIM / "chip_memory", MODEL / "include")
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
STRICT = ("-g1", "-Wall", "-Wextra", "-Wshadow", "-Werror", *SANITIZERS)


def test_unit(tmp_path):
    compiler = os.environ.get("CXX", "g++").split()
    common = [*compiler, "-std=c++20", "-O1", *(f"-I{path}" for path in INCLUDE)]
    tests = sorted((COSIM / "tests").glob("unit*.cpp"))
    parts = [*tests, *(COSIM / "src" / f"{part}.cpp" for part in PARTS)]
    model = sorted((MODEL / "src").rglob("*.cpp"))
    # Rooms of the model have files of one name.
    rooms = [[path for path in model if path.parent == room] for room in {p.parent for p in model}]
    for number, (sources, options) in enumerate([(parts, STRICT), *((room, ()) for room in rooms)]):
        folder = tmp_path / str(number)
        folder.mkdir()
        subprocess.run([*common, *options, "-c", *sources], check=True, cwd=folder)
    program = tmp_path / "unit"
    objects = sorted(tmp_path.glob("*/*.o"))
    assert len(objects) == len(parts) + len(model)
    subprocess.run([*compiler, *SANITIZERS, *objects, "-o", program], check=True)
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
