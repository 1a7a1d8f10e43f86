"""Chunks of repeats on a Dask cluster: one that already runs, or one that a job queue starts.

A record depends on platform, point, seed and repeat only, so a cluster gives the same records as
one machine, bit for bit. If a worker is lost, Dask gives its chunks to another. Every worker must
have the runner's version of Axiometer; an error names a worker that has not.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Protocol

from axiometer import __version__
from axiometer.base import standard_streams
from axiometer.base.errors import RUN_FAILED, AxiometerError, did_you_mean
from axiometer.base.toml_source import TomlSource
from axiometer.platform import Platform
from axiometer.runs.runner import scheduler
from axiometer.runs.runner.workers import Chunk, Records, Results, compute, describe

CONNECT_S = 20  # to find the scheduler
WORKER_S = 60  # for a worker of a running scheduler
LOOK_S = 5  # between two checks for workers
QUEUE_S = 1800  # for the first job of a queue
LOSSES = 5  # workers that a chunk may lose before it is abandoned: it may be what kills them
_QUEUES = {
    "htcondor": "HTCondorCluster",
    "local": "LocalCluster",
    "lsf": "LSFCluster",
    "moab": "MoabCluster",
    "oar": "OARCluster",
    "pbs": "PBSCluster",
    "sge": "SGECluster",
    "slurm": "SLURMCluster",
}
_INSTALL = "pip install 'axiometer[cluster]'"
_one_at_a_time = threading.Lock()  # a worker's threads share the backend's simulator


Options = dict[str, object]


class _Future(Protocol):
    """The used part of Dask's `Future`."""

    def result(self) -> Records | AxiometerError: ...
    def release(self) -> None: ...


class _Done(Protocol):
    """The used part of its `as_completed`."""

    def is_empty(self) -> bool: ...
    def next_batch(self, block: bool) -> Sequence[_Future]: ...


class _Scheduler(Protocol):
    address: str


class _Client(Protocol):
    """The used part of its `Client`."""

    scheduler: _Scheduler
    loop: object

    def nthreads(self) -> dict[str, int]: ...
    def run(self, call: object, text: str, on_error: str) -> dict[str, object]: ...
    def submit(self, call: object, *words: object, priority: int, pure: bool) -> _Future: ...
    def cancel(self, futures: list[_Future], force: bool) -> None: ...


class Cluster:
    """Workers elsewhere; a context manager that releases them. `threads`: how many chunks they
    compute at a time when it is entered (at least 1; workers may join later)."""

    def __init__(self, address: str | None = None, queue: str | None = None) -> None:
        """The cluster of the scheduler at `address` ("tcp://host:8786"), or of the job queue in the
        TOML file `queue`: `system` ("slurm", ...), `jobs` (number of jobs), and under `[options]`
        the options of dask_jobqueue for that system (cores, memory, queue, ...)."""
        self._address = address
        self._queue = None if queue is None else _read(Path(queue))
        self._stack = ExitStack()
        self.threads = 1

    def __enter__(self) -> Cluster:
        distributed = _import("distributed")
        with ExitStack() as stack:
            target: object = self._address
            if self._address is not None:
                scheduler.check(self._address)
            if self._queue is not None:
                target = stack.enter_context(_start(*self._queue))
            try:
                self._client: _Client = stack.enter_context(
                    distributed.Client(target, timeout=CONNECT_S, set_as_default=False)
                )
            except (OSError, ValueError, TimeoutError) as error:
                raise scheduler.none_at(str(self._address), str(error)) from None
            self.threads = max(1, sum(self._client.nthreads().values()))
            if self._queue is not None:
                self.threads = max(self.threads, self._queue[1])
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    def _await_a_worker(self) -> None:
        """Return when there is a worker; AxiometerError if there is none for `WORKER_S`."""
        if self._client.nthreads():
            return
        patience = QUEUE_S if self._queue is not None else WORKER_S
        where = self._client.scheduler.address
        how = (
            "the queue starts it with a job"
            if self._queue is not None
            else f"start one with `dask worker {where}`"
        )
        standard_streams.tell(
            f"axiometer: the cluster at {where} has no worker yet; waiting at most "
            f"{_words(patience)} for one: {how}"
        )
        until = time.monotonic() + patience
        while time.monotonic() < until:
            time.sleep(min(1.0, patience / 10))
            if self._client.nthreads():
                return
        raise AxiometerError(
            f"the cluster at {where} had no worker for {_words(patience)}",
            remedy="check the queue's list of jobs, and [options] in the file"
            if self._queue is not None
            else f"start one with `dask worker {where}`",
            status=RUN_FAILED,
        )

    def _check_workers(self) -> None:
        """AxiometerError if a worker cannot import Axiometer, which would end it at its first
        chunk."""
        answers = self._client.run(exec, "import axiometer.runs.runner.cluster", on_error="return")
        for worker, fault in answers.items():
            if isinstance(fault, ImportError):
                raise AxiometerError(
                    f"the worker at {worker} cannot import Axiometer: {fault}",
                    remedy=f"install Axiometer {__version__} where the workers run",
                    status=RUN_FAILED,
                )

    def _ready(self, done: _Done) -> Iterator[_Future]:
        """Futures as they end; AxiometerError if all workers have gone and none comes."""
        look = time.monotonic() + LOOK_S
        while not done.is_empty():
            if ready := done.next_batch(block=False):
                yield from ready
            else:
                time.sleep(0.05)
            if time.monotonic() > look:
                self._await_a_worker()
                look = time.monotonic() + LOOK_S

    def run(self, backend: str, platform: Platform, chunks: Sequence[Chunk]) -> Results:
        """Compute `chunks`, begun in order; yields each as soon as it is done.

        AxiometerError if the backend fails, a worker has another version, or a chunk loses its
        worker again and again.
        """
        distributed = _import("distributed")
        self._await_a_worker()
        self._check_workers()
        # As a result it goes to each worker once, and is made anew if its worker is lost.
        board = self._client.submit(_same, platform, priority=1, pure=False)
        mine = {
            self._client.submit(
                _serve, __version__, backend, board, chunk, priority=-n, pure=False
            ): chunk
            for n, chunk in enumerate(chunks)
        }
        try:
            done = distributed.as_completed(list(mine), loop=self._client.loop)
            for future in self._ready(done):
                chunk = mine.pop(future)
                yield chunk, _result(future, chunk)
                future.release()
        finally:
            self._client.cancel([board, *mine], force=True)


