"""Opens the store: the one place that does. Everybody else asks here, and is handed what is kept.

A `path` of None is `default_path()`. AxiometerError where there is no store, or no such run.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from axiometer.records.store.store import RunData, RunInfo, Store, default_path

Place = str | Path | None


def is_there(path: Place = None) -> bool:
    """Whether a store is named, or is where runs are kept."""
    return path is not None or default_path().exists()


def load(ref: str, path: Place = None) -> RunData:
    """The run that `ref` means (id, experiment name, `latest`)."""
    with Store(path) as store:
        return store.load(ref)


def listed(path: Place = None) -> list[RunInfo]:
    """All runs, oldest first."""
    with Store(path) as store:
        return store.runs()


def of_experiments(names: Collection[str], path: Place = None) -> list[RunData]:
    """The latest run of each of these experiments that has a point."""
    with Store(path) as store:
        have = {run.experiment for run in store.runs()}
        found = [store.load(name) for name in names if name in have]
    return [run for run in found if run.points]


def of_platform(name: str, path: Place = None) -> list[RunData]:
    """The latest run of each experiment on a platform that has a point."""
    with Store(path) as store:
        done = [run for run in store.runs() if run.platform == name and run.points_done]
        latest = {run.experiment: run.id for run in done}
        return [store.load(run) for run in latest.values()]


def name(ref: str, called: str, path: Place = None) -> str:
    """Call the run that `ref` means so ("": by no name); its id."""
    with Store(path) as store:
        return store.name(ref, called)


def note(ref: str, words: str, path: Place = None) -> str:
    """Note something of the run that `ref` means ("": nothing); its id."""
    with Store(path) as store:
        return store.note(ref, words)


def remove(runs: Sequence[str], path: Place = None) -> None:
    """Forget these runs, named by their ids: all or none."""
    with Store(path) as store:
        store.remove(runs)


def to_keep(path: Place = None) -> Store:
    """The store, made if need be, for whoever runs an experiment; a context manager."""
    return Store(path, create=True)
