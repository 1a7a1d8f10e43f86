"""`[[master]]` tables: their permitted content and effects."""

import pytest

from axiometer.answer.analysis import stats
from axiometer.base.errors import AxiometerError
from axiometer.experiment import Experiment
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.present import master_rows as rows
from axiometer.records import laws
from axiometer.runs.backends import model
from axiometer.simulate.scenario import Scenario

HEAD = """
name = "met"
title = "masters that meet"
platform = "zedboard"
[defaults]
duration = "500us"
repeats = 2
"""
VIDEO = """
[[master]]
name = "video"
kind = "engine"
port = "HP0"
direction = "read"
rate_mbs = 200
"""
PAIR = """
[[master]]
kind = "engine"
port = "HP2"
pl_mhz = 150
"""


def _points(text, *overlay):
    return Experiment(HEAD + text, "met.toml", overlay).points()


def _one(text, *overlay):
    (point,) = _points(text, *overlay)
    return point


def test_masters_are_normalised():
    video, pair = _one(VIDEO + PAIR).values["masters"]
    assert (video["name"], video["port"], video["rate_mbs"]) == ("video", "HP0", 200.0)
    assert (video["width_bits"], video["pl_mhz"], video["burst_bytes"]) == (64, 100, 128)
    assert (pair["name"], pair["direction"], pair["pl_mhz"]) == ("engine2", "pair", 150)
    assert pair["gap_cycles"] is pair["rate_mbs"] is pair["start_us"] is None
    with pytest.raises(TypeError, match="cannot change"):
        video["rate_mbs"] = 3
    assert _one(VIDEO + PAIR).values["ports"] == ["HP0", "HP2"]


WRONG = [
    ('ports = "HP0"\n', VIDEO, "ports =", "ports is not allowed", "into each master's table"),
    ('master = "memcpy"\n', VIDEO, "master =", "master is not allowed beside", "remove master"),
    ("", VIDEO + "gap_cycles = 3\n", "gap_cycles", "exclude each other", "one of"),
    ("", VIDEO + "colour = 3\n", "colour", "has no colour", "its keys"),
    ("", VIDEO.replace("engine", "enigne"), "enigne", "kind is", "engine"),
    ("", VIDEO.replace("HP0", "GP0"), "GP0", "no path to the memory", "HP0"),
    ("", VIDEO.replace("HP0", "HP0+HP1"), "HP0+HP1", "port is", "one port"),
    ("", VIDEO.replace("200", "2000000"), "2000000", "rate_mbs is 2000000", "at most 1e+06"),
    ("", VIDEO.replace('"video"', '"a.b"'), "a.b", "name is", "letters"),
    ("", VIDEO + VIDEO, "video", "two masters are called video", "another name"),
    ("", VIDEO + "start_us = 9\nstop_us = 5\n", "stop_us", "stop_us is 5", "later"),
    ("", VIDEO + "region = 64\n", "region", "region is 64", "a burst"),
    ("", VIDEO + 'base = "2GiB"\n', "base", "base is", "the memory"),
    ("[sweep]\nmaster.vido.rate_mbs = [1, 2]\n", VIDEO, "vido", "no master is called", "video"),
    ("[sweep]\nmaster.video.rat = [1, 2]\n", VIDEO, "rat", "unknown key", "rate_mbs"),
    ("[sweep]\nmaster.video.kind = [1, 2]\n", VIDEO, "kind", "cannot be swept", "another"),
]


@pytest.mark.parametrize(
    ("before", "text", "culprit", "message", "remedy"), WRONG, ids=[w[3] for w in WRONG]
)
def test_mistakes_are_reported_with_their_line(before, text, culprit, message, remedy):
    with pytest.raises(AxiometerError, match=message) as found:
        _points(before + text)
    assert remedy in (found.value.remedy or "")
    assert culprit in (HEAD + before + text).splitlines()[found.value.line - 1]


def test_masters_of_a_port_have_its_clock():
    other = VIDEO.replace("video", "other").replace("read", "write") + "pl_mhz = 50\n"
    with pytest.raises(AxiometerError, match="pl_mhz of other is 50"):
        _points(VIDEO + other)
    assert len(_one(VIDEO + other.replace("50", "100")).values["masters"]) == 2


def test_a_master_is_swept_and_set():
    swept = _points("[sweep]\nmaster.video.rate_mbs = [100, 300]\n" + VIDEO)
    assert [p.values["masters"][0]["rate_mbs"] for p in swept] == [100.0, 300.0]
    assert [p.key for p in swept] == [{"master.video.rate_mbs": r} for r in (100, 300)]
    master = _one(VIDEO, "master.video.gap_cycles=7").values["masters"][0]
    assert (master["gap_cycles"], master["rate_mbs"]) == (7, None)
    assert len(_points(VIDEO, "master.video.burst_bytes=64,128")) == 2
    # A figure of the platform's table `master` has one part less.
    assert _points(VIDEO, "master.outstanding_read=2")[0].key == {}


def _simulated(settings, platform="zedboard"):
    platform = Platform.load(platform)
    point = single(platform, {"duration": "300us", "repeats": 2, **settings})
    records = model.run_repeats(platform, point, 0, 0, 2)
    laws.check(platform, point, records)
    return platform, point, records


