"""Compiles and runs the tests of the engines' register models, with the sanitizers.

What was compiled before of the same sources is not compiled again.
"""

import os
import subprocess
from pathlib import Path

from axiometer.runs.cosim import build, compile

ROOM = Path(__file__).resolve().parents[1]
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
STRICT = ("-std=c++20", "-O0", "-g1", "-Wall", "-Wextra", "-Wshadow", "-Werror", *SANITIZERS)


def test_engines(tmp_path):
    program = tmp_path / "engines"
    vfio = ROOM.parents[1] / "lab" / "vfio"
    tests = sorted((ROOM / "tests").glob("*.cpp"))
    sources = [vfio / "guest_memory.cpp", *sorted(ROOM.glob("*.cpp")), *tests]
    compiler = os.environ.get("CXX", "g++").split()
    folder, include = build.cache() / "cosim" / "objects", (ROOM, vfio, ROOM / "tests")
    mark = compile.tree(ROOM) + compile.tree(vfio)
    made = [
        compile.kept(folder, f"engines-{path.stem}", compiler, STRICT, include, [path], mark).make()
        for path in sources
    ]
    subprocess.run([*compiler, *SANITIZERS, *made, "-o", program], check=True)
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
