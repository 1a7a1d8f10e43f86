"""Builds the package from its source distribution, installs it in an empty environment, runs it.

Takes a minute or two, and the network. The package must have the same files as the one that
`make build` installed, and give the same answers.
"""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import venv
import zipfile
from importlib import metadata
from pathlib import Path

from validate.compared import ROOT, Outcome

QUESTION = ["expect", "--board", "zybo", "--ports", "HP0+HP1", "--mode", "duplex", "--json"]


def output(*command: object, cwd: Path) -> str:
    """The standard output of a command that must succeed."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd, capture_output=True, text=True, env={**os.environ, "PATH": path},
    )  # fmt: skip
    if done.returncode:
        sys.exit(f"{command[0]} ended with status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def installed() -> dict[str, str]:
    """Name -> hash of every file of the installed package but compiled code."""
    found = {}
    for file in metadata.files("axiometer"):
        name = file.as_posix()
        if name.startswith("axiometer/") and file.suffix not in (".so", ".pyc"):
            found[name] = hashlib.sha256(file.locate().read_bytes()).hexdigest()
    return found


def in_wheel(wheel: Path) -> dict[str, str]:
    """The same of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return {
            name: hashlib.sha256(archive.read(name)).hexdigest()
            for name in archive.namelist()
            if name.startswith("axiometer/") and not name.endswith((".so", "/"))
        }


def run() -> Outcome:
    """The package that is built, beside the installed one."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        archive = output(sys.executable, ROOT / "tools" / "sdist.py", "--output", work, cwd=work)
        (work / "source").mkdir()
        output("tar", "-xzf", archive.splitlines()[-1], "-C", work / "source", cwd=work)
        source = next((work / "source").iterdir())
        pip = [sys.executable, "-m", "pip"]
        output(*pip, "wheel", "--no-build-isolation", "--no-deps", "-w", work, source, cwd=work)
        wheel = next(work.glob("*.whl"))
        ours, built = installed(), in_wheel(wheel)
        wrong = sorted(n for n in ours.keys() | built.keys() if ours.get(n) != built.get(n))
        if wrong:
            sys.exit("differ from what `make build` installed:\n  " + "\n  ".join(wrong))
        venv.create(work / "clean", with_pip=True)
        python = work / "clean" / "bin" / "python"
        lock = ROOT / "requirements" / "user.txt"
        output(python, "-m", "pip", "install", "--require-hashes", "-r", lock, cwd=work)
        output(python, "-m", "pip", "install", "--no-deps", wheel, cwd=work)
        answers = [
            json.loads(output(program, "-m", "axiometer", *QUESTION, cwd=work))
            for program in (python, sys.executable)
        ]
        if answers[0] != answers[1]:
            sys.exit(f"the package answers otherwise: {answers}")
    return Outcome(f"{len(built)} files as installed, and the same answer")
