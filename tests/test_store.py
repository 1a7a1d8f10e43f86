import sqlite3
import threading

import pytest

import kit
from axiometer.base.errors import AxiometerError
from axiometer.experiment import Experiment
from axiometer.records.store import Store, default_path
from axiometer.runs.runner import run


@pytest.fixture
def filled(experiment, tmp_path):
    """A store with one finished run; its path and the run."""
    path = tmp_path / "runs.db"
    with Store(path, create=True) as store:
        return path, run(Experiment.load(str(experiment)), store, kit.FAKE)


def test_saved_records_come_back(filled, experiment):
    path, done = filled
    with Store(path) as store:
        again = store.load(done.id)
        assert [(i.id, i.complete, i.points_done) for i in store.runs()] == [(done.id, True, 6)]
    assert done.id == "small-0001"
    assert again.complete
    points = Experiment.load(str(experiment)).points()
    assert [(p.index, p.key, p.values) for p in again.points] == [
        (p.index, p.key, p.values) for p in points
    ]
    assert [r["repeat"] for r in again.points[0].records] == list(range(8))
    assert again.points == done.points
    assert again.provenance["platform_sha256"] == again.platform.sha256
    assert again.provenance["started_at"].endswith("+00:00")


def test_a_run_is_shown_as_it_was_after_its_files_are_gone(filled, experiment):
    path, done = filled
    experiment.with_name("tiny.toml").write_text("ruined")
    experiment.unlink()
    with Store(path) as store:
        again = store.load("latest")
    assert again.experiment.title == "A small experiment"
    assert again.platform.value("dram.size_MiB") == 16


def test_overlay_is_kept(experiment, tmp_path):
    with Store(tmp_path / "runs.db", create=True) as store:
        overlay = ["controller.starve_clocks=32", "repeats=2", "ports=P0"]
        done = run(Experiment.load(str(experiment), overlay), store, kit.FAKE)
        again = store.load(done.id)
    assert again.platform.value("controller.starve_clocks") == 32
    assert [p.key["ports"] for p in again.points] == ["P0", "P0"]


def test_a_run_is_found_by_id_by_experiment_and_as_latest(experiment, tmp_path):
    with Store(tmp_path / "runs.db", create=True) as store:
        small = Experiment.load(str(experiment), ["repeats=1"])
        ids = [run(small, store, kit.FAKE).id for _ in range(2)]
        assert ids == ["small-0001", "small-0002"]
        assert store.load("small").id == store.load("latest").id == ids[1]
        assert store.load("small-0001").id == ids[0]
        assert store.digest(ids[0]) == store.digest(ids[1])
        with pytest.raises(AxiometerError, match="did you mean 'small-0002' or 'small-0001'"):
            store.load("small-002")


def test_digests_of_different_results_differ(experiment, tmp_path):
    with Store(tmp_path / "runs.db", create=True) as store:
        digests = set()
        for setting in ("seed=0", "seed=1", "burst_beats=4", "controller.starve_clocks=2"):
            small = Experiment.load(str(experiment), ["repeats=1", setting])
            digests.add(store.digest(run(small, store, kit.FAKE).id))
    assert len(digests) == 4


def test_a_point_is_kept_once(filled):
    path, done = filled
    with Store(path) as store:
        point = done.points[0]
        store.save(done.id, point, point.records[:1], 0.0)
        assert store.load(done.id).points[0].records == point.records


def between(**clocks):
    return {"processor": {"classes_s": {}, "beats": {"between": clocks}}}


@pytest.mark.parametrize(
    ("wrong", "what"),
    [
        ({"elapsed_s": 0}, "elapsed_s"),
        ({"streams": [{"port": 3}]}, "streams"),
        (between(min=3, typ=3, mean=None, max=None), "beats"),
    ],
)
def test_unreadable_values_are_not_saved(filled, wrong, what):
    """A store that took it would be damaged for whoever opens it next."""
    path, done = filled
    point = done.points[0]
    records = [record | wrong for record in point.records]
    with (
        Store(path) as store,
        pytest.raises(AxiometerError, match=rf"cannot be saved \(records: {what}\)"),
    ):
        store.save(done.id, point, records, 0.0)


def test_a_mean_between_beats_may_be_unknown(filled):
    """Where a sniffer's bins do not tell it: runs of slow masters in RTL could not be read."""
    path, done = filled
    point = done.points[0]
    records = [record | between(min=3, typ=3, mean=None, max=46) for record in point.records]
    with Store(path) as store:
        run_id = store.begin(
            Experiment.load(done.experiment.file), kit.FAKE, "spec", 1, done.provenance
        )
        store.save(run_id, point, records, 0.0)
        assert store.load(run_id).points[0].records == records


def test_many_writers_together_on_a_new_store(experiment, tmp_path):
    path = tmp_path / "deep" / "runs.db"
    failures = []

    def work():
        try:
            with Store(path, create=True) as store:
                run(Experiment.load(str(experiment), ["repeats=2"]), store, kit.FAKE)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    with Store(path) as store:
        infos = store.runs()
        assert sorted(info.id for info in infos) == [f"small-{n:04d}" for n in range(1, 7)]
        assert all(info.complete for info in infos)
        assert len({store.digest(info.id) for info in infos}) == 1


def _overwrite(path, at, data):
    with path.open("r+b") as file:
        file.seek(at)
        file.write(data)


def _damaged(filled):
    path, _ = filled
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path


@pytest.mark.parametrize("keep", [1, 50, 1000, 4096, 5000])
def test_a_truncated_store_is_reported(filled, keep):
    path = _damaged(filled)
    path.write_bytes(path.read_bytes()[:keep])
    with (
        pytest.raises(AxiometerError, match="the store is damaged") as caught,
        Store(path) as store,
    ):
        store.load("latest")
    assert caught.value.file == str(path)
    assert "move the file away" in caught.value.remedy


def test_overwritten_pages_are_reported(filled):
    path = _damaged(filled)
    _overwrite(path, 4096, b"\x55" * (path.stat().st_size - 4096))
    with pytest.raises(AxiometerError, match="the store is damaged"), Store(path) as store:
        store.load("latest")


def test_where_runs_are_kept(monkeypatch, tmp_path):
    monkeypatch.setenv("AXIOMETER_STORE", str(tmp_path / "x.db"))
    assert default_path() == tmp_path / "x.db"
    monkeypatch.delenv("AXIOMETER_STORE")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_path() == tmp_path / "axiometer" / "runs.db"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_path() == tmp_path / ".local" / "share" / "axiometer" / "runs.db"
