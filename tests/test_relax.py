"""Relaxations: the gain of each where it alone limits, and no effect elsewhere."""

from __future__ import annotations

import copy

import pytest

from axiometer.answer.analysis import collect
from axiometer.answer.analysis.time_classes import stacks
from axiometer.answer.analysis.time_shares import Evidence
from axiometer.answer.relax import chip, workload
from axiometer.answer.relax.gains import NOTHING, TIE, Found, Gain, gains, short, simulated
from axiometer.answer.relax.race import limits
from axiometer.answer.relax.table import RELAXATIONS
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.present import cause_text
from axiometer.simulate.scenario import Scenario


def scenario(board="zybo", **keys):
    platform = Platform.load(board)
    length = {} if "transfer_bytes" in keys else {"duration": "200us"}
    return Scenario.of(platform, single(platform, {**length, **keys}).values)


def alone(**keys):
    return scenario(**{"ports": "HP0", "mode": "read", "width_bits": 64, "pl_mhz": 100, **keys})


def test_without_its_gap_a_stream_is_as_fast_as_beats_and_gap_say():
    found = gains(alone(gap_cycles=12))
    assert found.of("asked") == pytest.approx(12 / 16, abs=0.01)
    # Of 16 beats and a gap of 12, beats of half the time leave 20.
    assert found.of("port") == pytest.approx(8 / 20, abs=0.01)
    assert found.named() == "asked"


def test_a_port_is_no_wider_than_its_bursts():
    """Beats that a burst does not fill would count as if they were data."""
    assert chip.wider_port(alone(burst_beats=1), []) is None
    assert chip.wider_port(alone(burst_beats=2), []).ports[0].width_bytes == 16


@pytest.mark.parametrize("act", [chip.wider_port, chip.faster_pl, workload.longer_bursts])
def test_a_rate_stays_what_it_is(act):
    engine = {"kind": "engine", "name": "a", "port": "HP0", "direction": "read", "rate_mbs": 373.2}
    relaxed = act(scenario("zedboard", masters=[engine]), [])
    (record,) = simulated(relaxed, repeats=1)
    (stream,) = record["streams"]
    rate = stream["bytes"] / (stream["end_s"] - stream["start_s"]) * 1e-6
    assert rate == pytest.approx(373.2, rel=0.01)


def test_a_full_port_gains_from_being_twice_as_wide():
    found = gains(alone())
    assert found.named() == "port"
    assert found.of("port") == pytest.approx(1, abs=0.02)
    assert found.of("refresh") < TIE


def test_one_burst_in_flight_waits_for_the_way_there_and_back():
    found = gains(alone(burst_bytes=64, outstanding_read=1))
    assert found.of("master") == pytest.approx(1, abs=0.03)
    assert "master" in found.right()
    assert found.of("rows") < TIE


def test_a_saturated_dram_gains_from_a_faster_bus_and_no_refresh_what_refresh_takes():
    found = gains(
        scenario("de1-soc", ports="F2S", mode="read", pl_mhz=200, width_bits=256, burst_bytes=256)
    )
    assert found.named() == "dram_saturated"
    timing = Platform.load("de1-soc")
    share = timing.value("dram.timing.tRFC") / timing.value("dram.timing.tREFI")
    assert found.of("refresh") == pytest.approx(share / (1 - share), abs=0.01)


def test_a_rate_that_is_asked_for_is_the_cause_and_stays_what_else_is_relaxed():
    engine = {"kind": "engine", "name": "a", "port": "HP0", "direction": "pair", "rate_mbs": 50}
    found = gains(scenario("zybo", masters=[engine]))
    assert found.named() == "asked"
    for cause in ("port", "master", "burst", "path", "rows", "dram_saturated"):
        assert abs(found.of(cause)) < 2 * TIE, cause


