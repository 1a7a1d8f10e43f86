"""`axiometer runs`: what is removed is gone and nothing else; what differs is told."""

import json

import pytest

import kit
from axiometer.__main__ import main
from axiometer.store import Store

QUICK = ["--jobs", "1", "--quiet", "--set", "pl_mhz=50", "--backend", kit.FAKE]


@pytest.fixture
def store(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("AXIOMETER_STORE", str(tmp_path / "runs.db"))
    base = ["run", "zybo-hp-bandwidth", *QUICK, "--set", "ports=HP0,HP1", "--set", "mode=read"]
    assert main([*base, "--repeats", "2"]) == 0
    more = ["--set", "burst_beats=8", "--set", "controller.starve_clocks=128"]
    assert main([*base, "--repeats", "3", *more]) == 0
    capsys.readouterr()
    return tmp_path / "runs.db"


FIRST, SECOND = "zybo-hp-bandwidth-0001", "zybo-hp-bandwidth-0002"


def test_what_differs_is_told_and_nothing_else(store, capsys):
    assert main(["runs", "diff", FIRST, SECOND, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    found = {each["setting"]: (each["first"], each["second"]) for each in told["settings"]}
    assert found["controller.starve_clocks"][1] == "128"
    assert found["burst_beats"] == ("16", "8")
    assert found["repeats"] == ("2", "3")
    assert set(found) == {"controller.starve_clocks", "burst_beats", "burst_bytes", "repeats"}
    assert main(["runs", "diff", FIRST, FIRST]) == 0
    assert "have the same settings" in capsys.readouterr().out


def test_compare_of_two_runs_says_what_differs(store, capsys):
    base = ["run", "zybo-hp-bandwidth", *QUICK, "--set", "ports=HP0,HP1", "--set", "mode=read"]
    assert main([*base, "--repeats", "2", "--set", "controller.starve_clocks=128"]) == 0
    capsys.readouterr()
    assert main(["compare", FIRST, "zybo-hp-bandwidth-0003", "--plain"]) == 0
    _, told = capsys.readouterr().out.split("Settings that differ")
    assert "controller.starve_clocks" in told
    assert "burst_beats" not in told


def test_what_is_removed_is_gone_and_nothing_else(store, capsys):
    with Store(store) as opened:
        kept = opened.digest(SECOND)
    assert main(["runs", "rm", FIRST]) == 0
    with Store(store) as opened:
        assert [run.id for run in opened.runs()] == [SECOND]
        assert opened.digest("latest") == kept
        left = opened._db.execute("SELECT count(*) FROM points").fetchone()[0]
    assert left == 4
    capsys.readouterr()
    assert main(["runs"]) == 0
    out = capsys.readouterr().out
    assert SECOND in out
    assert FIRST not in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["rm", "latest"], "no run has the id 'latest'"),
        (["rm", SECOND, "zybo-hp-bandwidth-0009"], "did you mean"),
        (["rm"], "takes the ids of runs"),
        (["diff", FIRST], "takes two runs"),
        (["list", FIRST], "takes no run"),
        (["remove", FIRST], "'remove'"),
    ],
)
def test_bad_input_is_told_and_removes_nothing(store, capsys, words, message):
    assert main(["runs", *words]) == 2
    assert message in capsys.readouterr().err
    with Store(store) as opened:
        assert len(opened.runs()) == 2


def test_the_id_of_a_removed_run_is_not_given_again(store, capsys):
    """Also not where it was the last, and where the store is opened anew in between."""
    assert main(["runs", "rm", SECOND]) == 0
    base = ["run", "zybo-hp-bandwidth", *QUICK, "--set", "ports=HP0", "--set", "mode=read"]
    for wanted in ("zybo-hp-bandwidth-0003", "zybo-hp-bandwidth-0004"):
        assert main([*base, "--repeats", "2"]) == 0
        with Store(store) as opened:
            assert opened.load("latest").id == wanted
        assert main(["runs", "rm", wanted]) == 0
