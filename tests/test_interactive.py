"""Answers that a person waits for: their sample sizes, which change no saved figure. Savings are
counted in runs, never in seconds."""

from __future__ import annotations

import io
import random
from dataclasses import replace

import pytest

from axiometer.answer.relax import gains, race
from axiometer.answer.relax.table import RELAXATIONS
from axiometer.api import expectation, sampling
from axiometer.base import data
from axiometer.base.errors import AxiometerError
from axiometer.experiment import Experiment
from axiometer.platform import Platform
from axiometer.present import sampling_text
from axiometer.present.text import Style
from axiometer.runs.backends import model
from axiometer.simulate import early_stop, run, side_by_side
from axiometer.simulate.scenario import Scenario
from axiometer.simulate.transfer import starts_alike

SMALL = {"ports": "HP0+HP1", "transfer_bytes": "64KiB"}


def asked(board="zybo", **keys):
    known = Platform.load(board)
    return expectation.point_of(known, [(name, value, None) for name, value in keys.items()])


def sampled(board="zybo", enough=None, **keys):
    return sampling.sampled(*asked(board, **keys), "model", enough=enough)


@pytest.fixture
def runs(monkeypatch):
    """The (scenario, repeat, simulated seconds) of all that is run."""
    found = []
    one = run.repeat

    def repeat(scenario, seed, number):
        record = one(scenario, seed, number)
        found.append((scenario, number, record["elapsed_s"]))
        return record

    monkeypatch.setattr(run, "repeat", repeat)
    return found


# ---- the rule of sampling


def coverage(draw, tries=600):
    """How often the mean of all is within the interval with which the rule ends, and after how many
    of twenty starts that is."""
    within = starts = 0
    for _ in range(tries):
        rates = [draw() for _ in range(20)]
        for n in sampling.LOOKS:
            half = sampling.half_width(rates[:n])
            if half <= sampling.LEAST_AIM:
                break
        starts += n
        mean = sum(rates[:n]) / n
        within += abs(mean - sum(rates) / 20) <= half * mean
    return within / tries, starts / tries


def two_levels(rng):
    """Starts that fall into one of two patterns, as they do: many agree, and some do not."""
    return lambda: rng.choice([2322.0, 2322.0, 2280.0, 2362.0]) + rng.gauss(0, 1)


@pytest.mark.parametrize("spread", [0.0, 0.002, 0.01, 0.02])
def test_the_interval_holds_though_it_says_when_to_end(spread):
    rng = random.Random(3)
    share, starts = coverage(lambda: 1000 * (1 + spread * rng.gauss(0, 1)))
    assert share >= 0.94
    assert starts < 6 or spread >= 0.01


def test_starts_that_happen_to_agree_do_not_end_it(monkeypatch):
    share, starts = coverage(two_levels(random.Random(4)))
    assert share >= 0.94 and starts < 12
    monkeypatch.setattr(sampling, "PRIOR_STARTS", 0)  # without what is known beforehand
    assert coverage(two_levels(random.Random(4)))[0] < 0.9


def test_the_aim_is_a_part_of_how_far_off_the_model_may_be():
    platform, point = asked("zcu102", ports="HP0+HP3")
    found = sampling.aim(platform, point.values)
    assert sampling.LEAST_AIM < found <= sampling.MOST_AIM
    elsewhere, other = asked("zybo", **SMALL)
    assert sampling.aim(elsewhere, other.values) >= sampling.LEAST_AIM


def test_starts_are_those_of_a_run_and_no_more_than_needed(runs):
    platform, point = asked(**SMALL)
    row, how = sampling.sampled(platform, point, "model")
    assert how.why == "aim" and how.half <= how.aim and how.starts == len(runs) < 20
    assert row.records == model.run_repeats(platform, point, 0, 0, how.starts)


def test_repeats_that_are_asked_for_are_all_run_in_full(runs):
    platform, point = asked("zcu102", ports="HP0", repeats=3, duration="1ms")
    row, how = sampling.sampled(platform, point, "model")
    assert (how.why, how.starts, len(runs)) == ("asked", 3, 3)
    assert row.records == model.run_repeats(platform, point, 0, 0, 3)
    measure = Scenario.of(platform, point.values).measure
    assert all(scenario.measure == measure for scenario, *_ in runs)
    assert sampling_text.sentence(how) == ""


