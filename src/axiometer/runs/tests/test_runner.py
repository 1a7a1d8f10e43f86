import os
import signal
import subprocess
import sys
import time

import pytest

import kit
from axiometer.base.errors import AxiometerError
from axiometer.experiment import Experiment
from axiometer.platform import Platform
from axiometer.records.store import Store
from axiometer.runs.runner import Session, chunks_of, cost, run
from axiometer.runs.runner.workers import Queue

TINY = Platform(kit.PLATFORM, "tiny.toml")


def small(*overlay: str) -> Experiment:
    return Experiment(kit.EXPERIMENT, "small.toml", overlay, TINY)


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "runs.db", create=True) as opened:
        yield opened


@pytest.fixture
def workers_can_import(monkeypatch):
    """Worker processes inherit the environment, not this process's import paths."""
    monkeypatch.setenv("PYTHONPATH", kit.environment()["PYTHONPATH"])


def test_any_number_of_processes_gives_the_same(store, workers_can_import):
    digests = {
        store.digest(run(small("repeats=11"), store, kit.FAKE, jobs=jobs).id) for jobs in (1, 2, 3)
    }
    assert len(digests) == 1


@pytest.mark.parametrize("jobs", [1, 2, 7])
@pytest.mark.parametrize("repeats", [1, 8, 51, 200])
def test_chunks_cover_every_repeat_once_and_the_longest_point_is_first(jobs, repeats):
    points = small(f"repeats={repeats}").points()
    chunks = chunks_of(points, jobs)
    covered = [(c.point.index, r) for c in chunks for r in range(c.first, c.first + c.count)]
    assert sorted(covered) == [(p.index, r) for p in points for r in range(repeats)]
    costs = [cost(chunk.point) for chunk in chunks]
    assert costs == sorted(costs, reverse=True)
    assert len(chunks) >= min(jobs * 4, repeats)


def test_a_worker_stays_with_its_point_until_all_points_are_begun():
    chunks = chunks_of(small("repeats=200").points(), 2)
    queue = Queue(chunks)
    workers = [queue.take(), queue.take()]
    taken = list(workers)
    begun = [chunk.point.index for chunk in taken]
    while any(workers):
        for number, chunk in enumerate(workers):
            if chunk is None:
                continue
            following = workers[number] = queue.take(chunk.point)
            if following is None:
                continue
            taken.append(following)
            if following.point is not chunk.point and len(begun) < 6:
                assert following.point.index not in begun  # not one that another worker is at
                begun.append(following.point.index)
    assert begun == list(dict.fromkeys(chunk.point.index for chunk in chunks))
    assert sorted(taken, key=chunks.index) == chunks


def test_a_run_goes_on_from_what_is_kept(store, monkeypatch):
    monkeypatch.setenv("AXIOMETER_FAKE_RAISE", "1/3")
    with pytest.raises(AxiometerError) as caught:
        run(small(), store, kit.FAKE)
    assert caught.value.status == 1
    assert "mode=duplex, ports=P0+P1: ZeroDivisionError: as asked" in str(caught.value)
    kept = store.load("latest")
    assert [p.index for p in kept.points] == [2]  # the most expensive one was first
    assert not kept.complete
    monkeypatch.delenv("AXIOMETER_FAKE_RAISE")
    session = Session(store, small(), kit.FAKE, resume=True)
    assert session.resumed
    assert [p.index for p in session.todo] == [0, 1, 3, 4, 5]
    assert session.execute().complete
    assert store.digest("latest") == store.digest(run(small(), store, kit.FAKE).id)


@pytest.mark.parametrize("change", ["seed=1", "repeats=9", "controller.starve_clocks=2"])
def test_a_run_does_not_go_on_from_another_one(store, change):
    first = Session(store, small(), kit.FAKE).run
    other = Session(store, small(change), kit.FAKE, resume=True)
    assert not other.resumed
    assert other.run != first
    same = Session(store, small(), kit.FAKE, resume=True)
    assert same.run == first


def test_a_finished_run_is_not_resumed(store):
    run(small("repeats=1"), store, kit.FAKE)
    assert not Session(store, small("repeats=1"), kit.FAKE, resume=True).resumed


def test_a_dead_worker_is_reported_and_costs_no_finished_point(
    store, workers_can_import, monkeypatch
):
    monkeypatch.setenv("AXIOMETER_FAKE_DIE", "0/2")
    with pytest.raises(AxiometerError) as caught:
        run(small(), store, kit.FAKE, jobs=2)
    assert "died at mode=duplex, ports=P0: killed by SIGKILL" in str(caught.value)
    assert "--resume" in caught.value.remedy
    assert caught.value.status == 1
    kept = store.load("latest").points
    monkeypatch.delenv("AXIOMETER_FAKE_DIE")
    done = run(small(), store, kit.FAKE, jobs=2, resume=True)
    assert (done.id, done.complete) == ("small-0001", True)
    assert all(point in done.points for point in kept)
    assert store.digest(done.id) == store.digest(run(small(), store, kit.FAKE).id)


