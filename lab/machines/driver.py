"""Exercises the Linux driver in virtual machines: the runs of `trials.toml`."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

from axiometer.base import children
from axiometer.base.standard_streams import tell
from machines import trials

LOGS = Path("build") / "driver"


def runs(packets: int, fuzz_s: int) -> dict[str, list[str]]:
    """Arguments of `python -m machines` by the name of a run."""
    few, some, tenth = (max(1, n) for n in (packets // 100, packets // 1000, fuzz_s // 10))
    numbers = {"MANY": packets, "FEW": few, "SOME": some, "SECONDS": fuzz_s, "TENTH": tenth}
    return {
        name: [str(numbers.get(word, word)) for word in words.split()]
        for name, words in trials.listed()["runs"].items()
    }


def prove(names: tuple[str, ...], packets: int) -> tuple[str, list[str]]:
    """How long each run took, and those that failed. names: beginnings of runs."""
    LOGS.mkdir(parents=True, exist_ok=True)
    lines, wrong = [], []
    for name, words in runs(packets, packets // 50).items():
        if not name.startswith(names or ""):
            continue
        log = LOGS / f"{re.sub('[ ,=]+', '-', name)}.log"
        tell(f"{name}: python -m machines {' '.join(words)} > {log}")
        limit = [] if words == ["check"] else ["--time-limit", "86400"]
        command = children.tied([sys.executable, "-m", "machines", *words, *limit], "TERM")
        began = time.monotonic()
        with log.open("w") as file:
            done = subprocess.run(command, stdout=file, stderr=file, check=False)
        lines.append(f"{name:38} {time.monotonic() - began:8.0f} s")
        wrong += [f"{name}: see {log}"] if done.returncode else []
    return "\n".join(lines), wrong
