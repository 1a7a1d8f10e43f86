import io
import json
import os
import re
import statistics
import subprocess
import sys

import pytest

import axiometer
import kit
from axiometer.__main__ import COMMANDS, main
from axiometer.runs.runner.progress import Progress


def test_help_imports_next_to_nothing():
    code = (
        "import sys\nbefore = set(sys.modules)\nfrom axiometer.__main__ import main\n"
        "for words in (['show', '--help'], ['--help']):\n"
        "    try:\n        main(words)\n    except SystemExit:\n        pass\n"
        "print(*(set(sys.modules) - before))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=kit.environment(), capture_output=True, text=True
    )
    loaded = set(done.stdout.splitlines()[-1].split())
    rooms = {name.split(".")[1] for name in loaded if name.startswith("axiometer.")}
    assert rooms <= {"__main__", "api", "base", "cli", "present"}
    assert not loaded & {"sqlite3", "multiprocessing", "numpy", "altair", "tomllib"}
    # pathlib is let through: start files of pip may load it.
    assert not loaded & {"json", "subprocess", "secrets"}
    assert all(f"    {name} " in done.stdout for name in COMMANDS)


@pytest.mark.parametrize("name", [*COMMANDS, ""])
def test_every_command_has_help(name, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as caught:
        main([name, "--help"] if name else ["--help"])
    assert caught.value.code == 0
    said = capsys.readouterr().out
    assert f"usage: axiometer {name}" in said
    assert max(map(len, said.splitlines())) <= 80


def test_version(capsys):
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out == f"axiometer {axiometer.__version__}\n"
    project = (kit.ROOT / "pyproject.toml").read_text()
    assert re.search(r'^version = "(.*)"', project, re.MULTILINE)[1] == axiometer.__version__


def test_the_table_says_that_it_is_simulated(experiment, tmp_path, cli):
    arguments = kit.run_arguments(experiment, tmp_path / "runs.db")
    arguments.remove("--quiet")
    printed = cli.both(*arguments)
    assert "A small experiment (simulated, A board for tests)" in printed.out
    assert "small-0001: 6 of 6 points to run" in printed.err
    assert len([line for line in printed.out.splitlines() if "P0+P1+P2" in line]) == 2


def test_resume_says_what_it_does(experiment, tmp_path, cli):
    arguments = kit.run_arguments(experiment, tmp_path / "runs.db", "--resume")
    arguments.remove("--quiet")
    assert "no unfinished run fits; small-0001 is new" in cli.both(*arguments).err


def test_list(experiment, tmp_path, cli):
    text = cli("list")
    assert "zybo-hp-bandwidth" in text
    assert "runs: none yet" in text and "zedboard" in text and "platform" not in text
    ports = cli("list ports")
    assert ports.startswith("ports\n")
    assert cli("list platforms") == ports
    lists = cli.json("list")
    assert [*lists] == ["boards", "platforms", "experiments", "runs"]
    store = str(tmp_path / "runs.db")
    main(kit.run_arguments(experiment, tmp_path / "runs.db"))
    (run,) = cli.json("list runs --store", store)["runs"]
    assert (run["run"], run["points"]) == ("small-0001", "6/6")


def test_ctrl_c_tells_how_to_go_on(experiment, tmp_path, capsys, monkeypatch):
    (tmp_path / "ctrl_c_backend.py").write_text(
        "def run_repeats(*_):\n    raise KeyboardInterrupt\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    store = tmp_path / "runs.db"
    status = main(
        ["run", str(experiment), "--backend", "module:ctrl_c_backend", "--jobs", "1"]
        + ["--store", str(store), "--set", "repeats=3"]
    )
    assert status == 130
    printed = capsys.readouterr().err.splitlines()
    assert printed[-2] == "axiometer: interrupted; 0 of 6 points are stored in small-0001"
    assert printed[-1].endswith(
        f"--set repeats=3 --backend module:ctrl_c_backend --store {store} --resume"
    )


def test_a_reader_that_went_away_is_no_accident():
    reader, writer = os.pipe()
    os.close(reader)
    done = kit.command("list", capture_output=False, stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


class _Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_shows_points_rates_and_time_left():
    progress = Progress(10, 4, 100.0, stream=_Terminal())
    progress.work, progress.points_done, progress.simulated_s = 25.0, 7, 1.5
    line = progress.line(3.0)
    assert "[######..................]  25%" in line
    assert "7/10 points  1 points/s  0.5 simulated s/s  9.0 s left" in line


def test_progress_is_silent_when_quiet():
    stream = _Terminal()
    progress = Progress(1, 0, 1.0, quiet=True, stream=stream)
    progress.add(1.0, 1.0, 1)
    progress.close()
    assert stream.getvalue() == ""


def test_means_in_the_document_are_those_of_the_raw_repeats(experiment, tmp_path, capsys):
    from axiometer.records.store import Store

    path = tmp_path / "runs.db"
    main(kit.run_arguments(experiment, path, "--json"))
    whole = json.loads(capsys.readouterr().out)
    with Store(path) as store:
        run = store.load("latest")
    for shown, kept in zip(whole["points"], run.points, strict=True):
        rates = [record["total_MBps"] for record in kept.records]
        assert shown["total_MBps"]["mean"] == pytest.approx(statistics.fmean(rates))
        assert shown["total_MBps"]["n"] == len(rates) == 8
