"""Whether what a mutant of the RTL names catches it.

- `case`, with a bench: this cocotb test fails (any of the bench's module without `case`); with
  `assertion`, because that assertion of `rtl/<room>/checks` fails.
- `variant`: random transfers through that DMA engine (`rtl/dma/random`) meet it; with `assertion`,
  that one is the first to see it.
- `top` and `finds`: what `flow.structure` must find of it.
- `proof` of formal/proofs.toml: the rule that it `breaks` (and `also`), or those that it
  `unproves`.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from mutation.lists import ROOT, RTL, Mutant

# The simulator's Python finds what is in sys.path; the traffic room's scoreboard is the monitor's.
sys.path[:0] = [str(RTL), str(RTL / "monitor" / "tests")]

from dma.random import run as random_bench  # noqa: E402
from flow import cocotb_run, kept, mlab, readers, structure, tools  # noqa: E402


def caught(mutant: Mutant) -> str:
    """What the check said; empty if it did not catch the mutant."""
    if "variant" in mutant.catcher:
        return by_random_transfers(mutant)
    if "finds" in mutant.catcher:
        return by_structure(mutant)
    if "proof" in mutant.catcher:
        return by_proof(mutant)
    return by_simulation(mutant)


def sources(mutant: Mutant) -> list[Path]:
    """The sources of the mutant's design, with the fault in."""
    how = mutant.catcher
    if "proof" in how:
        return mutant.put_into(_proof(mutant).files())
    if "finds" in how:
        return mutant.put_into(readers.DESIGNS[how["top"]][0])
    return mutant.put_into(tools.sources(how.get("sources", mutant.room)))


def by_simulation(mutant: Mutant) -> str:
    how = mutant.catcher
    tests = RTL / mutant.room / "tests"
    changed = sources(mutant)
    if how.get("mlab"):
        changed = mlab.sources(changed, mutant.folder / "mlab")
    benches = [tests / name for name in how.get("files", [])]
    wanted = f".{how['assertion']}: " if "assertion" in how else ""
    said = cocotb_run.failure(
        how["top"], [*changed, *benches], [how["test"]], how.get("values"),
        testcase=how.get("case"), env=how.get("env"), folder=tests, expected=wanted,
        build=mutant.folder,
    )  # fmt: skip
    return said if wanted in said else ""


def by_random_transfers(mutant: Mutant, **settings: Any) -> str:
    """settings: of `said`."""
    how = mutant.catcher
    lenient = "assertion" in how
    said = random_bench.said(how["variant"], sources(mutant), lenient=lenient, **settings)
    if not lenient:
        return said
    pattern = r"axm_(?:dma_)?(\w+)_checks\.sv:\d+: Assertion failed in \S+\.(\w+): 'assert'"
    found = re.search(pattern, said)
    first = f"{found[1]}.{found[2]}" if found else ""
    return first if first == how["assertion"] else ""


def by_structure(mutant: Mutant) -> str:
    """finds: `paths`, the inputs that reach an output, and `irq`, whether a register drives it; or
    `bare`, part of the name of a memory that Quartus makes registers of."""
    top, finds = mutant.catcher["top"], mutant.catcher["finds"]
    found = structure.look(top, sources(mutant), readers.DESIGNS[top][1])
    if "bare" in finds:
        places = [place for place in structure.bare(found) if finds["bare"] in place]
        return " ".join(places)
    seen = found["paths"] == finds["paths"] and found.get("irq", True) == finds.get("irq", True)
    return str(found["paths"]) if seen else ""


def by_proof(mutant: Mutant) -> str:
    """A rule that breaks is named by the solver alone, or with one (`also`) that follows; a fault
    that shows too late after a reset to be searched for takes the proof of rules away."""
    import engine

    import run

    how, proof = mutant.catcher, _proof(mutant)
    folder, breaks = f"mutant-{mutant.name}", "breaks" in mutant.catcher

    def search() -> list[str]:
        model = run.prepare(proof, folder, mutant.changed)
        return engine.smtbmc(model, 12, 120).broken if breaks else engine.step_breaks(model, 3, 240)

    files = run.sources(proof, folder, mutant.changed)
    broken = set(kept.result((folder, proof), [*files, *run.PROGRAM], lambda: [*search()], bool))
    if breaks:
        rules = {rule.partition(".")[2] for rule in broken} - {how.get("also")}
        return how["breaks"] if rules == {how["breaks"]} else ""
    return " ".join(sorted(broken)) if broken <= set(how["unproves"].split()) else ""


def _proof(mutant: Mutant) -> Any:
    if (formal := str(ROOT / "formal")) not in sys.path:
        sys.path.insert(0, formal)
    import proofs

    return next(proof for proof in proofs.load() if proof.name == mutant.catcher["proof"])
