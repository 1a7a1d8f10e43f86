"""What is installed, with hashes: parts of requirements/lock.txt, and how that is written.

Usage: python tools/requirements.py SET > FILE; pip install --require-hashes -r FILE
       python tools/requirements.py --lock [--upgrade]     (`make lock`; needs uv and the network)

SET is a key of [tool.axiometer.lock] in pyproject.toml: packages of some extras and all that these
need. Needs only Python 3.11. The lock has one version of each package, for Python 3.11 and newer
on every system. Locked versions stay unless pyproject.toml requires others or `--upgrade` is given.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements" / "lock.txt"
OLDEST_PYTHON = "3.11"
_PIN = re.compile(r"([\w.-]+)(?:\[[\w,-]+\])?==([^\s;\\]+)(?: *; *([^\\]+))?")


@dataclass
class Package:
    """A package of the lock: its `lines` there, and the names of the packages that need it."""

    version: str
    marker: str
    lines: list[str]
    parents: set[str]


def normal(name: str) -> str:
    """A package's name in PyPI's normal form."""
    return re.sub(r"[-_.]+", "-", name).lower()


def project() -> dict:
    """pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def sets() -> dict[str, list[str]]:
    """Name of each set of packages -> its groups: extras, `build`, `run`."""
    return project()["tool"]["axiometer"]["lock"]


def pinned(names: list[str]) -> dict[str, str]:
    """Name -> line of the exact versions in pyproject.toml of these sets. Where users get a range,
    the version that development installs."""
    content = project()
    groups = {
        **content["project"]["optional-dependencies"],
        **content["tool"]["axiometer"]["pins"],
        "build": content["build-system"]["requires"],
    }
    lines = sorted({line for name in names for group in sets()[name] for line in groups[group]})
    for line in lines:
        if _PIN.match(line) is None:
            raise SystemExit(f"pyproject.toml: {line} has no exact version (name==version)")
    return {normal(_PIN.match(line)[1]): line for line in lines}


def parse(text: str) -> dict[str, Package]:
    """The packages of a lock's text, by name."""
    packages: dict[str, Package] = {}
    package = None
    for line in text.splitlines():
        if match := _PIN.match(line):
            package = Package(match[2], (match[3] or "").strip(), [], set())
            packages[match[1]] = package
        if package:
            package.lines.append(line)
            if via := re.match(r"    # via (.*)", line):
                package.parents |= set(via[1].split(", "))
    return packages


def needed(names: set[str], packages: dict[str, Package]) -> dict[str, Package]:
    """The packages with these names, and all that they need."""
    while more := {n for n, p in packages.items() if n not in names and names & p.parents}:
        names = names | more
    return {name: package for name, package in packages.items() if name in names}


def locked(*names: str) -> dict[str, Package]:
    """The packages of these sets."""
    return needed(set(pinned(list(names))), parse(LOCK.read_text(encoding="utf-8")))


def lock(options: list[str]) -> int:
    """Write the lock."""
    uv = [sys.executable, "-m", "uv", "pip", "compile", "-", "--quiet", "--universal"]
    uv += ["--python-version", OLDEST_PYTHON, "--generate-hashes", "--no-emit-index-url"]
    uv += ["--annotation-style", "line", "--custom-compile-command", "make lock", *options]
    text = "\n".join(pinned(list(sets())).values())
    return subprocess.run([*uv, "--output-file", LOCK], input=text, text=True).returncode


def main(words: list[str]) -> int:
    if words in (["--lock"], ["--lock", "--upgrade"]):
        return lock(words[1:])
    if not words or set(words) - set(sets()):
        print(f"give one of {', '.join(sets())}, or --lock", file=sys.stderr)
        return 2
    for package in locked(*words).values():
        print(*package.lines, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
