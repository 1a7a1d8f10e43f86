"""Open runs of the fast model and the plain one on random scripts, and their laws.

`make validate` tries many more seeds (lab/validate/differential.py).
"""

from copy import deepcopy

import pytest

import fuzz_open
import fuzz_open_usp
from axiometer import _model as model

SEEDS = range(400)


def test_both_models_agree():
    for seed in SEEDS:
        case = fuzz_open.case(seed)
        found = fuzz_open.disagreement(case)
        assert found is None, fuzz_open.report(seed, case, found)


def test_the_cases_reach_what_they_are_for():
    cases = [fuzz_open.case(seed) for seed in SEEDS]
    outside = [(case, s) for case in cases for s in case.spec["streams"] if s.get("outside")]
    ports = [case.spec["ports"][s["port"]] for case, s in outside]
    assert {case.spec["controller"]["policy"] for case in cases} == {"zynq-ddrc", "in-order-batch"}
    assert {len(case.spec["streams"]) for case in cases} == {1, 2, 3, 4, 5}
    assert {s["direction"] for _, s in outside} == {"read", "write"}
    assert {port["early_response"] for port in ports} == {True, False}
    assert {port["release_whole_burst"] for port in ports} == {True, False}
    entries = [entry for case in cases for entry in case.script]
    assert {entry[4] >= 0 for entry in entries} == {True, False}
    assert {entry[5] for entry in entries} >= {0, 1, 5}
    # Bursts meet the ordinary streams, and go on after them.
    while_busy = after = 0
    for case in cases[:100]:
        result, served, _ = case.run()
        ends = [
            s["end"] * (case.spec["ports"][t["port"]].get("period") or case.spec["clocks"]["pl"])
            for s, t in zip(result["streams"], case.spec["streams"], strict=True)
            if not t.get("outside")
        ]
        clocks = max(ends, default=0) / case.spec["clocks"]["ddr"]
        while_busy += sum(at <= clocks for _, at in served)
        after += sum(at > clocks for _, at in served)
    assert while_busy > 300 and after > 300


def test_time_and_bytes_add_up():
    for seed in SEEDS:
        case = fuzz_open.case(seed)
        result, served, commands = case.run()
        ddr, pl = case.spec["clocks"]["ddr"], case.spec["clocks"]["pl"]
        assert sum(result["classes"].values()) == result["clocks"]
        for number, stream in enumerate(case.spec["streams"]):
            if not stream.get("outside"):
                continue
            found = result["streams"][number]
            asked = [entry for entry in case.script if entry[0] == number]
            assert (found["bursts"], found["bytes"]) == (len(asked), sum(e[3] for e in asked))
            assert sum(found["classes"].values()) == result["cycles"] * pl // ddr
            assert found["end"] == max((at for s, at in served if s == number), default=0)
        for entry, (stream, at) in zip(case.script, served, strict=True):
            begin = entry[1]
            if entry[4] >= 0:
                begin = max(begin, served[entry[4]][1] + entry[5])
            assert stream == entry[0] and at > begin
        assert commands == sorted(commands, key=lambda command: command[0])


@pytest.mark.parametrize(
    ("table", "key"),
    [
        ("ports", "return_cycles"),
        ("ports", "response_clocks"),
        ("ports", "request_cycles_read"),
        ("ports", "request_cycles_write"),
        ("paths", "request_clocks_write"),
    ],
)
def test_a_model_that_is_off_by_one_is_noticed(table, key):
    """Where the ports or paths of one of the models are slower, some case shows it."""

    def noticed(case):
        wrong = deepcopy(case.spec)
        for entry in wrong[table]:
            entry[key] += 1
        other = fuzz_open.OpenCase(wrong, case.start, case.script)
        return case.run(plain=True)[1] != other.run()[1]

    assert any(noticed(fuzz_open.case(seed)) for seed in range(20))


def test_a_script_is_refused_by_the_number_of_its_entry():
    case = next(c for c in map(fuzz_open.case, SEEDS) if c.script)
    first = case.script[0]
    for bad in [(*first[:4], 0, 0), (*first[:4], -1, -1), first[:3]]:
        with pytest.raises(ValueError, match=r"script\[0\]"):
            model.run_open(case.spec, case.start, [bad])


def test_a_run_that_is_not_open_has_no_outside_stream():
    case = fuzz_open.case(0)
    with pytest.raises(ValueError, match=r"streams\[\d\].outside"):
        model.Simulator(case.spec)


USP_SEEDS = range(700)
# Members of a burst that the plain model is given wrong, by so much.
MUTANTS = {"at": (1, 40), "address": (2, 2**20), "bytes": (3, -16), "delay": (5, 40)}


def test_both_forms_of_the_model_agree():
    for seed in USP_SEEDS:
        case = fuzz_open_usp.case(seed)
        found = fuzz_open.disagreement(case)
        assert found is None, fuzz_open.report(seed, case, found)


@pytest.mark.parametrize("member", MUTANTS)
def test_a_burst_that_is_wrong_is_noticed(member):
    place, by = MUTANTS[member]
    for seed in USP_SEEDS:
        case = fuzz_open_usp.case(seed)
        wrong = [(*b[:place], b[place] + by, *b[place + 1 :]) for b in case.script]
        try:
            got = model.run_open(case.spec, case.start, wrong, plain=True)
        except ValueError:
            continue
        if got != case.run():
            return
    pytest.fail("no case hangs on it")


def test_the_cases_of_usp_reach_what_they_are_for():
    cases = [fuzz_open_usp.case(seed) for seed in USP_SEEDS]
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
