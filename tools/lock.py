"""Writes the lock files in requirements/: every package that is installed, with its hashes.

Usage: python tools/lock.py [--upgrade] [NAME ...]
NAME is a key of [tool.axiometer.lock] in pyproject.toml; without one, all are written.

Locked versions stay unless pyproject.toml requires others or `--upgrade` is given. Needs uv (`make
lock` installs it) and the network. Installs nothing. The files are valid for Python 3.11 and newer
on every system, with hashes of all wheels and source archives of a version. The package index is
not written.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from requirements import requirements

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "requirements"
OLDEST_PYTHON = "3.11"
HEADER = """\
# Every package of `{name}` with its hashes. Written by `make lock` from pyproject.toml, groups
# {groups}. Do not edit: change pyproject.toml, then `make lock`.
"""


def groups() -> dict[str, list[str]]:
    """Name of each lock file -> the groups of requirements that it holds."""
    content = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return content["tool"]["axiometer"]["lock"]


def pinned(name: str) -> list[str]:
    """The requirements that pyproject.toml pins for a lock file, each once."""
    return sorted({line for group in groups()[name] for line in requirements(group)})


def path(name: str) -> Path:
    """The path of a lock file."""
    return FOLDER / f"{name}.txt"


def resolve(name: str, before: str) -> str:
    """The text of a lock file; versions of the old text `before` stay if they fit."""
    uv = shutil.which("uv", path=str(Path(sys.executable).parent)) or shutil.which("uv")
    if uv is None:
        sys.exit("uv is missing: make lock installs it")
    work = ROOT / "build" / "lock"
    work.mkdir(parents=True, exist_ok=True)
    output = work / f"{name}.txt"
    output.write_text(before, encoding="utf-8")
    options = ["--universal", "--python-version", OLDEST_PYTHON, "--generate-hashes"]
    quiet = ["--quiet", "--no-header", "--no-emit-index-url", "--no-emit-find-links"]
    done = subprocess.run(
        [uv, "pip", "compile", *options, *quiet, "--output-file", output, "-"],
        input="\n".join(pinned(name)),
        text=True,
        cwd=work,
        check=False,
    )
    if done.returncode:
        sys.exit(f"requirements/{name}.txt is unchanged: uv could not resolve pyproject.toml")
    header = HEADER.format(name=name, groups=", ".join(groups()[name]))
    return header + output.read_text(encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--upgrade", action="store_true", help="forget the versions locked today")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(groups()))
    options = parser.parse_args()
    for name in options.names or groups():
        if name not in groups():
            sys.exit(f"there is no lock file {name}: give one of {', '.join(groups())}")
        file = path(name)
        keep = file.is_file() and not options.upgrade
        text = resolve(name, file.read_text(encoding="utf-8") if keep else "")
        FOLDER.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
        print(f"{file.relative_to(ROOT)}: {len(re.findall(r'^[^ #]+==', text, re.M))} packages")


if __name__ == "__main__":
    main()
