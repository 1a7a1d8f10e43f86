"""Experiments that are run and kept, and what is kept of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from axiometer.answer.analysis import collect, comparison
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
    """A run as it is kept, with the published figures that its experiment names."""

    def __init__(self, data: RunData) -> None:
        self.data = data

    @classmethod
    def load(cls, ref: str = "latest", store: str | Path | None = None) -> Run:
        """The run that `ref` means: an id, an experiment's name (its latest run), or "latest".
        AxiometerError if there is none."""
        return cls(opened.load(ref, store))

    @property
    def id(self) -> str:
        """What the run is called in its store."""
        return self.data.id

    @property
    def experiment(self) -> Experiment:
        """The experiment as it was run, with the settings laid over it."""
        return self.data.experiment

    @property
    def complete(self) -> bool:
        """Whether all points have finished."""
        return self.data.complete

    @cached_property
    def view(self) -> View:
        """Everything that is shown of the run."""
        return collect.view(self.data)

    @property
    def error_pct(self) -> float | None:
        """Mean absolute error over the rows that are published, in percent; None without any."""
        return comparison.group(self.view.rows).mean_abs_error_pct

    def rows(self) -> list[dict[str, object]]:
        """One mapping a point, as `axiometer export` writes them."""
        return flat.points(self.view)

    def repeats(self) -> list[dict[str, object]]:
        """One mapping a repeat, as `axiometer export --raw` writes them."""
        return flat.repeats(self.view)

    def to_dict(self) -> dict[str, object]:
        """What `axiometer run --json` prints."""
        return run_document.document(self.data)

    def plot(self) -> altair.TopLevelMixin:
        """The picture of `axiometer show --svg`. AxiometerError where no point has finished."""
        from axiometer.present import pictures

        return pictures.of_run(self.view)

    @property
    def caption(self) -> str:
        return f"{self.view.title} ({self.view.how}), run {self.id}"

    def __repr__(self) -> str:
        return f"<Run {self.id}: {len(self.data.points)} of {self.data.points_total} points>"


def run(
    experiment: str | Path | Experiment,
    *,
    set: Mapping[str, object] | None = None,
    backend: str = "model",
    jobs: int = 1,
    store: str | Path | None = None,
    resume: bool = False,
) -> Run:
    """Run an experiment and keep its records.

    `experiment` is a name, a TOML file or an `Experiment`. `set` lays other values over its keys (a
    list sweeps) and over figures of its platform, as `--set` does. `store` is the file that keeps
    runs (None: that of the command line). With `jobs` above 1 a script needs
    `if __name__ == "__main__":`, as all that uses `multiprocessing`. AxiometerError says what is
    wrong.
    """
    overlay = [f"{name}={settings.written(value)}" for name, value in (set or {}).items()]
    if isinstance(experiment, Experiment):
        made = experiment.laid_over(overlay)
    else:
        made = Experiment.load(str(experiment), overlay)
    # What is wrong with either is told before a store is made.
    backends.prepare(backend, made.platform, made.points())
    with opened.to_keep(store) as kept:
        return Run(Session(kept, made, backend, jobs, resume).execute())
