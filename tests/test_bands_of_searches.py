"""Bands in the answers of `curve`, `advise` and exports of masters: the bands of similar points."""

import csv
import io
import json

import pytest

from axiometer.advice import likely
from axiometer.advice.candidates import Candidate
from axiometer.advice.wanted_masters import parse
from axiometer.answer.analysis.load_sweep import Load
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.published import bands
from axiometer.published.bands.rates import LEAST_MBPS, of_rate

MIX = """\
name = "mix"
title = "Two masters"
platform = "zybo"

[defaults]
duration = "200us"
repeats = 2

[[master]]
name = "reads"
kind = "engine"
port = "HP0"
direction = "read"

[[master]]
name = "slow"
kind = "engine"
port = "HP2"
direction = "write"
rate_mbs = 20
"""


def curve(cli, *arguments):
    return cli.json("curve", *arguments)["curves"][0]


def test_each_point_of_a_curve_has_the_band_of_a_point_like_it(cli):
    found = curve(cli, "--board", "zcu102", "--ports", "HP0", "--gaps", "0,64,2048")
    busy, part, idle = found["points"]
    platform = Platform.load("zcu102")
    keys = {"ports": "HP0", "mode": "read", "duration": "2ms"}
    for point, gap in ((busy, 0), (part, 64)):
        values = single(platform, {**keys, "gap_cycles": gap}).values
        wanted = bands.of_total(platform, values, point["total_MBps"])
        assert point["band"]["rows"] == wanted.rows
        assert point["band"]["low_MBps"] == pytest.approx(wanted.low * point["total_MBps"])
        own = of_rate(platform, values, point["read_MBps"], point["read_MBps"])
        assert point["read_band"]["low_MBps"] == pytest.approx(own.low * point["read_MBps"])
    assert busy["band"]["extrapolated"] == []
    assert "load" in part["band"]["extrapolated"]
    assert idle["total_MBps"] < LEAST_MBPS
    assert idle["band"] is None  # a rate that hardly moves tells nothing


def test_no_band_reaches_beyond_what_a_curve_asks_for(cli):
    arguments = ("--board", "zybo", "--ports", "HP0+HP2", "--ratio", "2:1", "--gaps", "16,64")
    found = curve(cli, *arguments)
    beats, burst = 16, 128
    for point in found["points"]:
        asked = 2 * 1.5 * burst / (beats + point["gap_cycles"]) * 100
        assert point["band"]["low_MBps"] <= point["total_MBps"] <= point["band"]["high_MBps"]
        assert point["band"]["high_MBps"] <= max(asked, point["total_MBps"]) * (1 + 1e-9)
        assert point["read_band"] is None  # two ports share it
    load = Load(Platform.load("zybo"), {"ports": "HP0+HP2"}, (2, 1))
    values = single(load.platform, {"ports": "HP0+HP2"}).values
    asked = [load.asks(values, 16, way) for way in ("", "read", "write")]
    assert asked == pytest.approx([1200, 800, 400])


def test_a_curve_says_why_its_bands_are_extrapolated(cli):
    text = cli("curve --board de1-soc --ports F2H --gaps 0,2048")
    assert "90 %" in text
    text = " ".join(text.split())
    assert "* extrapolated (" in text and "interface" in text.split("* extrapolated (")[1]
    assert "– not known" in text


def test_what_hardly_moves_has_no_band_and_wires_are_its_end():
    platform = Platform.load("zcu102")
    values = single(platform, {"ports": "HP0", "mode": "read"}).values
    assert of_rate(platform, values, LEAST_MBPS - 1, 800) is None
    assert of_rate(platform, values, 700, 800).high <= 800 / 700
    assert of_rate(platform, values, 801, 800).high == 1


MASTERS = ("--master", "video=read,rate=300,burst=128", "--master", "cap=write,burst=128")


def test_advice_for_masters_has_the_bands_of_each_and_of_all(cli):
    found = cli.json("advise --board zybo", *MASTERS)
    best = found["ranking"][0]
    assert best["band"]["low_MBps"] < best["total_MBps"] < best["band"]["high_MBps"]
    for master in best["masters"].values():
        assert master["band"]["low_MBps"] < master["MBps"] <= master["band"]["high_MBps"] < 800.1
    assert all(other["band"] for _, other in found["without"].items())
    text = cli("advise --board zybo", *MASTERS)
    assert "in brackets: nine of ten measurements" in text


def test_a_candidate_is_like_a_point_of_all_its_masters():
    platform = Platform.load("zcu102")
    masters = [parse(text, (256,)) for text in ("a=read", "b=write")]
    at = Candidate(("HP0", "HP3"), (256, 64))
    found = likely.of(platform, masters, at, {})
    values = single(
        platform,
        {"ports": "HP0+HP3", "mode": "mixed", "burst_bytes": 64, "duration": "2ms"},
    ).values
    assert found.of_total(1000) == bands.of_rate(platform, values, 1000, found.most)
    rated = [parse("a=read,rate=100", (256,)), masters[1]]
    assert "load" in likely.of(platform, rated, at, {}).of_total(900).extrapolated
    by_hand = at.having("qos.HP0.mode", "best_effort")
    hand = likely.of(platform, masters, by_hand, {})
    assert "figures set by hand" in hand.of_total(1000).extrapolated


def test_an_export_has_each_masters_rate_with_its_band(tmp_path, cli, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mix.toml").write_text(MIX, encoding="utf-8")
    cli("run mix.toml --store s.axm --quiet")
    [line] = csv.DictReader(io.StringIO(cli("export latest --store s.axm")))
    rate = float(line["reads_read_MBps"])
    low, high = (float(line[f"reads_read_band_{end}_MBps"]) for end in ("low", "high"))
    assert low < rate < high <= 800
    assert float(line["slow_write_MBps"]) < LEAST_MBPS
    assert line["slow_write_band_low_MBps"] == ""
    shown = cli.json("show latest --store s.axm")
    reads, slow = shown["points"][0]["rates"]
    assert (reads["name"], reads["MBps"]) == ("reads", rate)
    assert reads["band"]["low_MBps"] == low
    assert (slow["direction"], slow["band"]) == ("write", None)


def test_advice_states_where_no_measurement_exists(cli):
    of = ("advise", "--board", "zedboard", "--master", "a=read,burst=128", "--set", "target=ocm")
    assert cli.json(*of)["unvalidated"] == ["ocm"]
    assert "no measurement of ocm is published" in cli(*of)
    usual = cli(*of[:-2], "--json")
    assert json.loads(usual)["unvalidated"] == []
