"""Results of a run, and results.md: rates, and the survivors with a reason each."""

from __future__ import annotations

import json
import subprocess
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from mutation.mutants import Mutant

HERE = Path(__file__).resolve().parent
PAGE = HERE / "results.md"
RESULTS = HERE / "results.json"
LOOKED_AT = HERE / "survivors.toml"
WANTED = 0.9
ALIVE = ("survived", "broken")

HEAD = """\
# Mutation testing: what the tests of the model are worth

For those who change the model or ask how far its tests can be trusted.

A mutant is the program with one operator, comparison or constant changed. They are drawn by a seed
from the {places} places in the model (C++, without the plain model, which is the oracle) and in the
Python that makes settings, statistics, comparisons and advice; then the tests of `make test` run
on each, cheapest first, until one fails. How, and what is left out:
[README.md](README.md).

Each mutant met as many tests as fit into a budget of processor time (`--budget`), so that a longer
run may catch more of them, and none fewer.

An equivalent mutant is one that no test can catch, as what it changes has no effect. It is listed
apart and counts neither as caught nor as missed; the next of the draw takes its place.
"""


def looked_at() -> dict[str, dict]:
    """What is said of survivors, by key."""
    entries = tomllib.loads(LOOKED_AT.read_text()).get("survivor", [])
    return {entry["key"]: entry for entry in entries}


def equivalents() -> set[str]:
    return {key for key, entry in looked_at().items() if entry.get("equivalent")}


@dataclass
class Result:
    seed: int
    places: int
    numbers: dict[int, Mutant]
    dropped: list[Mutant]
    answers: list[dict]

    def survivors(self, equivalent: bool = False) -> list[Mutant]:
        known = equivalents()
        found = [self.numbers[a["mutant"]] for a in self.answers if a["outcome"] in ALIVE]
        found = [m for m in found if (m.key in known) == equivalent]
        return sorted(found, key=lambda m: (m.file, m.line))

    def tried(self) -> int:
        return len(self.answers) - len(self.survivors(equivalent=True))

    def rate(self) -> float:
        return 1 - len(self.survivors()) / max(1, self.tried())

    def figures(self) -> dict:
        """As results.json keeps them."""
        words = looked_at()
        python = sum(self.numbers[a["mutant"]].file.endswith(".py") for a in self.answers)

        def listed(these: list[Mutant]) -> list[dict]:
            return [
                {"key": m.key, "line": m.line, "why": words.get(m.key, {}).get("why", "")}
                for m in these
            ]

        return {
            "tried": self.tried(),
            "python": python,
            "places": self.places,
            "commit": _commit(),
            "caught": self.tried() - len(self.survivors()),
            "how": dict(Counter(a["outcome"] for a in self.answers)),
            "first": sum(a["tests"] for a in self.answers) / max(1, len(self.answers)),
            "not_compiled": len(self.dropped),
            "cpu_s": round(sum(a.get("cpu", 0) for a in self.answers)),
            "survivors": listed(self.survivors()),
            "equivalent": listed(self.survivors(equivalent=True)),
        }

    def text(self) -> str:
        lines = [
            f"survived: {m.line}: {m.key}" + (" (equivalent)" if equivalent else "")
            for equivalent in (True, False)
            for m in self.survivors(equivalent)
        ]
        caught = self.tried() - len(self.survivors())
        lines.append(f"seed {self.seed}: {caught} of {self.tried()} caught: {self.rate():.1%}")
        return "\n".join(lines)

    def keep(self) -> None:
        """In results.json, beside the other seeds, and on the page."""
        kept = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
        kept[str(self.seed)] = self.figures()
        RESULTS.write_text(json.dumps(kept, indent=1) + "\n")
        PAGE.write_text(page(kept))


def _commit() -> str:
    command = ["git", "describe", "--always", "--dirty"]
    done = subprocess.run(command, cwd=HERE, capture_output=True, text=True)
    return f"commit {done.stdout.strip()}" if done.returncode == 0 else "an unknown commit"


def page(kept: dict[str, dict]) -> str:
    lines = [HEAD.format(places=next(iter(kept.values()))["places"])]
    lines += [
        "| seed | tried | caught | rate | equivalent | what ended them |",
        "|---|---|---|---|---|---|",
    ]
    for seed, found in kept.items():
        rate = found["caught"] / found["tried"]
        how = dict(found["how"])
        crashed = sum(n for name, n in how.items() if name.startswith("SIG"))
        ends = (
            f"{how.get('failed', 0)} a failed test, {how.get('hung', 0)} a hang, {crashed} a crash"
        )
        lines.append(
            f"| {seed} | {found['tried']} | {found['caught']} | {rate:.1%} |"
            f" {len(found['equivalent'])} | {ends} |"
        )
    for seed, found in kept.items():
        lines += ["", f"## Survivors of seed {seed}", "", f"At {found['commit']}.", ""]
        lines += _table(found["survivors"]) or ["None."]
        lines += ["", f"## Equivalent mutants of seed {seed}", ""]
        lines += _table(found["equivalent"]) or ["None."]
    lines += ["", "Made by `make mutants`; do not edit it."]
    return "\n".join(lines) + "\n"


def _table(mutants: list[dict]) -> list[str]:
    if not mutants:
        return []
    lines = ["| where | line | change | |", "|---|---|---|---|"]
    for m in mutants:
        file, _, rest = m["key"].partition(": ")
        text, _, change = rest.rpartition(" @")
        what = _code(change.partition(": ")[2].replace(" -> ", " → "))
        lines.append(f"| {file}:{m['line']} | {_code(text)} | {what} | {m['why']} |")
    return lines


def _code(text: str) -> str:
    return "`" + text.replace("|", "\\|") + "`"
