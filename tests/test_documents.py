"""README and docs: every command that they show runs, in their order, on a fresh store.

Long ones are made short here (`documents_kit.SHORTER`); `lab/validate/documents.py`, a part of
`make validate`, runs all of them as they are written, those that build a design too.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil

import pytest

import design_kit
import documents_kit as documents
import kit
from axiometer.__main__ import main
from axiometer.base.errors import AxiometerError
from axiometer.cli import command_line
from axiometer.records.store import Store
from project_proof import __main__ as proofs

PAGES = documents.pages()


def ids(page):
    return page.relative_to(kit.ROOT).as_posix()


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
    documents.set_stage(tmp_path, page, "vieira-ps2pl-64bit.hdf")  # is simulated soon
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


README = (kit.ROOT / "README.md").read_text(encoding="utf-8")
TASKS = re.findall(r"^\| ([^|]*\?) \| (.*) \|$", README, re.MULTILINE)
MOST_COMMANDS = 3
SAYS = {
    "What does a port give?": r" MB/s .*% of peak",
    "How long does a 64-byte read take?": r"^\d+ ns a lone read of 64 B",
    "Do two cameras and a display fit?": r"^(YES|PROBABLY|NO): ",
    "An AXI DMA on my board?": r" MB/s simulated",
    "What does my own design get, and why not more?": r"Limit: ",
    "What does my HLS core get? Which bursts are missing?": r" MB/s .*simulated",
    "Which port, burst and setting is best?": r"in .*HP\d",
    "Which burst suffices for 90 %?": r"smallest setting with at least",
    "Latency under load?": r"latency",
    "Which driver for packets?": r"ring|packet",
    "Does the model agree with a paper?": r"Vieira 2020",
    "Which boards are known?": r"(?s)zybo.*pynq-z2",
}
"""What of the answer shows that it is one, by the question."""


def commands(cell):
    """Those of a row that are whole."""
    spans = re.findall(r"`([^`]*)`", cell)
    return [span for span in spans if span.startswith("axiometer ")]


def test_each_task_is_answered_here():
    assert [question for question, _ in TASKS] == list(SAYS)
    assert all(1 <= len(commands(cell)) <= MOST_COMMANDS for _, cell in TASKS)


@pytest.mark.parametrize(("question", "cell"), TASKS, ids=[q for q, _ in TASKS])
def test_a_task(question, cell, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AXIOMETER_STORE", str(tmp_path / "runs.db"))
    if ".xsa" in cell:
        export = design_kit.reference("designs") / "vieira-duplex-64bit.hdf"
        for name in ("system.xsa", "design.xsa"):
            shutil.copy(export, tmp_path / name)
    if "csynth" in cell:
        documents.core(tmp_path)
    said = ""
    for command in commands(cell):
        words = shlex.split(command)[1:]
        if words[0] == "run":
            words += ["--repeats", "1", "--set", "ports=HP0"]
        assert main(words) == 0, command
        said += capsys.readouterr().out
    assert re.search(SAYS[question], said, re.MULTILINE), said


BUILD = kit.ROOT / "docs" / "build.md"
PROOF = "python -m project_proof "


def shown():
    """(command, lines that it prints) of each block of the page."""
    found, lines = [], []
    for line in BUILD.read_text(encoding="utf-8").splitlines():
        if command := re.match(rf" {{4}}\$ ((?:axiometer|{re.escape(PROOF)}).*)", line):
            lines = []
            found.append((command[1], lines))
        elif line.startswith("    "):
            lines.append(line[4:].rstrip())
        elif line.strip():
            lines = []
    return found


def status(command):
    if command.startswith(PROOF):
        return proofs.main(shlex.split(command.removeprefix(PROOF)))
    plain = ["--plain"] if " import " in command else []
    return main([*shlex.split(command.removeprefix("axiometer ")), *plain])


@pytest.mark.skipif(
    None in map(shutil.which, ("dtc", "tclsh")), reason="apt-get install tcl and dtc"
)
def test_the_commands_of_the_page_print_the_shown_lines(tmp_path, monkeypatch, capsys):
    """In their order: imports read what builds have written."""
    monkeypatch.chdir(tmp_path)
    assert len(shown()) == 5
    for command, lines in shown():
        assert status(command) == 0
        printed = capsys.readouterr().out
        assert not [line for line in printed.splitlines() if len(line) > 80 and " " in line.strip()]
        assert lines and not documents.not_printed(lines, printed), command
