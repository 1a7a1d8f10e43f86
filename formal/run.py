"""Proves the AXI rules on every block.

    python formal/run.py --list               what there is
    python formal/run.py dma_read mux         some proofs
    python formal/run.py --all --table        all, and the table formal/results.md

First z3 looks for rules that are inductive together; each of the others is tried with PDR, which
finds an inductive invariant by itself. Such rules hold for ever. The rest is searched to a depth. A
rule that breaks is searched again with z3, which writes a trace. Exit status 1: a rule is broken,
or holds to less than the requested depth.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import engine  # noqa: E402
import proofs  # noqa: E402

RESULTS = engine.BUILD / "results.json"
TABLE = proofs.FORMAL / "results.md"


# What a result depends on, beside the sources.
PROGRAM = [
    *sorted((proofs.FORMAL / "rules").glob("*.svh")),
    *(proofs.FORMAL / name for name in ("engine.py", "proofs.py", "run.py")),
]


def sources(proof: proofs.Proof, folder: str | None = None, change=None) -> list[Path]:
    """All that a proof is compiled from. `change` may alter a source: (path, text) -> text."""
    work = engine.BUILD / "inputs" / (folder or proof.name)
    work.mkdir(parents=True, exist_ok=True)
    binding = work / "binding.sv"
    binding.write_text(proof.binding())
    files = proof.files()
    if change:
        for n, path in enumerate(files):
            text = path.read_text()
            altered = change(path, text)
            if altered != text:
                files[n] = work / path.name
                files[n].write_text(altered)
    return [*files, *proofs.RULE_FILES, binding]


def prepare(proof: proofs.Proof, folder: str | None = None, change=None) -> engine.Model:
    """Compiles a proof; folder and change as in `sources`."""
    found = sources(proof, folder, change)
    return engine.compile_model(folder or proof.name, proof.top, found, proof.parameters)


def prove(proof: proofs.Proof, seconds: float = 4, long: float = 60) -> dict:
    """Tries every rule; `seconds` for each at first, `long` for those that are left."""
    start = time.monotonic()
    model = prepare(proof)
    names = engine.make_aiger(model)
    wanted = [n for n, name in enumerate(names) if proof.wanted(name)]
    state: dict[int, dict] = {}

    def note(which: list[int], verdicts: list[engine.Verdict], how: str) -> None:
        for n, verdict in zip(which, verdicts, strict=True):
            if verdict.word == "proved":
                state[n] = {"method": how}
            elif verdict.word == "broken":
                state[n] = {"method": "broken", "clock": verdict.clocks}

    def left() -> list[int]:
        return [n for n in wanted if n not in state]

    def proved() -> list[int]:
        return [n for n in wanted if state.get(n, {}).get("method") == "induction"]

    found = engine.inductive(model, 3, long)
    for n in wanted:
        if names[n] in found:
            state[n] = {"method": "induction"}
    rest = left()
    note(rest, engine.abc(model, [([n], proved()) for n in rest], seconds), "induction")
    # What is proven helps with the rest; so does the rest, as often all hold only together.
    if (rest := left()) and engine.abc(model, [(rest, proved())], long)[0].word == "proved":
        note(rest, [engine.Verdict("proved")] * len(rest), "induction")
    if (rest := left()) and not proof.together:
        verdicts = engine.abc(model, [([n], proved()) for n in rest], 3 * seconds)
        note(rest, verdicts, "induction")
    if rest := left():
        # bmc3 counts the clock of reset too. A large design: all rules together, one depth for all.
        method = f"bmc3 -F {max(proof.depth, 20) + 1}"
        groups = [rest] if proof.together else [[n] for n in rest]
        verdicts = engine.abc(model, [(group, proved()) for group in groups], long, method)
        for group, verdict in zip(groups, verdicts, strict=True):
            if verdict.word == "broken" and len(group) > 1:  # a search of each finds which one
                single = f"bmc3 -F {verdict.clocks + 1}"
                alone = engine.abc(model, [([n], proved()) for n in group], long, single)
            else:
                alone = [verdict] * len(group)
            for n, found in zip(group, alone, strict=True):
                if found.word == "broken":
                    state[n] = {"method": "broken", "clock": found.clocks}
                else:
                    state[n] = {"method": "depth", "depth": min(verdict.clocks, found.clocks)}
    result = {
        "proof": proof.name,
        "top": proof.top,
        "parameters": proof.parameters,
        "rules": {names[n]: state[n] for n in wanted},
        "seconds": round(time.monotonic() - start, 1),
    }
    broken = [n for n in wanted if state[n]["method"] == "broken"]
    if broken:
        depth = min(state[n]["clock"] for n in broken) + 1
        found = engine.smtbmc(model, depth, 600)
        result["trace"] = str(found.trace)
        result["first_broken"] = found.broken
    return result


def summary(result: dict) -> str:
    """One line, and one more for each rule that is not proven for ever."""
    rules = result["rules"]
    counts = {
        kind: sum(rule["method"] == kind for rule in rules.values())
        for kind in ("induction", "depth", "broken")
    }
    lines = [
        f"{result['proof']}: {len(rules)} rules, {counts['induction']} by induction, "
        f"{counts['depth']} to a depth, {counts['broken']} broken, {result['seconds']} s"
    ]
    for name, rule in sorted(rules.items()):
        if rule["method"] == "depth":
            lines.append(f"  {name}: good for {rule['depth']} clocks")
        elif rule["method"] == "broken":
            lines.append(f"  {name}: BROKEN in clock {rule['clock']}")
    if "trace" in result:
        lines.append(
            f"  trace: {result['trace']}, which breaks {', '.join(result['first_broken'])}"
        )
    return "\n".join(lines)


def _written(text: str) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Rows of a table that was written before, and the lines below it, of each proof."""
    rows: dict[str, str] = {}
    below: dict[str, list[str]] = {}
    for line in text.splitlines():
        if match := re.match(r"\| (\w+) \| `", line):
            rows[match[1]] = line
        elif match := re.match(r"- (?:BROKEN in )?(\w+): ", line):
            below.setdefault(match[1], []).append(line)
    return rows, below


