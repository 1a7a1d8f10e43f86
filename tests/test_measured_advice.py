"""Advice beside measured rows: advice that rows contradict is not given, and the answer states
this. `advise --from` finds the steps of published work."""

import json

import pytest

import kit
from axiometer.advice import fabric, wanted_masters
from axiometer.advice.candidates import Candidate, Outcome
from axiometer.advice.of_point import PointStart
from axiometer.advice.search import Search, extended
from axiometer.answer.analysis.load_sweep import Load
from axiometer.answer.trials import trial as trials
from axiometer.answer.trials.runner import FINAL
from axiometer.answer.trials.trial import Change
from axiometer.answer.verdicts import remedy
from axiometer.api.advice_changes import changed_point
from axiometer.api.expectation import Expectation
from axiometer.base.errors import AxiometerError
from axiometer.experiment import Experiment, changes
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.present import bottleneck_text, load_curves, measured_text
from axiometer.present.load_curves import Curve
from axiometer.published import claims

ULTRA96 = Platform.load("ultra96")
# Three ports, 144 B: 2438 MB/s were simulated where 2853 were measured, and one class of traffic
# for all was simulated to give 11 % more.
POINT = {"ports": "HP0+HP1+HP3", "burst_bytes": 144, "pl_mhz": 100, "mode": "mixed"}
SIMULATED = 2438
QOS = Change({}, "qos", "all ports best effort"), 0.111
LONGER = Change({"burst_bytes": 288}, "burst"), 0.058


def advised(*given, settings=POINT):
    """The remedy of the real case, of changes with these simulated gains."""
    values = single(ULTRA96, settings).values
    before = trials.Outcome(ULTRA96, values, (SIMULATED,))
    those = []
    for change, gain in given:
        with_it = changes.made(ULTRA96, values, change.keys)[1] if change.keys else None
        after = trials.Outcome(ULTRA96, with_it, (SIMULATED * (1 + gain),))
        those.append(trials.Trial((change,), before, after))
    return remedy.of_trials(those)


def qos_is_not_advised():
    found = advised(QOS, LONGER)
    (longer,) = found.trials
    assert longer.changes == LONGER[:1] and longer.simulated == pytest.approx(LONGER[1])
    assert 0.01 < longer.gain != longer.simulated
    assert found.change == LONGER[0].keys
    (of,) = found.refuted
    assert of.changes == QOS[:1]
    return of


def test_classes_are_not_advised_where_the_rate_was_measured_without():
    said = measured_text.claim(qos_is_not_advised().claim)
    assert said.startswith("Measured: 2853 MB/s as it is (Manev 2019")
    assert said.endswith("so the simulated +11 % does not hold.")


def test_a_judge_that_lets_all_pass_is_noticed(monkeypatch):
    monkeypatch.setattr(claims.Claim, "is_refuted", property(lambda _: False))
    with pytest.raises((AssertionError, ValueError)):
        qos_is_not_advised()


def test_where_nothing_is_left_nothing_is_advised():
    found = advised(QOS)
    assert (found.kind, len(found.refuted)) == (remedy.Kind.LITTLE_TO_GAIN, 1)


def test_without_measurements_the_model_s_advice_is_given():
    found = advised(QOS, settings={**POINT, "burst_bytes": 160, "gap_cycles": 3})
    assert (len(found.trials), found.refuted) == (1, ())


def outcome(candidate, *rates):
    return Outcome(candidate, rates, (100.0,) * len(rates), (sum(rates),))


def test_a_search_for_masters_keeps_no_setting_that_measured_rows_refute():
    """HP0 reads and writes 128 B: 9332 MB/s were measured without any setting."""
    wanted = [wanted_masters.parse(f"{way}={way},burst=128", (128,)) for way in ("read", "write")]
    search = fabric.Search(Platform.load("zcu102"), wanted, "total", fixed={"pl_mhz": 300})
    plain = Candidate(("HP0", "HP0"), (128, 128))
    video = plain.having("qos.HP0.mode", "video")
    (row,) = search.measured(plain)
    assert round(row.rate) == 9332 and search.measured(video) == []
    low, high = outcome(plain, 3000, 3000), outcome(video, 4500, 4500)
    assert search._refuted("classes", low, high)
    assert [claim.simulated for _, _, claim in search.refuted] == [0.5]
    assert not search._refuted("classes", low, outcome(video, 4800, 4800))


def test_a_search_of_changes_has_no_trial_that_measured_rows_refute():
    start = PointStart(ULTRA96, single(ULTRA96, POINT).values)
    step = Change({"qos": "HP0.read=best_effort"})
    before = trials.Outcome(ULTRA96, start.values, (SIMULATED,))
    for total, kept in ((2708, 0), (3200, 1)):
        search = Search(start)
        after = trials.Outcome(ULTRA96, start.having(step.keys).values, (total,))
        assert len(search._kept([trials.Trial((step,), before, after)])) == kept
        assert len(search.refuted) == 1 - kept


