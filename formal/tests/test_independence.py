"""No rule follows from the others: a port that keeps all of them but one can break that one.

Such a port, whose signals are free but for the other rules, is the most general faulty port. That
the search finds a way for it shows that the rule can fail, and that no other would have noticed.
"""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import engine  # noqa: E402
import proofs  # noqa: E402
from flow import kept  # noqa: E402

SMALL = {"DATA_W": 32, "ID_W": 1, "LIMIT": 2}
WAITS = dict.fromkeys(("REQUEST_WAIT", "WREADY_WAIT", "WVALID_WAIT", "ANSWER_WAIT", "TAKE_WAIT"), 3)
CASES = {
    "axi4": ("axm_axi_rules", {**SMALL, **WAITS}),
    "axi3": ("axm_axi_rules", {**SMALL, "AXI3": 1}),
    "lead": ("axm_axi_rules", {**SMALL, "DATA_LEAD": 1}),
    "axil": ("axm_axil_rules", {"LIMIT": 2, "READY_WAIT": 3, "ANSWER_WAIT": 3}),
    "stream": ("axm_stream_rules", {"COUNT_W": 4, "ROOM": 1, "AVAIL": 1, "READY_WAIT": 3}),
}
# It takes a burst of 256 beats to break this one; its mutant in simulation does.
TOO_LONG = {"lead": {"write.beats_at_most"}}


def unbroken(case: str) -> list[str]:
    """The rules of a case that cannot be broken alone."""
    top, parameters = CASES[case]
    folder = engine.BUILD / "inputs" / f"free-{case}"
    folder.mkdir(parents=True, exist_ok=True)
    binding = folder / "binding.sv"
    binding.write_text(f"bind {top} axm_first_reset first_reset (.clk, .rst);\n")
    model = engine.compile_model(f"free-{case}", top, [*proofs.RULE_FILES, binding], parameters)
    names = engine.make_aiger(model)
    everyone = range(len(names))
    sets = [([n], [k for k in everyone if k != n]) for n in everyone]
    verdicts = engine.abc(model, sets, 20, "bmc3 -F 16")
    pairs = zip(names, verdicts, strict=True)
    return [name for name, verdict in pairs if verdict.word != "broken"]


@pytest.mark.parametrize("case", CASES)
def test_independent(case):
    known = TOO_LONG.get(case, set())
    headers = sorted(proofs.RULES.glob("*.svh"))
    files = [*proofs.RULE_FILES, *headers, Path(engine.__file__), Path(__file__)]
    found = kept.result([case], files, lambda: unbroken(case), lambda found: set(found) == known)
    assert set(found) == known
