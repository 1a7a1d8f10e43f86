"""A new user's tasks, with the commands in the README's table."""

import re
import shlex
import shutil

import pytest

import design_kit
import kit
from axiometer.__main__ import main

README = (kit.ROOT / "README.md").read_text(encoding="utf-8")
TASKS = re.findall(r"^\| ([^|]*\?) \| (.*) \|$", README, re.MULTILINE)
MOST_COMMANDS = 3
SAYS = {
    "What does a port give?": r" MB/s .*% of peak",
    "How long does a 64-byte read take?": r"^\d+ ns a lone read of 64 B",
    "Do two cameras and a display fit?": r"^(YES|PROBABLY|NO): ",
    "An AXI DMA on my board?": r" MB/s simulated",
    "What does my own design get, and why not more?": r"Limit: ",
    "Which port, burst and setting is best?": r"in .*HP\d",
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
    said = ""
    for command in commands(cell):
        words = shlex.split(command)[1:]
        if words[0] == "run":
            words += ["--repeats", "1", "--set", "ports=HP0"]
        assert main(words) == 0, command
        said += capsys.readouterr().out
    assert re.search(SAYS[question], said, re.MULTILINE), said
