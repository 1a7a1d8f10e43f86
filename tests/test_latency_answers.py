"""Answers give the latency of bursts, and for small transfers the latency of a lone access."""

import math

import pytest

import axiometer as axm
from axiometer.answer.analysis import burst_latency, collect
from axiometer.experiment import points
from axiometer.platform import Platform
from axiometer.present import latency_text, text


def test_latency_is_that_of_the_records():
    """Zybo: a fabric's clock takes 10 ns."""
    found = axm.expect("zybo", ports="HP0+HP1", transfer_bytes="64KiB", repeats=3)
    streams = [s for r in found.row.records for s in r["streams"]]
    for way in ("read", "write"):
        own = [s["latency_cycles"] for s in streams if s["direction"] == way]
        mean = math.fsum(of["mean"] * of["n"] for of in own) / sum(of["n"] for of in own)
        assert found.latency[f"{way}_mean_ns"] == pytest.approx(10 * mean)
    hist = {}
    for record in found.row.records:
        for cycles, count in record["latency_cycles"]["hist"].items():
            hist[int(cycles)] = hist.get(int(cycles), 0) + count
    within = sum(count for cycles, count in hist.items() if 10 * cycles <= found.latency["p99_ns"])
    assert within >= 0.99 * sum(hist.values())
    assert found.latency["mean_ns"] < found.latency["p99_ns"] <= found.latency["max_ns"]
    said = text.ns(found.latency["p99_ns"])
    assert f", p99 {said}." in " ".join(found.text.split())
    assert found.to_dict()["latency"] == found.latency and found.small is None


@pytest.mark.parametrize(
    "asked",
    [
        ["--board", "zcu102", "--ports", "HP0+HP3", "--mode", "write"],
        ["--board", "ultra96", "--ports", "HP0", "--set", "duration=1ms"],
        [
            "--board",
            "zedboard",
            "--set",
            "master.a.kind=full",
            "--set",
            "master.a.port=SGP0",
            "--set",
            "master.a.rate_mbs=20",
        ],
    ],
)
def test_every_answer_of_the_model_has_latency(asked, cli):
    latency = cli.json("expect", *asked)["latency"]
    assert 0 < latency["mean_ns"] <= latency["max_ns"] and latency["p99_ns"] > 0
    assert "Latency of a burst: " in cli("expect", *asked, "--plain")


def test_whatever_backend_made_the_records():
    """One direction, two streams with nothing but a mean; and none with bursts."""
    zybo = Platform.load("zybo")
    point = points.single(zybo, {"ports": "HP0+HP1", "mode": "read", "pl_mhz": 200})
    rates = {"total_MBps": 2.0, "read_MBps": 2.0, "write_MBps": 0.0}
    cycles = {"mean": 30.0, "min": 20, "max": 50, "p50": 30, "p99": 50, "n": 4}
    record = {**rates, "elapsed_s": 1.0, "bytes": 1, "by_port": {}, "latency_cycles": cycles}
    record |= {"dram": None, "streams": []}
    row = collect.row(collect.facts(zybo), 0, {}, point.values, [record], None, zybo)
    assert burst_latency.of_row(row) == {"mean_ns": 150.0, "p99_ns": 250.0, "max_ns": 250.0}
    none = {**record, "latency_cycles": None}
    row = collect.row(collect.facts(zybo), 0, {}, point.values, [none], None, zybo)
    assert burst_latency.of_row(row) is None and latency_text.line(None, None, None) == ""


def test_a_small_transfer_begins_with_an_access_alone():
    """A read of 64 bytes is one burst: what it takes alone is what it takes here."""
    found = axm.expect("zybo", ports="HP0", mode="read", transfer_bytes=64, repeats=20)
    small = found.small
    assert small.access_bytes == 64
    assert small.access_ns == {"read": pytest.approx(found.latency["mean_ns"], rel=0.05)}
    assert found.total < 20 and 8 * found.total < small.without_start
    assert small.without_start <= 64 / small.access_ns["read"] * 1e3
    assert small.transfer_us == pytest.approx(64 / found.total, rel=0.05)
    alone, whole = small.access_ns["read"], small.transfer_us
    said = f"{alone:.0f} ns a lone read of 64 B; {whole:.3g} us with its start by "
    said += "bare-metal-polling. "
    beside = f"{found.total:.3g} MB/s with its start ({small.without_start:.0f} without) simulated"
    _, first = " ".join(found.text.split()).split("assumed: width, clock, burst. ")
    assert first.startswith(said + beside) and found.to_dict()["headline"].startswith(said)
    assert found.to_dict()["small"]["read_ns"] == small.access_ns["read"]


def test_both_directions_of_a_small_copy():
    found = axm.expect("zybo", ports="HP0", mode="duplex", transfer_bytes=64, repeats=4)
    assert " ns a lone write of 64 B, " in found.text and " ns a lone read of 64 B; " in found.text
    assert set(found.small.access_ns) == {"read", "write"}


def test_the_processors_side_has_no_bursts_to_tell_of():
    found = axm.expect("zedboard", ports="GP1", mode="read", transfer_bytes=64, master="memcpy")
    assert found.latency is None and found.small is None
    assert "Latency of a burst" not in found.text
