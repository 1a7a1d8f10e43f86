"""`explain` names the cause whose relaxation helps most: the short form of `validate.explain`."""

from __future__ import annotations

from collections import Counter

import pytest

import kit  # noqa: F401
from validate import explain, explain_page
from validate.explain_points import SHARES, draw, few

POINTS, FREE_POINTS = 40, 2
SEED = 5


@pytest.fixture(scope="module")
def found():
    judged = [explain.judged(drawn) for drawn in few(SEED, POINTS, FREE_POINTS)]
    assert {j.drawn.chip for j in judged} == set(SHARES)
    return judged


def test_the_cause_that_is_named_is_the_best(found):
    for way in explain.WAYS[1:]:
        right, whole, against = explain.share(found, way)
        assert right >= explain.BAR * whole, (way, explain.confusions(found, way))
        assert against == 0, way


def test_time_classes_alone_are_mostly_right(found):
    right, whole, _ = explain.share(found, explain.WAYS[0])
    assert right >= 0.6 * whole, explain.confusions(found, explain.WAYS[0])


def test_a_wrong_name_is_counted(found):
    """A judge that is never against anything proves nothing."""
    wrong = []
    for j in found:
        worst = min(j.judge.gains, key=lambda g: g.gain).cause
        named = dict.fromkeys(explain.WAYS, worst)
        wrong.append(explain.Judged(j.drawn, named, j.judge))
    right, whole, against = explain.share(wrong, explain.WAYS[2])
    assert right < whole / 2
    assert against > whole / 2
    assert sum(explain.confusions(wrong, explain.WAYS[2]).values()) == whole - right


def test_points_are_of_all_kinds_and_the_same_each_time(found):
    kinds = Counter(draw(SEED, number).kind for number in range(40))
    assert min(kinds.values()) > 5
    again = draw(SEED, found[0].drawn.number)
    assert again.point == found[0].drawn.point


def test_the_page_has_what_was_measured(found):
    text = explain_page.page([("Some points", found)])
    right, whole, against = explain.share(found, explain.WAYS[2])
    assert f"| {explain.WAYS[2]} | {whole} | {right / whole * 100:.1f} % | {against} |" in text
    assert max(map(len, text.splitlines())) < 200
