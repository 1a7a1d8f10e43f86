"""The store: runs and the raw records of their finished points, in one SQLite file.

A finished point is one transaction, so a runner killed at any moment loses none. Several processes
may use one store; a point that two of them finish is saved once (both have the same records).
Experiment and platform texts are saved with a run, so it can be shown long after.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from axiometer.base import data, harmless
from axiometer.base.errors import RUN_FAILED, AxiometerError, did_you_mean
from axiometer.base.record import Record
from axiometer.experiment import Experiment
from axiometer.experiment.points import Point
from axiometer.experiment.values import Values
from axiometer.platform import Platform
from axiometer.records.store import at_work, labels, repeats, row_checks, schema
from axiometer.records.store.database import Database, explained


@dataclass(frozen=True)
class RunInfo:
    """A line of `axiometer list runs`. `started_at` is UTC; `wall_s` the time spent so far;
    `settings` those laid over the experiment; `label` its name and note."""

    id: str
    experiment: str
    platform: str
    backend: str
    started_at: str
    points_done: int
    points_total: int
    wall_s: float
    settings: tuple[str, ...] = ()
    label: labels.Label = labels.Label()

    @property
    def complete(self) -> bool:
        return self.points_done == self.points_total


def pack(records: Sequence[Record]) -> bytes:
    """Records in stored form: compressed JSON."""
    return zlib.compress(json.dumps(list(records), allow_nan=False).encode(), 6)


def unpack(packed: bytes) -> list[Record]:
    """The records of `pack`, in the same process."""
    records: list[Record] = json.loads(zlib.decompress(packed))
    return records


@dataclass(frozen=True)
class PointData:
    """A finished point: its swept keys, all its values, and one record a repeat.

    The records stay packed and are unpacked at each access: a run of thousands of repeats need not
    be in memory as a whole.
    """

    index: int
    key: dict[str, object]
    values: Values
    packed: bytes = field(repr=False)
    file: Path = field(repr=False)

    @property
    def records(self) -> list[Record]:
        """One record a repeat; AxiometerError if the store is damaged here."""
        with explained(self.file):
            return row_checks.records(self.packed)


class RunData:
    """A stored run with its finished points, in the order of the experiment."""

    def __init__(
        self,
        row: row_checks.RunRow,
        points: list[PointData],
        file: Path,
        label: labels.Label = labels.Label(),  # noqa: B008 (immutable)
    ) -> None:
        """`row` of the store `file`."""
        self._row = row
        self._file = file
        self.id = row.id
        self.backend = row.backend
        self.provenance = row.provenance
        self.points = points
        self.points_total = row.points_total
        self.wall_s = row.wall_s
        self.settings = row.overlay
        self.label = label

    @property
    def complete(self) -> bool:
        """Whether all points have finished."""
        return len(self.points) == self.points_total

    @cached_property
    def experiment(self) -> Experiment:
        """The experiment as run, with the settings laid over it. AxiometerError if the store's
        points are not its points."""
        row = self._row
        try:
            platform = Platform.kept(row.platform_text, row.platform_file)
            made = Experiment(row.experiment_text, row.experiment_file, row.overlay, platform)
            _ = made.platform
            expected = made.points()
        except AxiometerError as error:
            where = "" if error.file is None else f"{error.file}, line {error.line or 1}: "
            raise self._damaged(f"its saved files: {where}{error.message}") from None
        if len(expected) != self.points_total:
            raise self._damaged(f"{self.points_total} points of {len(expected)}")
        for point in self.points:
            known = point.index < len(expected)
            if not known or json.loads(json.dumps(expected[point.index].key)) != point.key:
                raise self._damaged(f"point {point.index} is not one of the experiment")
        return made

    def _damaged(self, what: str) -> AxiometerError:
        return row_checks.damaged(self._file, f"run {self.id}: {what}")

    @property
    def platform(self) -> Platform:
        """The platform at the beginning of the run, with its overrides."""
        return self.experiment.platform


def default_path() -> Path:
    """The default path of the store: AXIOMETER_STORE, or in the user's data directory."""
    return data.of_user("AXIOMETER_STORE", "runs.db")


