"""Prints requirements from pyproject.toml, one a line, for `pip install --requirement`.

Usage: python tools/requirements.py GROUP...
GROUP is `build` (builds the package) or an extra (`plot`, `test`, `lint`). Where users get a range
of versions, the version pinned for development is printed, so that only pyproject.toml has
versions. Needs only Python 3.11.
"""

import sys
import tomllib
from pathlib import Path


def requirements(group: str) -> list[str]:
    """The requirement lines of one group; KeyError if pyproject.toml has no such group."""
    file = Path(__file__).resolve().parent.parent / "pyproject.toml"
    content = tomllib.loads(file.read_text())
    if group == "build":
        return content["build-system"]["requires"]
    pins = content["tool"]["axiometer"]["pins"]
    if group in pins:
        return pins[group]
    return content["project"]["optional-dependencies"][group]


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(*requirements(name), sep="\n")