def test_a_failure_in_a_worker_is_reported_like_one_in_this_process(
    store, workers_can_import, monkeypatch
):
    monkeypatch.setenv("AXIOMETER_FAKE_RAISE", "0/0")
    with pytest.raises(AxiometerError, match="as asked"):
        run(small(), store, kit.FAKE, jobs=2)


def test_two_runners_on_one_store_and_one_run(experiment, tmp_path):
    path = tmp_path / "runs.db"
    first = Experiment.load(str(experiment))
    with Store(path, create=True) as opened:
        begun = Session(opened, first, kit.FAKE).run
        arguments = kit.run_arguments(experiment, path, "--resume")
        runners = [
            subprocess.Popen(
                [sys.executable, "-m", "axiometer", *arguments],
                env=kit.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            )
            for _ in range(3)
        ]  # fmt: skip
        assert [(r.wait(60), r.stderr.read()) for r in runners] == [(0, b"")] * 3
        for runner in runners:
            runner.stderr.close()
        assert opened.load(begun).complete
        whole = run(first, opened, kit.FAKE)
        assert {opened.digest(info.id) for info in opened.runs()} == {opened.digest(whole.id)}


def test_a_killed_runner_leaves_no_workers(experiment, tmp_path):
    fifo = tmp_path / "alive"
    os.mkfifo(fifo)
    # Every worker holds the fifo open for writing; its reader sees the end when all are gone.
    code = (
        "import os, time\n"
        f"os.open({str(fifo)!r}, os.O_RDWR)\n"  # without waiting for a reader
        "def run_repeats(*_):\n    time.sleep(0.5)\n    return []\n"
    )
    (tmp_path / "slow_backend.py").write_text(code)
    runner = subprocess.Popen(
        [
            *(sys.executable, "-c", _RUN_IN_WORKERS),
            *(str(experiment), "module:slow_backend"),
        ],
        env=kit.environment(PYTHONPATH=f"{kit.environment()['PYTHONPATH']}:{tmp_path}"),
    )
    with fifo.open("rb") as reader:  # opens as soon as a worker has
        runner.send_signal(signal.SIGKILL)
        runner.wait()
        assert reader.read() == b""


_RUN_IN_WORKERS = """
import sys
from axiometer.experiment import Experiment
from axiometer.runs.runner.workers import Chunk, run_in_workers
if __name__ == "__main__":
    experiment = Experiment.load(sys.argv[1])
    chunks = [Chunk(point, 0, 1) for point in experiment.points()]
    list(run_in_workers(sys.argv[2], experiment.platform, chunks, 2))
"""


def test_ctrl_c_is_reported_once_for_any_number_of_workers(experiment, tmp_path):
    begun = tmp_path / "begun"
    begun.mkdir()
    (tmp_path / "slow_backend.py").write_text(
        "import os, time\n"
        f"open(os.path.join({str(begun)!r}, str(os.getpid())), 'w').close()\n"
        "def run_repeats(*_):\n    time.sleep(60)\n"
    )
    runner = subprocess.Popen(
        [sys.executable, "-m", "axiometer", "run", str(experiment), "--jobs", "3", "--quiet"]
        + ["--backend", "module:slow_backend", "--store", str(tmp_path / "runs.db")],
        env=kit.environment(PYTHONPATH=f"{kit.environment()['PYTHONPATH']}:{tmp_path}"),
        stderr=subprocess.PIPE, text=True, start_new_session=True,
        # A shell ignores SIGINT in what it starts in the background, and so would the runner.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    # The runner loads the backend too, before its three workers do.
    while len(list(begun.iterdir())) < 4 and runner.poll() is None:
        time.sleep(0.01)
    os.killpg(runner.pid, signal.SIGINT)
    printed = runner.communicate(timeout=60)[1].splitlines()
    assert runner.returncode == 130, printed
    assert printed[0] == "axiometer: interrupted; 0 of 6 points are stored in small-0001"
    assert len(printed) == 2


def test_too_few_records_are_no_result(store, tmp_path, monkeypatch):
    (tmp_path / "short_backend.py").write_text("def run_repeats(*_):\n    return []\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(AxiometerError, match="0 records for 8 repeats"):
        run(small(), store, "module:short_backend")


def test_an_interrupt_keeps_what_has_finished(store, tmp_path, monkeypatch):
    (tmp_path / "interrupted_backend.py").write_text(
        "import fake_backend\n"
        "def run_repeats(platform, point, *rest):\n"
        "    if point.index == 4:\n        raise KeyboardInterrupt\n"
        "    return fake_backend.run_repeats(platform, point, *rest)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        run(small(), store, "module:interrupted_backend")
    assert len(store.finished("small-0001")) == 4


def test_progress_does_not_need_a_working_clock(store, monkeypatch):
    monkeypatch.setattr(time, "monotonic", lambda: 0.0)
    assert run(small(), store, kit.FAKE, quiet=False).complete
