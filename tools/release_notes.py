"""Prints the changelog's part of a tag's version, for its release.

Usage: python tools/release_notes.py vX.Y.Z
Refuses a tag that is not the version of pyproject.toml, the package and CITATION.cff, and a version
whose part of the changelog is missing, empty or without a date. Needs only Python.
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def versions(root: Path = ROOT) -> dict[str, str]:
    """The version in each file that has one."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = {"pyproject.toml": project["version"]}
    for name, pattern in (
        ("src/axiometer/__init__.py", r'^__version__ = "(.*)"'),
        ("CITATION.cff", r"^version: (\S+)"),
    ):
        match = re.search(pattern, (root / name).read_text(encoding="utf-8"), re.MULTILINE)
        found[name] = match[1] if match else "none"
    return found


def parts(changelog: str) -> dict[str, tuple[str, str]]:
    """Version -> the rest of its heading (a date), and its text."""
    headings = list(re.finditer(r"^## \[(.+?)\](.*)$", changelog, re.MULTILINE))
    if not headings:
        return {}
    ends = [heading.start() for heading in headings[1:]] + [len(changelog)]
    return {
        heading[1]: (heading[2].strip(" -"), changelog[heading.end() : end].strip())
        for heading, end in zip(headings, ends, strict=True)
    }


def notes(tag: str, root: Path = ROOT) -> str:
    """The text for a release. SystemExit with the reason if it is not ready."""
    version = tag.removeprefix("v")
    for name, said in versions(root).items():
        if tag != f"v{said}":
            raise SystemExit(f"the tag is {tag}, but {name} has {said}")
    date, text = parts((root / "CHANGELOG.md").read_text(encoding="utf-8")).get(version, ("", ""))
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", date):
        raise SystemExit(f"CHANGELOG.md has no date at {version}: ## [{version}] - YYYY-MM-DD")
    if not text:
        raise SystemExit(f"CHANGELOG.md has no text for {version}")
    return text


if __name__ == "__main__":
    if len(sys.argv) != 2:  # noqa: PLR2004
        sys.exit("give the tag: make release-notes TAG=v1.2.3")
    print(notes(sys.argv[1]))
