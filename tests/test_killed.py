"""A run killed at any moment loses no finished point, and continuing it gives the same result."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

import kit
from axiometer.__main__ import main
from axiometer.records.store import Store

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
