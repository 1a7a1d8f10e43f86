"""Completion and the manual page agree with the parser, and shells and roff read them."""

from __future__ import annotations

import itertools
import re
import shutil
import subprocess
import sys

import pytest
from argcomplete.finders import CompletionFinder

import kit
import man as man_page
from axiometer.__main__ import main
from axiometer.base import data
from axiometer.cli import completion
from axiometer.cli.command_line import COMMANDS, parser

NAMES = {kind: set(data.names(kind)) for kind in ("boards", "experiments")}


def completed(line: str) -> set[str]:
    """What is offered at the end of a line, without the line's words before it."""
    finder = CompletionFinder(completion.offering(line.split(" ")), always_complete_options=False)
    asked = line.removeprefix("axiometer ")
    found = (finder.rl_complete(asked, n) for n in itertools.count())
    offered = itertools.takewhile(lambda each: each is not None, found)
    return {each[asked.rfind(" ") + 1 :].strip() for each in offered}


def test_it_completes():
    assert completed("axiometer ") == set(COMMANDS)
    assert completed("axiometer ex") == {"expect", "explain", "export"}
    assert completed("axiometer run") == {"run", "runs"}
    assert completed("axiometer list ") == {"boards", "ports", "experiments", "runs"}
    assert completed("axiometer run zybo-hp-b") == {"zybo-hp-bandwidth"}
    assert completed("axiometer expect --board ") == NAMES["boards"]
    assert "zcu102" in completed("axiometer build zcu")
    assert completed("axiometer export --format p") == {"parquet"}
    assert completed("axiometer compare --max") == {"--max-error"}
    assert completed("axiometer advise --from ultra96-conv") == {"ultra96-convolution"}
    assert completed("axiometer completion ") == set(completion.SHELLS)


def test_it_completes_ports_of_the_board_modes_and_keys():
    assert completed("axiometer expect ") == NAMES["boards"]
    ports = completed("axiometer expect zybo ")
    assert {"HP0", "HP3", "ACP"} <= ports and "zybo" not in ports
    assert "HPC0" not in ports and "HPC0" in completed("axiometer curve zcu102 ")
    assert completed("axiometer expect zybo HP0+AC") == {"HP0+ACP"}
    assert {"HP0", "GP1"} <= completed("axiometer expect --board zybo --ports ")
    assert completed("axiometer expect zybo HP0 ") == {"read", "write", "both"}
    assert completed("axiometer expect zybo HP0 --mode=w") == {"--mode=write"}
    assert completed("axiometer expect zybo HP0 --set transfer") == {"transfer_bytes="}


def test_files_are_offered_where_no_name_fits(tmp_path, monkeypatch):
    (tmp_path / "system.hwh").touch()
    monkeypatch.chdir(tmp_path)
    assert completed("axiometer check sys") == {"system.hwh"}
    assert completed("axiometer expect sys") == {"system.hwh"}


def test_every_option_of_every_command_is_completed():
    for name, each in parser()[1].items():
        flags = {flag for action in each._actions for flag in action.option_strings}
        assert completed(f"axiometer {name} -") == flags


def test_bash_asks_the_program(tmp_path):
    """The script in bash, with the program in a process of its own."""
    program = tmp_path / "axiometer"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m axiometer "$@"\n')
    program.chmod(0o755)
    code = (
        f'PATH="{tmp_path}:$PATH"\neval "$(axiometer completion bash)"\n'
        'COMP_LINE="axiometer expect zybo HP0+AC"; COMP_POINT=${#COMP_LINE}\n'
        "_python_argcomplete axiometer; printf '%s\\n' \"${COMPREPLY[@]}\""
    )
    done = subprocess.run(
        ["bash", "--norc", "-c", code], env=kit.environment(), capture_output=True, text=True
    )
    assert done.stdout.split() == ["HP0+ACP"], done.stderr


@pytest.mark.parametrize("shell", completion.SHELLS)
def test_a_shell_reads_its_script(shell, cli):
    assert "axiometer" in (said := cli("completion", shell))
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed: its script is not read")
    done = subprocess.run([program, "-n"], input=said, text=True, capture_output=True)
    assert done.returncode == 0 and not done.stderr, done.stderr


def test_without_argcomplete_it_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "argcomplete.shell_integration", None)
    assert main(["completion", "bash"]) == 1
    assert "pip install argcomplete" in capsys.readouterr().err


def unread(page: str) -> set[str]:
    """What roff would take for a macro, and so not print."""
    known = {".TH", ".SH", ".SS", ".TP", ".B", ".RS", ".RE", ".nf", ".fi"}
    return set(re.findall(r"^[.'][^ \n]*", page, re.MULTILINE)) - known


def test_the_manual_page_has_everything_and_roff_takes_it(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    page = man_page.page()
    assert not unread(page) and unread(page + ".xsa, .hwh\n") == {".xsa,"}
    for name, each in parser()[1].items():
        assert f".SS \\fBaxiometer {name}\\fR\n" in page
        for action in each._actions:
            for flag in action.option_strings:
                assert flag in ("-h", "--help") or flag.replace("-", "\\-") + "\\fR" in page
    program = shutil.which("groff")
    if program is None:
        pytest.skip("groff is not installed: the manual page is not read")
    done = subprocess.run(
        [program, "-man", "-Tutf8", "-ww"], input=page, text=True, capture_output=True
    )
    assert done.returncode == 0
    assert not [line for line in done.stderr.splitlines() if "adjust line" not in line]
    assert "axiometer list" in re.sub(r"\x1b\[\d+m|.\x08", "", done.stdout)
