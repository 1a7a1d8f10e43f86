"""Builds wheels for Linux with glibc 2.28 or newer, on x86-64 and ARM, without containers.

Usage: python tools/wheels.py [--output DIRECTORY] [--machine MACHINE ...]    (`make wheels`)
Compiles with ziglang, which carries the headers of old glibcs and links its own libc++ in; it
builds for both machines on either. One wheel is for CPython 3.11, one for 3.12 and all that follow
(the stable ABI): an interpreter of each is needed, for its headers. auditwheel refuses a wheel that
needs more than its tag says. Wheels for this machine are tried by `tools/try_wheels.py`; those for
another are not.
"""

import argparse
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
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


def found(version: str) -> Path | None:
    """An interpreter of that version, on PATH or of pyenv."""
    places = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python{version}"))
    for place in (shutil.which(f"python{version}"), *places):
        # A shim on PATH may lead to no interpreter.
        ask = [place, "-c", "import sys; print(sys.executable)"]
        if place and not (done := subprocess.run(ask, capture_output=True, text=True)).returncode:
            return Path(done.stdout.strip())
    return None


def tools(folder: Path, machine: str) -> dict[str, Path]:
    """Scripts that compile and archive for a machine, as CMake names programs."""
    zig = [sys.executable, "-m", "ziglang"]
    words = {
        # Stripped even where CMake tries the compiler: else libc++ is built twice.
        "CXX_COMPILER": ["c++", "-target", f"{machine}-linux-gnu.{GLIBC}", "-s"],
        "AR": ["ar"],
        "RANLIB": ["ranlib"],
    }
    made = {}
    for name, command in words.items():
        made[name] = folder / f"{name.lower()}-{machine}"
        made[name].write_text(f'#!/bin/sh\nexec {shlex.join(zig + command)} "$@"\n')
        made[name].chmod(0o755)
    return made


def built(machine: str, version: str, python: Path, output: Path) -> Path:
    """The wheel for a machine and a Python, in `output`."""
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        defines = {name: str(path) for name, path in tools(folder, machine).items()}
        defines |= {"SYSTEM_NAME": "Linux", "SYSTEM_PROCESSOR": machine}
        settings = [f"cmake.define.CMAKE_{name}={value}" for name, value in defines.items()]
        # In one piece: ziglang would build its libc++ once more for link-time optimisation.
        settings += ["cmake.define.AXIOMETER_PIECE=0", "build-dir=build/wheels/{wheel_tag}"]
        command = [BIN / "uv", "build", "--wheel", "--quiet", "--python", python]
        command += ["--build-constraints", ROOT / "requirements" / "run.txt", "--require-hashes"]
        command += [word for setting in settings for word in ("-C", setting)]
        environment = {
            **os.environ,
            "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
            "_PYTHON_HOST_PLATFORM": f"linux-{machine}",
            "SETUPTOOLS_EXT_SUFFIX": PYTHONS[version].format(machine=machine),
        }
        subprocess.run([*command, "--out-dir", folder, ROOT], env=environment, check=True)
        (wheel,) = folder.glob("*.whl")
        tag = f"manylinux_{GLIBC.replace('.', '_')}_{machine}"
        repair = ["repair", "--plat", tag, "--only-plat", "--wheel-dir", output, wheel]
        audit = [sys.executable, "-c", AUDIT.format(machine)]
        subprocess.run([*audit, *repair], env=environment, check=True)
        (name,) = output.glob(f"{wheel.name.removesuffix(f'linux_{machine}.whl')}*{machine}.whl")
    return name


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=ROOT / "dist", metavar="DIRECTORY")
    parser.add_argument("--machine", action="append", choices=MACHINES, help="(default: all)")
    options = parser.parse_args()
    interpreters = {version: found(version) for version in PYTHONS}
    if missing := [version for version, python in interpreters.items() if python is None]:
        sys.exit(f"no Python {' and no Python '.join(missing)} with headers here: put it on PATH")
    wheels = []
    for machine in options.machine or MACHINES:
        for version, python in interpreters.items():
            wheels.append(built(machine, version, python, options.output.resolve()))
            print(wheels[-1], flush=True)
    mine = [wheel for wheel in wheels if wheel.name.endswith(f"{platform.machine()}.whl")]
    if not mine:
        return 0
    return subprocess.run([sys.executable, ROOT / "tools" / "try_wheels.py", *mine]).returncode


if __name__ == "__main__":
    sys.exit(main())
