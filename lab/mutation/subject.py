"""The mutated files (subject.toml), and all places in them."""

from __future__ import annotations

import tomllib
from pathlib import Path

from mutation import cpp_places, python_places
from mutation.mutants import Mutant, numbered

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FINDERS = {"cpp": cpp_places.places, "python": python_places.places}


def table(language: str) -> dict[str, list[str]]:
    return tomllib.loads((HERE / "subject.toml").read_text())[language]


def files(language: str) -> list[str]:
    its = table(language)
    found = {path for pattern in its["files"] for path in ROOT.glob(pattern)}
    without = {ROOT / name for name in its["without"]}
    return sorted(str(path.relative_to(ROOT)) for path in found - without)


def places() -> list[Mutant]:
    return [
        found
        for language, finder in FINDERS.items()
        for file in files(language)
        for found in numbered(finder(file, (ROOT / file).read_bytes()))
    ]
