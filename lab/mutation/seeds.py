"""The tests of differential seeds, a test for each seed: collected by run.py alone.

What one seed catches, the test of all seeds catches, too.
"""

import pytest

import fuzz_compare
import fuzz_model
import fuzz_processor
import fuzz_usp
import test_differential
import test_differential_processor
import test_differential_usp


@pytest.mark.parametrize("seed", test_differential.SEEDS)
def test_all_forms(seed):
    found, _ = fuzz_compare.compare(fuzz_model.case(seed))
    assert found is None


@pytest.mark.parametrize("seed", test_differential.SEEDS[:20])  # a dear one
def test_too_small_a_memory(seed):
    found, _ = fuzz_compare.compare_forgetful(fuzz_model.case(seed))
    assert found is None


@pytest.mark.parametrize("seed", test_differential_usp.SEEDS)
def test_usp(seed):
    found, _ = fuzz_compare.compare(fuzz_usp.case(seed))
    assert found is None


@pytest.mark.parametrize("first", test_differential_processor.SEEDS[::50])  # cheap ones
def test_processor(first):
    for seed in range(first, first + 50):
        assert fuzz_processor.disagreement(fuzz_processor.case(seed)) is None
