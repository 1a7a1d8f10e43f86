"""Runs a script in `tclsh` with Vivado's commands answered here, and records what it does.

Each command is held against public exports (is it one, are its options its own) and `commands.toml`
(has it enough words, was done before it what it needs), and then done by `actions`. The first thing
that is wrong ends the script, as it would in Vivado; it stands in `findings` with file and line.
"""

from __future__ import annotations

import shutil
import subprocess
import threading
import tomllib
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import IO, TypedDict

from axiometer.base.errors import AxiometerError
from validate.projects import facts
from validate.projects.vivado.actions import Actions
from validate.projects.vivado.recorded import Recorded, RefusedError

_HERE = Path(__file__).parent
LONGEST_S = 60
VERSION = "2019.2.1_AR73018"
"""Little newer than a version in which commands changed, and patched."""
_COMMON = ("quiet", "verbose")


class Command(TypedDict, total=False):
    """A table of `commands.toml`."""

    options: list[str]
    required: list[str]
    words: tuple[int, int]
    needs: list[str]
    gives: str
    since: str
    until: str
    new: dict[str, str]


@cache
def _commands() -> dict[str, Command]:
    return tomllib.loads((_HERE / "commands.toml").read_text(encoding="utf-8"))


def record(script: Path, pll_mhz: Fraction | None, version: str = VERSION) -> Recorded:
    """Run `script`. pll_mhz: of the PLL that makes the fabric's clock, as the board's preset sets
    it (None: it makes every rate). version: of Vivado. AxiometerError if there is no `tclsh`."""
    tclsh = shutil.which("tclsh")
    if tclsh is None:
        raise AxiometerError(
            "the proof runs build.tcl in tclsh, which is not installed",
            remedy="sudo apt-get install tcl",
        )
    recorded = Recorded(pll_mhz, version)
    with subprocess.Popen(
        [tclsh, str(_HERE / "recorder.tcl"), str(script)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdin and process.stdout and process.stderr  # as they were asked for
        watch = threading.Timer(LONGEST_S, process.kill)
        watch.start()
        try:
            ended = _serve(recorded, process.stdout, process.stdin)
            process.stdin.close()
            told = process.stderr.read()
        finally:
            watch.cancel()
    if not ended:
        recorded.findings.append(f"tclsh ended early: {told.strip() or 'no reason given'}")
    return recorded


def _serve(recorded: Recorded, questions: IO[str], answers: IO[str]) -> bool:
    """Answer until the script ends; whether it did."""
    actions = Actions(recorded)
    for question in questions:
        file, line, *words = question.split()
        words = [_text(word) for word in words]
        where = f"{Path(_text(file)).name}:{line}"
        if words[0] == "axm_done":
            return True
        if words[0] == "axm_failed":
            if not recorded.findings:
                recorded.findings.append(f"the script stops: {words[1]}")
            value = ("ok", "")
        else:
            try:
                value = ("ok", _do(recorded, actions, int(line), words))
            except RefusedError as error:
                recorded.findings.append(f"{where}: {words[0]}: {error}")
                value = ("error", str(error))
        answers.write(f"{value[0]} x{value[1].encode().hex()}\n")
        answers.flush()
    return False


def _text(word: str) -> str:
    return bytes.fromhex(word[1:]).decode("utf-8")


def _do(recorded: Recorded, actions: Actions, line: int, words: list[str]) -> str:
    name = words[0]
    recorded.commands += 1
    if name in ("puts", "file"):
        return actions.aside(words)
    spec = _commands().get(name)
    if spec is None or not facts.seen("command", name):
        raise RefusedError("Vivado has no such command, or no project uses it")
    if not spec.get("since", "") <= recorded.version < spec.get("until", "9"):
        raise RefusedError(f"Vivado {recorded.version} does not have it")
    options, alone = _split(name, spec, words[1:])
    for option, first in spec.get("new", {}).items():
        if option in options and recorded.version < first:
            raise RefusedError(f"Vivado {recorded.version} does not have -{option}")
    for need in spec.get("needs", []):
        if need not in recorded.done:
            raise RefusedError(f"it comes before there is: {need}")
    value: str = getattr(actions, name)(line, options, alone)
    if "gives" in spec:
        recorded.done.add(spec["gives"])
    return value


def _split(command: str, spec: Command, words: list[str]) -> tuple[dict[str, str], list[str]]:
    """Options with their values (flags: ""), and the words besides. RefusedError as Vivado."""
    options: dict[str, str] = {}
    alone: list[str] = []
    left = iter(words)
    for word in left:
        name = word.removeprefix("-")
        if not word.startswith("-") or name[:1].isdigit():
            alone.append(word)
        elif name not in _COMMON and not facts.seen("command", command, word):
            raise RefusedError(f"it has no option {word}, or no project uses it")
        elif name not in spec.get("options", []):
            options[name] = ""
        else:
            value = next(left, None)
            if value is None:
                raise RefusedError(f"-{name} has no value")
            options[name] = value
    missing = [name for name in spec.get("required", []) if name not in options]
    if missing:
        raise RefusedError(f"-{missing[0]} is missing")
    least, most = spec["words"]
    if len(alone) < least or 0 <= most < len(alone):
        raise RefusedError(f"{len(alone)} words, not {least} to {'any' if most < 0 else most}")
    return options, alone
