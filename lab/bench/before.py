"""Measures how much faster this tree is than an earlier commit, both in one run on one machine.

    python lab/bench/before.py [--only NAME] COMMIT

builds the commit in `build/before`, runs each job alternately there and here, and prints the best
times and their ratio. Ratios hold on a busy machine, too, where times alone do not.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path

import figures
from start import command

ROOT = Path(__file__).resolve().parents[2]
BEFORE = ROOT / "build" / "before"
JOBS = ROOT / "lab" / "bench" / "jobs.py"


@dataclass(frozen=True)
class Job:
    """What is timed: a function of `jobs.py`, its bar and aim as ratios, and how often it runs."""

    name: str
    what: str
    bar: float
    aim: float
    rounds: int = 3


_JOBS = {
    "rtl": Job("RTL backend", "four ports, read and write, monitors and sniffer on", 5, 12),
    "campaign": Job("zybo-hp-bandwidth", "all rows, 200 repeats, two processes", 2, 7, 1),
    "duplex64": Job("four ports, duplex, 64 bit", "one core, nothing skipped", 2, 4),
    "duplex32": Job("four ports, duplex, 32 bit", "one core, nothing skipped", 2, 4),
    "grid": Job("grid of 4500 points", "an eighth of them, one process", 2, 4, 2),
    "report": Job("report zcu102", "no run stored", 2, 4, 2),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("commit", help="the state before: any name that git knows")
    parser.add_argument("--only", choices=_JOBS, action="append", help="measure this job only")
    args = parser.parse_args()
    print(figures.heading(figures.machine()), file=sys.stderr)
    found = [
        ratio(name, job, args.commit)
        for name, job in _JOBS.items()
        if args.only is None or name in args.only
    ]
    print(*figures.lines([figure for figure in found if figure is not None]), sep="\n")
    return 0


def ratio(name: str, job: Job, commit: str) -> figures.Figure | None:
    """How much faster `job` is here than at `commit`; None if it cannot run, with a message."""
    before = built(commit)
    times: dict[str, list[float]] = {"before": [], "now": []}
    for _ in range(job.rounds):
        for which, tree, package in (("before", before, before / "site"), ("now", ROOT, None)):
            spent = _spent(name, tree, package)
            if spent is None:
                return None
            times[which].append(spent)
    old, new = min(times["before"]), min(times["now"])
    how = f"{job.what}: {old:.3g} s before, {new:.3g} s now, best of {job.rounds}"
    return figures.Figure(f"faster: {job.name}", old / new, "x", job.bar, aim=job.aim, how=how)


def built(commit: str) -> Path:
    """The tree of `commit`, with its package in `site`; built once. SystemExit names what fails."""
    done = BEFORE / "commit"
    name = _git("rev-parse", "--verify", f"{commit}^{{commit}}")
    if done.is_file() and done.read_text() == name:
        return BEFORE
    shutil.rmtree(BEFORE, ignore_errors=True)
    print(f"building {commit} in {BEFORE.relative_to(ROOT)}", file=sys.stderr)
    kept = subprocess.run(["git", "archive", name], cwd=ROOT, capture_output=True, check=True)
    with tarfile.open(fileobj=io.BytesIO(kept.stdout)) as tree:
        tree.extractall(BEFORE, filter="data")
    words = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
    where = ["--no-build-isolation", "--target", str(BEFORE / "site"), str(BEFORE)]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    subprocess.run([*words, *where], check=True, env={**os.environ, "PATH": path})
    done.write_text(name)
    return BEFORE


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"git {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout.strip()


def _spent(name: str, tree: Path, package: Path | None) -> float | None:
    """The seconds that `jobs.py` measures with the package of `tree`; None if it skips."""
    env = dict(os.environ)
    if package is not None:
        env["PYTHONPATH"] = str(package)
    words = [sys.executable, "-P", str(JOBS), name, *command()]
    done = subprocess.run(words, cwd=tree, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{name} in {tree}: {done.stderr.strip()}")
    found = json.loads(done.stdout)
    if "skipped" in found:
        print(f"{name}: skipped: {found['skipped']}", file=sys.stderr)
        return None
    return float(found["s"])


if __name__ == "__main__":
    sys.exit(main())
