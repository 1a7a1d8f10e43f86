"""Advice and causes: a user's changes are tried before an answer states that nothing helps, and a
page names the same cause as the command beside it."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace

import pytest

from axiometer import expect
from axiometer.__main__ import main
from axiometer.answer.analysis import collect
from axiometer.answer.relax.gains import Found, Gain
from axiometer.answer.relax.table import RELAXATIONS
from axiometer.answer.selftest import advice, relations
from axiometer.answer.trials import of_point
from axiometer.answer.trials.trial import Change, Outcome, Trial
from axiometer.answer.verdicts import explained, remedy
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.present import advice_text, bottleneck_text, explanation, html
from axiometer.records.store import opened
from axiometer.simulate.scenario import Scenario


def scenario(board="zybo", **keys):
    platform = Platform.load(board)
    return Scenario.of(platform, single(platform, keys).values)


def test_a_full_bus_is_not_said_to_be_the_end_where_a_change_helps():
    """Buffers elsewhere, or a controller that stays longer with a direction."""
    answer = expect("zybo", ports="HP0+HP1+HP2+HP3").answer
    assert answer.verdict.cause == "dram_saturated"
    assert answer.best.after.total > answer.row.mean * 1.1
    named = [trial.keys for trial in answer.remedy.trials]
    assert {"placement": "random"} in named and {"mapping": "bank-row-column"} in named
    assert "Only" not in bottleneck_text.advice(answer.verdict)


def test_a_register_is_tried_in_full():
    """Where it is the best, it is simulated as a figure of the platform."""
    keys = {
        "ports": "HP0+HP1+HP2+HP3",
        "mode": "mixed",
        "burst_bytes": 1024,
        "pl_mhz": 150,
        "width_bits": 32,
        "outstanding_read": 1,
    }
    answer = expect("ultra96", **keys).answer
    ((register, _),) = answer.best.keys.items()
    assert register.startswith("controller.")
    again = expect("ultra96", **keys, set=answer.best.keys)
    assert answer.best.after.total == pytest.approx(again.total, rel=0.02)


def said(found, cause):
    return advice_text.advice(remedy.of_relaxed(found, cause), None)


def trial(gain, *changes):
    outcomes = (Outcome(Platform.load("zybo"), None, (100.0 * (1 + of),)) for of in (0, gain))
    return Trial(changes, *outcomes)


BY_HAND = Change({}, "placement", "buffers in different banks")


@pytest.mark.parametrize("cause", sorted(of_point.CHIPS))
def test_what_was_tried_in_vain_is_said(cause):
    made = scenario(ports="HP0+HP1", mode="read")
    tried = trial(0.001, BY_HAND), trial(-0.2, Change({"mapping": "x"}, "mapping"))
    found = Found(made, 100.0, (Gain(cause, cause, 0.3),), trials=tried)
    words = said(found, cause)
    assert "Tried" in words and "DRAM bank conflicts and address mapping" in words
    better = replace(found, trials=(trial(0.2, Change({"mapping": "x"}, "mapping")),))
    assert remedy.of_relaxed(better, cause).change == {"mapping": "x"}
    assert "Tried" not in said(better, cause)
    longer = replace(found, trials=(trial(0.2, Change({"burst_bytes": 256}, "burst")),))
    assert said(longer, cause) == "Try: 256 B (+20 %) (simulated)."
    by_hand = replace(found, trials=(trial(0.2, BY_HAND),))
    assert "buffers in different banks (+20 %)" in said(by_hand, cause)


def test_every_cause_is_somebody_s():
    causes = {r.cause for r in RELAXATIONS}
    assert causes >= of_point.CHIPS | of_point.USERS
    assert not of_point.CHIPS & of_point.USERS


def test_changes_of_a_point_are_points():
    made = scenario("zybo", ports="HP0+HP1", mode="duplex")
    assert {c.change.kind for c in of_point.of(made, lambda cause: None)} == {("ports",)}
    worth = {"dram_saturated": 0.1}.get
    changes = {c.change.kind: c for c in of_point.of(made, worth)}
    assert {k[0] for k in changes} >= {"placement", "ports", "mapping", "controller.starve_clocks"}
    other = scenario("zybo", ports="HP0+HP2", mode="duplex")
    assert changes["ports",].scenarios[0].document() == other.document()


RUNS = [
    ("zybo-hp-bandwidth", ["transfer_bytes=64KiB", "width_bits=64", "mode=duplex"]),
    ("de1-soc-f2s-bandwidth", ["transfer_bytes=256KiB", "mode=duplex"]),
    ("ultra96-qos", ["ports=HP0+HP2", "burst_bytes=64", "duration=200us"]),
    ("zedboard-masters", ["duration=200us"]),
    ("zedboard-zero-copy", []),
]


@pytest.mark.parametrize(("name", "settings"), RUNS)
def test_page_and_command_name_one_cause_and_give_the_figures_of_the_run(
    name, settings, tmp_path, cli
):
    store = str(tmp_path / "runs.db")
    words = [word for setting in (*settings, "repeats=2") for word in ("--set", setting)]
    cli("run", name, "--store", store, "--quiet", "--jobs", "1", *words)
    points = cli.json("explain", name, "--store", store)["points"]
    view = collect.view(opened.load(name, store))
    causes = re.findall(r'<span class="cause[^"]*">([^<]*)</span>', html.page([view]))
    assert len(causes) == len(points) >= 1
    for point, cause in zip(points, causes, strict=True):
        again = cli.json(*shlex.split(point["command"])[1:])
        assert again["bottleneck"] == point["bottleneck"]
        assert f"Limit: {html_text(cause)}. " in again["headline"]
        assert again["sentence"] == point["sentence"]
        assert again["total_MBps"]["mean"] == point["total_MBps"]


def html_text(text):
    return text.replace("&#39;", "'").replace("&amp;", "&")


def test_a_cause_that_was_not_simulated_is_likely(tmp_path, monkeypatch):
    store = str(tmp_path / "runs.db")
    assert main(["run", "zybo-hp-bandwidth", "--store", store, "--quiet", "--set", "repeats=1",
                 "--set", "transfer_bytes=64KiB"]) == 0  # fmt: skip
    view = collect.view(opened.load("zybo-hp-bandwidth", store))
    monkeypatch.setattr(explained, "MOST_RELAXED", 1)
    found = explained.explained(view, view.done, explanation.label)
    raced = [item for item in found if item.verdict.found is not None]
    assert len(raced) == 1
    for item in found:
        assert bottleneck_text.called(item.verdict).startswith("likely ") is not item.verdict.sure
    assert any(not item.verdict.sure for item in found)


def subject(board="zybo", **keys):
    platform = Platform.load(board)
    point = single(platform, {"repeats": 1, "seed": 0, **keys})
    made = relations.Subject(platform, "streams", point, {}, None)
    return replace(made, record=made.run(point))


def test_relations_of_advice_notice_what_is_wrong(monkeypatch):
    full = subject(ports="HP0", mode="read", width_bits=32, transfer_bytes="64KiB")
    assert advice.agreed(full).holds
    monkeypatch.setattr(advice, "strongest", lambda evidence: ("rows", 1.0))
    assert not advice.agreed(full).holds
    busy = subject("de1-soc", ports="F2S", width_bits=256, transfer_bytes="256KiB")
    assert advice.kept(busy).holds
    usual = advice._best
    worse = (Change({"mapping": "bank-row-column"}),)
    monkeypatch.setattr(advice, "_best", lambda found: replace(usual(found), changes=worse))
    assert not advice.kept(busy).holds
