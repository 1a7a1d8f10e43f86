"""Open runs of UltraScale+, shared with masters outside, against their plain form."""

import pytest

import fuzz_open
import fuzz_open_usp
from axiometer import _model as model

SEEDS = range(700)
# Members of a burst that the plain model is given wrong, by so much.
MUTANTS = {"at": (1, 40), "address": (2, 2**20), "bytes": (3, -16), "delay": (5, 40)}


def test_both_forms_of_the_model_agree():
    for seed in SEEDS:
        case = fuzz_open_usp.case(seed)
        found = fuzz_open.disagreement(case)
        assert found is None, fuzz_open.report(seed, case, found)


@pytest.mark.parametrize("member", MUTANTS)
def test_a_burst_that_is_wrong_is_noticed(member):
    place, by = MUTANTS[member]
    for seed in SEEDS:
        case = fuzz_open_usp.case(seed)
        wrong = [(*b[:place], b[place] + by, *b[place + 1 :]) for b in case.script]
        try:
            got = model.run_open(case.spec, case.start, wrong, plain=True)
        except ValueError:
            continue
        if got != case.run():
            return
    pytest.fail("no case hangs on it")


def test_the_cases_reach_what_they_are_for():
    cases = [fuzz_open_usp.case(seed) for seed in SEEDS]
    streams = [[bool(s.get("outside")) for s in case.spec["streams"]] for case in cases]
    assert {(s.count(False), s.count(True)) for s in streams} == {
        (ordinary, outside) for ordinary in range(4) for outside in (1, 2)
    }
    assert any(entry[4] >= 0 for case in cases for entry in case.script)  # a closed loop
    # Bursts beyond the stop, and runs without one; several masters at one interface.
    done = [(case, model.run_open(case.spec, case.start, case.script)) for case in cases[:100]]
    assert any(case.start["stop"] < 0 for case, _ in done)
    assert any(
        served and case.start["stop"] >= 0 and result["clocks"] < max(at for _, at in served)
        for case, (result, served, _) in done
    )
    # Refreshes while nothing is under way.
    assert any(
        result["counts"]["refreshes"] > 50 and result["classes"]["idle_no_request"] > 50_000
        for _, (result, _, _) in done
    )
