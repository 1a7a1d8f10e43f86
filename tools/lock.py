"""Writes the lock files in requirements/: every package that is installed, with its hashes.

Usage: python tools/lock.py [--upgrade] [NAME ...]
NAME is a key of [tool.axiometer.lock] in pyproject.toml; without one, all are written.

Locked versions stay unless pyproject.toml requires others or `--upgrade` is given. Needs uv (`make
lock` installs it) and the network. Installs nothing. The files are valid for Python 3.11 and newer
on every system, with hashes of all wheels and source archives of a version. The package index is
not written.
"""

import argparse
import subprocess
import sys
import tomllib
from pathlib import Path

from requirements import requirements

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "requirements"
OLDEST_PYTHON = "3.11"


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--upgrade", action="store_true", help="forget the versions locked today")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(groups()))
    options = parser.parse_args()
    uv = [sys.executable, "-m", "uv", "pip", "compile", "-", "--quiet", "--universal"]
    uv += ["--python-version", OLDEST_PYTHON, "--generate-hashes", "--no-emit-index-url"]
    uv += ["--custom-compile-command", "make lock", *["--upgrade"] * options.upgrade]
    for name in options.names or groups():
        if name not in groups():
            sys.exit(f"there is no lock file {name}: give one of {', '.join(groups())}")
        text = "\n".join(pinned(name))
        done = subprocess.run([*uv, "--output-file", path(name)], input=text, text=True)
        if done.returncode:
            sys.exit(f"requirements/{name}.txt is unchanged: uv could not resolve pyproject.toml")


if __name__ == "__main__":
    main()
