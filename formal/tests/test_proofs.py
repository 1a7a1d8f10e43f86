"""A quick part of the proofs: small blocks as a whole, mutants of them; large ones to a depth.

The full set is `python formal/run.py --all`. What was proven or broken before, of the same sources
with the same tools, is not searched again (`flow.kept`).
"""

import dataclasses
import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import engine  # noqa: E402
import proofs  # noqa: E402
import properties  # noqa: E402
from flow import kept  # noqa: E402
from mutants import faults  # noqa: E402

import run  # noqa: E402
from mutation import catch, lists  # noqa: E402

PROOFS = {proof.name: proof for proof in proofs.load()}
# Blocks whose rules are all proven by induction within seconds.
SMALL = (
    "skid",
    "fifo",
    "id",
    "counter",
    "ram_lite",
    "axil_demux",
    "stream_source",
    "stream_sink",
    "sniffer",
    "sniffer_slot",
    "dma",
    "dma_buffer",
    "dma_irq",
    "dma_read",
    "dma_write",
    "dma_read_places",
    "dma_ring",
)
# The rest: no rule breaks within so many clocks of the start.
DEPTH = 6
QUICK = sorted(name for name, proof in PROOFS.items() if proof.quick and name not in SMALL)
MUTANTS = lists.of_proofs()


def test_lists_agree():
    """Every rule of properties.toml has a mutant, and the other way round."""
    assert {rule.name for rule in properties.load()} == set(faults.MUTANTS)


def once(proof, make, good, folder, change=None):
    """What `make` finds of a proof's sources, kept where it is good."""
    files = [*run.sources(proof, folder, change), *run.PROGRAM, Path(__file__)]
    return kept.result((folder, proof), files, make, good)


def by_induction(result):
    return {rule["method"] for rule in result["rules"].values()} == {"induction"}


@pytest.mark.parametrize("name", SMALL)
def test_proof(name):
    proof = PROOFS[name]
    result = once(proof, lambda: run.prove(proof, 10, 120), by_induction, name)
    assert by_induction(result), run.summary(result)


@pytest.mark.parametrize("name", QUICK)
def test_depth(name):
    def broken():
        model = run.prepare(PROOFS[name], f"quick-{name}")
        names = engine.make_aiger(model)
        wanted = [n for n, rule in enumerate(names) if PROOFS[name].wanted(rule)]
        verdict = engine.abc(model, [(wanted, [])], 30, f"bmc3 -F {DEPTH + 1}")[0]
        if verdict.word != "broken":
            return []
        return engine.smtbmc(model, verdict.clocks + 1, 120).broken or [verdict.word]

    assert once(PROOFS[name], broken, lambda found: not found, f"quick-{name}") == []


def test_a_changed_source_is_proven_anew(tmp_path, monkeypatch):
    monkeypatch.setenv("AXIOMETER_CACHE", str(tmp_path))
    searched = []

    def search():
        searched.append("proved")
        return searched[-1]

    proof = PROOFS["dma_read"]
    change = next(m for m in MUTANTS if m.catcher["proof"] == proof.name).changed
    for one in (None, None, change, change, None):
        once(proof, search, bool, "anew", one)
    assert len(searched) == 2
    once(dataclasses.replace(proof, invariants={}), search, bool, "anew")
    assert len(searched) == 3


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_rtl_mutant(mutant):
    """A design with a fault breaks the rule that the fault is about, or is not proven any more."""
    assert catch.caught(mutant)


def test_the_sniffer_drives_nothing():
    """All that leaves it are answers of its own registers."""
    proof = PROOFS["sniffer"]
    top = next(path for path in proof.files() if path.stem == proof.top)
    header = proofs.text_of(top).partition(");\n")[0]
    outputs = re.findall(r"\boutput +logic\s*(?:\[[^\]]*\])?\s*(\w+)", header)
    assert len(outputs) == 8 and all(name.startswith("s_axil_") for name in outputs)
    assert "inout" not in header


def test_a_name_that_the_design_has_not_is_refused():
    """It would be a wire of its own, and what is assumed of it nothing."""
    sink = PROOFS["stream_sink"]
    assert "enable" in sink.binding()
    with pytest.raises(ValueError, match="axm_stream_sink has no from_regs_CTRL_ENABLE"):
        dataclasses.replace(sink, stays_up=["from_regs_CTRL_ENABLE"]).binding()
    # In a comment, as a port of a block inside, and behind a checker's name.
    assert sink.unknown("// enable from_regs_THROTTLE_OFF") == ["enable", "from_regs_THROTTLE_OFF"]
    assert sink.unknown("x y(.enable(from_regs_THROTTLE_OFF));") == ["enable"]
    assert (
        dataclasses.replace(sink, assume=["stream.room != 8'd3 + $bits(enable)"]).unknown("enable")
        == []
    )


def test_variants_are_other_designs():
    """A proof that is like another differs from it, and keeps its ports."""
    assert PROOFS["dma_read_axi3"].parameters == {**PROOFS["dma_read"].parameters, "AXI3": 1}
    checkers = [port.parameters.get("AXI3") for port in PROOFS["dma_axi3"].port]
    assert checkers == [None, 1, None, None]
    made = [(p.top, sorted(p.parameters.items()), p.note) for p in PROOFS.values()]
    assert all(made.count(one) == 1 for one in made)


def test_the_table_keeps_what_was_not_run_again():
    """New results replace their proofs' lines; other proofs keep theirs, while they are listed."""

    def result(name: str, **rule: object) -> dict:
        start = {"proof": name, "top": "axm_x", "parameters": {"N": 2}, "seconds": 1.0}
        return {**start, "rules": {"m.ar.held": rule}}

    first = {name: result(name, method="depth", depth=7) for name in ("a", "b", "gone")}
    before = run.table(["a", "b", "gone"], first, "")
    after = run.table(["a", "b"], {"b": result("b", method="induction")}, before)
    assert (
        "- a: m.ar.held 7" in after and "| a | `axm_x` N=2 | 1 | 0 | 1 (≥ 7 clocks) | 1 |" in after
    )
    assert "- b:" not in after and "| b | `axm_x` N=2 | 1 | 1 | 0 | 1 |" in after
    assert "gone" not in after
    broken = run.table(["a"], {"a": result("a", method="broken", clock=3)}, before)
    assert "- BROKEN in a: m.ar.held in clock 3" in broken and "- a:" not in broken


def test_invariants_of_a_block_inside_are_said_at_its_place():
    """Names of the design move with the block; those of the checkers and literals stay."""
    whole = PROOFS["dma"].invariants
    assert whole["dma_read_held_stands"] == (
        "!u_engines.g_read.u_read.held || "
        "(u_engines.g_read.u_read.standing && !u_engines.g_read.u_read.bad)"
    )
    assert whole["dma_read_open_is_in_flight"] == "m.read.open == u_engines.g_read.u_read.in_flight"
    assert not PROOFS["dma_rings"].invariants