def test_it_ends_when_one_would_wait_and_says_so(monkeypatch):
    monkeypatch.setattr(sampling, "MOST_BYTES", 1)
    monkeypatch.setattr(sampling, "PRIOR_SPREAD", 0.2)
    _, how = sampled(**SMALL)
    assert (how.why, how.starts) == ("bytes", 2) and how.half > how.aim
    assert "stopped to save time" in sampling_text.sentence(how)


def test_it_ends_with_the_starts_that_a_point_has(monkeypatch):
    monkeypatch.setattr(sampling, "PRIOR_SPREAD", 0.2)
    _, how = sampled(**SMALL)
    assert (how.why, how.starts) == ("starts", 20)


def test_a_trial_needs_one_start_where_that_is_enough():
    assert sampled(**SMALL, enough=lambda rate, half: half < 0.1)[1].starts == 1
    assert sampled(**SMALL, enough=lambda rate, half: False)[1].starts > 1


def test_a_trial_of_what_the_model_does_not_tell_apart_runs_nothing():
    platform, point = asked("zcu102", ports="HP0", pattern="random")
    other = replace(point, values={**point.values, "os": "linux"})
    assert expectation._same_run((platform, point), (platform, other))
    slower = replace(point, values={**point.values, "gap_cycles": 9})
    assert not expectation._same_run((platform, point), (platform, slower))
    set_by_hand = platform.with_overrides({"controller.starve_clocks": 256})
    assert not expectation._same_run((set_by_hand, point), (platform, point))


def test_a_free_run_of_an_answer_ends_sooner_and_within_what_it_says():
    platform, point = asked("zcu102", ports="HP0+HP1+HP3", mode="mixed", burst_bytes=192)
    whole = Scenario.of(platform, point.values)
    (full,), (short,) = (side_by_side.repeats(s, [0]) for s in (whole, early_stop.ending(whole)))
    assert short["steady"]["simulated_s"] < full["steady"]["simulated_s"] / 2
    assert short["total_MBps"] == pytest.approx(full["total_MBps"], rel=early_stop.ENOUGH)
    sized = Scenario.of(*(lambda p, q: (p, q.values))(*asked(**SMALL)))
    assert early_stop.ending(sized) is sized


# ---- several at once


def test_side_by_side_is_the_same_as_one_after_the_other():
    platform, point = asked(**SMALL)
    scenario = Scenario.of(platform, point.values)
    work = [(scenario, number) for number in range(4)]
    assert side_by_side.records(work) == side_by_side.records(work, cores=1)
    assert side_by_side.repeats(scenario, range(4)) == model.run_repeats(platform, point, 0, 0, 4)


def test_an_impossible_scenario_is_reported_beside_the_others():
    platform, point = asked(**SMALL)
    good = Scenario.of(platform, point.values)
    bad = replace(good, dram=replace(good.dram, banks=0))
    found = side_by_side.records([(good, 0), (bad, 0), (good, 1)])
    assert [isinstance(f, AxiometerError) for f in found] == [False, True, False]
    with pytest.raises(AxiometerError):
        side_by_side.repeats(bad, [0])


# ---- relaxations


POINTS = [
    ("zybo", {"ports": "HP0+HP2", "transfer_bytes": "1MiB"}),
    ("zybo", {"ports": "HP0", "mode": "read", "transfer_bytes": "1MiB", "burst_beats": 4}),
    ("de1-soc", {"ports": "F2S", "mode": "read", "transfer_bytes": "1MiB"}),
    ("ultra96", {"ports": "HP0", "mode": "read", "duration": "1ms"}),
]


@pytest.mark.parametrize(("board", "keys"), POINTS)
def test_no_run_exceeds_what_the_wires_carry_and_what_is_ruled_out_gains_nothing(board, keys):
    platform, point = asked(board, **keys)
    cut = gains.short(Scenario.of(platform, point.values))
    own = gains.simulated(cut, repeats=1)
    rate = own[0]["total_MBps"]
    gave = {}
    for relaxation in RELAXATIONS:
        relaxed = relaxation.act(cut, own)
        if relaxed is None:
            continue
        (record,) = side_by_side.records([(relaxed, 0)])
        if not isinstance(record, AxiometerError):  # no such chip can be
            # A window of a free run may begin and end within bursts.
            assert record["total_MBps"] <= gains.most(relaxed) * 1.005, relaxation.name
            gave[relaxation.name] = record["total_MBps"] / rate - 1
            if relaxation.most is not None:
                assert gave[relaxation.name] <= relaxation.most(cut, own) + gains.TIE / 2
    found = race.limits(Scenario.of(platform, point.values), rate)
    for gone in found.ruled_out:
        assert gave[gone.name] <= gone.gain + gains.TIE / 2
        assert gone.gain <= max(gains.TIE, found.best - gains.TIE)


