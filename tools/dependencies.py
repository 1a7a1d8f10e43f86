"""What the lock files and requirements/licences.toml say of every dependency.

Reads files only. `licences.py` and `sbom.py` are built on it. Raises SystemExit with a sentence
that says what to mend if the files do not fit together.
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
    """A package's name as PyPI compares names."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(lines: list[str]) -> dict[str, str]:
    """Name -> version of lines such as `altair==6.3.0`; SystemExit for any other."""
    found = {}
    for line in lines:
        match = _PIN.match(line)
        if match is None:
            raise SystemExit(f"pyproject.toml: {line} names no exact version (name==version)")
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
    """What a user cannot go without: the packages without an extra, and what these need."""
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
            f"the licence of {name} is not known: look it up, and write it into {LICENCES.name}"
        ) from None


def allowed(expression: str, names: set[str]) -> bool:
    """Whether a licence expression can be met with the licences in `names`."""
    tree = _LICENSING.parse(expression, validate=True)

    def met(node) -> bool:
        if node.isliteral:
            return str(node) in names
        choose = any if isinstance(node, _LICENSING.OR) else all
        return choose(met(child) for child in node.args)

    return met(tree)


def refused() -> list[str]:
    """One sentence for each dependency whose licence is not on the list that holds for it."""
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
