"""`axiometer runs`: it removes only the named runs and prints only differences."""

import pytest

import kit
from axiometer.__main__ import main
from axiometer.records.store import Store

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


def test_only_differences_are_printed(store, cli):
    answer = cli.json("runs diff", FIRST, SECOND)
    found = {each["setting"]: (each["first"], each["second"]) for each in answer["settings"]}
    assert found["controller.starve_clocks"][1] == "128"
    assert found["burst_beats"] == ("16", "8")
    assert found["repeats"] == ("2", "3")
    assert set(found) == {"controller.starve_clocks", "burst_beats", "burst_bytes", "repeats"}
    assert "have the same settings" in cli("runs diff", FIRST, FIRST)


def test_compare_of_two_runs_prints_the_differences(store, cli):
    base = ["run", "zybo-hp-bandwidth", *QUICK, "--set", "ports=HP0,HP1", "--set", "mode=read"]
    cli(*base, "--repeats", "2", "--set", "controller.starve_clocks=128")
    _, printed = cli("compare", FIRST, "zybo-hp-bandwidth-0003", "--plain").split(
        "Settings that differ"
    )
    assert "controller.starve_clocks" in printed
    assert "burst_beats" not in printed


def test_only_removed_runs_are_gone(store, cli):
    with Store(store) as opened:
        kept = opened.digest(SECOND)
    assert main(["runs", "rm", FIRST]) == 0
    with Store(store) as opened:
        assert [run.id for run in opened.runs()] == [SECOND]
        assert opened.digest("latest") == kept
        left = opened._db.execute("SELECT count(*) FROM points").fetchone()[0]
    assert left == 4
    out = cli("runs")
    assert SECOND in out
    assert FIRST not in out


def test_the_id_of_a_removed_run_is_not_given_again(store, capsys):
    """Also not after the last run was removed and the store opened again."""
    assert main(["runs", "rm", SECOND]) == 0
    base = ["run", "zybo-hp-bandwidth", *QUICK, "--set", "ports=HP0", "--set", "mode=read"]
    for wanted in ("zybo-hp-bandwidth-0003", "zybo-hp-bandwidth-0004"):
        assert main([*base, "--repeats", "2"]) == 0
        with Store(store) as opened:
            assert opened.load("latest").id == wanted
        assert main(["runs", "rm", wanted]) == 0


# ---- names and notes


def test_a_name_selects_a_run_and_is_shown_with_settings_and_note(store, cli):
    assert main(["runs", "name", "latest", "short-turns"]) == 0
    cli("runs note short-turns", "what boot code sets")
    listed = cli("runs")
    of_second = listed[listed.index(SECOND) :]
    assert "name: short-turns" in of_second and "note: what boot code sets" in of_second
    assert "controller.starve_clocks=128" in of_second
    (first, second) = cli.json("runs")["runs"]
    assert (first["name"], second["name"], second["note"]) == (
        "",
        "short-turns",
        "what boot code sets",
    )
    head = kit.flat(cli("show short-turns --plain"))
    assert f"run {SECOND} (short-turns)" in head and "Note: what boot code sets" in head
    assert "Settings:" in head and "burst_beats=8" in head
    with Store(store) as opened:
        assert opened.digest("short-turns") == opened.digest(SECOND)


def test_a_name_is_taken_away_and_free_again(store):
    for words in (["name", FIRST, "a"], ["name", FIRST, ""], ["name", SECOND, "a"], ["rm", SECOND]):
        assert main(["runs", *words]) == 0
    assert main(["runs", "name", FIRST, "a"]) == 0
    with Store(store) as opened:
        assert [(run.id, run.label.name) for run in opened.runs()] == [(FIRST, "a")]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["name", SECOND, "first"], f"run {FIRST} has the name 'first'"),
        (["note", SECOND, "two\nlines"], "has several lines"),
        (["note", SECOND, "\x1b[2J"], "has \\x1b"),
        (["note", SECOND, "x" * 501], "is too long"),
    ],
)
def test_an_impossible_name_or_note_is_refused(store, capsys, words, message):
    assert main(["runs", "name", FIRST, "first"]) == 0
    try:
        status = main(["runs", *words])
    except SystemExit as ended:
        status = ended.code
    assert status == 2
    assert message in capsys.readouterr().err
    with Store(store) as opened:
        assert [run.label.name for run in opened.runs()] == ["first", ""]
        assert not any(run.label.note for run in opened.runs())


def test_a_label_of_a_damaged_store_hides_no_run(store):
    assert main(["runs", "name", FIRST, "first"]) == 0
    with Store(store) as opened:
        opened._db.execute("UPDATE labels SET name = 'a b', note = 'a\x1b'")
    with Store(store) as opened:
        found = opened.runs()
    assert [run.id for run in found] == [FIRST, SECOND]
    assert found[0].label.name == "" and "\x1b" not in found[0].label.note
