"""The commands of docs/designs.md run and print the shown lines."""

import shlex

import pytest

import design_kit as kit
import kit as files
from axiometer.__main__ import main

PAGE = files.ROOT / "docs" / "designs.md"
LEFT_OUT = "…"


def shown():
    """(command, lines that it prints) of each block of the page."""
    found = []
    lines = []
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("    $ axiometer "):
            lines = []
            found.append((line.removeprefix("    $ axiometer "), lines))
        elif line.startswith("    ") and found:
            lines.append(line[4:].rstrip())
        elif line.strip():
            lines = []  # prose: a block that follows is not of this command
    return found


@pytest.mark.parametrize(("command", "lines"), shown(), ids=lambda x: x if "." in x else "")
def test_a_command_of_the_walk_prints_the_shown_lines(
    command, lines, tmp_path, monkeypatch, capsys
):
    original = kit.reference("pynq-z1-base.hwh.xz")
    (tmp_path / "base.hwh.xz").write_bytes(original.read_bytes())
    monkeypatch.chdir(tmp_path)
    assert main([*shlex.split(command), "--plain"]) == 0
    whole = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert not [line for line in whole if len(line) > 80 and " " in line.strip()]
    printed = iter(whole)
    wanted = [line.removesuffix(LEFT_OUT).rstrip() for line in lines if line and line != LEFT_OUT]
    assert wanted
    for line in wanted:  # in their order
        # A row of a picture is cut where the picture begins.
        assert any(got.startswith(line) for got in printed), line


def test_the_walk_has_every_command():
    names = {command.split()[0] for command, _ in shown()}
    assert names == {"import", "check", "expect", "explain", "advise", "curve"}
