"""Anchored rates: near measurements; simulated elsewhere; the user's own measurements."""

import math
import random
from dataclasses import replace

import pytest

from axiometer import expect
from axiometer.__main__ import main
from axiometer.advice import fabric
from axiometer.advice.candidates import Candidate, Outcome
from axiometer.advice.wanted_masters import parse
from axiometer.answer.trials import trial
from axiometer.base import packed
from axiometer.base.errors import AxiometerError
from axiometer.base.kriging import Field
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.present import anchored_text
from axiometer.published import anchors, own, tables
from axiometer.published.anchors import anchor, errors, rows
from axiometer.published.anchors.anchor import Near, Place
from axiometer.published.bands import bounds

AT = Place(("HP0",), 256, None, 0.8)


def near(place, error):
    return Near(place, error, tables.tables()[0])


def test_a_field_passes_its_values_and_says_nothing_far_away():
    draw = random.Random(1)
    places = [draw.uniform(0, 10) for _ in range(12)]

    def like(a, b):
        return math.exp(-abs(a - b))

    values = [math.sin(p) for p in places]
    between = [[like(a, b) for b in places] for a in places]
    field = Field(between, values, [1e-9] * len(places))
    for place, value in zip(places, values, strict=True):
        mean, explained = field.at([like(place, p) for p in places])
        assert mean == pytest.approx(value, abs=1e-5)
        assert explained == pytest.approx(1, abs=1e-5)
    mean, explained = field.at([like(1e3, p) for p in places])
    assert (mean, explained) == pytest.approx((0, 0), abs=1e-9)


def test_an_anchored_rate_is_what_was_measured_there_and_never_beyond_the_wires():
    found = anchor.estimate(AT, [near(AT, 0.2)], 1000, 2000, anchor.kernel())
    assert found.rate == pytest.approx(1000 * math.exp(-0.2), rel=0.01)
    assert found.band.low < 1 < found.band.high
    up = anchor.estimate(AT, [near(AT, -0.5)], 1000, 1100, anchor.kernel())
    assert up.rate == 1100 and up.band.high == 1


def test_nothing_far_away_anchors():
    for far in (
        Place(("HP0", "HP1", "HP2", "HP3"), 256, None, 0.8),
        Place(("HP0",), 16, None, 0.1),
        Place(("HP0",), 4096, None, 0.3),
    ):
        assert anchor.estimate(AT, [near(far, 0.5)], 1000, 2000, anchor.kernel()) is None


@pytest.mark.parametrize(
    ("keys", "there"),
    [
        ({}, True),
        ({"pl_mhz": 250}, False),
        ({"mapping": "bank-row-column", "mode": "read"}, False),
        ({"pattern": "random"}, False),
        ({"outstanding_read": 2}, False),
        ({"gap_cycles": 3}, False),
    ],
)
def test_only_rows_of_the_set_up_anchor(keys, there):
    zcu = Platform.load("zcu102")
    usual = {"ports": "HP0+HP1", "mode": "mixed", "pl_mhz": 300, "burst_bytes": 272}
    values = single(zcu, {**usual, **keys}).values
    rate = 0.6 * bounds.total(zcu, values)
    assert (anchors.of(zcu, values, rate) is not None) is there
    assert anchors.of(zcu.with_overrides({"dram.timing.tRP": 9}), values, rate) is None


MASTERS = [
    {"kind": "engine", "port": port, "direction": way, "burst_bytes": 272}
    for port in ("HP0", "HP1")
    for way in ("read", "write")
]


def test_masters_that_are_alike_are_anchored_as_their_keys_are():
    zcu = Platform.load("zcu102")
    of = {"ports": "HP0+HP1", "mode": "mixed", "pl_mhz": 300, "burst_bytes": 272}
    keys = single(zcu, of).values
    masters = single(zcu, {"pl_mhz": 300, "masters": MASTERS}).values
    found = anchors.of(zcu, keys, 10000)
    assert found is not None and anchors.of(zcu, masters, 10000) == found
    # A master that requests less than its port carries is not among them.
    slow = single(zcu, {"pl_mhz": 300, "masters": [*MASTERS[:3], {**MASTERS[3], "rate_mbs": 90}]})
    assert anchors.of(zcu, slow.values, 10000) is None


