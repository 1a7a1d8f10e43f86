"""Runs the fuzzers: every target in `targets/`, one after the other, and reports their findings.

    fuzz/run.py [--seconds N | --inputs N] [--seed S] [--log FILE] [--list] [NAME ...]

Exit status 0: no finding; 1: a finding, its input is in the folder that is named; 2: bad usage.
A target whose needs are not met is named with what would meet them; it is no finding. What a
target module has is said in README.md.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import log
from budget import Budget

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
TARGETS = HERE / "targets"
FINDINGS = ROOT / "build" / "fuzz" / "findings"
BUILD_S = 900
"""What building and starting may take besides the time that is fuzzed."""
_INPUTS = re.compile(r"^inputs: (\d+)$")
_LAST_LINES = 25


@dataclass(frozen=True)
class Outcome:
    """`state`: passed, found, broken (it did not report its number of inputs) or lacking.
    seconds: by the clock; processor_s: of processor time, with building."""

    name: str
    state: str
    seconds: float
    inputs: int
    output: str
    processor_s: float = 0.0

    @property
    def good(self) -> bool:
        return self.state in ("passed", "lacking")


def names(targets: Path = TARGETS) -> list[str]:
    """Of all targets: their files' names."""
    return sorted(p.stem for p in targets.glob("*.py") if not p.name.startswith("_"))


def load(name: str, targets: Path = TARGETS) -> ModuleType:
    """The module of a target."""
    spec = importlib.util.spec_from_file_location(f"fuzz_target_{name}", targets / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    # Targets may share modules of this folder.
    sys.path[:0] = [p for p in (str(HERE),) if p not in sys.path]
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def run(
    name: str, budget: Budget, seed: int, targets: Path = TARGETS, findings: Path = FINDINGS
) -> Outcome:
    """Run one target. Its folder is kept if it leaves anything there."""
    module = load(name, targets)
    lacking = module.needs()
    if lacking:
        return Outcome(name, "lacking", 0.0, 0, lacking)
    folder = findings / name
    folder.mkdir(parents=True, exist_ok=True)
    argv = module.command(folder, budget, seed)
    begun, used = time.monotonic(), _children_s()
    try:
        done = subprocess.run(
            argv, cwd=ROOT, text=True, errors="replace", stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            timeout=2 * (budget.seconds or 0) + BUILD_S,
        )  # fmt: skip
        status, text = done.returncode, done.stdout
    except subprocess.TimeoutExpired as late:
        text = late.stdout or ""
        text = text if isinstance(text, str) else text.decode(errors="replace")
        status, text = 1, f"{text}\nit did not end within {late.timeout:.0f} s"
    took, used = time.monotonic() - begun, _children_s() - used
    lines = text.rstrip().splitlines()
    counted = _INPUTS.match(lines[-1]) if lines else None
    inputs = int(counted[1]) if counted else 0
    if status == 0 and inputs:
        return Outcome(name, "passed", took, inputs, "", used)
    output = "\n".join(lines[-_LAST_LINES:])
    if status == 0:
        output += "\nits last line is not 'inputs: N' with N above 0"
    return Outcome(name, "broken" if status == 0 else "found", took, inputs, output, used)


def _children_s() -> float:
    """Processor time of the processes that this one has waited for."""
    now = os.times()
    return now.children_user + now.children_system


def line(outcome: Outcome, seed: int, findings: Path = FINDINGS) -> str:
    """What is said of a target that was run."""
    if outcome.state == "lacking":
        return f"{outcome.name}: not run: {outcome.output}"
    if outcome.state == "passed":
        return f"{outcome.name}: {outcome.inputs} inputs in {outcome.seconds:.0f} s, no finding"
    text = outcome.output.replace("\n", "\n  ")
    return f"{outcome.name}: FINDING (seed {seed}), see {findings / outcome.name}\n  {text}"


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these (default: all)")
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument("--seconds", type=int, default=60, help="of each target (default: 60)")
    limit.add_argument("--inputs", type=int, help="of each target, in place of a time")
    parser.add_argument(
        "--log", type=Path, metavar="CSV", help="add a row for each run to this file"
    )
    parser.add_argument("--seed", type=int, default=1, help="(default: 1)")
    parser.add_argument("--list", action="store_true", help="list the targets")
    args = parser.parse_args(argv)
    unknown = set(args.names) - set(names())
    if unknown:
        parser.error(f"no target {', '.join(sorted(unknown))}; there are: {', '.join(names())}")
    if args.seconds < 1 or (args.inputs is not None and args.inputs < 1):
        parser.error("--seconds and --inputs are at least 1")
    by_time = args.inputs is None
    chosen = args.names or names()
    if args.list:
        for name in chosen:
            module = load(name)
            print(f"{name:20} {module.TITLE}{' (cannot run here)' if module.needs() else ''}")
        return 0
    outcomes = []
    for name in chosen:
        budget = Budget(seconds=args.seconds) if by_time else Budget(inputs=args.inputs)
        outcomes.append(run(name, budget, args.seed))
        print(line(outcomes[-1], args.seed), flush=True)
        if args.log:
            log.add(args.log, outcomes[-1], args.seed)
    return 0 if all(outcome.good for outcome in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
