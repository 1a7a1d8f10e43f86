"""Runs on a cluster: the same records and store, even when workers fail."""

from __future__ import annotations

import os
import socket
import threading
import time
from contextlib import suppress

import pytest

import kit
from axiometer.base.errors import AxiometerError
from axiometer.experiment import Experiment
from axiometer.records.store import Store
from axiometer.runs.runner import Session, run, scheduler
from axiometer.runs.runner.cluster import Cluster

distributed = pytest.importorskip(
    "distributed", reason="Dask is not installed: pip install 'axiometer[cluster]'"
)

QUICK = {
    "distributed.comm.timeouts.connect": "5s",
    "distributed.worker.memory.pause": False,
    "distributed.nanny.pre-spawn-environ": {"OMP_NUM_THREADS": 1},
}
DIES_ONCE = """
import os, signal
import fake_backend
def run_repeats(platform, point, seed, first, count):
    try:
        os.close(os.open({once!r}, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return fake_backend.run_repeats(platform, point, seed, first, count)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def experiment(tmp_path):
    return Experiment.load(str(kit.write(tmp_path)), ["repeats=8"])


@pytest.fixture(scope="module")
def modules(tmp_path_factory):
    """A directory whose modules the workers can import."""
    return tmp_path_factory.mktemp("modules")


@pytest.fixture(scope="module")
def address(modules):
    """Of a scheduler with two worker processes that can import the fake backend."""
    import dask

    with pytest.MonkeyPatch.context() as patch, dask.config.set(QUICK):
        patch.setenv("PYTHONPATH", f"{kit.environment()['PYTHONPATH']}{os.pathsep}{modules}")
        patch.syspath_prepend(modules)
        with distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
        ) as cluster:
            yield cluster.scheduler_address


def _digests(experiment, path, backend, address):
    with Store(path, create=True) as store:
        here = run(experiment, store, kit.FAKE)
        with Cluster(address) as cluster:
            there = Session(store, experiment, backend, cluster=cluster).execute()
        return store.digest(here.id), store.digest(there.id), there.complete


def test_the_store_is_that_of_one_machine(experiment, tmp_path, address):
    here, there, complete = _digests(experiment, tmp_path / "runs.db", kit.FAKE, address)
    assert complete
    assert here == there


def test_a_lost_worker_costs_its_chunk_only(experiment, tmp_path, modules, address):
    once = tmp_path / "killed"
    (modules / "dies_once.py").write_text(DIES_ONCE.format(once=str(once)))
    here, there, complete = _digests(experiment, tmp_path / "runs.db", "module:dies_once", address)
    assert once.exists()
    assert complete
    assert here == there


def test_a_remote_failure_is_reported_like_a_local_one(experiment, tmp_path, modules, address):
    (modules / "always_raises.py").write_text("def run_repeats(*_):\n    return 1 / 0\n")
    with (
        Store(tmp_path / "runs.db", create=True) as store,
        Cluster(address) as cluster,
        pytest.raises(AxiometerError, match="the backend failed at .*ZeroDivisionError"),
    ):
        Session(store, experiment, "module:always_raises", cluster=cluster).execute()


def test_another_version_there_is_refused(experiment, tmp_path, address, monkeypatch):
    monkeypatch.setattr("axiometer.runs.runner.cluster.__version__", "0.0.1")
    with (
        Store(tmp_path / "runs.db", create=True) as store,
        Cluster(address) as cluster,
        pytest.raises(AxiometerError, match="has Axiometer .*, the runner has 0.0.1"),
    ):
        Session(store, experiment, kit.FAKE, cluster=cluster).execute()


def test_a_worker_without_axiometer_is_reported(experiment, tmp_path, modules, monkeypatch):
    """It would die of its first chunk, and the run would wait for it."""
    package = modules / "without" / "axiometer"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise ImportError('not built here')\n")
    monkeypatch.setenv("PYTHONPATH", str(package.parent))
    monkeypatch.syspath_prepend(package.parent)  # a worker process takes the paths of this one
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, dashboard_address=None, silence_logs=50
        ) as bare,
        Store(tmp_path / "runs.db", create=True) as store,
        Cluster(bare.scheduler_address) as cluster,
        pytest.raises(AxiometerError, match="cannot import Axiometer: not built here"),
    ):
        Session(store, experiment, kit.FAKE, cluster=cluster).execute()


def test_workers_that_leave_are_missed(experiment, tmp_path, monkeypatch):
    monkeypatch.setattr("axiometer.runs.runner.cluster.WORKER_S", 0.5)
    monkeypatch.setattr("axiometer.runs.runner.cluster.LOOK_S", 0.1)
    with (
        distributed.LocalCluster(
            n_workers=1, dashboard_address=None, silence_logs=50, processes=False
        ) as leaving,
        Store(tmp_path / "runs.db", create=True) as store,
        Cluster(leaving.scheduler_address) as cluster,
    ):
        monkeypatch.setattr(cluster, "_check_workers", lambda: leaving.scale(0))
        with pytest.raises(AxiometerError, match="had no worker for 0.5 s"):
            Session(store, experiment, kit.FAKE, cluster=cluster).execute()


def test_the_command_with_a_queue_of_this_machine(tmp_path):
    config = tmp_path / "queue.toml"
    config.write_text('system = "local"\njobs = 2\n[options]\ndashboard_address = ":0"\n')
    experiment, store = kit.write(tmp_path), tmp_path / "runs.db"
    done = kit.command(*kit.run_arguments(experiment, store, "--dask-jobqueue", str(config)))
    assert done.returncode == 0, done.stderr
    with Store(store) as opened:
        assert opened.load("latest").complete


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('system = "slrum"', "did you mean 'slurm'"),
        ('system = "slurm"\njob = 3', "did you mean 'jobs'"),
        ('system = "slurm"\njobs = 0', "a whole number from 1"),
        ('system = "slurm"\noptions = 3', r"write it as \[options\]"),
        ("system = ", "not valid TOML"),
        ('system = "local"\n[options]\ncolour = 3', "cannot be started"),
    ],
)
def test_a_wrong_file_is_refused_with_a_remedy(tmp_path, text, message):
    config = tmp_path / "queue.toml"
    config.write_text(text)
    with pytest.raises(AxiometerError, match=message), Cluster(queue=str(config)):
        pass


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("tcp://127.0.0.1:1", "no Dask scheduler answers at tcp://127.0.0.1:1: .*refused"),
        ("127.0.0.1:1", "no Dask scheduler answers at 127.0.0.1:1: .*refused"),
        ("tls://127.0.0.1:1", "refused"),
        ("tcp://[::1]:1", "no Dask scheduler answers"),
        ("http://127.0.0.1:1", "does not support 'http' addresses"),
        ("https://127.0.0.1:8787/status", "does not support 'https' addresses"),
        ("tcp://", "is not an address"),
        ("", "is not an address"),
        ("tcp://127.0.0.1:99999", "is not an address"),
        ("tcp://127.0.0.1:x", "is not an address"),
        ("file:///etc/passwd", "does not support 'file' addresses"),
    ],
)
def test_no_scheduler(address, message):
    """Dask would try for 20 s, and 40 s more to close what it never had."""
    since = time.process_time()
    with pytest.raises(AxiometerError, match=message) as caught, Cluster(address):
        pass
    assert "tcp://HOST:8786" in caught.value.remedy
    assert time.process_time() - since < 2


@pytest.mark.parametrize("says", [b"", b"SSH-2.0-OpenSSH_9\r\n", b"HTTP/1.1 400 Bad Request\r\n"])
def test_a_server_that_is_no_scheduler(says, monkeypatch):
    monkeypatch.setattr(scheduler, "SPEAK_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = "tcp://{}:{}".format(*server.getsockname())

        def answer():
            connection, _ = server.accept()
            with connection, suppress(OSError):  # the other end goes away
                connection.sendall(says)
                connection.recv(1)

        other = threading.Thread(target=answer, daemon=True)
        other.start()
        with pytest.raises(AxiometerError, match="another service answers"), Cluster(address):
            pass
        other.join()


def test_a_scheduler_without_workers_is_reported_immediately(
    experiment, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr("axiometer.runs.runner.cluster.WORKER_S", 0.5)
    with (
        distributed.LocalCluster(
            n_workers=0, dashboard_address=None, silence_logs=50, processes=False
        ) as empty,
        Store(tmp_path / "runs.db", create=True) as store,
        Cluster(empty.scheduler_address) as cluster,
    ):
        address = empty.scheduler_address
        with kit.refuses(match="had no worker for 0.5 s", remedy=f"dask worker {address}"):
            Session(store, experiment, kit.FAKE, cluster=cluster).execute()
        assert store.runs() == []  # nothing came of it
    printed = capsys.readouterr().err
    assert f"{address} has no worker yet; waiting at most 0.5 s" in printed