def test_a_search_has_the_anchored_rate_of_what_it_proposes():
    zcu = Platform.load("zcu102")
    masters = [parse("a=read", (256,)), parse("b=write", (256,))]
    search = fabric.Search(zcu, masters, "total", fixed={"pl_mhz": 300})
    outcome = Outcome(Candidate(("HP0", "HP0"), (256, 256)), (4000.0, 4000.0), (0.0, 0.0), (0.0,))
    point = single(zcu, {"ports": "HP0", "mode": "mixed", "pl_mhz": 300, "burst_bytes": 256})
    assert search.anchored(outcome) == anchors.of(zcu, point.values, 8000) is not None
    assert trial.Outcome(zcu, point.values, (8000,)).anchored == search.anchored(outcome)
    # By hand another class: not the set-up that was measured.
    by_hand = replace(outcome, candidate=outcome.candidate.having("qos.HP0.mode", "best_effort"))
    assert search.anchored(by_hand) is None


def test_tried_changes_have_their_own_anchored_rates():
    asked = {"ports": "HP0", "mode": "read", "pl_mhz": 300}
    found = expect("zcu102", **asked, burst_bytes=32, repeats=1)
    tried = found.to_dict()["trials"][0]
    other = expect("zcu102", **{**asked, **tried["changes"][0]["keys"]}, repeats=1).anchored
    assert tried["anchored"]["MBps"] == pytest.approx(other.rate, rel=0.01)
    assert tried["anchored"]["sources"] == list(other.cites)
    assert f"anchored: {tried['anchored']['MBps']:.0f} MB/s" in " ".join(found.text.split())


def test_a_column_of_anchored_rates_names_its_tables():
    found = anchor.estimate(AT, [near(AT, 0.2)], 1000, 2000, anchor.kernel())
    assert anchored_text.of_column([None, found, found]).endswith(f"({found.cites[0]})")


def test_strides_are_compared_by_the_gap_between_bursts():
    table = next(t for t in tables.tables() if t.path.stem == "ultra96__random_100mhz")
    (setup,) = rows.setups(table)
    sizes = {line.conditions["burst_bytes"] for line in setup.lines}
    assert len(sizes) > 30


def test_errors_that_ship_are_of_rows_that_ship():
    known = {table.path.name: table for table in tables.tables()}
    files = list(packed.found(errors.SHIPPED, "*.csv"))
    assert files
    for file in files:
        table = known[file.name]
        lines = {line.number for line in tables.every(table)}
        assert errors.of(table.path).keys() <= lines


@pytest.fixture
def mine(tmp_path, monkeypatch):
    monkeypatch.setenv("AXIOMETER_CALIBRATION", str(tmp_path / "kept"))
    anchors.forget()
    yield tmp_path / "rates.csv"
    monkeypatch.undo()
    anchors.forget()


HEAD = "ports,mode,width_bits,pl_mhz,transfer_bytes,total_MBps\n"
ASKED = {"mode": "read", "transfer_bytes": "64KiB", "pl_mhz": 80, "width_bits": 32, "repeats": 1}


def test_own_measurements_anchor_what_is_near_and_change_no_simulated_rate(mine, cli):
    before = expect("zybo", ports="HP0", **ASKED)
    assert before.anchored is None
    mine.write_text(f"{HEAD}HP0,read,32,80,64KiB,{0.8 * before.total:.2f}\n", encoding="utf-8")
    assert "1 measurements of zybo are saved as bench" in " ".join(
        cli("calibrate", mine, "--board", "zybo", "--name", "bench").split()
    )
    after = expect("zybo", ports="HP0", **ASKED)
    assert after.total == before.total
    assert after.anchored.rate == pytest.approx(0.8 * before.total, rel=0.02)
    assert [row.table.source for row in after.answer.measured] == ["bench"]
    assert "Anchored: " in after.text
    assert after.to_dict()["anchored"]["sources"] == ["bench"]
    assert expect("zybo", ports="HP0", **{**ASKED, "pl_mhz": 100}).anchored is None
    assert expect("zybo-z7", ports="HP0", **ASKED).anchored is None
    (kept,) = cli.json("calibrate --list")["sources"]
    assert kept == {"name": "bench", "board": "zybo", "rows": 1}
    assert main(["calibrate", "--remove", "bench"]) == 0
    assert not list(own.directory().iterdir())
    assert expect("zybo", ports="HP0", **ASKED).anchored is None


@pytest.fixture
def keep(mine, cli):
    """Saves rows of a Zybo under a name."""

    def keep(name, *rows, head=HEAD):
        mine.write_text("\n".join([head.strip(), *rows, ""]), encoding="utf-8")
        cli("calibrate", mine, "--board", "zybo", "--name", name)

    return keep


