"""show, compare, explain, expect, report and export as commands on stored runs."""

from __future__ import annotations

import cProfile
import csv
import io
import json
import pstats
import re

import pytest

from axiometer.__main__ import main

FAKE = "module:present_fake"
EXPERIMENT = """\
name = "pair"
title = "Two ports"
platform = "zybo"
source = "A paper, Table 1"
{reference}

[defaults]
width_bits = 64
transfer_bytes = "{size}"
repeats = 3

[sweep]
mode = ["duplex", "ps_to_pl"]
ports = ["HP0", "HP0+HP1"]
"""
REFERENCE = """\
# A. Author, "A paper", 2020, Table 1.
ports,mode,total_MBps,total_MBps_min,total_MBps_max
HP0,duplex,1590,1500,1700
HP0+HP1,duplex,3000,2900,3100
"""


@pytest.fixture
def stored(tmp_path, monkeypatch, capsys):
    """A store with the finished run pair-0001, compared with two published rows."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.csv").write_text(REFERENCE)
    text = EXPERIMENT.format(reference=f'reference = "{tmp_path / "own.csv"}"', size="32MiB")
    path = tmp_path / "pair.toml"
    path.write_text(text)
    assert main(["run", str(path), "--backend", FAKE, "--jobs", "1", "--quiet"]) == 0
    capsys.readouterr()
    return tmp_path


def test_show(stored, cli):
    out, err = cli.both("show")
    assert err == ""
    assert "Two ports (simulated)" in out
    assert "average minimum maximum σ peak" in " ".join(out.split())
    assert "measured error %" in " ".join(out.split())
    assert "(1 rows)" in out
    out = cli("show pair --json")
    assert json.loads(out)["run"] == "pair-0001"
    out = cli("show pair-0001 --plain")
    assert out.isascii()


def test_compare(stored, cli):
    out = cli("compare pair")
    assert "compared with published: 2" in out
    assert "Predicted rows: 2" in out
    assert 'compared with: A. Author, "A paper", 2020, Table 1.' in out
    out, err = cli.both("compare pair --max-error 5", status=1)
    assert "over all 2 compared rows" in err
    assert "exceeds 5 %" in err
    cli("compare pair --max-error 50")


def test_the_document_has_the_agreed_shape(stored, cli):
    """Of `compare`; those of `run` and `show` are the same."""
    whole = cli.json("compare")
    assert list(whole) == [
        *("experiment", "board", "backend", "run", "wall_s", "pl_clocks", "points", "summary"),
    ]
    assert (whole["experiment"], whole["board"], whole["run"]) == ("pair", "zybo", "pair-0001")
    first, second, other, _ = whole["points"]
    assert list(first)[:2] == ["mode", "ports"]
    assert set(first["total_MBps"]) == {"mean", "min", "max", "std", "n"}
    assert set(second["by_port"]) == {"HP0", "HP1"}
    assert set(first["latency_cycles"]) == {"mean", "min", "max", "p50", "p99"}
    assert (first["ports"], first["published"]["mean"]) == ("HP0", 1590)
    assert first["error_pct"] == pytest.approx(100 * (first["total_MBps"]["mean"] / 1590 - 1))
    assert (other["published"], other["error_pct"], other["role"]) == (None, None, None)
    summary = whole["summary"]
    assert (summary["points"], summary["compared"]) == (4, 2) and summary["simulated_s"] > 0
    worst = {"mode": "duplex", "ports": "HP0+HP1", "error_pct": second["error_pct"]}
    assert summary["worst"] == worst
    errors = [abs(p["error_pct"]) for p in whole["points"] if p["error_pct"] is not None]
    assert summary["mean_abs_error_pct"] == pytest.approx(sum(errors) / 2)
    assert summary["in_range"] == {"ranged": 2, "inside": 1, "inside_widened_3_pct": 1}
    assert summary["by_role"]["fitted"]["compared"] == 0
    assert cli.json("show pair")["points"] == whole["points"]
    again = cli.both("run pair.toml --quiet --backend", FAKE, "--jobs", "1", "--json")
    assert again.err == "" and json.loads(again.out)["points"] == whole["points"]


def test_compare_with_another_run_and_with_a_file(stored, cli):
    out = cli("compare pair pair-0001")
    assert "0.00 %" in out
    other = REFERENCE.replace("3000,2900,3100", "2400,2300,2500")
    (stored / "other.csv").write_text(other)
    out = cli("compare pair --with other.csv --max-error 2")
    cli.refused("compare pair pair-0001 --with other.csv")
    (stored / "alike.csv").write_text("ports,mode,pl_mhz,total_MBps\nHP0,duplex,99,1590\n")
    err = cli.refused("compare pair --with alike.csv", status=1)
    assert "no row of alike.csv has its points: the nearest row, line 2, has pl_mhz 99" in err


def test_explain(stored, cli):
    out = cli("explain")
    assert out.count("is full") + out.count("(simulated)") >= 2
    out = cli("explain pair HP0+HP1,duplex")
    assert "1: duplex · HP0+HP1" in out
    assert "DRAM bus" in out
    assert "→" in out
    more = cli("explain pair 1 -v")
    assert len(out.splitlines()) <= 10 < len(more.splitlines())
    whole = json.loads(cli("explain --json"))["points"]
    out = cli("explain --brief --plain")
    counts = re.findall(r"^(\d+) of (\d+) points: (.+)$", out, re.M)
    assert len(counts) == len({point["bottleneck"] for point in whole})
    assert sum(int(count) for count, _, _ in counts) == len(whole)
    out = cli("explain pair 1 --json")
    (point,) = json.loads(out)["points"]
    assert point["ports"] == "HP0+HP1"
    assert sum(point["dram"]["classes_s"].values()) == pytest.approx(point["elapsed_s"])
    err = cli.refused("explain pair HP3")
    assert "1: duplex · HP0+HP1" in err


def test_pictures(stored, cli):
    assert cli.both("show --png a.png") == ("", "wrote a.png\n")
    cli("explain pair 1 --svg b.svg")
    assert (stored / "b.svg").stat().st_size > 1000
    cli.refused("show --png no/where.png", status=1)


def test_report(stored, cli):
    assert cli.both("report pair -o r.html") == ("", "wrote r.html\n")
    assert "Two ports" in (stored / "r.html").read_text()
    cli("report")
    assert (stored / "pair-0001.html").exists()


def test_export(stored, cli):
    out = cli("export pair")
    assert len(list(csv.DictReader(io.StringIO(out)))) == 4
    out = cli("export pair --raw")
    assert len(list(csv.DictReader(io.StringIO(out)))) == 12
    out = cli("export pair --format latex")
    assert r"\bottomrule" in out
    cli("export pair --format latex -o t.tex")
    assert (stored / "t.tex").read_text() == out
    cli("export pair --format latex -o t.tex")  # only stores are not written over


def test_expect_begins_with_the_answer(cli):
    """Three lines with the figures of the document; -v has all."""
    base = ["expect", "--board", "zybo", "--repeats", "3", "--transfer-bytes", "256KiB"]
    out = cli(*base, "--ports", "HP0+HP1")
    said = " ".join(out.partition("\n-v: ")[0].split())
    detailed = cli(*base, "--ports", "HP0+HP1", "-v")
    assert " ".join(detailed.split()).startswith(said) and len(detailed) > 2 * len(out)
    out = cli(*base, "--ports", "HP0+HP1", "--json")
    whole = json.loads(out)
    first = whole["headline"]
    assert said == f"{whole['question']} {first}"
    assert whole["question"] == (
        "zybo HP0+HP1, duplex, 64 bit at 100 MHz, bursts of 128 B, 256 KiB a transfer; "
        "assumed: direction, width, clock, burst."
    )
    assert first.startswith(f"{whole['total_MBps']['mean']:.0f} MB/s (")
    assert f"{whole['read_MBps']['mean']:.0f} read" in first
    assert f"{whole['write_MBps']['mean']:.0f} written" in first
    assert f"{whole['band']['low_MBps']:.0f}–{whole['band']['high_MBps']:.0f}. " in first
    assert f"{whole['efficiency_pct']:.0f} % of peak" in first
    assert f"mean {whole['latency']['mean_ns']:.0f} ns" in first
    best = max(cause["gain_pct"] for cause in whole["tried_causes"])
    tried = max((trial["gain_pct"] for trial in whole["trials"]), default=best)
    gain = float(re.search(r"([+-]\d+) % \(simulated\)\.$", first)[1])
    assert min(abs(gain - best), abs(gain - tried)) < 1
    # Of what the chip limits, the change that a user can make, whatever a faster chip would give.
    assert gain > tried - 2


def test_a_run_without_reference_has_nothing_to_compare(stored, cli):
    path = stored / "alone.toml"
    path.write_text(EXPERIMENT.format(reference="", size="96KiB").replace('"pair"', '"alone"'))
    cli("run", path, "--backend", FAKE, "--jobs", "1", "--quiet")
    err = cli.refused("compare alone", status=1)
    assert "names no published figures" in err
    assert "--with FILE.csv" in err
    cli("show alone")
    err = cli.refused("compare alone pair", status=1)
    assert "pair-0001 has none of its points" in err


def test_an_incomplete_run_shows_its_points(stored, cli):
    """One of four points is kept, as if the runner had been killed."""
    import present_fake
    from axiometer.experiment import Experiment
    from axiometer.records.store import Store
    from axiometer.runs.runner import Session

    (stored / "part.toml").write_text(
        (stored / "pair.toml").read_text().replace('"pair"', '"part"')
    )
    experiment = Experiment.load("part.toml")
    with Store() as store:
        session = Session(store, experiment, FAKE)
    out = cli("show part")
    assert "0 of 4 points have finished" in out
    for argv in (["compare", "part"], ["explain", "part"], ["explain", "part", "1"]):
        err = cli.refused(*argv, status=1)
        assert "finished" in err
    cli.refused("report part", status=1)
    point = session.points[0]
    with Store() as store:
        records = present_fake.run_repeats(experiment.platform, point, 0, 0, 3)
        store.save(session.run, point, records, 0.1)
    for argv in (["show", "part"], ["compare", "part"], ["explain", "part"]):
        out = cli(*argv)
        assert "1 of 4 points have finished" in out
    cli.refused("explain part 1", status=1)
    cli("report part")
    out = cli("export part")
    assert [row["repeats"] for row in csv.DictReader(io.StringIO(out))] == ["3", "0", "0", "0"]


MANY = """\
name = "many"
title = "Many points"
platform = "zybo"
source = "A paper, Table 2"
reference = "{reference}"

