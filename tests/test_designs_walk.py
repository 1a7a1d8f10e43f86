"""The walk in docs/designs.md: each command of it runs, and prints the lines that it shows."""

import shlex

import pytest

import design_kit as kit
import documents_kit as documents
import kit as files

PAGE = files.ROOT / "docs" / "designs.md"
WALK = [shown for shown in documents.commands(PAGE) if shown.prints]


@pytest.mark.parametrize("shown", WALK, ids=lambda shown: shown.text)
def test_a_command_of_the_walk_prints_the_shown_lines(shown, tmp_path, monkeypatch, cli):
    original = kit.reference("pynq-z1-base.hwh.xz")
    (tmp_path / "base.hwh.xz").write_bytes(original.read_bytes())
    monkeypatch.chdir(tmp_path)
    printed = cli(*shlex.split(shown.text)[1:], "--plain")
    assert not [line for line in printed.splitlines() if len(line) > 80 and " " in line.strip()]
    assert not documents.not_printed(shown.prints, printed), printed


def test_the_walk_has_every_command():
    names = {shlex.split(shown.text)[1] for shown in WALK}
    assert names == {"import", "check", "expect", "explain", "advise", "curve"}
