"""Requested rates of masters: exact, and no limit where the rate is not reached."""

from fractions import Fraction

import pytest

import fuzz_compare
import kit
import law_cases
from axiometer.answer.analysis.bottlenecks import NOTHING
from axiometer.answer.analysis.collect import facts
from axiometer.answer.analysis.time_classes import stacks
from axiometer.answer.analysis.time_shares import Evidence
from axiometer.answer.verdicts import verdict
from axiometer.base import pace
from axiometer.base.errors import AxiometerError
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.present import bottleneck_text, cause_text
from axiometer.runs.backends import model
from axiometer.simulate.scenario import Scenario


def _record(board, masters, **keys):
    keys = keys or {"duration": "400us"}
    return kit.record(board, masters=masters, repeats=1, **{"skew_us": 0, **keys})


def _rates(record):
    """MB/s of each stream from its first burst to its last."""
    return [s["bytes"] * 1e-6 / (s["end_s"] - s["start_s"]) for s in record["streams"]]


def _engine(**keys):
    return {"kind": "engine", "name": "a", "port": "HP0", "direction": "read", **keys}


# Bursts of one and of two beats, where a whole cycle is a large part; and those that a rate just
# below what passes would miss by refreshes if what is late were not made up for.
@pytest.mark.parametrize("direction", ["read", "write"])
@pytest.mark.parametrize(("board", "burst", "rate"), [
    ("zcu102", 16, 1066), ("zcu102", 16, 1070), ("zcu102", 32, 1234.5), ("zcu102", 16, 3.7),
    ("zcu102", 256, 1590), ("zedboard", 128, 373.248), ("zedboard", 128, 795),
    ("zedboard", 8, 77.7), ("de1-soc", 32, 777),
])  # fmt: skip
def test_a_rate_is_met_to_some_bursts(board, burst, rate, direction):
    port = "F2S" if board == "de1-soc" else "HP0"
    asked = _engine(port=port, direction=direction, burst_bytes=burst, pl_mhz=100, rate_mbs=rate)
    record = _record(board, [asked])
    (stream,) = record["streams"]
    bursts = rate * 1e6 * (stream["end_s"] - stream["start_s"]) / burst
    # Up to those that are under way at either end.
    assert stream["bytes"] / burst == pytest.approx(bursts, abs=20 if board == "zcu102" else 8)


# Masters that wait for jobs, responses or their own side between bursts make up for that, too.
@pytest.mark.parametrize("keys", [
    {"kind": "ring", "port": "HP0"}, {"kind": "accelerator", "port": "HP0", "compute_cycles": 400},
    {"kind": "processor", "operation": "copy"}, {"kind": "ps_dma", "direction": "read"},
    {"kind": "axi_dma", "port": "SGP0", "direction": "write"},
    {"kind": "lite", "port": "HP0", "direction": "write"},
])  # fmt: skip
def test_a_rate_is_met_by_every_kind(keys):
    free = max(_rates(_record("zedboard", [keys])))
    for part in (0.3, 0.9, 1.06):
        asked = round(free * part, 2)
        found = max(_rates(_record("zedboard", [{**keys, "rate_mbs": asked}])))
        assert found == pytest.approx(min(asked, free), rel=0.01)


@pytest.mark.parametrize(("board", "most"), [("zedboard", 800), ("zcu102", 4800)])
def test_a_rate_that_the_port_carries_at_most_is_no_limit_to_the_bit(board, most):
    free = _record(board, [_engine()])
    assert _record(board, [_engine(rate_mbs=most)]) == free
    # What it does not carry either way is no error: the answer says that it is not met.
    assert _record(board, [_engine(rate_mbs=most + 1)]) == free
    assert _record(board, [_engine(rate_mbs=10 * most)]) == free


@pytest.mark.parametrize("keys", [{"pattern": "random"}, {"outstanding": 1}, {"direction": "both"}])
def test_a_rate_above_what_passes_changes_nothing(keys):
    free = _record("zedboard", [_engine(**keys)])
    rate = free["total_MBps"] / (2 if keys.get("direction") else 1)
    found = _record("zedboard", [_engine(**keys, rate_mbs=min(800, 1.05 * rate))])
    assert found["total_MBps"] == pytest.approx(free["total_MBps"], rel=0.002)


@pytest.mark.parametrize("board", ["zcu102", "ultra96"])
def test_rates_of_the_chip_s_own_masters_are_met(board):
    platform = Platform.load(board)
    keys = {"ports": "HP3", "mode": "read", "gap_cycles": 500, "background": "DisplayPort=333.3"}
    point = single(platform, {**keys, "duration": "900us", "pl_mhz": 130})
    assert point.values["background"] == "DisplayPort=333.3"
    (record,) = model.run_repeats(platform, point, 0, 0, 1)
    assert record["background"]["DisplayPort"]["read_MBps"] == pytest.approx(333.3, rel=0.002)