@pytest.mark.parametrize(("board", "keys"), POINTS)
def test_a_race_names_what_running_all_of_them_names(board, keys, runs):
    platform, point = asked(board, **keys)
    scenario = Scenario.of(platform, point.values)
    row, _ = sampling.sampled(platform, point, "model")
    runs.clear()
    raced = race.limits(scenario, row.mean)
    few = sum(seconds for *_, seconds in runs)
    runs.clear()
    every = gains.gains(scenario, repeats=gains.REPEATS)
    assert raced.named() in (every.right() or {gains.NOTHING})
    assert few < sum(seconds for *_, seconds in runs) * 0.7


def test_gains_of_a_free_run_are_over_its_rate_not_that_of_its_start_up():
    """A whole run that is faster than its start-up is what relaxations are compared with."""
    platform, point = asked("zcu102", ports="HP1+HP3", mode="read", burst_bytes=32)
    scenario = Scenario.of(platform, point.values)
    (start_up,) = gains.simulated(gains.short(scenario), repeats=1)
    slow = race.limits(scenario)
    assert slow.rate == pytest.approx(start_up["total_MBps"], rel=0.01)
    rate = 1.5 * slow.rate
    found = race.limits(scenario, rate)
    assert found.rate == rate
    assert max(g.gain for g in found.gains) < max(g.gain for g in slow.gains)


# ---- on a terminal, and lists


def test_what_is_known_so_far_is_for_terminals():
    how = sampling.Sampling(2, 0.02, 0.01, "")
    for style, empty in ((None, True), (Style(colour=True, columns=60), False)):
        stream = io.StringIO()
        line = sampling_text.SoFar(lambda rate: None, style, stream)
        line.short(1234.0, 2e-4)
        line.starts([{"total_MBps": 1000.0}, {"total_MBps": 1100.0}], how)
        line.clear()
        got = stream.getvalue()
        assert (got == "") is empty
    first, second, last = got.split("\r\x1b[K")[1:]
    assert "1234 MB/s" in first and "0.2 ms" in first
    assert "1050 MB/s" in second and "2 starts ±2 %" in second and last == ""
    assert max(map(len, (first, second))) < 60


def test_the_first_look_is_of_the_models_runs_alone():
    rate, simulated_s = sampling.first_look(*asked(ports="HP0"))
    assert 1500 < rate <= 1600 and simulated_s < 1e-3
    assert (
        sampling.first_look(*asked("zedboard", ports="GP1", mode="ps_to_pl", master="memcpy"))
        is None
    )


def test_points_are_counted_without_making_them():
    names = data.names("experiments")
    for experiment in map(Experiment.load, names[:: len(names) // 9]):
        assert experiment.how_many() == len(experiment.points())


@pytest.mark.parametrize("port", ["GP0", "HPM0_FPD", "H2F"])
@pytest.mark.parametrize("mode", ["read", "write"])
def test_starts_of_a_transfer_are_alike_where_they_are_said_to_be(port, mode):
    """Where one start suffices, many differ by no more than the spread that is assumed; at clocks
    that keep their phase, as 200 and 400 MHz, they do differ."""
    board = {"GP0": "zybo", "HPM0_FPD": "zcu102", "H2F": "de1-soc"}[port]
    for mhz in (100, 150, 200):
        keys = {"ports": port, "mode": mode, "pl_mhz": mhz, "transfer_bytes": "1MiB"}
        platform, point = asked(board, **keys)
        rates = [r["total_MBps"] for r in model.run_repeats(platform, point, 0, 0, 5)]
        apart = (max(rates) - min(rates)) / min(rates)
        if starts_alike(platform, point.values):
            assert apart < sampling.ALIKE_SPREAD
    if (port, mode) == ("H2F", "read"):
        assert apart > 0.05
