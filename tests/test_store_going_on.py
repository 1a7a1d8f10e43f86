"""A run that is killed at any moment, or whose store fails, loses no point that was reported
(all places: `lab/validate/store_faults.py`). A run under way is not removed, and its user
gets a true report of the saved points."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import kit
from axiometer.__main__ import main
from axiometer.base.errors import AxiometerError
from axiometer.experiment import Experiment
from axiometer.records.store import Store
from axiometer.runs.runner import Session
from axiometer.runs.runner.workers import Chunk
from faults import check

RUN = "small-0001"


@pytest.fixture
def going_on(experiment, tmp_path):
    """A run in another process that waits in its second point; its store, and what ends it."""
    path, pipe = tmp_path / "runs.db", tmp_path / "pipe"
    os.mkfifo(pipe)
    runner = subprocess.Popen(
        [sys.executable, "-m", "axiometer", *kit.run_arguments(experiment, path)],
        env=kit.environment(AXIOMETER_FAKE_WAIT="1/0", AXIOMETER_FAKE_PIPE=str(pipe)),
        stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    writer = pipe.open("wb")  # returns when the runner waits
    yield path, runner, writer
    writer.close()
    runner.kill()
    runner.communicate()


def remove(path):
    return main(["runs", "rm", RUN, "--store", str(path)])


def test_a_run_that_is_going_on_is_not_removed(going_on, capsys):
    path, runner, writer = going_on
    assert remove(path) == 2
    assert f"run {RUN} is active\n  let it end, or stop it" in capsys.readouterr().err
    writer.close()
    assert (runner.wait(60), runner.stderr.read()) == (0, "")
    assert not list(path.parent.glob("*.lock"))
    assert remove(path) == 0
    with Store(path) as store:
        assert store.runs() == []


def test_a_run_whose_runner_was_killed_is_removed(going_on, capsys):
    path, runner, _ = going_on
    runner.send_signal(signal.SIGKILL)
    runner.wait(60)
    assert remove(path) == 0
    assert not list(path.parent.glob("*.lock"))


def test_two_processes_at_one_run(experiment, tmp_path):
    """Neither the end of one nor its failure takes the run from the other."""
    path = tmp_path / "runs.db"
    small = Experiment.load(str(experiment))
    with Store(path, create=True) as one, Store(path) as other:
        first = Session(one, small, kit.FAKE)
        second = Session(other, small, kit.FAKE, resume=True)
        assert first.run == second.run == RUN
        assert not one.discard(RUN)
        with pytest.raises(AxiometerError, match="is active"):
            one.remove([RUN])
        assert second.execute().complete
        one.remove([RUN])
    assert [file.name for file in tmp_path.glob("runs.db*")] == ["runs.db"]


def test_a_sound_store_is_not_called_damaged(going_on):
    """Another program may remove the run: it takes no lock."""
    path, runner, writer = going_on
    with sqlite3.connect(path) as db:
        db.execute("DELETE FROM points")
        db.execute("DELETE FROM runs")
    db.close()
    writer.close()
    printed = runner.communicate(timeout=60)[1]
    assert runner.returncode == 1
    assert f"run {RUN} was removed from the store while it was active" in printed
    assert "no point is saved" in printed
    assert "damaged" not in printed and "move the file away" not in printed


@pytest.mark.parametrize("kept", [0, 2, 5])
def test_a_full_disk_is_reported_with_the_saved_points(
    kept, experiment, tmp_path, monkeypatch, cli
):
    path = tmp_path / "runs.db"
    save, saved = Store.save, []

    def on_a_full_disk(store, run, point, records, wall_s):
        if len(saved) == kept:  # SQLite itself says so: the file may not grow
            (pages,) = store._db.execute("PRAGMA page_count").fetchone()
            store._db.execute(f"PRAGMA max_page_count = {pages}").fetchone()
            records = [record | {"note": os.urandom(20_000).hex()} for record in records]
        save(store, run, point, records, wall_s)
        saved.append(point.index)

    monkeypatch.setattr(Store, "save", on_a_full_disk)
    printed = kit.flat(cli.refused(*kit.run_arguments(experiment, path), status=1))
    assert "database or disk is full" in printed and "free some space" in printed
    with Store(path) as store:
        assert [info.points_done for info in store.runs()] == ([kept] if kept else [])
    if kept:
        assert f"{kept} of 6 points are saved in {RUN}: continue with --resume" in printed
    else:
        assert "no point is saved" in printed
        assert "resume" not in printed


def test_saved_points_are_reported_where_nothing_more_can_be_written(
    experiment, tmp_path, monkeypatch, capsys, cli
):
    """Not the row of the run taken away either."""

    def full(*_):
        raise AxiometerError("database or disk is full", status=1)

    monkeypatch.setattr(Store, "discard", full)
    monkeypatch.setenv("AXIOMETER_FAKE_RAISE", "3/0")
    path = tmp_path / "runs.db"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("axiometer.runs.runner.session.chunks_of", in_order)
        assert "3 of 6 points are saved in small-0001" in kit.flat(
            cli.refused(*kit.run_arguments(experiment, path), status=1)
        )
        monkeypatch.setenv("AXIOMETER_FAKE_RAISE", "0/0")
        assert main(kit.run_arguments(experiment, path)) == 1
    assert "no point is saved" in kit.flat(capsys.readouterr().err)


def in_order(points, _):
    return [Chunk(point, 0, point.values["repeats"]) for point in points]


MOMENTS = 20
SCRIPT = Path(__file__).with_name("killed_at.py")


def killed_at(moment: int, arguments: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(SCRIPT), str(moment), *arguments],
        env=kit.environment(), capture_output=True, text=True, timeout=60,
    )  # fmt: skip


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The experiment, the number of calls that its run makes, and the digest of the result."""
    directory = tmp_path_factory.mktemp("undisturbed")
    experiment = kit.write(directory)
    done = killed_at(0, kit.run_arguments(experiment, directory / "runs.db"))
    assert done.returncode == 0, done.stderr
    with Store(directory / "runs.db") as store:
        return experiment, int(done.stderr.split()[-1]), store.digest("latest")


