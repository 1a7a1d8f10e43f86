"""The checkers compile without a warning, and traffic gets through them."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import engine  # noqa: E402
import proofs  # noqa: E402

import run  # noqa: E402

PROOFS = {proof.name: proof for proof in proofs.load()}


@pytest.mark.parametrize(
    ("top", "values"),
    [
        ("axm_axi_rules", {}),
        ("axm_axi_rules", {"DATA_LEAD": 1, "AXI3": 1, "DATA_W": 64, "REQUEST_WAIT": 9}),
        ("axm_axil_rules", {"ANSWER_WAIT": 5}),
        ("axm_stream_rules", {"ROOM": 1, "AVAIL": 1}),
        ("axm_sniffer_rules", {"ADDR_W": 40, "COUNT_W": 4, "RECORDS": 8}),
    ],
)
def test_lint(top, values):
    files = [path for path in proofs.RULE_FILES if path.stem != "axm_helpers"]
    assert proofs.tools.lint(top, files, values, proofs.RULES) == ""


@pytest.mark.parametrize("name", ["stream_source", "ram_lite", "ram_full", "axil_demux"])
def test_reached(name):
    """Assumptions do not choke the design: a beat and a whole burst get through in a proof."""
    found = engine.smtbmc(run.prepare(PROOFS[name], f"reach-{name}"), 14, 120, "cover")
    unreached = [cover for cover in found.broken if PROOFS[name].wanted(cover)]
    assert unreached == []
