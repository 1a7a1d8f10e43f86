"""A missing extra, and a drawing library that dies of a memory limit, are reported."""

import resource
import subprocess
import sys

import pytest

import kit
from axiometer.__main__ import main

LIMIT = 8 * 2**30  # far more than anything needs, and less than the library reserves


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    path = tmp_path_factory.mktemp("drawn") / "runs.db"
    words = ["run", "zybo-hp-bandwidth", "--quiet", "--jobs", "1", "--repeats", "1"]
    words += ["--set", "ports=HP0", "--set", "mode=read", "--set", "transfer_bytes=4KiB"]
    assert main([*words, "--store", str(path)]) == 0
    return path


@pytest.mark.parametrize(
    "words",
    [
        ["report", "-o", "out"],
        ["report", "--board", "zybo", "-o", "out"],
        ["show", "--svg", "o.svg"],
    ],
    ids=" ".join,
)
def test_a_limit_of_memory_is_reported(words, store, tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "axiometer", *words, "--store", str(store)],
        env=kit.environment(), cwd=tmp_path, capture_output=True, text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT)),
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (1, "")
    told = kit.flat(done.stderr)
    assert "drawing library (vl-convert) cannot run within this shell's memory limit" in told
    assert "ulimit -v unlimited" in told
    assert "SIGTRAP" in told or "ended by" in told or "exit status" in told
    assert list(tmp_path.iterdir()) == []


def test_without_a_limit_nothing_is_tried(store, tmp_path, monkeypatch):
    from axiometer.present import drawing

    drawing.check.cache_clear()
    free = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    monkeypatch.setattr(resource, "getrlimit", lambda kind: free)
    monkeypatch.setattr(drawing, "_TRIAL", "raise SystemExit(3)")
    drawing.check()
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (LIMIT, LIMIT))
    drawing.check.cache_clear()
    with pytest.raises(Exception, match="exit status 3"):
        drawing.check()
    drawing.check.cache_clear()


@pytest.mark.parametrize("missing", ["altair", "jinja2", "vl_convert"])
@pytest.mark.parametrize("words", [["report"], ["show", "--svg", "o.svg"]], ids=" ".join)
def test_a_missing_extra_is_named(words, missing, store, tmp_path, monkeypatch, capsys):
    from axiometer.present import drawing

    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, missing, None)  # as where it is not installed
    drawing.check.cache_clear()
    assert main([*words, "--store", str(store)]) == 1
    told = kit.flat(capsys.readouterr().err)
    assert f"pictures and reports need {missing}, not installed here" in told
    assert "pip install 'axiometer[plot]'" in told
    assert list(tmp_path.iterdir()) == []
