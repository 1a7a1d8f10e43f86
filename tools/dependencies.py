"""The data of every dependency in the lock files and requirements/licences.toml.

Reads files only; `licences.py` uses it. Raises SystemExit with the remedy if the files
contradict each other.
"""

import re
import tomllib
from dataclasses import dataclass, field

from license_expression import get_spdx_licensing

from lock import ROOT, groups, path

LICENCES = ROOT / "requirements" / "licences.toml"
_LICENSING = get_spdx_licensing()
_PIN = re.compile(r"(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^\s;\\]+)(?: *; *(?P<marker>[^\\]+))?")


@dataclass
class Package:
    """One line of a lock file. `parents` are the packages that need it, by name."""

    name: str
    version: str
    marker: str = ""
    hashes: list[str] = field(default_factory=list)
    parents: list[str] = field(default_factory=list)


def normal(name: str) -> str:
    """A package's name in PyPI's normal form."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(lines: list[str]) -> dict[str, str]:
    """Name -> version of lines such as `altair==6.3.0`; SystemExit for any other."""
    found = {}
    for line in lines:
        match = _PIN.match(line)
        if match is None:
            raise SystemExit(f"pyproject.toml: {line} has no exact version (name==version)")
        found[normal(match["name"])] = match["version"]
    return found


def parse(text: str) -> dict[str, Package]:
    """The packages of a lock file's text, by name."""
    packages: dict[str, Package] = {}
    package = None
    for line in text.splitlines():
        if match := _PIN.match(line):
            marker = (match["marker"] or "").strip()
            package = packages[match["name"]] = Package(match["name"], match["version"], marker)
        elif package and (match := re.match(r"\s+--hash=(\w+:[0-9a-f]+)", line)):
            package.hashes.append(match[1])
        elif package and (match := re.match(r"\s+#(?: via)? +([A-Za-z0-9._-]+)$", line)):
            package.parents.append(match[1])
    return packages


def locked(name: str) -> dict[str, Package]:
    """The packages of one lock file."""
    return parse(path(name).read_text(encoding="utf-8"))


def everything() -> dict[str, Package]:
    """The packages of all lock files."""
    return {name: package for lock in groups() for name, package in locked(lock).items()}


def required() -> set[str]:
    """The packages that every user needs: those without an extra, directly or indirectly."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = {normal(re.match(r"[\w.-]+", line)[0]) for line in project["dependencies"]}
    packages = locked("user")
    while True:
        more = {n for n, p in packages.items() if n not in names and names & set(p.parents)}
        if not more:
            return names
        names |= more


def licences() -> dict:
    """The tables of requirements/licences.toml."""
    return tomllib.loads(LICENCES.read_text(encoding="utf-8"))


def licence_of(name: str) -> str:
    """The SPDX expression of a package."""
    try:
        return licences()["packages"][name]
    except KeyError:
        raise SystemExit(
            f"the licence of {name} is unknown: look it up and add it to {LICENCES.name}"
        ) from None


def allowed(expression: str, names: set[str]) -> bool:
    """Whether the licences in `names` satisfy a licence expression."""
    tree = _LICENSING.parse(expression, validate=True)

    def met(node) -> bool:
        if node.isliteral:
            return str(node) in names
        choose = any if isinstance(node, _LICENSING.OR) else all
        return choose(met(child) for child in node.args)

    return met(tree)


def refused() -> list[str]:
    """A phrase for each dependency whose licence is not on its list."""
    table = licences()
    user = set(table["allowed"]["user"])
    lists = {"user": user, "development": user | set(table["allowed"]["development"])}
    known = everything()
    mine = set(locked("user"))
    found = []
    for name in sorted(known):
        audience = "user" if name in mine else "development"
        if not allowed(licence_of(name), lists[audience]):
            found.append(f"{name}: {licence_of(name)} is not on the list for {audience}")
    for item in table["carried"]:
        if not allowed(item["licence"], user):
            found.append(f"{item['name']}: {item['licence']} is not on the list for user")
    return found
