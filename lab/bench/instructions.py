"""Counts the instructions that ten points cost the model, and fails where they became more.

A count is the same on every run and does not depend on other load, as times do. It does depend on
the compiler: with another one than in `model/bench/instructions.toml`, and without valgrind, there
is nothing to compare, and the exit status is 77 (skipped). After a change that is meant, write the
count anew:

    make test-model
    python lab/bench/instructions.py build/model-tests/tests/bench_points COMPILER --write

COMPILER is what the test prints. `points.py` writes the points, `model/bench/points.txt`.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

BENCH = Path(__file__).resolve().parents[2] / "model" / "bench"
COUNTED = BENCH / "instructions.toml"
POINTS = BENCH / "points.txt"
MOST = 1.03
SKIPPED = 77


def count(program: Path) -> int:
    """Instructions of all points. CalledProcessError if the program fails."""
    with tempfile.TemporaryDirectory() as directory:
        command = [
            *("valgrind", "--tool=callgrind", "--toggle-collect=*measured*"),
            *(f"--callgrind-out-file={directory}/out", program, POINTS),
        ]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    (collected,) = re.findall(r"Collected : (\d+)", done.stderr)
    return int(collected)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=Path, help="bench_points, as make test-model builds it")
    parser.add_argument("compiler", help="its compiler, version, processor and build type")
    parser.add_argument("--write", action="store_true", help="write the count anew")
    args = parser.parse_args()
    kept = tomllib.loads(COUNTED.read_text())
    if shutil.which("valgrind") is None:
        print("skipped: there is no valgrind here, which counts instructions")
        return SKIPPED
    if args.compiler != kept["compiler"] and not args.write:
        print(f"skipped: the count is of {kept['compiler']}, this is {args.compiler}")
        return SKIPPED
    found = count(args.program)
    before = kept["instructions"]
    print(f"{args.compiler}: {found:,} instructions, {found / before - 1:+.2%} of {before:,}")
    if args.write:
        head = "# Written by lab/bench/instructions.py --write.\n"
        text = f'{head}compiler = "{args.compiler}"\ninstructions = {found}\n'
        COUNTED.write_text(text)
        return 0
    if found > before * MOST:
        print(f"more than {MOST - 1:.0%} above; lab/bench/instructions.py writes it anew")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
