"""The commands of docs/build.md run as they stand there, and print what it shows."""

import shlex

import kit
from axiometer.__main__ import main
from project_kit import needs_dtc, needs_tclsh

PAGE = kit.ROOT / "docs" / "build.md"


def shown():
    """(command, lines that it prints) of each block of the page."""
    found, lines = [], []
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("    $ axiometer "):
            lines = []
            found.append((line.removeprefix("    $ axiometer "), lines))
        elif line.startswith("    "):
            lines.append(line[4:])
        elif line.strip():
            lines = []
    return found


@needs_dtc
@needs_tclsh
def test_the_commands_of_the_page_print_what_it_shows(tmp_path, monkeypatch, capsys):
    """In their order: the last reads what the first has written."""
    monkeypatch.chdir(tmp_path)
    assert len(shown()) == 3
    for command, lines in shown():
        plain = ["--plain"] if command.startswith("import") else []
        assert main([*shlex.split(command), *plain]) == 0
        whole = capsys.readouterr().out.splitlines()
        assert not [line for line in whole if len(line) > 80 and " " in line.strip()]
        printed = iter(whole)
        wanted = [line.rstrip() for line in lines if line.strip() and line != "…"]
        assert wanted
        for line in wanted:
            assert any(got.rstrip() == line for got in printed), line


@needs_tclsh
def test_a_mistake_is_told_with_its_status(tmp_path, monkeypatch, capsys):
    from axiometer.bringup.projects import proof

    monkeypatch.setattr(proof.rules, "check", lambda it: ["a pin hangs"])
    command = ["build", "zybo", "--top", "slave", "-o", str(tmp_path / "p"), "--prove"]
    assert main(command) == 1
    assert "a pin hangs" in capsys.readouterr().out


def test_without_tclsh_the_remedy_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PATH", str(tmp_path))
    command = ["build", "zybo", "--top", "slave", "-o", str(tmp_path / "p"), "--prove"]
    assert main(command) == 2
    assert "apt-get install tcl" in capsys.readouterr().err
