"""Written files: complete or absent; a failed write leaves nothing."""

import subprocess
import sys

import pytest

import kit
from axiometer.base import atomic_file
from axiometer.base.errors import AxiometerError

LIMITED = """
import resource, signal, sys
from axiometer.base import atomic_file
from axiometer.__main__ import main
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
whole = atomic_file.whole
def limited(path):  # the store is open by then, and needs no more room
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
    return whole(path)
atomic_file.whole = limited
sys.exit(main(sys.argv[2:]))
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A store with a run of the model."""
    folder = tmp_path_factory.mktemp("made")
    words = ["run", "zybo-hp-bandwidth", "--repeats", "1", "--store", str(folder / "runs.db")]
    words += ["--set", "transfer_bytes=4KiB", "--set", "ports=HP0,HP0+HP1", "--quiet"]
    assert kit.command(*words).returncode == 0
    return folder / "runs.db"


@pytest.mark.parametrize(
    "words",
    [
        ["report", "-o", "x.html"],
        ["export", "-o", "x.csv"],
        ["export", "--raw", "-o", "x.csv"],
        ["export", "--format", "latex", "-o", "x.tex"],
        ["export", "--format", "parquet", "-o", "x.parquet"],
        ["show", "--svg", "x.svg"],
        ["show", "--png", "x.png"],
    ],
)
def test_a_full_disk_leaves_the_old_file(words, made, tmp_path):
    """A limit on the size of files fails as a full disk does: after a part was written."""
    target = tmp_path / words[-1]
    command = [sys.executable, "-c", LIMITED, "1000", *words, "--store", str(made)]
    for before in (None, "what was there"):
        if before:
            target.write_text(before)
        done = subprocess.run(
            command, cwd=tmp_path, env=kit.environment(), capture_output=True, text=True
        )
        assert done.returncode == 1
        assert f"{words[-1]}: cannot be written" in done.stderr
        assert "Traceback" not in done.stderr
        assert [p.name for p in tmp_path.iterdir()] == ([target.name] if before else [])
    assert target.read_text() == "what was there"


def test_a_special_file_is_written_in_place(made, tmp_path):
    for name in ("/dev/stdout", "/dev/null"):
        done = kit.command("export", "--store", str(made), "-o", name)
        assert done.returncode == 0
        assert ("total_MBps" in done.stdout) == (name == "/dev/stdout")
    done = kit.command("export", "--store", str(made), "-o", "/dev/full")
    assert done.returncode == 1
    assert "/dev/full: cannot be written: No space left" in done.stderr


def test_links_and_modes_stay(tmp_path):
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    atomic_file.write_text(link, "new\udcff")
    assert link.is_symlink()
    assert real.read_text() == "new\\udcff"
    assert real.stat().st_mode & 0o777 == 0o640
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link", "real"]


@pytest.mark.parametrize("name", ["nowhere/x", "", ".", "n" * 300, "a\0b"])
def test_places_where_nothing_can_be_written(name, tmp_path):
    with pytest.raises(AxiometerError, match="cannot be written"):
        atomic_file.write_text(tmp_path / name, "text")
    assert list(tmp_path.iterdir()) == []


def test_without_the_limit_it_is_written(made, tmp_path):
    """The first test would pass for another reason if the command could not work at all."""
    command = [sys.executable, "-c", LIMITED, "100000000", "export", "-o", "x.csv"]
    command += ["--store", str(made)]
    done = subprocess.run(command, cwd=tmp_path, env=kit.environment(), capture_output=True)
    assert done.returncode == 0
    assert (tmp_path / "x.csv").stat().st_size > 1000
