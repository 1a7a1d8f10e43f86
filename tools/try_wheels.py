"""Installs a package into an empty environment of each Python as users do, and tries it.

Usage: python tools/try_wheels.py [WHEEL ...] [PYTHON ...]   (default: each Python that is found)
Without a WHEEL, makes the source distribution, which pip compiles; of several wheels each Python
takes its own. `tools/try_wheel.py` runs the commands, outside the source tree and with an empty
PATH: no compiler is needed. Prints the time of pip and of the first answer for each Python. Exit
status 1 if one fails or there is no Python.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from wheels import found

ROOT = Path(__file__).resolve().parent.parent
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
# The first command of the README, and the bar for its time.
FIRST = "import axiometer as axm; print(axm.expect('zybo', ports='HP0+HP1').total)"
WITHIN_S = 2.0
# Of a wheel by pip, on a network that is warm, with the first answer.
INSTALLED_WITHIN_S = 10.0


def done(command: list, where: Path, **environment: str) -> str:
    """The output of `command`; RuntimeError with the end of its output where it fails."""
    ran = subprocess.run(
        list(map(str, command)), cwd=where, capture_output=True, text=True, env=environment or None
    )
    if ran.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}\n{(ran.stdout + ran.stderr)[-3000:]}")
    return ran.stdout.strip()


def tried(python: str | Path, packages: list[Path], where: Path) -> str:
    """A sentence on the package in an empty environment of `python`, made in `where`.

    `packages` are one source distribution, or wheels, of which pip takes the one that fits."""
    done([python, "-m", "venv", where / "clean"], where)
    inside = where / "clean" / "bin" / "python"
    alone = {"PATH": "", "HOME": str(where)}
    pip = [inside, "-m", "pip", "install", "--quiet"]
    source = packages[0].suffix == ".gz"
    begun = time.perf_counter()
    if source:
        done([*pip, packages[0]], where, **os.environ)
    else:
        mine = ["--no-deps", "--no-index", "--find-links", packages[0].parent]
        # First ours, of which pip takes the one that fits; then what it needs, by the network.
        for more in (mine, []):
            done([*pip, *more, "axiometer"], where, **{**os.environ, "PATH": ""})
    done([inside, "-c", FIRST], where, **alone)
    installed = time.perf_counter() - begun
    if not source and installed > INSTALLED_WITHIN_S:
        raise RuntimeError(f"pip and the first answer took {installed:.1f} s")
    said = done([inside, ROOT / "tools" / "try_wheel.py"], where, **alone)
    begun = time.perf_counter()
    done([inside, "-c", FIRST], where, **alone)
    took = time.perf_counter() - begun
    if took > WITHIN_S:
        raise RuntimeError(f"the first answer took {took:.1f} s, more than {WITHIN_S:g} s")
    return f"{said}; installed and asked in {installed:.1f} s, asked again in {took:.2f} s"


def main(asked: list[str]) -> int:
    packages = [Path(word).resolve() for word in asked if word.endswith(".whl")]
    pythons: list[str | Path] = [word for word in asked if not word.endswith(".whl")]
    if not pythons:
        there = {version: found(version) for version in VERSIONS}
        print(
            *(f"Python {v}: not found, not tried" for v, path in there.items() if not path),
            sep="\n",
        )
        pythons = [path for path in there.values() if path]
    failed = False
    if not pythons:
        print("no Python found: give one, such as python3.12")
        return 1
    with tempfile.TemporaryDirectory() as directory:
        if not packages:
            done([sys.executable, ROOT / "tools" / "sdist.py", "--output", directory], ROOT)
            packages = list(Path(directory).glob("*.tar.gz"))
        for number, python in enumerate(pythons):
            where = Path(directory) / str(number)
            where.mkdir()
            try:
                print(f"{python}: {tried(python, packages, where)}", flush=True)
            except (RuntimeError, OSError) as error:
                failed = True
                print(f"{python}: {error}", flush=True)
            shutil.rmtree(where)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
