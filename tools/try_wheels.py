"""Installs the source distribution into an empty environment of each Python, and tries it.

Usage: python tools/try_wheels.py [PYTHON ...]     (default: each python3.11 to python3.13 on PATH)
pip builds the wheel and downloads its dependencies; `tools/try_wheel.py` runs the first commands
outside the source tree. Prints the time of the first answer for each Python. Exit status 1 if one
fails or there is no Python.
"""

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHONS = ("python3.11", "python3.12", "python3.13")
# The first command of the README, and the bar for its time.
FIRST = "import axiometer as axm; print(axm.expect('zybo', ports='HP0+HP1').total)"
WITHIN_S = 2.0


def done(command: list, where: Path) -> str:
    """The output of `command`; RuntimeError with the end of its output where it fails."""
    ran = subprocess.run(list(map(str, command)), cwd=where, capture_output=True, text=True)
    if ran.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}\n{(ran.stdout + ran.stderr)[-3000:]}")
    return ran.stdout.strip()


def tried(python: str, package: Path, where: Path) -> str:
    """A sentence on the package in an empty environment of `python`, made in `where`."""
    done([python, "-m", "venv", where / "clean"], where)
    inside = where / "clean" / "bin" / "python"
    done([inside, "-m", "pip", "install", "--quiet", package], where)
    said = done([inside, ROOT / "tools" / "try_wheel.py"], where)
    begun = time.perf_counter()
    done([inside, "-c", FIRST], where)
    took = time.perf_counter() - begun
    if took > WITHIN_S:
        raise RuntimeError(f"the first answer took {took:.1f} s, more than {WITHIN_S:g} s")
    return f"{said}; first answer in {took:.2f} s"


def main(asked: list[str]) -> int:
    pythons = asked or [name for name in PYTHONS if shutil.which(name)]
    for name in PYTHONS:
        if not asked and name not in pythons:
            print(f"{name}: not on PATH, not tried")
    failed = False
    if not pythons:
        print("no Python found: give one, such as python3.12")
        return 1
    with tempfile.TemporaryDirectory() as directory:
        done([sys.executable, ROOT / "tools" / "sdist.py", "--output", directory], ROOT)
        (package,) = Path(directory).glob("*.tar.gz")
        for python in pythons:
            where = Path(directory) / Path(python).name
            where.mkdir()
            try:
                print(f"{python}: {tried(python, package, where)}", flush=True)
            except (RuntimeError, OSError) as error:
                failed = True
                print(f"{python}: {error}", flush=True)
            shutil.rmtree(where)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
