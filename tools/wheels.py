"""Builds wheels for Linux with glibc 2.28 or newer, on x86-64 and ARM, without containers, and
tries packages in an empty environment of each Python that is there.

Usage: python tools/wheels.py [--output DIRECTORY] [--machine MACHINE ...]    (`make wheels`)
       python tools/wheels.py --try PACKAGE ...      wheels, or a source distribution to compile

Compiles with ziglang, which carries the headers of old glibcs and links its own libc++ in; it
builds for both machines on either. One wheel is for CPython 3.11, one for 3.12 and all that follow
(the stable ABI): an interpreter of each is needed, for its headers. auditwheel refuses a wheel that
needs more than its tag says. Wheels for another machine are not tried.
"""

from __future__ import annotations

import argparse
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
MACHINES = ("x86_64", "aarch64")
GLIBC = "2.28"
# auditwheel takes wheels of its own machine only; Python says which that is.
AUDIT = """import platform; platform.machine = {!r}.lower
from auditwheel.main import main; exit(main())"""
# Python whose headers are used -> suffix of the compiled model.
PYTHONS = {"3.11": ".cpython-311-{machine}-linux-gnu.so", "3.12": ".abi3.so"}
TRIED = ("3.11", "3.12", "3.13", "3.14")
# The first command of the README, and bars for its time: with the installation of a wheel, alone.
FIRST = "import axiometer as axm; print(axm.expect('zybo', ports='HP0+HP1').total)"
INSTALLED_WITHIN_S, WITHIN_S = 10.0, 2.0


def found(version: str) -> Path | None:
    """An interpreter of that version, on PATH or of pyenv."""
    places = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python{version}"))
    for place in (shutil.which(f"python{version}"), *places):
        # A shim on PATH may lead to no interpreter.
        ask = [place, "-c", "import sys; print(sys.executable)"]
        if place and not (done := subprocess.run(ask, capture_output=True, text=True)).returncode:
            return Path(done.stdout.strip())
    return None


def compilers(folder: Path, machine: str) -> dict[str, Path]:
    """Scripts that compile and archive for a machine, as CMake names programs."""
    words = {
        # Stripped even where CMake tries the compiler: else libc++ is built twice.
        "CXX_COMPILER": ["c++", "-target", f"{machine}-linux-gnu.{GLIBC}", "-s"],
        "AR": ["ar"],
        "RANLIB": ["ranlib"],
    }
    for name, command in words.items():
        script = folder / f"{name.lower()}-{machine}"
        zig = shlex.join([sys.executable, "-m", "ziglang", *command])
        script.write_text(f'#!/bin/sh\nexec {zig} "$@"\n')
        script.chmod(0o755)
    return {name: folder / f"{name.lower()}-{machine}" for name in words}


def built(machine: str, version: str, python: Path, output: Path) -> Path:
    """The wheel for a machine and a Python, in `output`."""
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        defines = {name: str(path) for name, path in compilers(folder, machine).items()}
        defines |= {"SYSTEM_NAME": "Linux", "SYSTEM_PROCESSOR": machine}
        settings = [f"cmake.define.CMAKE_{name}={value}" for name, value in defines.items()]
        # In one piece: ziglang would build its libc++ once more for link-time optimisation.
        settings += ["cmake.define.AXIOMETER_PIECE=0", "build-dir=build/wheels/{wheel_tag}"]
        environment = {
            **os.environ,
            "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
            "_PYTHON_HOST_PLATFORM": f"linux-{machine}",
            "SETUPTOOLS_EXT_SUFFIX": PYTHONS[version].format(machine=machine),
        }
        lock = ["--build-constraints", ROOT / "requirements" / "lock.txt", "--require-hashes"]
        command = [BIN / "uv", "build", "--wheel", "--quiet", "--python", python, *lock]
        command += [word for setting in settings for word in ("-C", setting)]
        subprocess.run([*command, "--out-dir", folder, ROOT], env=environment, check=True)
        (wheel,) = folder.glob("*.whl")
        tag = f"manylinux_{GLIBC.replace('.', '_')}_{machine}"
        repair = ["repair", "--plat", tag, "--only-plat", "--wheel-dir", output, wheel]
        audit = [sys.executable, "-c", AUDIT.format(machine)]
        subprocess.run([*audit, *repair], env=environment, check=True)
        (name,) = output.glob(f"{wheel.name.removesuffix(f'linux_{machine}.whl')}*{machine}.whl")
    return name


def tried(python: Path, packages: list[Path]) -> str:
    """A sentence on the package in an empty environment of `python`; an error where it fails. Of
    several wheels pip takes the one that fits."""
    source = packages[0].suffix == ".gz"
    with tempfile.TemporaryDirectory() as where:

        def asked(*command: object, **environment: str) -> str:
            words = [str(word) for word in command]
            return subprocess.run(
                words, cwd=where, env=environment, stdout=subprocess.PIPE, text=True, check=True
            ).stdout.strip()

        asked(python, "-m", "venv", "clean", **os.environ)
        inside = Path(where) / "clean" / "bin" / "python"
        pip = [inside, "-m", "pip", "install", "--quiet", "--find-links", packages[0].parent]
        begun = time.perf_counter()
        if source:
            asked(*pip, packages[0], **os.environ)
        else:  # first ours, then what it needs: no compiler
            asked(*pip, "--no-deps", "--no-index", "axiometer", **{**os.environ, "PATH": ""})
            asked(*pip, "axiometer", **{**os.environ, "PATH": ""})
        times = []
        for within in (INSTALLED_WITHIN_S, WITHIN_S):
            asked(inside, "-c", FIRST, PATH="", HOME=where)
            times.append(time.perf_counter() - begun)
            if times[-1] > within and not (source and len(times) == 1):
                raise RuntimeError(f"the answer took {times[-1]:.1f} s, more than {within:g} s")
            begun = time.perf_counter()
        said = asked(inside, ROOT / "tools" / "try_wheel.py", PATH="", HOME=where)
    return f"{said}; installed and asked in {times[0]:.1f} s, asked again in {times[1]:.2f} s"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=ROOT / "dist", metavar="DIRECTORY")
    parser.add_argument("--machine", action="append", choices=MACHINES, help="(default: all)")
    parser.add_argument("--try", nargs="+", type=Path, dest="packages", metavar="PACKAGE")
    options = parser.parse_args()
    interpreters = {version: found(version) for version in TRIED}
    packages = [path.resolve() for path in options.packages or ()]
    if not packages:
        if missing := [version for version in PYTHONS if interpreters[version] is None]:
            sys.exit(f"no Python {' and no Python '.join(missing)} with headers: put it on PATH")
        for machine in options.machine or MACHINES:
            for version in PYTHONS:
                python = interpreters[version]
                packages.append(built(machine, version, python, options.output.resolve()))
                print(packages[-1], flush=True)
        packages = [path for path in packages if path.stem.endswith(platform.machine())]
    for version, python in interpreters.items() if packages else ():
        print(f"Python {version}: {tried(python, packages) if python else 'not found'}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
