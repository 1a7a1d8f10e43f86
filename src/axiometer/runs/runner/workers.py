"""Worker processes that compute chunks of repeats, and the handling of their death.

Each worker has its own pipe and ends when that closes, so none outlives a killed runner. Workers
import only the backend and its dependencies.
"""

from __future__ import annotations

import multiprocessing
import signal
import traceback
from collections import deque
from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.base.record import Record
from axiometer.experiment.points import Point
from axiometer.platform import Platform

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

    from axiometer.runs.backends import Backend

Records = list[Record]


@dataclass(frozen=True)
class Chunk:
    """Repeats `first` to `first + count - 1` of a point: the unit of work."""

    point: Point
    first: int
    count: int


Results = Generator[tuple[Chunk, Records], None, None]

if TYPE_CHECKING:
    # The runner's end of a worker's pipe, and the worker's.
    Ours = Connection[Chunk, Records | AxiometerError]
    Theirs = Connection[Records | AxiometerError, Chunk]


def compute(backend: Backend, platform: Platform, chunk: Chunk) -> Records:
    """The records of a chunk. AxiometerError if the backend fails or gives too few."""
    point = chunk.point
    try:
        records = backend.run_repeats(
            platform, point, point.values["seed"], chunk.first, chunk.count
        )
        if [record["repeat"] for record in records] != list(
            range(chunk.first, chunk.first + chunk.count)
        ):
            raise ValueError(f"{len(records)} records for {chunk.count} repeats")
        return records
    except AxiometerError as error:
        error.status = RUN_FAILED
        raise
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        at = f" ({frames[-1].name}, line {frames[-1].lineno})" if frames else ""
        raise AxiometerError(
            f"the backend failed at {describe(point)}: {type(error).__name__}: {error}{at}",
            remedy="report this with the experiment file",
            status=RUN_FAILED,
        ) from error


def describe(point: Point) -> str:
    """A point in one line: its swept keys, or "the only point"."""
    keys = ", ".join(f"{name}={value}" for name, value in point.key.items())
    return keys or "the only point"


def run_here(backend_name: str, platform: Platform, chunks: Sequence[Chunk]) -> Results:
    """Compute `chunks` in this process, in order."""
    from axiometer.runs import backends

    backend = backends.load(backend_name)
    for chunk in chunks:
        yield chunk, compute(backend, platform, chunk)


def run_in_workers(
    backend_name: str, platform: Platform, chunks: Sequence[Chunk], jobs: int
) -> Results:
    """Compute `chunks` in `jobs` processes; yields each as soon as it is done.

    Points start in order. AxiometerError if the backend fails or a worker dies.
    """
    # Browsers have no processes: there this module is imported for what runs in its own.
    from multiprocessing import resource_tracker
    from multiprocessing.connection import wait

    # "spawn" gives the same lean process on every system, without a copy of our open store.
    context = multiprocessing.get_context("spawn")
    # Started together with the first worker, the tracker would lift the block of SIGINT below.
    resource_tracker.ensure_running()
    pipes: dict[Ours, SpawnProcess] = {}
    busy: dict[Ours, Chunk] = {}
    queue = Queue(chunks)
    try:
        for _ in range(min(jobs, len(chunks))):
            ours, theirs = context.Pipe()
            worker = context.Process(
                target=_serve, args=(theirs, backend_name, platform), daemon=True
            )
            # Ctrl-C reaches the whole process group; only the runner handles it. Workers inherit
            # the block; a signal that arrives meanwhile is delivered afterwards.
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            try:
                worker.start()
            finally:
                signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
            theirs.close()
            pipes[ours] = worker
            _give(ours, queue.take(), busy)
        while busy:
            ready = wait(list(busy))
            for pipe in [ours for ours in busy if ours in ready]:
                chunk = busy.pop(pipe)
                records = _receive(pipe, pipes[pipe], chunk)
                _give(pipe, queue.take(chunk.point), busy)
                yield chunk, records
    finally:
        for pipe, worker in pipes.items():
            pipe.close()
            if worker.is_alive():
                worker.terminate()
        for worker in pipes.values():
            worker.join()


class Queue:
    """Chunks to distribute. A worker stays with its point, as a backend may remember values from
    repeat to repeat; workers share a point only if no unbegun point is left."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._left: dict[int, deque[Chunk]] = {}
        for chunk in chunks:
            self._left.setdefault(chunk.point.index, deque()).append(chunk)
        self._fresh = deque(self._left)

    def take(self, point: Point | None = None) -> Chunk | None:
        """The next chunk for a worker that was at `point`; None if none is left."""
        if point is not None and point.index in self._left:
            index = point.index
        elif self._fresh:
            index = self._fresh.popleft()
        elif self._left:
            index = max(self._left, key=lambda i: len(self._left[i]))
        else:
            return None
        chunk = self._left[index].popleft()
        if not self._left[index]:
            del self._left[index]
        return chunk


def _give(pipe: Ours, chunk: Chunk | None, busy: dict[Ours, Chunk]) -> None:
    if chunk is None:
        return
    busy[pipe] = chunk
    # A dead worker is detected when its answer is awaited.
    with suppress(BrokenPipeError, ConnectionResetError):
        pipe.send(chunk)


def _receive(pipe: Ours, worker: SpawnProcess, chunk: Chunk) -> Records:
    try:
        answer = pipe.recv()
    except (EOFError, ConnectionResetError):
        worker.join()
        raise AxiometerError(
            f"a worker process died at {describe(chunk.point)}: {_cause(worker.exitcode)}",
            remedy="use fewer --jobs if memory ran out",
            status=RUN_FAILED,
        ) from None
    if isinstance(answer, AxiometerError):
        raise answer
    return answer


def _cause(exitcode: int | None) -> str:
    if exitcode is not None and exitcode < 0:
        try:
            return f"killed by {signal.Signals(-exitcode).name}"
        except ValueError:
            return f"killed by signal {-exitcode}"
    return f"exit status {exitcode}"


def _serve(pipe: Theirs, backend_name: str, platform: Platform) -> None:
    from axiometer.runs import backends

    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        try:
            backend = backends.load(backend_name)
        except AxiometerError as error:
            pipe.recv()
            pipe.send(error)
            return
        while True:
            chunk = pipe.recv()
            try:
                answer: Records | AxiometerError = compute(backend, platform, chunk)
            except AxiometerError as error:
                answer = error
            pipe.send(answer)
