"""The tests of differential seeds, a test for each seed: collected by run.py alone.

What one seed catches, the test of all seeds catches, too.
"""

import pytest

import fuzz_compare
import fuzz_model
from test_differential import MACHINES

# Of cheap machines many seeds are one test.
FIRSTS = [
    (name, first, 50 if name == "processor" else 5 if "open" in name else 1)
    for name, machine in MACHINES.items()
    for first in range(0, machine.seeds, 50 if name == "processor" else 5 if "open" in name else 1)
]


@pytest.mark.parametrize(("name", "first", "count"), FIRSTS)
def test_both_models(name, first, count):
    machine = MACHINES[name]
    for seed in range(first, min(first + count, machine.seeds)):
        assert machine.disagreement(machine.case(seed)) is None


@pytest.mark.parametrize("seed", range(20))  # a dear one
def test_too_small_a_memory(seed):
    found, _ = fuzz_compare.compare_forgetful(fuzz_model.case(seed))
    assert found is None