@pytest.mark.parametrize(("kind", "keys"), [
    ("engine", {}), ("accelerator", {"bytes_in": 65536, "bytes_out": 128, "direction": None}),
])  # fmt: skip
def test_a_rate_that_is_too_small_is_reported_by_its_own_name(kind, keys):
    asked = {k: v for k, v in {**_engine(kind=kind), **keys}.items() if v is not None}
    with pytest.raises(AxiometerError, match=r"rate_mbs is 0\.01") as raised:
        _record("zedboard", [{**asked, "rate_mbs": 0.01}])
    least = float(raised.value.remedy.split("at least ")[1].split()[0])
    assert _record("zedboard", [{**asked, "rate_mbs": least}], transfer_bytes=65536)["bytes"] > 0
    with pytest.raises(AxiometerError, match="rate_mbs"):
        _record("zedboard", [{**asked, "rate_mbs": least * 0.99}])


def test_each_half_of_an_accelerator_has_its_own_rate():
    job = {"bytes_in": 4096, "bytes_out": 1024, "rate_mbs": 123.4}
    platform = Platform.load("zedboard")
    point = single(
        platform, {"masters": [{"kind": "accelerator", "name": "a", "port": "HP0", **job}]}
    )
    write, read = Scenario.of(platform, point.values).streams
    assert read.pace == Fraction(128 * 100) / Fraction("123.4")
    assert write.pace == 4 * read.pace


def test_the_model_gets_the_typed_rates():
    assert pace.of(1066, 16, 100.0) == Fraction(1600, 1066)
    assert pace.of(0.1, 128, 100.0) == 128_000
    assert pace.of(100, 16, 1000 / 3) == Fraction(160, 3)
    assert pace.document(Fraction(800, 533)) == {"pace_cycles": 800, "pace_bursts": 533}


def test_what_was_late_is_made_up_for_to_a_limit_in_all_forms_of_the_model():
    """Jobs are computed for longer than that: then bursts have their rate again."""
    spec, start = law_cases.one_reader()
    (read,) = spec["streams"]
    jobs = {"job_bursts": 4, "job_fill": 4, "job_ahead": 1, "job_compute_cycles": 150_000}
    own = {"bytes": 2048, "loopback_bursts": 0, "pace_cycles": 160, "pace_bursts": 3, **jobs}
    write = read | own | {"direction": "write", "base": 2**16, "partner": 0}
    spec["streams"] = [read | own | {"partner": 1}, write]
    case = fuzz_compare.Case(spec, [{**start, "launch": [0, 0]}])
    assert fuzz_compare.disagreement(case) is None


@pytest.mark.parametrize(("board", "rate", "said", "not_said"), [
    ("zedboard", 400, "a asks for no more than 400 MB/s. If all ask", "ports could carry"),
    ("zedboard", 795, "HP0 carries no more than is requested: a 795 MB/s.", "memory can give more"),
    ("zedboard", 800, "HP0 carries no more than is requested: a 800 MB/s.", "memory can give more"),
    ("zcu102", 1066, "a asks for no more than 1066 MB/s", "The bandwidth of"),
])  # fmt: skip
def test_an_answer_says_that_the_master_asks_for_no_more(board, rate, said, not_said, cli):
    keys = {"port": "HP0", "direction": "read", "rate_mbs": rate, "pl_mhz": 100}
    if board == "zcu102":
        keys["burst_bytes"] = 16
    sets = [f"--set=master.a.{key}={value}" for key, value in keys.items()]
    told = " ".join(cli("expect", board, "-v", "--repeats", "1", *sets).split())
    assert f"100.0 % of the {rate} MB/s that the masters ask for." in told
    assert f"Limit: {'port bandwidth' if 'carries' in said else 'demand'}." in told
    assert said in told
    assert not_said not in told


def test_a_rate_just_below_what_passes_is_what_limits(cli):
    """Though no relaxation gives more than a hundredth."""
    keys = {"port": "HP0", "direction": "read", "outstanding": 1}
    (passes,) = _rates(_record("zedboard", [_engine(**keys)]))
    keys["rate_mbs"] = round(passes * 0.997, 1)
    sets = [f"--set=master.a.{key}={value}" for key, value in keys.items()]
    told = " ".join(cli("expect zedboard -v --repeats 1", *sets).split())
    assert "Limit: demand. Nothing that was tried gives more." in told
    assert f"The master requests no more: a {keys['rate_mbs']:g} MB/s. Nothing that" in told
    assert "Tried without gain (at most 1 %): demand" in told


def test_where_no_cause_stands_out_rates_that_are_met_have_a_name(monkeypatch):
    """As reports of many points say it."""
    platform, own = Platform.load("zedboard"), _engine(rate_mbs=100)
    values = single(platform, {"masters": [own], "duration": "400us", "repeats": 1}).values
    found = stacks([_record("zedboard", [own])], "the point")
    monkeypatch.setattr(verdict, "strongest", lambda _: (NOTHING, 0.0))
    said = verdict.verdict(Evidence(found, values, facts(platform)))
    assert (said.cause, bottleneck_text.name(said)) == ("asked", cause_text.name("asked"))
    assert bottleneck_text.advice(said) == "There is little to gain here."
