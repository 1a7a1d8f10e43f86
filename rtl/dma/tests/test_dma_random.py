"""Random transfers on a verilated engine (rtl/dma/random); `make validate` has 100 000 of them."""

import sys

import pytest
from flow import tools

sys.path.insert(0, str(tools.RTL / "dma" / "random"))
import faults  # noqa: E402

import run as bench  # noqa: E402


@pytest.mark.parametrize("name", ["copy-unaligned", "apart-unaligned"])
def test_random_transfers(name):
    """Bytes, completions and counts are as predicted, whatever the slave and software do."""
    got = bench.run(bench.build(bench.VARIANTS[name]), 2000, 1)
    assert got["transfers"] >= 2000
    met = {int(key.removeprefix("code ")) for key in got if key.startswith("code ")}
    assert met >= {0, 2, 3, 4, 7, 8, 9, 12}, "a kind of end did not occur"


def test_places_that_leak_are_found_and_the_engine_says_so(tmp_path):
    """The time-out sees a copy that stands because of itself. (The assertions see it earlier.)"""
    said = faults.meets("a copy's realigner gives its place back twice", tmp_path, checks=False)
    assert "code 11, 0 bytes; expected code 0" in said