def test_a_curve_shows_what_was_measured_without_a_gap():
    load = Load(
        Platform.load("zcu102"), {"ports": "HP0+HP1", "pl_mhz": 300, "burst_bytes": 128}, (1, 0)
    )
    found = Curve(load, [], None, single(load.platform, dict(load.given)).values)
    (row,) = found.measured
    assert row.conditions["mode"] == "ps_to_pl" and found.nearest_measured == []
    # By Little's law of what was in flight.
    flight = sum(of["reads_in_flight"] for of in row.by_port.values())
    assert load_curves.read_latency(row) == pytest.approx(flight * 128 / row.rate * 1e3, rel=0.02)


STUDY = Experiment.load("ultra96-convolution")
# What the published steps left as it was.
KEPT = ("ports", "outstanding_read", "outstanding_write", "mapping", "pl_mhz", "placement",
        "controller.run_length", "controller.starve_clocks", "controller.starve_limit")  # fmt: skip


def search(point=None, objective="minimum", **more):
    point = point or STUDY.points()[0]
    return Search(PointStart(STUDY.platform, point.values, **more), objective)


def imbalance(outcome):
    return max(outcome.rates.values()) / min(outcome.rates.values())


def test_the_last_published_step_is_found_from_the_first():
    """Long bursts or filled buffers, and classes that serve the ports alike; at least as good as
    the publication's own last step is in the model."""
    found = search(fixed=KEPT).run()
    last = search(STUDY.points()[-1]).outcome((), FINAL)
    best = found.steps[-1]
    assert best.keys.get("fill") == "buffer" or best.keys.get("burst_bytes", 0) > 128
    assert "qos" in best.keys
    assert imbalance(found.before) > 1.1 and imbalance(best.after) < 1.1
    assert min(best.after.rates.values()) >= 0.98 * min(last.rates.values())
    assert best.after.total > 1.2 * found.before.total
    assert found.runner.ran < 600  # at some 25 ms each, well below a minute


def test_a_wider_search_finds_no_less(monkeypatch):
    few = {"also": {"burst_bytes": [128, 4096]}, "fixed": (*KEPT, "qos")}
    wide = search(**few).run().steps[-1]
    monkeypatch.setattr("axiometer.advice.search.WIDTH", 1)
    narrow = search(**few).run().steps[-1]
    assert wide.after.score("minimum") >= narrow.after.score("minimum")


def test_fixed_keys_do_not_change():
    fixed = (*KEPT, "qos", "burst_bytes")
    start = search(also={"fill": ["burst", "buffer"]}, fixed=fixed).start
    names = {name for change in start.changes() for name in change.keys}
    assert "fill" in names and names.isdisjoint(fixed)
    assert not any(change.act for change in start.changes())


def test_a_change_takes_the_place_of_one_of_its_kind():
    ports, video, low = (
        Change({"ports": ["HP1", "HP2"]}), Change({"qos": "video"}), Change({"qos": "low_latency"})
    )  # fmt: skip
    assert extended(extended((ports,), video), low) == (ports, low)


def test_streams_without_accelerators_are_improved_too():
    point = single(STUDY.platform, {"ports": "HP1", "mode": "read", "burst_bytes": 16})
    found = search(point, "total", fixed=(*KEPT, "qos")).run()
    last = found.steps[-1]
    assert last.keys["burst_bytes"] > 16
    assert last.after.total > 2 * found.before.total and last.after.work == {}
    score = last.after.score()
    assert all(without.after.score() < score for _, without in found.without(last))


def test_the_processors_side_is_another_question():
    with pytest.raises(AxiometerError, match="processor's side") as refused:
        other = Experiment.load("zedboard-best-master")
        Search(PointStart(other.platform, other.points()[0].values)).run()
    assert "--transfer-bytes" in refused.value.remedy


def test_the_commands_document():
    fixed = ["ports=HP0+HP3", "outstanding_read=16", "mapping=row-bank-column", "fill=buffer"]
    fixed = [word for setting in fixed for word in ("--set", setting)]
    done = kit.command(
        *("advise", "--from", "ultra96-convolution", *fixed, "--json"),
        *("--set", "outstanding_write=2,16", "--objective", "total"),
    )
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["simulated"] and result["objective"] == "total"
    point = STUDY.points()[0]
    given = {"ports": "HP0+HP3", "outstanding_read": 16, "fill": "buffer"}
    given["mapping"] = "row-bank-column"
    point = changed_point(STUDY.platform, point, given)
    answer = Expectation(STUDY.platform, point).answer
    assert result["bottleneck"] == answer.verdict.cause
    assert result["sentence"] == bottleneck_text.sentence(answer.verdict)
    last = result["steps"][-1]
    keys = [{*change["keys"]} for change in last["changes"]]
    assert all(names.isdisjoint(given) for names in keys)
    assert last["total_MBps"] > result["start"]["total_MBps"]
    assert len(result["without"]) == (len(keys) if len(keys) > 1 else 0)
    before, after = (of["accelerators"]["convolutions_M"] for of in (result["start"], last))
    assert after > before
