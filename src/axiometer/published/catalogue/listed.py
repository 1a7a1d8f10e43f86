"""The rows of `axiometer list` for shipped platforms and experiments.

Merging the files of all boards takes most of a second. A built package therefore has an index of
these rows, which the build makes with this file as a program. The index is valid while its source
files are unchanged; otherwise, and in a source checkout, the rows are made from the files.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

from axiometer.base import data

INDEX = Path(__file__).resolve().parents[2] / "data" / "index.json"
_MADE_FROM = ("boards", "chips", "experiments")

Rows = list[dict[str, str | int]]


def platforms() -> Rows:
    """A row for each shipped platform: name, ports, ports without validation, numbers of fitted and
    selected figures, and title."""
    return _rows("platforms")


def experiments() -> Rows:
    """A row for each shipped experiment: name, board, number of points, title and source."""
    return _rows("experiments")


def _rows(kind: str) -> Rows:
    found = _indexed()
    return _MAKERS[kind]() if found is None else found[kind]


@cache
def _indexed() -> dict[str, Rows] | None:
    """The index, if it exists and matches the files; else None."""
    try:
        index = json.loads(INDEX.read_text(encoding="utf-8"))
        fits = index["sha256"] == _digest() and all(kind in index for kind in _MAKERS)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return index if fits else None


@cache
def _digest() -> str:
    """SHA-256 of the names and bytes of all source files of the rows."""
    said = hashlib.sha256()
    for kind in _MADE_FROM:
        for name in data.names(kind):
            content = data.path_of(kind, name).read_bytes()
            said.update(f"{kind}/{name} {len(content)}\n".encode() + content)
    return said.hexdigest()


def _made_platforms() -> Rows:
    from axiometer.platform import Platform

    loaded = [Platform.load(name) for name in data.names("platforms")]
    return [
        {
            "name": platform.name,
            "ports": "+".join(p for p in platform.ports if p not in platform.unvalidated()),
            "not validated": "+".join(platform.unvalidated()),
            "fitted": origins["fitted"],
            "selected": origins["selected"],
            "title": platform.title,
        }
        for platform in loaded
        for origins in [platform.origins()]
    ]


def _made_experiments() -> Rows:
    from axiometer.experiment import Experiment

    loaded = [Experiment.load(name) for name in data.names("experiments")]
    return [
        {
            "name": experiment.name,
            "board": experiment.platform_name,
            "points": experiment.how_many(),
            "title": experiment.title,
            "source": experiment.source,
        }
        for experiment in loaded
    ]


_MAKERS: dict[str, Callable[[], Rows]] = {
    "platforms": _made_platforms,
    "experiments": _made_experiments,
}


def made() -> dict[str, str | Rows]:
    """The index of the current files."""
    return {"sha256": _digest(), **{kind: make() for kind, make in _MAKERS.items()}}


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(json.dumps(made(), indent=0), encoding="utf-8")