[defaults]
ports = "HP0"
mode = "ps_to_pl"
repeats = 1

[sweep]
width_bits = [32, 64]
burst_beats = [2, 4, 8, 12, 16]
gap_cycles = {gaps}
"""


@pytest.fixture(scope="module")
def runs_of_many_points(tmp_path_factory):
    """A store with runs of 100, 200 and 300 points."""
    folder = tmp_path_factory.mktemp("many")
    (folder / "own.csv").write_text(
        "# A. Author, Table 2.\nports,mode,width_bits,burst_beats,gap_cycles,total_MBps\n"
        "HP0,ps_to_pl,64,16,0,750\nHP0,ps_to_pl,64,8,0,740\n"
    )
    for hundreds in (1, 2, 3):
        text = MANY.format(reference=folder / "own.csv", gaps=[*range(10 * hundreds)])
        (folder / "many.toml").write_text(text)
        words = ["run", str(folder / "many.toml"), "--backend", FAKE, "--jobs", "1", "--quiet"]
        assert main([*words, "--store", str(folder / "runs.db")]) == 0
    return folder / "runs.db"


@pytest.mark.parametrize(
    "words",
    [
        ["show"],
        ["show", "--json"],
        ["export"],
        ["export", "--raw"],
        ["export", "--format", "latex"],
        ["compare"],
    ],
    ids=" ".join,
)
def test_work_grows_with_the_points_and_no_faster(words, runs_of_many_points, capsys):
    """Counted calls, of Python and of C: as many for the third hundred of points as for the
    second."""
    words = [*words, "--store", str(runs_of_many_points)]
    main([*words, "many-0001"])  # what is loaded and remembered at a first call
    calls = []
    for run in ("many-0001", "many-0002", "many-0003"):
        profile = cProfile.Profile()
        assert profile.runcall(main, [*words, run]) == 0
        calls.append(pstats.Stats(profile).total_calls)
    capsys.readouterr()
    first, second, third = calls
    assert third - second == pytest.approx(second - first, rel=0.01), calls