def test_own_rows_answer_no_other_number_of_outstanding_bursts(keep):
    keep("bench", "HP0,read,32,80,64KiB,300")
    for key, value in (("outstanding_read", 1), ("outstanding_read", 2), ("placement", "random"),
                       ("mapping", "bank-row-column"), ("program", "linux-polling")):  # fmt: skip
        other = expect("zybo", ports="HP0", **ASKED, **{key: value})
        assert not other.measured and other.anchored is None
    usual = Platform.load("zybo").value("master.outstanding_read")
    assert expect("zybo", ports="HP0", **ASKED, outstanding_read=usual).measured


def test_own_rows_come_first_everywhere_and_what_contradicts_them_is_said(keep, cli):
    """Headline, need, JSON, anchored rate and its band; the page has the lines of the text."""
    asked = {"ports": "HP0+HP1", "repeats": 1}
    words = ["expect", "zybo", "HP0+HP1", "--repeats", "1"]
    (published,) = expect("zybo", **asked).measured
    keep("bench", "HP0+HP1,duplex,64,100,32MiB,1000")
    found = expect("zybo", **asked)
    assert [row.table.source for row in found.measured] == ["bench", published.table.source]
    rate = "1000 MB/s measured (bench, zybo), contradicted by 2236 MB/s (Vie"
    assert found.to_dict()["headline"].startswith(rate) and f"\n{rate}" in found.text
    said = " ".join(found.text.split())
    assert "contradict each other; the answer is by bench, zybo." in said
    assert found.to_dict()["measured"][0]["source"] == "bench"
    need = cli.json(*words, "--need", "900")["needs"][0]
    assert (need["carried_MBps"], need["low_MBps"], need["sure"]) == (1000, 1000, True)
    assert cli(*words, "--need", "1500", status=1).startswith("NO: ")
    keep("bench", "HP0+HP1,duplex,64,100,32MiB,2300")
    assert cli(*words, "--need", "2250").startswith("PROBABLY: ")


def test_benches_that_contradict_each_other_are_not_pooled(keep):
    keep("a", "HP0,read,32,80,64KiB,300")
    alone = expect("zybo", ports="HP0", **ASKED).anchored
    keep("b", "HP0,read,32,80,64KiB,150", "HP0,read,32,80,128KiB,150")
    both = expect("zybo", ports="HP0", **ASKED)
    assert both.anchored.rate == pytest.approx(150, rel=0.05)  # the bench with more rows near it
    assert both.anchored.rate * both.anchored.band.high == pytest.approx(alone.rate)
    assert "contradicted: 300 MB/s by a" in " ".join(both.text.split())
    assert both.to_dict()["anchored"]["contradicted_by"][0]["sources"] == ["a"]
    keep("a", "HP0,read,32,80,64KiB,151")
    assert not expect("zybo", ports="HP0", **ASKED).anchored.against


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("HP0,read,32,80,64KiB,1e9", ":2: total_MBps is 1e+09, but the ports and the memory carry"),
        ("HP9,read,32,80,64KiB,100", ":2: board zybo has no port 'HP9'"),
        ("HP0,read,32,80,64KiB,fast", ":2: total_MBps is 'fast'"),
        ("HP0,sideways,32,80,64KiB,100", ":2: mode is 'sideways'"),
        ("HP0,read,32,80,64KiB,0", ":2: total_MBps is 0"),
        ("HP0,read,32,80,64KiB", "5 cells under 6 columns"),
    ],
)
def test_a_row_that_is_not_right_is_named_by_its_line(mine, capsys, row, said):
    mine.write_text(f"{HEAD}{row}\n", encoding="utf-8")
    assert main(["calibrate", str(mine), "--board", "zybo"]) != 0
    assert said in " ".join(capsys.readouterr().err.split())
    assert not own.paths()


def test_what_is_asked_of_calibrate_is_clear(mine, capsys):
    mine.write_text(HEAD, encoding="utf-8")
    for arguments, said in (
        ([], "give one of FILE.csv, --list, --remove NAME"),
        ([str(mine)], "the measured board is not given"),
        ([str(mine), "--board", "zybo"], "has 0 rows"),
        (["--remove", "none"], "there are no measurements 'none'"),
    ):
        assert main(["calibrate", *arguments]) != 0
        assert said in " ".join(capsys.readouterr().err.split())
    with pytest.raises(AxiometerError, match="is not a valid name"):
        own.path_of("../runs")
