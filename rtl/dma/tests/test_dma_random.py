"""Random transfers on a verilated engine (rtl/dma/random); `make validate` has 100 000 of them."""

import pytest
from dma.random import run as bench

from mutation import catch, lists

MUTANTS = {mutant.name: mutant for mutant in lists.of_rooms() if mutant.room == "dma"}


@pytest.mark.parametrize(
    "name",
    ["copy-unaligned", "apart-unaligned", "rings-apart-32", "rings-reads", "rings-writes-128",
     "rings-copy-unaligned"],
)  # fmt: skip
def test_random_transfers(name):
    """Bytes, completions and counts are as predicted, whatever the slave and software do."""
    got = bench.run(bench.build(bench.VARIANTS[name]), 4000, 1)
    assert got["transfers"] >= 4000
    met = {int(key.removeprefix("code ")) for key in got if key.startswith("code ")}
    ends = {0, 2, 3, 7, 8, 9, 12} | ({4} if bench.VARIANTS[name].get("HAS_READ", 1) else set())
    assert met >= ends, "a kind of end did not occur"


@pytest.mark.parametrize("name", ["copy-unaligned", "apart-unaligned-32"])
def test_every_small_transfer(name):
    """Each alignment, length and place of a fault, and nothing between them resets a count."""
    got = bench.every(bench.build(bench.VARIANTS[name]))
    assert got["code 0"] > 5000 and got["code 2"] > 2500


SMALL = {  # with the assertions off: what software sees of the fault
    "a copy's realigner gives its place back twice": "no completion",
    "bytes behind a faulty beat count": "expected code 2",
    "a packet that goes on behind the transfer does not end it": "packet end",
}


@pytest.mark.parametrize("what", SMALL)
def test_small_transfers_meet_faults_of_counters(what):
    """A copy that loses places stands in the end; counts and packet ends are compared."""
    said = catch.by_random_transfers(MUTANTS[what], checks=False, small=True)
    assert SMALL[what] in said.splitlines()[-1]


def test_places_that_leak_are_found_and_the_engine_says_so():
    """The time-out sees a copy that stands because of itself. (The assertions see it earlier.)"""
    leak = MUTANTS["a copy's realigner gives its place back twice"]
    assert "code 11, 0 bytes; expected code" in catch.by_random_transfers(leak, checks=False)