class Store:
    """An open store. Use it as a context manager, or call `close`."""

    def __init__(self, path: str | Path | None = None, *, create: bool = False) -> None:
        """Open the store at `path` (default: `default_path()`); with `create`, make it if needed.

        AxiometerError if it is missing, is not a store, is damaged, or cannot be opened.
        """
        self.path = Path(path) if path is not None else default_path()
        if not create and not self.path.exists():
            raise AxiometerError(
                "there is no store yet",
                file=self.path,
                remedy="make one with axiometer run EXPERIMENT, or name another with --store",
            )
        self._db = Database(self.path, create=create)
        self._at_work = at_work.AtWork(self.path)

    def close(self) -> None:
        self._at_work.end_all()
        self._db.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def runs(self) -> list[RunInfo]:
        """All runs, oldest first."""
        with self._db.explained():
            called = labels.of_runs(self._db)
            rows = self._db.execute(
                "SELECT *, (SELECT count(*) FROM points WHERE run = id) AS done "
                "FROM runs ORDER BY rowid"
            )
            return [
                RunInfo(
                    run.id,
                    run.experiment,
                    run.platform_name,
                    run.backend,
                    str(run.provenance["started_at"]),
                    row["done"],
                    run.points_total,
                    run.wall_s,
                    run.overlay,
                    called.get(run.id, labels.Label()),
                )
                for row in row_checks.each_once(rows, "id")
                for run in [row_checks.run_row(row)]
            ]

    def load(self, ref: str) -> RunData:
        """The run for `ref`: an id, a name, an experiment's name (its latest run), or "latest"."""
        with self._db.explained():
            row = row_checks.run_row(self._find(ref))
            found = self._db.execute(
                "SELECT * FROM points WHERE run = ? ORDER BY number", (row.id,)
            )
            points = [
                PointData(*row_checks.point_row(point), self.path)
                for point in row_checks.each_once(found, "number")
            ]
            label = labels.of_runs(self._db).get(row.id, labels.Label())
        return RunData(row, points, self.path, label)

    def name(self, ref: str, name: str) -> str:
        """Name the run for `ref` ("": no name); returns its id. AxiometerError for an invalid or
        used name."""
        with self._db.transaction():
            run = str(self._find(ref)["id"])
            labels.give_name(self._db, run, name)
        return run

    def note(self, ref: str, note: str) -> str:
        """Set the note of the run for `ref` ("": none); returns its id. AxiometerError for more
        than a line."""
        with self._db.transaction():
            run = str(self._find(ref)["id"])
            labels.give_note(self._db, run, note)
        return run

    def digest(self, ref: str) -> str:
        """SHA-256 over the points' keys, values and records: equal for equal results, at any time
        and place, in any number of parts."""
        total = hashlib.sha256()
        for point in self.load(ref).points:
            whole = [point.index, point.key, point.values, point.records]
            total.update(json.dumps(whole, sort_keys=True).encode())
        return total.hexdigest()

    def begin(
        self,
        experiment: Experiment,
        backend: str,
        spec: str,
        points: int,
        provenance: Mapping[str, object],
    ) -> str:
        """Start a run of `experiment`; returns its id. `spec` is equal for runs with the same
        results. The run is active, and cannot be removed, until `end` or `close`."""
        platform = experiment.platform
        with self._db.transaction():
            self._db.execute(schema.create("given"))
            (number,) = self._db.execute(
                "SELECT coalesce(max(number), 0) + 1 FROM (SELECT experiment, number FROM runs "
                "UNION ALL SELECT experiment, number FROM given) WHERE experiment = ?",
                (experiment.name,),
            ).fetchone()
            run = f"{experiment.name}-{number:04d}"
            self._db.execute(
                "INSERT INTO runs (id, experiment, number, spec, backend, overlay, "
                "experiment_file, experiment_text, platform_name, platform_file, platform_text, "
                "provenance, points_total) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    run,
                    experiment.name,
                    number,
                    spec,
                    backend,
                    json.dumps(list(experiment.overlay)),
                    harmless.text(experiment.file),
                    experiment.text,
                    platform.name,
                    harmless.text(platform.file),
                    platform.text,
                    json.dumps(provenance),
                    points,
                ),
            )
            self._at_work.begin(run)
        return run

    def go_on(self, experiment: str, spec: str) -> str | None:
        """Continue the latest run of `experiment` with this `spec` that lacks points, like `begin`;
        returns its id, None if there is none."""
        with self._db.transaction():
            row = self._db.execute(
                "SELECT id FROM runs WHERE experiment = ? AND spec = ? AND points_total > "
                "(SELECT count(*) FROM points WHERE run = id) ORDER BY number DESC LIMIT 1",
                (experiment, spec),
            ).fetchone()
            if row is None:
                return None
            run = str(row["id"])
            self._at_work.begin(run)
        return run

    def end(self, run: str) -> None:
        """End this process's work at `run`."""
        self._at_work.end(run)

    def finished(self, run: str) -> set[int]:
        """Indices of the saved points of `run`."""
        with self._db.explained():
            rows = self._db.execute("SELECT number FROM points WHERE run = ?", (run,)).fetchall()
        return {row["number"] for row in rows}

    def save(self, run: str, point: Point, records: Sequence[Record], wall_s: float) -> None:
        """Save a finished point in one transaction, and add `wall_s` to the run's time.
        AxiometerError for records that could not be read again."""
        try:
            row_checks.check_records(list(records))
        except row_checks.DamagedError as error:
            raise AxiometerError(
                f"records of point {point.index} cannot be saved ({error})",
                remedy="please report it with `axiometer --version` and the experiment",
                status=RUN_FAILED,
            ) from None
        packed = pack(records)
        with self._db.transaction():
            there = self._db.execute(
                "UPDATE runs SET wall_s = wall_s + ? WHERE id = ?", (wall_s, run)
            )
            if not there.rowcount:
                raise AxiometerError(
                    f"run {run} was removed from the store while it was active",
                    file=self.path,
                    remedy="run the experiment again; nothing is wrong with the store",
                    status=RUN_FAILED,
                )
            self._db.execute(
                "INSERT OR IGNORE INTO points VALUES (?, ?, ?, ?, ?)",
                (run, point.index, json.dumps(point.key), json.dumps(point.values), packed),
            )
            repeats.forget(self._db, run, point.index)

    def keep_repeat(self, run: str, point: Point, record: Record) -> None:
        """Save a repeat of an unfinished point, in one transaction."""
        with self._db.transaction():
            repeats.keep(self._db, run, point.index, record)

    def repeats(self, run: str) -> dict[int, dict[int, Record]]:
        """The saved repeats of unfinished points of `run`, by point and number."""
        with self._db.explained():
            return repeats.kept(self._db, run)

    def discard(self, run: str) -> bool:
        """Remove a run without saved points, unless another process works at it; returns whether it
        was removed."""
        self.end(run)
        with self._db.transaction():
            if at_work.is_going_on(self.path, run):
                return False
            if repeats.kept(self._db, run):
                return False
            self._keep_number(run)
            done = self._db.execute(
                "DELETE FROM runs WHERE id = ? AND NOT EXISTS "
                "(SELECT 1 FROM points WHERE run = id)",
                (run,),
            )
        return done.rowcount > 0

    def remove(self, runs: Sequence[str]) -> None:
        """Remove these runs, given by id, and all of their records: all or none. AxiometerError for
        an unknown id or an active run; names and "latest" are not accepted, lest the wrong run be
        removed."""
        with self._db.transaction():
            known = [row[0] for row in self._db.execute("SELECT id FROM runs ORDER BY rowid DESC")]
            for run in map(harmless.text, runs):
                if run not in known:
                    raise AxiometerError(
                        f"no run has the id {run!r}",
                        file=self.path,
                        remedy=_known(run, known),
                    )
                if at_work.is_going_on(self.path, run):
                    raise AxiometerError(
                        f"run {run} is active",
                        file=self.path,
                        remedy="let it end, or stop it with Ctrl-C, then remove it",
                    )
            for run in runs:
                self._keep_number(run)
                repeats.forget(self._db, run)
                self._db.execute("DELETE FROM points WHERE run = ?", (run,))
                self._db.execute("DELETE FROM runs WHERE id = ?", (run,))
                labels.forget(self._db, run)

    def _keep_number(self, run: str) -> None:
        # An id that somebody noted must never mean another run.
        self._db.execute(schema.create("given"))
        self._db.execute(
            "INSERT INTO given SELECT experiment, number FROM runs WHERE id = ? "
            "ON CONFLICT (experiment) DO UPDATE SET number = max(number, excluded.number)",
            (run,),
        )

    def _find(self, ref: str) -> sqlite3.Row:
        ref = harmless.text(ref)  # bytes that are not UTF-8 name no run
        named = labels.run_named(self._db, ref)
        for where, wanted in (
            ("id = ?", ref),
            ("id = ?", named),
            ("experiment = ?", ref),
            ("? = 'latest'", ref),
        ):
            # Runs with points come before runs without.
            row: sqlite3.Row | None = self._db.execute(
                f"SELECT * FROM runs WHERE {where} ORDER BY "
                "EXISTS (SELECT 1 FROM points WHERE run = id) DESC, rowid DESC LIMIT 1",
                (wanted,),
            ).fetchone()
            if row is not None:
                return row
        known = labels.names(self._db)
        known += [row[0] for row in self._db.execute("SELECT id FROM runs ORDER BY rowid DESC")]
        raise AxiometerError(
            f"no run is called {ref!r}",
            file=self.path,
            remedy=_known(ref, known),
        )


def _known(ref: str, known: Sequence[str]) -> str:
    """Suggestions instead of `ref`."""
    if not known:
        return "there is no run in this store yet: axiometer run EXPERIMENT"
    return did_you_mean(ref, known[:200], "known runs")
