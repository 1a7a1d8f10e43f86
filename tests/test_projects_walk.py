"""The commands of docs/build.md run and print the shown lines."""

import re
import shlex
import shutil

import kit
from axiometer.__main__ import main
from project_kit import needs_dtc, needs_tclsh
from validate.projects import __main__ as proofs

PAGE = kit.ROOT / "docs" / "build.md"
PROOF = "python -m validate.projects "
SLAVE = ["zybo", "--design", "--top slave"]


def shown():
    """(command, lines that it prints) of each block of the page."""
    found, lines = [], []
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if command := re.match(rf" {{4}}\$ ((?:axiometer|{re.escape(PROOF)}).*)", line):
            lines = []
            found.append((command[1], lines))
        elif line.startswith("    "):
            lines.append(line[4:])
        elif line.strip():
            lines = []
    return found


def status(command):
    if command.startswith(PROOF):
        return proofs.main(shlex.split(command.removeprefix(PROOF)))
    plain = ["--plain"] if " import " in command else []
    return main([*shlex.split(command.removeprefix("axiometer ")), *plain])


@needs_dtc
@needs_tclsh
def test_the_commands_of_the_page_print_the_shown_lines(tmp_path, monkeypatch, capsys):
    """In their order: imports read what builds have written."""
    monkeypatch.chdir(tmp_path)
    assert len(shown()) == 5
    for command, lines in shown():
        assert status(command) == 0
        whole = capsys.readouterr().out.splitlines()
        assert not [line for line in whole if len(line) > 80 and " " in line.strip()]
        printed = iter(whole)
        wanted = [line.rstrip() for line in lines if line.strip() and line != "…"]
        assert wanted
        for line in wanted:
            assert any(got.rstrip() == line for got in printed), line


@needs_dtc
@needs_tclsh
def test_mistakes_are_reported_with_their_status(monkeypatch, capsys):
    assert proofs.main(SLAVE) == 0
    assert capsys.readouterr().out.startswith("zybo --top slave:\n  proven: ")
    for room in ("vivado.rules", "devicetree", "boot"):
        with monkeypatch.context() as changed:
            changed.setattr(f"validate.projects.{room}.check", lambda *_: ["a pin hangs"])
            assert proofs.main(SLAVE) == 1
        assert capsys.readouterr().out == "zybo --top slave:\n  wrong: a pin hangs\n"


def test_an_unknown_board_is_refused(capsys):
    assert proofs.main(["zibo", *SLAVE[1:]]) == 2
    assert "zibo" in capsys.readouterr().err


def test_without_tclsh_the_remedy_is_printed(monkeypatch, capsys):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert proofs.main(SLAVE) == 2
    assert "apt-get install tcl" in capsys.readouterr().err


@needs_tclsh
def test_without_dtc_it_is_said_that_nothing_is_proven_of_device_trees(monkeypatch, capsys):
    found = shutil.which
    monkeypatch.setattr(shutil, "which", lambda name: None if name == "dtc" else found(name))
    assert proofs.main(SLAVE) == 0
    assert capsys.readouterr().out.startswith("Device trees are not proven")
