"""The settings that differ between two runs: origin, figures of the platform, keys of points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from axiometer.records.store import RunData

_MANY = 6  # values of a key that are listed


class Difference(NamedTuple):
    """A setting and its value in either run, as text; "–" where a run has none."""

    setting: str
    first: str
    second: str


def differences(first: RunData, second: RunData) -> list[Difference]:
    """The differences, in the order: origin, figures of the platform, keys of the points. Results
    are not compared."""
    made = [_of_run(run) for run in (first, second)]
    figures = [{p: str(leaf.value) for p, leaf in r.platform.leaves()} for r in (first, second)]
    keys = [_keys(run) for run in (first, second)]
    return [*_unlike(*made), *_unlike(*figures), *_unlike(*keys)]


def _of_run(run: RunData) -> dict[str, str]:
    return {
        "experiment": run.experiment.name,
        "platform": run.platform.name,
        "backend": run.backend,
        "axiometer": str(run.provenance.get("axiometer", "–")),
    }


def _keys(run: RunData) -> dict[str, str]:
    """Each key with its values over all points, each once, in their order."""
    found: dict[str, dict[str, None]] = {}
    for point in run.experiment.points():
        for name, value in point.values.items():
            text = "+".join(value) if name == "ports" and isinstance(value, list) else str(value)
            found.setdefault(name, {})[text] = None
    return {name: _listed(list(values)) for name, values in found.items()}


def _listed(values: list[str]) -> str:
    more = f" and {len(values) - _MANY} more" if len(values) > _MANY else ""
    return ", ".join(values[:_MANY]) + more


def _unlike(a: Mapping[str, str], b: Mapping[str, str]) -> list[Difference]:
    names = dict.fromkeys([*a, *b])
    return [
        Difference(name, a.get(name, "–"), b.get(name, "–"))
        for name in names
        if a.get(name) != b.get(name)
    ]
