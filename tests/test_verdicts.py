"""Judgements are made in `answer/`; each view words them the same."""

from __future__ import annotations

import ast
import html
import json
import re
from collections.abc import Iterator

import pytest

import kit
from axiometer.__main__ import main
from axiometer.answer.analysis import collect
from axiometer.present.html import page
from axiometer.records.store import opened

SOURCE = kit.ROOT / "src" / "axiometer"
FORMATS = "text.py"
"""Number formats: how many digits a figure has depends on how large it is."""
ORDER = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def figures() -> set[str]:
    """What `answer/` and `designs/` call a figure: fields and functions that give a float."""
    found = set()
    for room in ("answer", "designs"):
        for path in kit.code(SOURCE / room):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef):
                    for of in node.body:
                        gives = getattr(of, "annotation", None) or getattr(of, "returns", None)
                        if gives is not None and "float" in ast.unparse(gives).split(" | "):
                            found.add(of.name if hasattr(of, "name") else of.target.id)
    return found


def within(side: ast.expr) -> Iterator[ast.AST]:
    """A side of a comparison with all that it is made of, but for what is counted."""
    yield side
    if not (isinstance(side, ast.Call) and ast.unparse(side.func) == "len"):
        for inner in ast.iter_child_nodes(side):
            yield from within(inner)


def judging(text: str, measured: set[str]) -> Iterator[str]:
    """The comparisons in `text` that order a figure: with a fraction, with a threshold of another
    room, or of a name in `measured`."""
    tree = ast.parse(text)
    others = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name.isupper()
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Compare) or not any(isinstance(op, ORDER) for op in node.ops):
            continue
        for inside in (i for side in (node.left, *node.comparators) for i in within(side)):
            value = getattr(inside, "value", None)
            if (
                (isinstance(inside, ast.Constant) and isinstance(value, float))
                or (isinstance(inside, ast.Name) and inside.id in others)
                or (isinstance(inside, ast.Attribute) and inside.attr in measured)
                or (isinstance(inside, ast.Constant) and str(value).endswith(("_MBps", "mean")))
            ):
                yield ast.unparse(node)
                break


def test_nothing_that_is_shown_judges_a_figure():
    measured = figures()
    assert {"gain", "mean", "share", "score", "rate", "error_pct", "spread"} <= measured
    paths = list(kit.code(SOURCE / "present"))
    found = {
        str(path.relative_to(SOURCE)): list(judging(path.read_text(encoding="utf-8"), measured))
        for path in paths
        if path.name != FORMATS
    }
    assert {path: those for path, those in found.items() if those} == {}


@pytest.mark.parametrize(
    "text",
    [
        "good = [g for g in gains if g.gain > limit]",
        "from axiometer.answer.relax.gains import TIE\nhelps = tried > TIE",
        "state = 'full' if busy >= 0.98 else 'limits'",
        "far = abs(row.error_pct) >= 5",
        "more = stats['total_MBps'] > 100",
        "slow = 0 < e.dram.share('refresh')",
    ],
)
def test_a_judgement_is_found(text):
    assert len(list(judging(text, figures()))) == 1


@pytest.mark.parametrize(
    "text", ["many = len(rows) > 3", "same = row.mean == other.mean", "wide = columns >= 80"]
)
def test_a_count_and_a_width_are_none(text):
    assert not list(judging(text, figures()))


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
