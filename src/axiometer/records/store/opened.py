"""Opens the store for all other rooms, and returns what it has.

A `path` of None is `default_path()`. AxiometerError if there is no store, or no such run.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from axiometer.records.store.store import RunData, RunInfo, Store, default_path

Place = str | Path | None


def is_there(path: Place = None) -> bool:
    """Whether a store is given, or exists at its default path."""
    return path is not None or default_path().exists()


def load(ref: str, path: Place = None) -> RunData:
    """The run for `ref` (id, name, experiment name, `latest`)."""
    with Store(path) as store:
        return store.load(ref)


def listed(path: Place = None) -> list[RunInfo]:
    """All runs, oldest first."""
    with Store(path) as store:
        return store.runs()


def of_experiments(names: Collection[str], path: Place = None) -> list[RunData]:
    """The latest run of each of these experiments, if it has a point."""
    with Store(path) as store:
        have = {run.experiment for run in store.runs()}
        found = [store.load(name) for name in names if name in have]
    return [run for run in found if run.points]


def of_platform(name: str, path: Place = None) -> list[RunData]:
    """The latest run of each experiment on a platform, if it has a point."""
    with Store(path) as store:
        done = [run for run in store.runs() if run.platform == name and run.points_done]
        latest = {run.experiment: run.id for run in done}
        return [store.load(run) for run in latest.values()]


def name(ref: str, called: str, path: Place = None) -> str:
    """Name the run for `ref` ("": no name); returns its id."""
    with Store(path) as store:
        return store.name(ref, called)


def note(ref: str, words: str, path: Place = None) -> str:
    """Set the note of the run for `ref` ("": none); returns its id."""
    with Store(path) as store:
        return store.note(ref, words)


def remove(runs: Sequence[str], path: Place = None) -> None:
    """Remove these runs, given by id: all or none."""
    with Store(path) as store:
        store.remove(runs)


def to_keep(path: Place = None) -> Store:
    """The store, made if needed, to save an experiment's run; a context manager."""
    return Store(path, create=True)