def _words(seconds: float) -> str:
    return f"{seconds / 60:g} min" if seconds >= 120 else f"{seconds:g} s"


def _same(platform: Platform) -> Platform:
    """In a worker: what its chunks have in common."""
    return platform


def _serve(
    version: str, backend: str, platform: Platform, chunk: Chunk
) -> Records | AxiometerError:
    """In a worker: the records of a chunk, or the error (as a value, so that Dask does not take it
    for its own)."""
    from axiometer import __version__ as here
    from axiometer.runs import backends

    if here != version:
        return AxiometerError(
            f"the worker on {socket.gethostname()} has Axiometer {here}, the runner has {version}",
            remedy="install the same version everywhere",
            status=RUN_FAILED,
        )
    try:
        with _one_at_a_time:
            return compute(backends.load(backend), platform, chunk)
    except AxiometerError as error:
        return error


def _result(future: _Future, chunk: Chunk) -> Records:
    try:
        answer = future.result()
    except Exception as error:  # Dask's own: killed workers, closed connections, no axiometer there
        raise AxiometerError(
            f"the cluster gives no records for {describe(chunk.point)}: "
            f"{type(error).__name__}: {error}",
            remedy="workers need Axiometer and enough memory",
            status=RUN_FAILED,
        ) from None
    if isinstance(answer, AxiometerError):
        raise answer
    return answer


def _start(system: str, jobs: int, options: Options, file: Path) -> AbstractContextManager[object]:
    """A cluster of `jobs` jobs in a queue; AxiometerError if dask_jobqueue refuses."""
    if system == "local":
        module, kind = _import("distributed"), "LocalCluster"
        usual: Options = {"processes": True, "threads_per_worker": 1, "n_workers": jobs}
        options = {**usual, "dashboard_address": None, **options}
    else:
        module, kind = _import("dask_jobqueue"), _QUEUES[system]
    try:
        made = getattr(module, kind)(**options)
        cluster: AbstractContextManager[object] = made
        if system != "local":
            made.scale(jobs=jobs)
    except (OSError, TypeError, ValueError, RuntimeError) as error:
        raise AxiometerError(
            f"the {system} cluster cannot be started: {error}",
            file=file,
            remedy="[options] must be options of dask_jobqueue's cluster for that system",
        ) from None
    return cluster


def _read(path: Path) -> tuple[str, int, Options, Path]:
    try:
        content = TomlSource.read(path).data
    except AxiometerError as error:
        error.remedy = 'give a TOML file: system = "slurm", jobs = 8, and [options]'
        raise
    unknown = sorted(set(content) - {"system", "jobs", "options"})
    if unknown:
        raise AxiometerError(
            f"unknown key {unknown[0]!r}",
            file=path,
            remedy=did_you_mean(unknown[0], ("system", "jobs", "options"), "known keys"),
        )
    system, jobs, options = (
        content.get("system"),
        content.get("jobs", 1),
        content.get("options", {}),
    )
    if not isinstance(system, str) or system not in _QUEUES:
        raise AxiometerError(
            f"system is {system!r}", file=path, remedy=did_you_mean(str(system), _QUEUES, "one of")
        )
    if type(jobs) is not int or jobs < 1:
        raise AxiometerError(f"jobs is {jobs!r}", file=path, remedy="give a whole number from 1")
    if not isinstance(options, dict):
        raise AxiometerError("options is not a table", file=path, remedy="write it as [options]")
    return system, jobs, options, path


def _import(name: str) -> ModuleType:
    import importlib

    try:
        module = importlib.import_module(name)
    except ImportError:
        raise AxiometerError(f"{name} is not installed", remedy=_INSTALL) from None
    if name == "distributed":
        import dask

        dask.config.set({"distributed.scheduler.allowed-failures": LOSSES})
    return module
