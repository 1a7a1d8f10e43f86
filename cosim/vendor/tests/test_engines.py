"""Compiles and runs the tests of the engines' register models, with the sanitizers."""

import os
import subprocess
from pathlib import Path

ROOM = Path(__file__).resolve().parents[1]
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
STRICT = ("-std=c++20", "-O0", "-g1", "-Wall", "-Wextra", "-Wshadow", "-Werror", *SANITIZERS)


def test_engines(tmp_path):
    program = tmp_path / "engines"
    sources = [*sorted(ROOM.glob("*.cpp")), *sorted((ROOM / "tests").glob("*.cpp"))]
    vfio = ROOM.parent / "vfio"
    compiler = os.environ.get("CXX", "g++").split()
    command = [*compiler, *STRICT, f"-I{ROOM}", f"-I{vfio}", vfio / "guest_memory.cpp", *sources]
    subprocess.run([*command, "-o", program], check=True)
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