def _row(result: dict) -> str:
    rules = result["rules"].values()
    deep = [rule["depth"] for rule in rules if rule["method"] == "depth"]
    inductive = sum(rule["method"] == "induction" for rule in rules)
    least = f"{len(deep)} (≥ {min(deep)} clocks)" if deep else "0"
    settings = " ".join(f"{key}={value}" for key, value in result["parameters"].items())
    return (
        f"| {result['proof']} | `{result['top']}` {settings} | {len(rules)} | {inductive} "
        f"| {least} | {result['seconds']:.0f} |"
    )


def _below(result: dict) -> list[str]:
    lines = []
    deep = {n: r["depth"] for n, r in result["rules"].items() if r["method"] == "depth"}
    if deep:
        text = ", ".join(f"{name} {depth}" for name, depth in sorted(deep.items()))
        lines.append(f"- {result['proof']}: {text}")
    broken = {n: r["clock"] for n, r in result["rules"].items() if r["method"] == "broken"}
    if broken:
        text = ", ".join(f"{name} in clock {clock}" for name, clock in sorted(broken.items()))
        lines.append(f"- BROKEN in {result['proof']}: {text}")
    return lines


def table(names: list[str], results: dict[str, dict], before: str) -> str:
    """The committed table: what holds where, and how it is known.

    A proof of `names` that has no result here keeps what was written of it `before`.
    """
    rows, below = _written(before)
    for name in [name for name in names if name in results]:
        rows[name], below[name] = _row(results[name]), _below(results[name])
    known = [name for name in names if name in rows]
    lines = [
        "# What is proven",
        "",
        "Written by `python formal/run.py --all --table`. Induction: holds for ever (an inductive",
        "invariant was found). A depth: no counterexample within so many clocks of the start.",
        "",
        "| proof | design | rules | by induction | to a depth | seconds |",
        "|---|---|---|---|---|---|",
        *(rows[name] for name in known),
        "",
        "Rules that hold to a depth only:",
        "",
        *(line for name in known for line in below.get(name, [])),
    ]
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("proofs", nargs="*")
    parser.add_argument("--all", action="store_true", help="all proofs of proofs.toml")
    parser.add_argument("--list", action="store_true", help="name the proofs, and what they need")
    parser.add_argument("--table", action="store_true", help=f"write {TABLE.name}")
    parser.add_argument("--seconds", type=float, default=4, help="for a rule at first")
    parser.add_argument("--long", type=float, default=60, help="for a rule that is left")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    known = {proof.name: proof for proof in proofs.load()}
    if unknown := [name for name in options.proofs if name not in known]:
        parser.error(f"no such proof: {', '.join(unknown)}; --list names them")
    chosen = [known[name] for name in (known if options.all else options.proofs)]
    if options.list or not chosen:
        for proof in known.values():
            print(
                f"{proof.name:20} {proof.top:24} {proof.missing() and 'lacks ' + proof.missing()}"
            )
        return 0
    kept = {}
    bad = False
    with ThreadPoolExecutor(options.jobs) as pool:
        jobs = [
            (proof, pool.submit(prove, proof, options.seconds, options.long)) for proof in chosen
        ]
        for proof, job in jobs:
            result = job.result()
            print(summary(result), flush=True)
            # Read again each time: another runner may be at work on other proofs.
            kept = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
            kept[proof.name] = result
            bad |= any(
                rule["method"] == "broken" or rule.get("depth", proof.depth) < proof.depth
                for rule in result["rules"].values()
            )
            engine.BUILD.mkdir(parents=True, exist_ok=True)
            RESULTS.write_text(json.dumps(kept, indent=1) + "\n")
    if options.table:
        TABLE.write_text(table(list(known), kept, TABLE.read_text()))
    return int(bad)


if __name__ == "__main__":
    sys.exit(main())
