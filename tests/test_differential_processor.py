"""The processor's side against its plain form, which goes from one moment to the next in a list.

`make validate` tries many more seeds, and all shipped points (lab/validate/differential.py).
"""

from copy import deepcopy

import pytest

import fuzz_processor as fuzz
from axiometer import _model as model

SEEDS = range(800)
EXPERIMENTS = ("zynq-interfaces", "zedboard-gp1-transfer", "zedboard-gp1-linux-dma")


def test_both_models_agree():
    for seed in SEEDS:
        case = fuzz.case(seed)
        found = fuzz.disagreement(case)
        assert found is None, fuzz.report(seed, case, found)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_both_models_agree_on_the_boards(name):
    """Figures as they are shipped; what is random elsewhere has other proportions."""
    for place, case in list(fuzz.shipped(name, most_bytes=2048))[::7]:
        found = fuzz.disagreement(case)
        assert found is None, f"{place}: {found}"


def test_the_cases_reach_what_they_are_for():
    """Every master in both directions, every class of time, every kind of contention."""
    cases = [fuzz.case(seed) for seed in SEEDS]
    masters = {(case["master"], case["transfer"]["to_fabric"]) for case in cases}
    assert masters == {(master, to) for master in fuzz.MASTERS for to in (False, True)}
    spent = [model.run_processor(case)["classes"] for case in cases]
    assert {what for classes in spent for what, time in classes.items() if time} == set(spent[0])
    assert {case["cpu"]["caches"] for case in cases} == {False, True}
    # A copy across the ends of lines, and one that the caches do not hold.
    assert any(c["cache"]["line_bytes"] % c["cpu"]["access_bytes"] for c in cases)
    assert any(c["cache"]["l2_bytes"] < c["transfer"]["bytes"] for c in cases)


# Changes of the plain model's settings, by one or as given, that must show on some seed. Sizes
# change enough for another number of beats, lines or bursts; a rest of a line is rounded off.
SIZES = {"line_bytes": 8, "l1_bytes": 512, "l2_bytes": 512, "burst_bytes": 64, "program_bytes": 64}
SIZES |= {"buffer_bytes": 64, "fifo_bytes": 64, "prefetch_from": 500, "bytes": 64, "fetch_bytes": 4}
WORDS = {"master": "loop", "target": "gpio", "attribute": "cached"}
KEYS = [(row["table"], row["key"]) for row in model.describe_processor()]


def mutated(case, table, key):
    """The case with one figure that is wrong; none where it already has that."""
    wrong = deepcopy(case)
    inside = wrong[table] if table else wrong
    was = inside[key]
    if key in WORDS:
        inside[key] = WORDS[key]
    else:
        inside[key] = not was if isinstance(was, bool) else was + SIZES.get(key, 1)
    return wrong


@pytest.mark.parametrize(("table", "key"), KEYS, ids=lambda word: word or "transfer")
def test_a_figure_that_is_wrong_is_noticed(table, key):
    for seed in SEEDS:
        case = fuzz.case(seed)
        try:
            if fuzz.disagreement(case, plainly=mutated(case, table, key)):
                return
        except ValueError:  # not to be simulated
            continue
    pytest.fail("no case hangs on it")


def test_the_simplest_case_still_disagrees():
    case = fuzz.case(3)  # a master in the fabric
    assert case["master"] == "fabric"

    def wrong(spec):
        other = deepcopy(spec)
        other.setdefault("slave", {})["read_latency"] = 30
        return fuzz.disagreement(spec, plainly=other)

    small = fuzz.simplest(case, wrong)
    assert wrong(small)
    assert small["master"] == "fabric"
    assert len(small) < len(case)


def test_the_plain_model_refuses_what_the_model_refuses():
    with pytest.raises(ValueError, match=r"cache\.line_bytes"):
        model.plain_processor({"cache": {"line_bytes": 24}})
