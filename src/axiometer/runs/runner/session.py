"""Runs the points of an experiment on a backend and saves each as soon as it has finished.

The unit of work is a chunk of a point's repeats. A record depends on platform, point, seed and
repeat only, so the result is the same for any number of processes and any order.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from axiometer.base import progress
from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.experiment import Experiment, listed, master_keys
from axiometer.experiment.points import Point
from axiometer.experiment.values import known
from axiometer.records import laws
from axiometer.records.store import RunData, Store, pack, unpack
from axiometer.runs import backends
from axiometer.runs.runner import provenance
from axiometer.runs.runner.progress import Progress
from axiometer.runs.runner.workers import Chunk, run_here, run_in_workers

if TYPE_CHECKING:
    from axiometer.runs.runner.cluster import Cluster

__all__ = ["Session", "chunks_of", "cost", "run", "spec_of"]

MAX_CHUNK = 25
CHUNKS_PER_JOB = 4
_STARTING_COST = 4096  # bytes with about the simulation time of a repeat's start


class Session:
    """One attempt to run an experiment to its end: `run` is its id in the store, `resumed` whether
    it continues an earlier attempt, `points` all and `todo` the missing points."""

    def __init__(
        self,
        store: Store,
        experiment: Experiment,
        backend: str = "model",
        jobs: int = 1,
        resume: bool = False,
        cluster: Cluster | None = None,
    ) -> None:
        """Begin a run, or with `resume` continue the latest unfinished one that gives the same
        records; AxiometerError if experiment or backend are not valid. The points run in `jobs`
        processes here, or on an entered `cluster`."""
        self.points = experiment.points()
        backends.load(backend)
        self.store = store
        self.experiment = experiment
        self.backend = backend
        self.cluster = cluster
        self.jobs = jobs = jobs if cluster is None else cluster.threads
        seed = self.points[0].values["seed"]
        made_by = provenance.collect(experiment, backend, seed, jobs)
        spec = spec_of(experiment, self.points, made_by)
        unfinished = store.go_on(experiment.name, spec) if resume else None
        self.resumed = unfinished is not None
        self.run = unfinished or store.begin(experiment, backend, spec, len(self.points), made_by)
        kept = store.finished(self.run)
        self.todo = [point for point in self.points if point.index not in kept]

    def execute(self, quiet: bool = True) -> RunData:
        """Run the missing points, with progress on stderr unless `quiet`; returns the whole run.

        AxiometerError if the backend fails, a worker dies or the store cannot be written; finished
        points stay saved, and the error states their number, as after KeyboardInterrupt. A point
        whose records break a law is not saved; the others run and are saved before the error.
        """
        try:
            self._run_missing(quiet)
        except AxiometerError as error:
            error.remedy = "\n  ".join(filter(None, (error.remedy, self._kept())))
            raise
        finally:
            self.store.end(self.run)
        return self.store.load(self.run)

    def _kept(self) -> str:
        """The number of points saved by a failed run, from the store."""
        try:
            kept = len(self.store.finished(self.run))
        except AxiometerError:
            return "list the saved runs with: axiometer list runs"
        # Nobody needs a run that failed before its first point.
        if not kept and not self.resumed:
            with suppress(AxiometerError):  # the cause of the failure may also prevent this
                self.store.discard(self.run)
        if not kept:
            return "no point is saved"
        saved = f"{kept} of {len(self.points)} points are saved in {self.run}"
        return f"{saved}: continue with --resume"

    def _run_missing(self, quiet: bool) -> None:
        if self.todo:
            backends.prepare(self.backend, self.experiment.platform, self.todo)
            chunks = chunks_of(self.todo, self.jobs)
            total = sum(cost(chunk.point) * chunk.count for chunk in chunks)
            done = len(self.points) - len(self.todo)
            shown = Progress(len(self.points), done, total, quiet)
            try:
                with progress.heard(None):
                    self._collect(chunks, shown)
            finally:
                shown.close()

    def _collect(self, chunks: Sequence[Chunk], shown: Progress) -> None:
        platform = self.experiment.platform
        if self.cluster is not None:
            results = self.cluster.run(self.backend, platform, chunks)
        elif min(self.jobs, len(chunks)) == 1:
            results = run_here(self.backend, platform, chunks)
        else:
            results = run_in_workers(self.backend, platform, chunks, self.jobs)
        parts: dict[int, dict[int, bytes]] = {}
        arrived: dict[int, int] = {}
        unlawful: list[AxiometerError] = []
        since = time.monotonic()
        with closing(results):
            for chunk, records in results:
                point = chunk.point
                simulated = math.fsum(record["elapsed_s"] for record in records)
                # Packed: the records of all unfinished points as objects need much memory.
                mine = parts.setdefault(point.index, {})
                mine[chunk.first] = pack(records)
                arrived[point.index] = arrived.get(point.index, 0) + len(records)
                whole = arrived[point.index] == point.values["repeats"]
                if whole:
                    del parts[point.index]
                    in_order = [record for first in sorted(mine) for record in unpack(mine[first])]
                    now = time.monotonic()
                    try:
                        laws.check(platform, point, in_order)
                    except AxiometerError as error:
                        unlawful.append(error)
                    else:
                        self.store.save(self.run, point, in_order, now - since)
                    since = now
                shown.add(cost(point) * chunk.count, simulated, int(whole))
        if unlawful:
            raise _unlawful(unlawful)


def _unlawful(found: Sequence[AxiometerError]) -> AxiometerError:
    """One error for all points whose records broke a law."""
    first = found[0]
    more = len(found) - 1
    others = f"\n  and {more} other point{'s' * (more > 1)} also broke laws" if more else ""
    return AxiometerError(
        first.message + others,
        remedy=first.remedy,
        status=RUN_FAILED,
    )


def run(
    experiment: Experiment,
    store: Store,
    backend: str = "model",
    jobs: int = 1,
    resume: bool = False,
    quiet: bool = True,
) -> RunData:
    """Run `experiment` and return the stored run; see `Session`."""
    return Session(store, experiment, backend, jobs, resume).execute(quiet)


def chunks_of(points: Iterable[Point], jobs: int) -> list[Chunk]:
    """The work of `points`, the most expensive point first, so that no process remains with a long
    point at the end. Few points are divided further, to keep all `jobs` busy."""
    ordered = sorted(points, key=lambda p: (-cost(p) * p.values["repeats"], p.index))
    pieces = math.ceil(CHUNKS_PER_JOB * jobs / len(ordered)) if jobs > 1 else 1
    chunks = []
    for point in ordered:
        repeats = point.values["repeats"]
        size = min(MAX_CHUNK, math.ceil(repeats / pieces))
        for first in range(0, repeats, size):
            chunks.append(Chunk(point, first, min(size, repeats - first)))
    return chunks


def cost(point: Point) -> float:
    """Expected work of one repeat of `point`, in bytes moved."""
    values = point.values
    streams = sum(len(master_keys.directions(m)) for m in listed.masters(values)) or 1
    size: float | None = values["transfer_bytes"]
    if size is None:
        seconds = known(values["duration_s"])
        size = seconds * values["width_bits"] / 8 * values["pl_mhz"] * 1e6
    return streams * (size + _STARTING_COST)


def spec_of(experiment: Experiment, points: Sequence[Point], made_by: Mapping[str, object]) -> str:
    """Equal for two runs that must give the same records, so that one can continue the other."""
    parts = {
        "points": [[point.key, point.values] for point in points],
        "platform": experiment.platform.sha256,
        "overrides": experiment.platform.overrides,
        **{name: made_by[name] for name in ("axiometer", "commit", "dirty", "backend")},
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