partial = []


@pytest.mark.parametrize("number", range(MOMENTS))
def test_killed_and_resumed_is_as_undisturbed(number, undisturbed, tmp_path):
    experiment, calls, digest = undisturbed
    moment = random.Random(number).randrange(1, calls)
    path = tmp_path / "runs.db"
    died = killed_at(moment, kit.run_arguments(experiment, path))
    assert died.returncode == -9
    kept = _points_kept(path)
    partial.append(0 < kept < 6)
    assert main(kit.run_arguments(experiment, path, "--resume")) == 0
    with Store(path) as store:
        run = store.load("latest")
        assert run.complete
        assert store.digest(run.id) == digest
        # Killed after its last point was kept, the run was complete: nothing to resume.
        if kept:
            assert run.id == ("small-0001" if kept < 6 else "small-0002")


def test_the_moments_were_telling():
    if len(partial) == MOMENTS:  # not where only some of the tests were asked for
        assert sum(partial) >= MOMENTS // 4


def _points_kept(path: Path) -> int:
    if not path.exists():
        return 0
    with Store(path, create=True) as store:
        return sum(info.points_done for info in store.runs())


PLACES = 24


@pytest.fixture(scope="module")
def faults(tmp_path_factory):
    lacking = check.needs()
    if lacking:
        pytest.skip(lacking)
    return check.Faults(tmp_path_factory.mktemp("faults"))


def test_a_failing_call_loses_nothing(faults):
    every = list(faults.places())
    chosen = random.Random(3).sample(every, PLACES)
    problems = [p for place in chosen if (p := faults.problem(place))]
    assert not problems, "\n".join(problems)


def test_a_call_fails_where_it_is_asked_for(faults):
    """Otherwise the test above would tell nothing."""
    assert len(faults.calls) > 100
    answers = [faults.ask(place) for place in list(faults.places())[1::160]]
    assert all(one.failed for one in answers) and any(one.status for one in answers)


def test_a_store_that_loses_a_point_is_caught(faults, monkeypatch):
    """A run that says that a point is kept which is not."""
    whole = faults.ask()
    monkeypatch.setattr(faults, "ask", lambda place: replace(whole, kept=[*whole.kept, 99]))
    problem = faults.problem(check.Place("pwrite64", 1, check.errno.EIO))
    assert "99], but there are" in problem
