"""The launcher that compiles Verilator's run time once: what it keeps, and what it never keeps."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

LAUNCHER = Path(__file__).resolve().parents[1] / "objcache.py"
# Counts its calls, and writes its arguments as the object.
COMPILER = '#!/bin/sh\necho x >> "$0.calls"\necho "$@" > "$2"\n[ ! -e "$0.fails" ]\n'


@pytest.fixture
def bench(tmp_path):
    """Runs the launcher on a compiler that counts; returns (status, number of calls so far)."""
    compiler = tmp_path / "c++"
    compiler.write_text(COMPILER)
    compiler.chmod(0o755)
    include = tmp_path / "include"
    include.mkdir()
    (include / "runtime.cpp").write_text("int x;")
    (include / "runtime.h").write_text("extern int x;")

    def run(output: str, *words: str, source: str = str(include / "runtime.cpp")):
        command = [compiler, "-o", output, *words, "-c", source]
        launcher = [sys.executable, "-I", "-S", LAUNCHER, tmp_path / "kept"]
        done = subprocess.run([*launcher, *command], cwd=tmp_path, env=os.environ, check=False)
        calls = Path(f"{compiler}.calls")
        return done.returncode, len(calls.read_text().split()) if calls.exists() else 0

    run.folder = tmp_path
    return run


def test_compiles_once(bench):
    assert bench("one.o", "-Os") == (0, 1)
    assert bench("two.o", "-Os") == (0, 1)
    assert (bench.folder / "two.o").read_bytes() == (bench.folder / "one.o").read_bytes()


@pytest.mark.parametrize("name", ["include/runtime.cpp", "include/runtime.h"])
def test_changed_source_is_compiled_again(bench, name):
    bench("one.o")
    (bench.folder / name).write_text("long x;")
    assert bench("one.o") == (0, 2)


def test_changed_option_is_compiled_again(bench):
    bench("one.o", "-Os")
    assert bench("one.o", "-O0") == (0, 2)


def test_other_compiler_is_compiled_again(bench):
    bench("one.o")
    with (bench.folder / "c++").open("a") as program:
        program.write("# another version\n")
    assert bench("one.o") == (0, 2)


def test_design_is_never_kept(bench):
    assert bench("one.o", source="include/runtime.cpp") == (0, 1)
    assert bench("one.o", source="include/runtime.cpp") == (0, 2)


def test_failure_is_not_kept(bench):
    fails = bench.folder / "c++.fails"
    fails.touch()
    assert bench("one.o") == (1, 1)
    fails.unlink()
    assert bench("one.o") == (0, 2)