ENGINE = {"kind": "engine", "name": "a", "port": "HP0", "direction": "read"}


def test_one_master_is_the_point_that_it_describes():
    """A master alone gives what the same keys of a point give."""
    platform = Platform.load("zedboard")
    own = single(
        platform, {"masters": [{**ENGINE, "region": "64MiB"}], "duration": "300us", "repeats": 1}
    )
    plain = single(
        platform,
        {"ports": "HP0", "mode": "read", "burst_bytes": 128, "duration": "300us", "repeats": 1},
    )
    (found,) = model.run_repeats(platform, own, 0, 0, 1)
    (expected,) = model.run_repeats(platform, plain, 0, 0, 1)
    for key in ("bytes", "elapsed_s", "dram", "latency_cycles"):
        assert found[key] == expected[key]


@pytest.mark.parametrize("rate", [50, 200, 390])
@pytest.mark.parametrize("direction", ["read", "write"])
def test_a_rate_is_met(rate, direction):
    settings = {"masters": [{**ENGINE, "direction": direction, "rate_mbs": rate}]}
    *_, records = _simulated({**settings, "skew_us": 0})
    (stream,) = records[0]["streams"]  # whose rate test_rates.py has to a few bursts
    own_s = stream["end_s"] - stream["start_s"]
    assert stream["bytes"] * 1e-6 / own_s == pytest.approx(rate, rel=0.01)


def test_records_have_each_master():
    masters = [
        {**ENGINE, "rate_mbs": 100},
        {"kind": "engine", "name": "b", "port": "HP2", "pl_mhz": 150},
        {"kind": "engine", "name": "c", "port": "HP1", "pl_mhz": 75, "direction": "both"},
    ]
    _, point, records = _simulated({"masters": masters})
    (first, _) = records
    assert list(first["by_master"]) == ["a", "b", "c"]
    assert sum(of["bytes"] for of in first["by_master"].values()) == first["bytes"]
    assert [s["master"] for s in first["streams"]] == ["a", "b", "b", "c", "c"]
    # The halves of a pair move the same, but for what is under way at the end.
    _, write, read, *_ = first["streams"]
    assert abs(write["bytes"] - read["bytes"]) < 0.02 * read["bytes"]
    summary = stats.summarise(records)
    assert set(summary["latency_ns"]) == {"a", "b", "c"}
    found = rows.cells(point.values, summary)
    assert [cell[:2] for cell in found] == [
        ("a", "HP0 read, 64 bit at 100 MHz"),
        ("b", "HP2 pair, 64 bit at 150 MHz"),
        ("c", "HP1 both, 64 bit at 75 MHz"),
    ]


def test_a_law_that_a_master_breaks_names_it():
    platform, point, (record, _) = _simulated({"masters": [{**ENGINE, "pl_mhz": 50}]})
    record["streams"][0]["bytes"] *= 3
    record["bytes"] *= 3
    assert any("32 bits" not in said for said in laws.broken(platform, point, record))
    record["by_master"] = {"other": record["by_master"]["a"]}
    assert any("masters are those" in said for said in laws.broken(platform, point, record))


def test_times_of_a_master():
    slow = {**ENGINE, "pl_mhz": 50, "start_us": 100, "stop_us": 200}
    *_, (record, _) = _simulated({"masters": [slow, {**ENGINE, "name": "b", "port": "HP2"}]})
    late, other = record["streams"]
    assert late["start_s"] == pytest.approx(100e-6)
    assert 200e-6 <= late["end_s"] < 202e-6
    assert other["end_s"] > 290e-6


def test_engines_at_one_port_of_ultrascale_share_its_multiplexer():
    masters = [{**ENGINE, "rate_mbs": 300}, {**ENGINE, "name": "b", "rate_mbs": 500}]
    *_, (record, _) = _simulated({"masters": masters}, "zcu102")
    assert record["by_master"]["a"]["read_MBps"] == pytest.approx(300, rel=0.01)
    assert record["by_master"]["b"]["read_MBps"] == pytest.approx(500, rel=0.01)


def test_a_pair_of_ultrascale_writes_what_it_has_read():
    *_, (record, _) = _simulated({"masters": [{**ENGINE, "direction": "pair"}]}, "zcu102")
    read, write = record["read_MBps"], record["write_MBps"]
    assert read == pytest.approx(write, rel=0.01) and read > 1000


def test_buffers_are_at_their_given_addresses():
    platform = Platform.load("zedboard")
    notes = [{**ENGINE, "base": "16MiB", "region": "1MiB"}, {**ENGINE, "name": "b", "port": "HP1"}]
    point = single(platform, {"masters": notes, "duration": "1ms"})
    streams = Scenario.of(platform, point.values).streams
    assert [(s.base, s.region) for s in streams] == [(2**24, 2**20), (0, 2**26)]


def test_other_backends_say_that_they_have_none():
    from axiometer.runs.backends import rtl

    platform = Platform.load("zedboard")
    point = single(platform, {"masters": [ENGINE]})
    with pytest.raises(AxiometerError, match="cannot run .*master"):
        rtl.prepare(platform, [point])
