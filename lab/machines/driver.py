"""Exercises the Linux driver in virtual machines, and prints a table of the runs (`trials.toml`).

    python -m machines driver [--packets N] [--fuzz S] [NAME...]

--packets: in each of five modes. --fuzz: seconds on the honest device, and a tenth on the one that
lies. NAME: only runs whose names begin with it. The machines' output is in build/driver/.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from axiometer.base import children
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


def main(arguments: Sequence[str] = ()) -> int:
    parser = argparse.ArgumentParser(prog="python -m machines driver")
    parser.add_argument("--packets", type=int, default=200_000)
    parser.add_argument("--fuzz", type=int, default=3600)
    parser.add_argument("names", nargs="*")
    args = parser.parse_args(arguments)
    LOGS.mkdir(parents=True, exist_ok=True)
    lines = []
    for name, words in runs(args.packets, args.fuzz).items():
        if args.names and not name.startswith(tuple(args.names)):
            continue
        log = LOGS / f"{re.sub('[ ,=]+', '-', name)}.log"
        print(f"{name}: python -m machines {' '.join(words)} > {log}", flush=True)
        limit = [] if words == ["check"] else ["--time-limit", "86400"]
        command = children.tied([sys.executable, "-m", "machines", *words, *limit], "TERM")
        began = time.monotonic()
        with log.open("w") as file:
            done = subprocess.run(command, stdout=file, stderr=file, check=False)
        how, took_s = "BAD" if done.returncode else "good", time.monotonic() - began
        lines.append(f"{name:28} {how:>5} {took_s:8.0f} s")
        print(lines[-1], flush=True)
    print("\n".join(["", "The driver in virtual machines", *lines]))
    return 1 if any(" BAD " in line for line in lines) else 0
