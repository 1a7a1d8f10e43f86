"""Mutation testing of the model and the statistics: README.md.

PYTHONPATH=lab python -m mutation [--seed 1] [--count 300] [--write]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

from mutation import mutants, report, subject
from mutation.tree import WORDS, Tree

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILD = ROOT / "build" / "mutation"


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--only", nargs="+", default=[], metavar="TEXT")
    parser.add_argument("--again", action="store_true", help="measure the tests anew")
    parser.add_argument("--budget", type=float, default=30, help="seconds of tests for each mutant")
    parser.add_argument(
        "--survivors", action="store_true", help="only what the last run here did not catch"
    )
    parser.add_argument("--write", action="store_true", help="write lab/mutation/results.md")
    arguments = parser.parse_args(words)
    begin = time.monotonic()
    places = subject.places()
    draw = mutants.drawn(places, arguments.seed)
    # Known equivalent mutants are tried too, beyond the count.
    known = report.equivalents()
    count, extra = arguments.count, 0
    while (e := sum(m.key in known for m in draw[: count + extra])) != extra:
        extra = e
    count += extra
    folder = BUILD / f"seed-{arguments.seed}"
    folder.mkdir(parents=True, exist_ok=True)
    tree = Tree(folder, say)
    numbers, dropped = tree.made(draw, count)
    say(f"{len(numbers)} mutants compiled in {time.monotonic() - begin:.0f} s")
    session = Session(tree, tests())
    reach = session.measured(arguments.again)
    chosen = {
        n: m
        for n, m in numbers.items()
        if not arguments.only or any(text in m.key for text in arguments.only)
    }
    kept = folder / "answers.json"
    last = {a["key"]: a for a in json.loads(kept.read_text())} if kept.exists() else {}
    caught = {n: last[m.key] for n, m in chosen.items() if is_caught(last.get(m.key))}
    if arguments.survivors:
        # What is known to be equivalent is taken for alive.
        same = [n for n, m in chosen.items() if m.key in known]
        chosen = {n: m for n, m in chosen.items() if n not in caught and n not in same}
    answers = session.tried(
        chosen, reach, arguments.budget, {n: a["test"] for n, a in caught.items()}
    )
    if arguments.survivors:
        caught = {n: a for n, a in caught.items() if n not in same}
        answers += [{**a, "mutant": n} for n, a in caught.items()]
        answers += [{"mutant": n, "outcome": "survived", "tests": 0} for n in same]
    if not arguments.only:
        named = [{**a, "key": numbers[a["mutant"]].key} for a in answers]
        kept.write_text(json.dumps(named, indent=1))
    result = report.Result(arguments.seed, len(draw), numbers, dropped, answers)
    print(result.text())
    if arguments.write:
        result.keep()
    return 0 if result.rate() >= report.WANTED else 1


def is_caught(answer: dict | None) -> bool:
    return answer is not None and answer["outcome"] not in report.ALIVE


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def tests() -> list[str]:
    """The files of tests.txt, one a line."""
    lines = (line.partition("#")[0].strip() for line in (HERE / "tests.txt").open())
    ours = [str(HERE / name) for name in ("unit_programs.py", "seeds.py")]
    return [*ours, *(str(ROOT / line) for line in lines if line and line[0] != "-")]


def left_out() -> list[str]:
    """The tests of these files that cost too much for what they catch."""
    return [line[1:].strip() for line in (HERE / "tests.txt").open() if line[0] == "-"]


class Session:
    """Runs of pytest on the mutated tree."""

    def __init__(self, tree: Tree, files: list[str], root: Path = ROOT):
        self.tree, self.files, self.root = tree, files, root
        self.state = tree.folder / "state"
        self.state.write_bytes(bytes(4 * WORDS))

    def run(self, job: dict, files: list[str], number: int = 0) -> list[dict]:
        """The answers of one pytest; `number` is in force from the first import on."""
        answers, name = self.tree.folder / "lines.json", self.tree.folder / "job.json"
        answers.write_text("")
        name.write_text(json.dumps({**job, "answers": str(answers)}))
        self.state.write_bytes(number.to_bytes(4, "little") + bytes(4 * WORDS - 4))
        done = subprocess.run(
            [
                *(
                    sys.executable,
                    "-m",
                    "pytest",
                    "-q",
                    "-p",
                    "mutation.session",
                    "-p",
                    "no:cacheprovider",
                ),
                *("-p", "no:xdist", "--assert=plain", f"--rootdir={self.root}"),
                *(f"--deselect={test}" for test in left_out()),
                *("-c", str(ROOT / "pyproject.toml"), *files),
            ],
            env=self.tree.environment(self.state)
            | {
                "AXIOMETER_MUTATION_JOB": str(name),
                "AXIOMETER_UNIT_PROGRAMS": str(self.tree.tests),
                "PYTHONDONTWRITEBYTECODE": "1",
            },
            capture_output=True,
            text=True,
            cwd=self.root,
            timeout=None if number == 0 else 600,
        )
        found = [json.loads(line) for line in answers.read_text().splitlines()]
        if number == 0 and (not found or done.returncode not in (0, 5)):
            raise SystemExit(f"pytest did not start:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
        return found

    def measured(self, again: bool) -> dict:
        """What each test costs and reaches. Kept until a source or a test changes."""
        kept = self.tree.folder / "reach.json"
        if kept.exists() and not again:
            reach = json.loads(kept.read_text())
        else:
            reach = {"at_import": [], "tests": [], "of": {}}
        of = self.state.parent / "mutated.txt"
        stamps = {f: max(p.stat().st_mtime for p in (Path(f), of)) for f in self.files}
        programs = [p.stat().st_mtime for p in self.tree.tests.glob("test_*") if p.is_file()]
        for file in (f for f in self.files if f.endswith("unit_programs.py")):
            stamps[file] = max([stamps[file], *programs])
        stale = [file for file in self.files if reach["of"].get(file) != stamps[file]]
        if stale:
            begin = time.monotonic()
            first, *lines = self.run({"job": "reach"}, stale)
            names = tuple(str(Path(file).relative_to(self.root)) for file in stale)
            reach["at_import"] = sorted({*reach["at_import"], *first["at_import"]})
            kept_tests = [t for t in reach["tests"] if not t["test"].startswith(names)]
            reach["tests"] = kept_tests + [line for line in lines if line["passed"]]
            for line in lines:
                if not line["passed"]:
                    say(f"left out, as it fails or is skipped without a mutant: {line['test']}")
            reach["of"] |= {file: stamps[file] for file in stale}
            kept.write_text(json.dumps(reach))
            cost = sum(line["cpu"] for line in lines)
            say(f"{len(lines)} tests, {cost:.0f} s; {time.monotonic() - begin:.0f} s wall")
        reach["tests"].sort(key=lambda t: t["cpu"])
        return reach

    def tried(
        self, numbers: dict, reach: dict, budget: float, first: dict[int, str] | None = None
    ) -> list[dict]:
        """`first`: by number the test to begin with, as it caught the mutant before."""
        imported = set(reach["at_import"])
        jobs = {n: affordable(reach["tests"], n, n in imported, budget) for n in numbers}
        for n, test in (first or {}).items():
            if n in jobs:
                jobs[n].sort(key=lambda t, test=test: t["test"] != test)
        forked = [[n, jobs[n]] for n in numbers if n not in imported]
        answers = self.run({"job": "mutants", "mutants": forked}, self.files) if forked else []
        for number in (n for n in numbers if n in imported):
            answers += self.tried_anew(number, jobs[number])
        return answers

    def tried_anew(self, number: int, tests: list[dict]) -> list[dict]:
        """A mutant that acts when modules are imported: in a process of its own."""
        files = sorted({str(self.root / t["test"].partition("::")[0]) for t in tests})
        job = {"job": "mutants", "mutants": [[number, tests]]}
        try:
            found = self.run(job, files, number)
        except subprocess.TimeoutExpired:
            return [{"mutant": number, "outcome": "hung", "test": "import", "tests": 0}]
        return found or [{"mutant": number, "outcome": "failed", "test": "import", "tests": 0}]


def affordable(tests: list[dict], number: int, everywhere: bool, budget: float) -> list[dict]:
    """The tests that reach the place, cheapest first, within the budget."""
    chosen, cost = [], 0.0
    for test in tests:
        if everywhere or number in test["reached"]:
            cost += test["cpu"]
            if cost > budget:
                break
            chosen.append({"test": test["test"], "cpu": test["cpu"]})
    return chosen
