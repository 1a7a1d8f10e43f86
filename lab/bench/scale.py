"""What a run on many workers would take, computed from constants measured here: docs/scale.md.

    python lab/bench/scale.py [--write]

Nothing here runs on a cluster: two local Dask workers give the cost of a task, this process those
of the runner, and a few points those of the work. `--write` puts the tables into docs/scale.md.
"""

from __future__ import annotations

import argparse
import pickle
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import figures

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # validate

from axiometer.experiment import Experiment
from axiometer.experiment.points import Point
from axiometer.platform import Platform
from axiometer.records import laws
from axiometer.records.store import Store
from axiometer.records.store.store import pack, unpack
from axiometer.runs import backends
from axiometer.runs.runner.session import MAX_CHUNK, Session, chunks_of
from axiometer.runs.runner.workers import Chunk, compute
from validate import marks

PAGE = marks.DOCS / "scale.md"
COMMAND = "python lab/bench/scale.py --write"
WORKERS = (1, 10, 100, 1000)
TASKS = 2000
SAMPLE = 12
"""Points of an experiment whose work is measured."""


@dataclass(frozen=True)
class Work:
    """An experiment as a cluster sees it. Seconds: of a repeat on a worker, of a chunk and of a
    point in the runner; bytes of a chunk, there and back."""

    name: str
    points: int
    repeats: int
    chunks: Callable[[int], int]
    longest: Callable[[int], int]
    repeat_s: float
    slowest_s: float
    chunk_s: float
    point_s: float
    there: int
    back: int
    board: int

    def time_s(self, workers: int, task_s: float) -> float:
        """Seconds on so many workers: the work in equal parts and the last chunk, or the runner and
        its scheduler, whichever is longer."""
        work = self.points * self.repeats * self.repeat_s
        shared = work / workers + (self.longest(workers) * self.slowest_s if workers > 1 else 0.0)
        return max(shared, self.serial_s(workers, task_s))

    def serial_s(self, workers: int, task_s: float) -> float:
        """Seconds of what only the runner and the scheduler can do."""
        return self.chunks(workers) * (task_s + self.chunk_s) + self.points * self.point_s


def work(name: str) -> Work:
    """The constants of an experiment, from `SAMPLE` of its points."""
    experiment = Experiment.load(name)
    points, platform = experiment.points(), experiment.platform
    backend = backends.load("model")
    some = points[:: max(1, len(points) // SAMPLE)]
    repeats = min(MAX_CHUNK, int(points[0].values["repeats"]))
    spent, records = [], []
    for point in some:
        begin = time.process_time()
        records.append(compute(backend, platform, Chunk(point, 0, repeats)))
        spent.append((time.process_time() - begin) / repeats)
    chunk = Chunk(some[0], 0, repeats)
    back = pickle.dumps(records[0])
    with (
        tempfile.TemporaryDirectory() as directory,
        Store(Path(directory) / "runs.db", create=True) as store,
    ):
        run = Session(store, experiment, "model").run
        packed = [pack(found) for found in records]
        begin = time.process_time()
        for point, mine in zip(some, packed, strict=True):
            found = unpack(mine)
            laws.check(platform, point, found)
            store.save(run, point, found, 0.0)
        per_point = (time.process_time() - begin) / len(some)
    pieces = int(points[0].values["repeats"]) / repeats
    return Work(
        name=name,
        points=len(points),
        repeats=int(points[0].values["repeats"]),
        chunks=lambda workers: len(chunks_of(points, workers)),
        longest=lambda workers: max(c.count for c in chunks_of(points, workers)),
        repeat_s=sum(spent) / len(spent),
        slowest_s=max(spent),
        chunk_s=_timed(lambda: pack(pickle.loads(back))),
        point_s=per_point * pieces,
        there=len(pickle.dumps(chunk)),
        board=len(pickle.dumps(platform)),
        back=len(back),
    )


def _timed(what: Callable[[], object], rounds: int = 20) -> float:
    begin = time.process_time()
    for _ in range(rounds):
        what()
    return (time.process_time() - begin) / rounds


def task_s(platform: Platform, point: Point) -> float:
    """Seconds that client and scheduler take for a task with a platform and a chunk, at two local
    workers that do nothing."""
    import distributed

    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        client.submit(len, ("warm",)).result()
        begin = time.perf_counter()
        board = client.submit(tuple, (platform,), pure=False)
        futures = [
            client.submit(_parts, board, Chunk(point, n, 1), pure=False) for n in range(TASKS)
        ]
        for future in distributed.as_completed(futures):
            future.result()
        return (time.perf_counter() - begin) / TASKS


def _parts(*parts: object) -> int:
    return len(parts)


def tables(works: Sequence[Work], task: float) -> list[str]:
    """The constants, and the computed times."""
    lines = [
        f"Measured on {figures.heading(figures.machine())}.",
        "",
        f"A task of Dask's, with its point: {task * 1e3:.2g} ms.",
        "",
        "| | points | repeats | a repeat, worker | longest | a chunk, runner | a point, runner "
        "| board | chunk | its records |",
        "|---" * 10 + "|",
    ]
    lines += [
        f"| `{w.name}` | {w.points} | {w.repeats} | {_ms(w.repeat_s)} | {_ms(w.slowest_s)} | "
        f"{_ms(w.chunk_s)} | {_ms(w.point_s)} | {_kb(w.board)} | {_kb(w.there)} | {_kb(w.back)} |"
        for w in works
    ]
    lines += [
        "",
        "Computed, not run:",
        "",
        "| | workers | chunks | time | runner and scheduler alone | faster | a worker is busy |",
        "|---" * 7 + "|",
    ]
    for w in works:
        alone = w.points * w.repeats * w.repeat_s
        for n in WORKERS:
            whole = w.time_s(n, task)
            lines.append(
                f"| `{w.name}` | {n} | {w.chunks(n)} | {whole:.2f} s | {w.serial_s(n, task):.2f} s "
                f"| {alone / whole:.3g} x | {min(100.0, 100 * alone / whole / n):.2g} % |"
            )
    return lines


def _ms(seconds: float) -> str:
    return f"{seconds * 1e3:#.2g} ms".replace(". ", " ")


def _kb(size: int) -> str:
    return f"{size / 1e3:.0f} kB"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help=f"into docs/{PAGE.name}")
    args = parser.parse_args()
    names = ("zybo-hp-bandwidth", "zcu102-mixed", "zybo-stream-size")
    works = [work(name) for name in names]
    first = Experiment.load(names[0])
    text = "\n".join(tables(works, task_s(first.platform, first.points()[0])))
    print(text)
    if args.write:
        marks.write(PAGE, COMMAND, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