def test_a_dma_engine_of_the_processor_is_limited_by_its_port_or_by_its_request():
    dma = {"kind": "ps_dma", "name": "d", "port": "GP0", "direction": "read"}
    found = gains(scenario("zedboard", masters=[dma]))
    assert found.named() == "port"  # into the fabric, whose slave sets the pace
    assert found.of("asked") == 0
    slow = gains(scenario("zedboard", masters=[{**dma, "rate_mbs": 20}]))
    assert slow.named() == "asked"


def test_launches_that_take_most_are_named():
    made = scenario("zybo", ports="HP0", mode="read", transfer_bytes=4096)
    assert gains(made).named() == "launch"


@pytest.mark.parametrize("board", ["zybo", "de1-soc", "zcu102"])
def test_relaxations_change_only_a_copy(board):
    mode = "mixed" if board == "zcu102" else "duplex"
    made = scenario(
        board, ports="F2S" if board == "de1-soc" else "HP0+HP1", mode=mode, gap_cycles=3
    )
    before = copy.deepcopy(made.document())
    records = simulated(short(made), repeats=1)
    acted = 0
    for relaxation in RELAXATIONS:
        relaxed = relaxation.act(made, records)
        acted += relaxed is not None
        assert relaxed is None or relaxed is not made
        assert relaxed is None or relaxed.values["transfer_bytes"] == made.values["transfer_bytes"]
    assert acted > 10
    assert made.document() == before


def test_there_is_nothing_to_relax_where_there_is_nothing_of_the_kind():
    made = alone()
    assert workload.without_demand(made, []) is None
    assert workload.uncoupled(made, []) is None
    assert workload.by_rate(made, []) is None
    assert chip.no_turnaround(made, []) is None
    assert chip.unthrottled(made, []) is None


def test_a_short_run_keeps_the_share_of_its_launch():
    whole = scenario("zybo", ports="HP0", mode="read", transfer_bytes="8MiB")
    cut = short(whole)
    shares = []
    for each in (whole, cut):
        (record,) = simulated(each, repeats=1)
        classes = record["streams"][0]["classes_s"]
        shares.append((classes["launch"] + classes["done"]) / record["elapsed_s"])
    assert cut.streams[0].bytes < whole.streams[0].bytes / 10
    assert shares[1] == pytest.approx(shares[0], rel=0.3)


def test_streams_that_drift_apart_are_simulated_for_longer():
    made = scenario("zybo", ports="HP0+HP2", mode="duplex", transfer_bytes="4MiB")
    rate = sum(r["total_MBps"] for r in simulated(made)) / 2
    assert gains(short(made)).rate < rate * 0.97
    assert limits(made, rate).rate == pytest.approx(rate, rel=0.02)
    assert limits(None, rate) is None


def found_of(*each, made=None):
    return Found(made or alone(), 100.0, tuple(Gain(cause, cause, gain) for cause, gain in each))


def evidence(made):
    facts = collect.facts(made.platform)
    return Evidence(stacks(simulated(made, repeats=1), "the point"), made.values, facts)


def test_names_and_ties():
    found = found_of(("rows", 0.30), ("placement", 0.297), ("port", 0.28), ("asked", -0.1))
    assert found.right() == {"rows", "placement"}
    assert found.named() == "placement"  # of equals, what a user chooses
    assert found.named("rows") == "rows"
    assert found.named("port") == "placement"
    nothing = found_of(("rows", 0.009))
    assert nothing.named("rows") == NOTHING
    assert nothing.right() == set()
    assert "No one thing limits" in cause_text.sentence(evidence(alone()), NOTHING, nothing)


@pytest.mark.parametrize("cause", [r.cause for r in RELAXATIONS])
def test_every_cause_has_a_sentence_with_what_it_gives(cause):
    engine = {"kind": "engine", "name": "a", "port": "HP0", "direction": "read", "rate_mbs": 50}
    for made in (alone(gap_cycles=7), scenario("zcu102", masters=[engine])):
        found = found_of((cause, 0.38), made=made)
        words = cause_text.sentence(evidence(made), cause, found)
        assert words.endswith("+38 % (simulated).")
        assert words[0].isupper()
        assert cause_text.name(cause) == cause_text.WORDS[cause].name
