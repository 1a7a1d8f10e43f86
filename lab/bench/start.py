"""Measures the time until the command answers."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from figures import Figure


def command() -> list[str]:
    """The words that call Axiometer: the command beside this Python, or else the module."""
    installed = Path(sys.executable).parent / "axiometer"
    return [str(installed)] if installed.is_file() else [sys.executable, "-m", "axiometer"]


def measure(rounds: int = 10) -> list[Figure]:
    """`axiometer --help` in a fresh interpreter, the best of `rounds`."""
    best = float("inf")
    for _ in range(rounds):
        begin = time.perf_counter()
        subprocess.run([*command(), "--help"], check=True, stdout=subprocess.DEVNULL)
        best = min(best, time.perf_counter() - begin)
    how = f"fresh interpreter, best of {rounds}"
    return [Figure("start: axiometer --help", best, "s", 0.3, True, how=how)]
