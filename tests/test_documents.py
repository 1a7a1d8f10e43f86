"""README and docs: every command that they show runs, in their order, on a fresh store.

Long ones are made short here (`documents_kit.SHORTER`); `validate/documents.py`, a part of
`make validate`, runs all of them as they are written, those that build a design too.
"""

from __future__ import annotations

import os
import re
import shlex

import pytest

import documents_kit as documents
from axiometer.__main__ import main
from axiometer.base.errors import AxiometerError
from axiometer.cli import command_line
from axiometer.records.store import Store

PAGES = documents.pages()


def ids(page):
    return page.relative_to(documents.kit.ROOT).as_posix()


def run(text, capsys, monkeypatch):
    """What one or more commands joined by &&, with the variables before the first, print."""
    printed = ""
    for one in text.split(" && "):
        words = shlex.split(one)
        while re.fullmatch(r"[A-Z_]+=.*", words[0]):
            name, _, value = words.pop(0).partition("=")
            monkeypatch.setenv(name, os.path.abspath(value))  # noqa: PTH100
        assert words[0] == "axiometer"
        status = main(words[1:])
        said = capsys.readouterr()
        assert status == 0, (one, said.err)
        assert "Traceback" not in said.err
        printed += said.out
    return printed


def kept(store):
    if not store.exists():
        return []
    with Store(store) as opened:
        return [run.id for run in opened.runs()]


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_the_commands_of_a_page_run_in_its_order(page, tmp_path, monkeypatch, capsys):
    shown = [s for s in documents.commands(page) if not s.why_not]
    if not shown:
        pytest.skip("; ".join({s.why_not for s in documents.commands(page)}))
    documents.set_stage(tmp_path, page)
    store = tmp_path / "runs.db"
    monkeypatch.setenv("AXIOMETER_STORE", str(store))
    monkeypatch.delenv("AXIOMETER_REFERENCE", raising=False)
    monkeypatch.chdir(tmp_path)
    for one in shown:
        short = documents.shorter(one.text)
        if not short:
            continue
        with monkeypatch.context() as own:
            printed = run(documents.real(short, kept(store)), capsys, own)
            if short == one.text:
                assert not documents.not_printed(one.prints, printed), (str(one), printed)
        for name in documents.written(one.text):
            made = tmp_path / name
            assert made.is_dir() or made.stat().st_size, one


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_the_options_of_every_command_exist(page):
    """Of those that are tried elsewhere, too."""
    whole, _ = command_line.parser()
    for shown in documents.commands(page):
        for one in shown.text.split(" && "):
            said = shlex.split(one)
            words = said[said.index("axiometer") + 1 :]
            try:
                whole.parse_args(words)
            except AxiometerError as error:
                pytest.fail(f"{shown}: {error}")


def test_every_rule_is_needed():
    """No command is left out, or made short, that is no more there."""
    every = [s.text for page in PAGES for s in documents.commands(page)]
    for words in (*documents.ELSEWHERE, *documents.LONG, *documents.SHORTER):
        assert any(re.search(words, text) for text in every), words


def test_a_command_that_does_not_exist_is_found(tmp_path, monkeypatch, capsys):
    page = tmp_path / "page.md"
    page.write_text(
        "Look:\n\n    $ axiometer list boards --json  # all\n"
        "    some output\n    axiometer expect --board zybo \\\n      --ports HP7\n"
    )
    first, second = documents.commands(page)
    assert (first.text, first.line) == ("axiometer list boards --json", 3)
    assert second.text == "axiometer expect --board zybo --ports HP7"
    run(first.text, capsys, monkeypatch)
    with pytest.raises(AssertionError, match="HP7"):
        run(second.text, capsys, monkeypatch)


@pytest.mark.parametrize("page", sorted(documents.kit.ROOT.glob("docs/*.md")), ids=ids)
def test_pages_begin_with_what_they_say(page):
    """How a page is made is for whoever would change it: its last paragraph."""
    *body, _ = page.read_text(encoding="utf-8").strip().split("\n\n")
    assert "do not edit" not in "\n".join(body)
    assert not re.search("^(Made|Written) by", "\n".join(body[:2]), re.MULTILINE)
