"""Experiments that are run and saved, and their stored runs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from axiometer.answer.analysis import collect, comparison
from axiometer.answer.analysis.results import how
from axiometer.api.frames import Result
from axiometer.experiment import Experiment, settings
from axiometer.present import flat, run_document
from axiometer.records.store import RunData, opened
from axiometer.runs import backends
from axiometer.runs.runner import Session

if TYPE_CHECKING:
    import altair

    from axiometer.answer.analysis.results import View


class Run(Result):
    """A stored run, with the published figures that its experiment names."""

    def __init__(self, data: RunData) -> None:
        self.data = data

    @classmethod
    def load(cls, ref: str = "latest", store: str | Path | None = None) -> Run:
        """The run for `ref`: an id, a name, an experiment's name (its latest run), or "latest".
        AxiometerError if there is none."""
        return cls(opened.load(ref, store))

    @property
    def id(self) -> str:
        """The run's id in its store."""
        return self.data.id

    @property
    def experiment(self) -> Experiment:
        """The experiment as run, with the settings laid over it."""
        return self.data.experiment

    @property
    def complete(self) -> bool:
        """Whether all points have finished."""
        return self.data.complete

    @cached_property
    def view(self) -> View:
        """All data for output of the run."""
        return collect.view(self.data)

    @property
    def error_pct(self) -> float | None:
        """Mean absolute error over the published rows, in percent; None without any."""
        return comparison.group(self.view.rows).mean_abs_error_pct

    def rows(self) -> list[dict[str, object]]:
        """One mapping a point, as in `axiometer export`."""
        return flat.points(self.view)

    def repeats(self) -> list[dict[str, object]]:
        """One mapping a repeat, as in `axiometer export --raw`."""
        return flat.repeats(self.view)

    def to_dict(self) -> dict[str, object]:
        """The output of `axiometer run --json`."""
        return run_document.document(self.data)

    def plot(self) -> altair.TopLevelMixin:
        """The picture of `axiometer show --svg`. AxiometerError if no point has finished."""
        from axiometer.present import pictures

        return pictures.of_run(self.view)

    @property
    def caption(self) -> str:
        return f"{self.view.title} ({self.view.how}), run {self.id}"

    def __repr__(self) -> str:
        done = f"{len(self.data.points)} of {self.data.points_total} points"
        return f"<{type(self).__name__} {self.id}: {done} ({how(self.data.backend)})>"


def run(
    experiment: str | Path | Experiment,
    *,
    set: Mapping[str, object] | None = None,
    backend: str = "model",
    jobs: int = 1,
    store: str | Path | None = None,
    resume: bool = False,
) -> Run:
    """Run an experiment and save its records.

    `experiment` is a name, a TOML file or an `Experiment`. `set` lays other values over its keys (a
    list sweeps) and over figures of its platform, like `--set`. `store` is the file for runs (None:
    that of the command line). With `jobs` above 1 a script needs `if __name__ == "__main__":`, like
    all users of `multiprocessing`. AxiometerError for bad values.
    """
    made = laid_over(experiment, set)
    # Report errors of either before a store is made.
    backends.prepare(backend, made.platform, made.points())
    with opened.to_keep(store) as kept:
        return Run(Session(kept, made, backend, jobs, resume).execute())


def laid_over(
    experiment: str | Path | Experiment, set: Mapping[str, object] | None = None
) -> Experiment:
    """The experiment with the values of `set` over its keys and over figures of its platform."""
    overlay = [f"{name}={settings.written(value)}" for name, value in (set or {}).items()]
    if isinstance(experiment, Experiment):
        return experiment.laid_over(overlay)
    return Experiment.load(str(experiment), overlay)
