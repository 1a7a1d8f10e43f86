"""All commands name the same cause for a point, the one whose relaxation helps most, and tried
advice gives the stated gain: the short forms of `validate.causes` and `validate.explain`."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

import kit  # noqa: F401
from axiometer.present import bottleneck_text, html
from validate import causes, explain
from validate.explain_points import SHARES, draw, few

POINTS, FREE_POINTS, SEED = 20, 1, 6


@pytest.fixture(scope="module")
def drawn():
    found = few(SEED, POINTS, FREE_POINTS)
    assert {one.chip for one in found} == set(SHARES)
    return found


@pytest.fixture(scope="module")
def found(drawn):
    return [causes.asked(one) for one in drawn]


def test_every_command_names_one_cause(found):
    assert all(set(one.names) == {"expect", "explain", "report", "advise"} for one in found)
    assert [one.names for one in found if not one.agree] == []


def test_advice_that_is_tried_gives_what_it_says(found):
    tried = [one for one in found if one.said is not None]
    assert len(tried) > POINTS / 2
    broken = [(one.change, one.said, one.gives) for one in tried if not one.kept]
    assert len(broken) <= POINTS / 20, broken
    assert all(one.gives > 0 for one in tried)


def test_the_page_shows_the_name_and_the_sentence_of_explain(drawn):
    run = causes.view(drawn[0])
    (item,) = causes.explained(run, run.done, causes.explanation.label)
    page = html.page([run]).replace("&#39;", "'")
    assert bottleneck_text.name(item.verdict) in page
    assert bottleneck_text.sentence(item.verdict) in page


def named_otherwise(verdict):
    other = next(g.cause for g in verdict.found.gains if g.cause != verdict.cause)
    return replace(verdict, cause=other)


@pytest.mark.parametrize("who", ["limit", "explained"])
def test_another_name_for_a_cause_is_found(who, drawn, monkeypatch):
    usual = getattr(causes, who)

    def other(*of):
        made = usual(*of)
        if who == "limit":
            return named_otherwise(made)
        return [replace(item, verdict=named_otherwise(item.verdict)) for item in made]

    monkeypatch.setattr(causes, who, other)
    asked = causes.asked(drawn[0])
    assert not asked.agree
    assert causes.lines([asked])[0].startswith("0 of 1 points")


def test_a_word_that_is_not_kept_is_found(found):
    good = next(one for one in found if one.gives)
    for broken in (replace(good, said=good.gives + 0.3), replace(good, said=0.0, gives=0.0)):
        assert good.kept and not broken.kept
        assert any("said" in line for line in causes.lines([broken])[2:])


JUDGED_POINTS, JUDGED_FREE_POINTS = 40, 2
JUDGED_SEED = 5


@pytest.fixture(scope="module")
def judged():
    judged = [
        explain.judged(drawn) for drawn in few(JUDGED_SEED, JUDGED_POINTS, JUDGED_FREE_POINTS)
    ]
    assert {j.drawn.chip for j in judged} == set(SHARES)
    return judged


def test_the_cause_that_is_named_is_the_best(judged):
    for way in explain.WAYS[1:]:
        right, whole, against = explain.share(judged, way)
        assert right >= explain.BAR * whole, (way, explain.confusions(judged, way))
        assert against == 0, way


def test_time_classes_alone_are_mostly_right(judged):
    right, whole, _ = explain.share(judged, explain.WAYS[0])
    assert right >= 0.6 * whole, explain.confusions(judged, explain.WAYS[0])


def test_a_wrong_name_is_counted(judged):
    """A judge that is never against anything proves nothing."""
    wrong = []
    for j in judged:
        worst = min(j.judge.gains, key=lambda g: g.gain).cause
        named = dict.fromkeys(explain.WAYS, worst)
        wrong.append(explain.Judged(j.drawn, named, j.judge))
    right, whole, against = explain.share(wrong, explain.WAYS[2])
    assert right < whole / 2
    assert against > whole / 2
    assert sum(explain.confusions(wrong, explain.WAYS[2]).values()) == whole - right


def test_points_are_of_all_kinds_and_the_same_each_time(judged):
    kinds = Counter(draw(JUDGED_SEED, number).kind for number in range(40))
    assert min(kinds.values()) > 5
    again = draw(JUDGED_SEED, judged[0].drawn.number)
    assert again.point == judged[0].drawn.point


def test_the_page_has_what_was_measured(judged):
    text = explain.page([("Some points", judged)])
    right, whole, against = explain.share(judged, explain.WAYS[2])
    assert f"| {explain.WAYS[2]} | {whole} | {right / whole * 100:.1f} % | {against} |" in text
    assert max(map(len, text.splitlines())) < 200
