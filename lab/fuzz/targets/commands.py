"""Random command lines with random files, each a process of its own.

A finding is a traceback, a signal, a status that is not documented, a failure without a word, a
control character in what is printed, JSON that is none, a file written elsewhere, or more than
10 s of processor time or 1 GiB of memory.
"""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import attack
import command_grammar as grammar

TITLE = "command lines and the files that they name, through main()"
LIMIT_WALL_S = 300  # of a machine that does other things too
GOOD = {0, 1, 2, 130, 141}


def limits() -> None:
    """What a command may use; set in its process before it begins."""
    resource.setrlimit(resource.RLIMIT_CPU, (attack.LIMIT_S, attack.LIMIT_S + 2))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_DATA, (attack.LIMIT_BYTES, attack.LIMIT_BYTES))


def fault(argv: list[str], status: int, out: bytes, err: bytes) -> str | None:
    """What is wrong with how a command ended; None if nothing is."""
    if status < 0:
        return f"killed by {signal.Signals(-status).name}"
    if b"Traceback (most recent" in err or status not in GOOD:
        return f"status {status}, traceback"
    if status and not err.strip():
        return f"status {status} without a word"
    if status == 2 and out.strip() and b"--json" not in " ".join(argv).encode("utf-8", "replace"):
        return "bad input, but results are printed"
    printed = (out + err).decode("utf-8", "replace")
    if any(c in printed for c in "\x1b\x07\x9b\u202e\r"):
        return "a control character is printed"
    if status == 0 and "--json" in argv:
        try:
            json.loads(out, parse_constant=lambda text: 1 / 0)
        except (ValueError, ZeroDivisionError):
            return "JSON that is none"
    return None


@cache
def folder() -> tempfile.TemporaryDirectory[str]:
    """With what lines choose from, once in the life of the process."""
    made = tempfile.TemporaryDirectory(prefix="axiometer-fuzz-")
    os.environ.pop("AXIOMETER_REFERENCE", None)
    grammar.prepare(Path(made.name) / "made")
    return made


def one(draw: random.Random) -> None:
    """Draw a command line with its files, run it, and look at how it ended."""
    top = Path(folder().name)
    here = top / "here"
    shutil.rmtree(here, ignore_errors=True)
    here.mkdir()
    argv = grammar.line(draw, top / "made", here)
    environment = {**os.environ, "AXIOMETER_STORE": str(here / "default.db")}
    done = subprocess.run([sys.executable, "-m", "axiometer", *argv], cwd=here, env=environment,
                          stdin=subprocess.DEVNULL, capture_output=True, preexec_fn=limits,
                          timeout=LIMIT_WALL_S)  # fmt: skip
    out, err = done.stdout, done.stderr
    wrong = fault(argv, done.returncode, out, err)
    assert not wrong, f"{wrong}\naxiometer {argv}\n{err[-4000:].decode('utf-8', 'replace')}"
    strange = {path.name for path in top.iterdir()} - {"here", "made"}
    assert not strange, f"axiometer {argv} wrote {', '.join(sorted(strange))} elsewhere"
