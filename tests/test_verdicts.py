"""Judgements are made in `answer/`; each view words them the same."""

from __future__ import annotations

import html
import json
import re

import pytest

from axiometer.__main__ import main
from axiometer.answer.analysis import collect
from axiometer.present.html import page
from axiometer.records.store import opened


def plain(text: str) -> str:
    """Words alone, as a reader sees them: no tags of a page, no line breaks, ASCII."""
    if text.startswith("<!doctype"):
        text = html.unescape(re.sub(r"<[^>]*>", " ", text))
    return " ".join(text.replace("’", "'").split())


def unlike(points: list[dict], shown: str) -> list[int]:
    """The points whose sentence or advice `shown` does not have."""
    text = plain(shown)
    return [
        n
        for n, p in enumerate(points)
        if any(plain(p[k]) not in text for k in ("sentence", "advice"))
    ]


@pytest.fixture
def shown(tmp_path, capsys):
    """The points of a run as JSON, as text and on the page."""
    store = str(tmp_path / "runs.db")
    keys = ["repeats=1", "transfer_bytes=64KiB", "ports=HP0,HP0+HP1,HP0+HP1+HP2+HP3"]
    words = [word for key in keys for word in ("--set", key)]
    run = "zybo-hp-bandwidth"
    assert main(["run", run, "--store", store, "--quiet", *words]) == 0
    capsys.readouterr()
    notes = []
    for way in (["--json"], ["--all"]):
        assert main(["explain", run, "--store", store, *way]) == 0
        notes.append(capsys.readouterr().out)
    return json.loads(notes[0])["points"], notes[1], page([collect.view(opened.load(run, store))])


def test_text_page_and_document_say_the_same(shown):
    points, text, report = shown
    assert len({p["bottleneck"] for p in points}) > 1
    assert unlike(points, text) == unlike(points, report) == []
    damaged = [*points[:-1], {**points[-1], "advice": "Buy another board."}]
    assert unlike(damaged, report) == [len(points) - 1]


def test_an_answer_and_its_document_say_the_same(cli):
    words = ["expect", "zybo", "HP0+HP1", "--repeats", "1", "-v"]
    text = cli(*words)
    answer = cli.json(*words)
    assert unlike([answer], text) == []
    assert plain(answer["headline"]) in plain(text)
