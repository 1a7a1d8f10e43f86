"""Completion and the manual page agree with the parser, and shells and roff read them."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

import kit
from axiometer.__main__ import main
from axiometer.base import data
from axiometer.cli.command_line import COMMANDS, parser
from axiometer.cli.completions import SHELLS, bash
from axiometer.cli.completions.arguments import commands

sys.path.insert(0, str(kit.ROOT / "tools"))
import man as man_page

NAMES = {kind: data.names(kind) for kind in ("boards", "experiments")}


def completed(script: str, line: str) -> set[str]:
    """What bash offers at the end of a line; a space after the last word is one more, empty."""
    words = line.split(" ")
    code = (
        f"{script}\nCOMP_WORDS=({' '.join(repr(word) for word in words)})\n"
        f"COMP_CWORD={len(words) - 1}\n_axiometer\nprintf '%s\\n' \"${{COMPREPLY[@]}}\""
    )
    done = subprocess.run(
        ["bash", "--norc", "-c", code], capture_output=True, text=True, timeout=30, cwd="/"
    )
    assert done.returncode == 0 and not done.stderr, done.stderr
    return set(done.stdout.split())


@pytest.fixture(scope="module")
def script():
    """What `axiometer completion bash` prints, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "axiometer", "completion", "bash"],
        env=kit.environment(),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0 and not done.stderr
    return done.stdout


def test_bash_completes(script):
    assert set(COMMANDS) <= completed(script, "axiometer ")
    assert completed(script, "axiometer ex") == {"expect", "explain", "export"}
    assert completed(script, "axiometer list ") == {"boards", "ports", "experiments", "runs"}
    assert completed(script, "axiometer run zybo-hp-b") == {"zybo-hp-bandwidth"}
    assert set(NAMES["boards"]) == completed(script, "axiometer expect --board ")
    assert "zcu102" in completed(script, "axiometer build zcu")
    assert completed(script, "axiometer export --format p") == {"parquet"}
    assert completed(script, "axiometer compare --max") == {"--max-error"}
    assert completed(script, "axiometer advise --from ultra96-conv") == {"ultra96-convolution"}
    assert completed(script, "axiometer completion ") == set(SHELLS)


def test_bash_completes_ports_of_the_board_modes_and_keys(script):
    assert set(NAMES["boards"]) == completed(script, "axiometer expect ")
    ports = completed(script, "axiometer expect zybo ")
    assert {"HP0", "HP3", "ACP", "read", "write", "both"} <= ports and "zybo" not in ports
    assert "HPC0" not in ports and "HPC0" in completed(script, "axiometer curve zcu102 ")
    assert completed(script, "axiometer expect zybo HP0+AC") == {"HP0+ACP"}
    assert {"HP0", "GP1"} <= completed(script, "axiometer expect --board zybo --ports ")
    assert completed(script, "axiometer expect zybo HP0 w") == {"write"}
    assert completed(script, "axiometer expect zybo HP0 --mode ") == {"read", "write", "both"}
    assert completed(script, "axiometer expect zybo HP0 --set transfer") == {"transfer_bytes="}


def test_files_are_left_to_the_shell(script):
    """Where a file is meant, no word is offered, and bash does what it does of itself."""
    assert not completed(script, "axiometer check design sys")
    assert "complete -o default " in script


def test_every_option_of_every_command_is_completed(script):
    for name, each in parser()[1].items():
        flags = {flag for action in each._actions for flag in action.option_strings}
        assert completed(script, f"axiometer {name} -") == flags


def test_a_missing_command_is_noticed():
    """The check above fails for a script of a parser that knows less."""
    less = bash.text(commands(parser(["list", "run"])[1], NAMES), {})
    assert completed(less, "axiometer ") == {"list", "run", "--help", "--version"}
    assert not completed(less, "axiometer compare --max")


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_reads_its_script(shell, cli):
    said = cli("completion", shell)
    assert all(name in said for name in COMMANDS)
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed: its script is not read")
    done = subprocess.run([program, "-n"], input=said, text=True, capture_output=True)
    assert done.returncode == 0 and not done.stderr, done.stderr


def test_every_quote_of_a_script_is_closed(capsys):
    """For the shells that are not here: quotes as zsh and fish count them."""
    for shell, escaped in (("zsh", "'\\''"), ("fish", "\\'")):
        assert main(["completion", shell]) == 0
        for line in capsys.readouterr().out.splitlines():
            assert line.startswith("#") or line.replace(escaped, "").count("'") % 2 == 0, line


def test_the_manual_page_has_everything_and_roff_takes_it():
    page = man_page.page()
    for name, each in parser()[1].items():
        assert f".SS {name}\n" in page
        for action in each._actions:
            for flag in action.option_strings:
                assert "\\fB" + flag.replace("-", "\\-") + "\\fR" in page
    program = shutil.which("groff")
    if program is None:
        pytest.skip("groff is not installed: the manual page is not read")
    done = subprocess.run(
        [program, "-man", "-Tutf8", "-ww"], input=page, text=True, capture_output=True
    )
    assert done.returncode == 0
    assert not [line for line in done.stderr.splitlines() if "adjust line" not in line]
    assert "axiometer" in done.stdout
