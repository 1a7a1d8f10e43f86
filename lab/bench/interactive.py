"""Measures waiting times: for the first figure and the answer of `expect`, `advise`, and lists.

Each answer's work is also a ratio: processor time of the answer from twenty complete starts over
that of the answer from as many starts as it needs, in the same process. It depends little on the
machine.
"""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import time

from axiometer.api.expectation import Expectation, point_of
from axiometer.platform import Platform
from figures import Figure
from start import command

POINTS = (("zcu102", "HP0+HP3"), ("zybo", "HP0+HP2"), ("zcu102", "HP0+HP1+HP2+HP3"))
MASTERS = ("a=read,rate=800", "b=write,rate=800", "c=read", "d=write,burst=64+256")


def measure(quick: bool) -> list[Figure]:
    """All figures; `quick`: only of the first point, and without `advise`."""
    found = []
    for board, ports in POINTS[:1] if quick else POINTS:
        words = ["expect", "--board", board, "--ports", ports]
        name = f"expect {board} {ports}"
        how = "in a terminal, by the clock"
        first, whole = _in_terminal(words)
        found += [
            Figure(f"{name}: first figure", first, "s", 0.5, True, how=how),
            Figure(f"{name}: answer", whole, "s", 2, True, aim=1, how=how),
            _ratio(name, board, ports),
        ]
    for words in (["list", "experiments"], ["list"]):
        how = "fresh interpreter, best of 3, by the clock"
        found.append(Figure(" ".join(words), _clock(words, 3), "s", 0.5, True, how=how))
    if not quick:
        asked = [word for master in MASTERS for word in ("--master", master)]
        words = ["advise", "--board", "zcu102", *asked]
        how = "four masters, by the clock"
        found.append(Figure("advise zcu102", _clock(words, 1), "s", 10, True, aim=3, how=how))
    return found


def _ratio(name: str, board: str, ports: str) -> Figure:
    """The time of the answer from twenty complete starts with a trial of five, over that of the
    answer without `repeats`. Both race the possible causes."""
    asked = [("ports", ports, None)]
    begin = time.process_time()
    Expectation(*point_of(Platform.load(board), asked)).answer  # noqa: B018 - it is made here
    own = time.process_time() - begin
    begin = time.process_time()
    full = Expectation(*point_of(Platform.load(board), [*asked, ("repeats", 20, None)]))
    full.answer  # noqa: B018
    every = time.process_time() - begin
    how = f"20 starts in full, a trial of 5: {every:.1f} s of processor time; answer {own:.1f} s"
    return Figure(f"{name}: work saved", every / own, "x", how=how)


def _clock(words: list[str], rounds: int) -> float:
    """Seconds that a command takes in a fresh interpreter, the best of `rounds`."""
    best = float("inf")
    for _ in range(rounds):
        begin = time.perf_counter()
        subprocess.run([*command(), *words], check=True, capture_output=True)
        best = min(best, time.perf_counter() - begin)
    return best


def _in_terminal(words: list[str]) -> tuple[float, float]:
    """Seconds until a command shows a first rate in a terminal, and until it ends."""
    ours, theirs = pty.openpty()
    begin = time.perf_counter()
    with subprocess.Popen([*command(), *words], stdout=theirs, stderr=sys.stderr,
                          env={**os.environ, "TERM": "xterm"}) as process:  # fmt: skip
        os.close(theirs)
        first, seen = None, b""
        while True:
            try:
                seen += os.read(ours, 4096)
            except OSError:  # its other end is closed
                break
            if first is None and b"MB/s" in seen:
                first = time.perf_counter() - begin
        process.wait()
    os.close(ours)
    if first is None or process.returncode:
        raise RuntimeError(f"{' '.join(words)}: no rate in {seen!r}")
    return first, time.perf_counter() - begin
