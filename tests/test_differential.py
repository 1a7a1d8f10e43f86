"""The three forms of the model against each other: step by step, event by event, and skipping.

`make validate` tries many more seeds (lab/validate/differential.py).
"""

from copy import deepcopy

import pytest

import fuzz_compare
import fuzz_model
from axiometer import _model as model

SEEDS = range(100)


def test_all_forms_of_the_model_agree():
    skipped = 0
    for seed in SEEDS:
        case = fuzz_model.case(seed)
        found, intervals = fuzz_compare.compare(case)
        assert found is None, fuzz_compare.report(seed, case, found)
        skipped += intervals
    # Or else skipping was not tested.
    assert skipped > 10 * len(SEEDS)


def test_all_forms_agree_on_bursts_of_whole_parts():
    # In the last ones, a write burst could begin in the cycle in which a place comes free.
    for seed in (*range(30), 95, 164, 278):
        case = fuzz_model.whole(seed)
        found, _ = fuzz_compare.compare(case)
        assert found is None, fuzz_compare.report(seed, case, found)


def test_a_memory_that_is_too_small_changes_nothing():
    skipped = 0
    for seed in SEEDS:
        case = fuzz_model.case(seed)
        found, intervals = fuzz_compare.compare_forgetful(case)
        assert found is None, f"seed {seed}: {found}"
        skipped += intervals
    assert skipped > 10 * len(SEEDS)


def test_the_cases_reach_what_they_are_for():
    """Among the cases are those that make the models differ, if they can."""
    cases = [fuzz_model.case(seed) for seed in SEEDS]
    streams = [stream for case in cases for stream in case.spec["streams"]]
    ports = [
        case.spec["ports"][stream["port"]] for case in cases for stream in case.spec["streams"]
    ]
    assert {case.spec["controller"]["policy"] for case in cases} == {"zynq-ddrc", "in-order-batch"}
    assert {stream["pattern"] for stream in streams} == {"sequential", "stride", "random"}
    assert {stream["partner"] >= 0 for stream in streams} == {True, False}
    assert {port["early_response"] for port in ports} == {True, False}
    assert {port["release_whole_burst"] for port in ports} == {True, False}
    assert any(stream["burst_bytes"] & (stream["burst_bytes"] - 1) for stream in streams)
    assert len({port.get("period", 0) for port in ports}) > 3
    assert len({stream.get("pace_bursts", 0) for stream in streams}) > 4
    assert any(stream.get("stop", -1) > 0 for stream in streams)
    assert len({stream.get("address_cycles", 0) for stream in streams}) > 3
    assert {stream.get("between_cycles", 0) for stream in streams} == {0, 1, 14, 90}
    assert any(start["stop"] > 0 for case in cases for start in case.starts)
    paths = [path for case in cases for path in case.spec["paths"]]
    assert len({path.get("priority_read", path.get("priority")) for path in paths}) > 4
    assert {path.get("high_priority_reads") for path in paths} == {None, True, False}


# Settings that the plain model is given wrong by one: the comparison must notice.
MUTANTS = [
    ("dram", "timing", "tRCD"),
    ("dram", "timing", "tWTR"),
    ("dram", "timing", "tRFC"),
    ("dram", "timing", "CL"),
    ("controller", "starve_clocks"),
    ("ports", 0, "return_cycles"),
    ("ports", 0, "response_clocks"),
    ("ports", 1, "period"),
    ("streams", 3, "stop"),
    ("paths", 0, "release_clocks_write"),
    ("paths", 0, "column_clocks"),
    ("paths", 0, "inflight_read"),
    ("streams", 0, "outstanding"),
    ("streams", 1, "loopback_cycles"),
    ("streams", 0, "between_cycles"),
]


@pytest.fixture(scope="module")
def busy():
    """A duplex pair that every setting above limits somewhere."""
    path = {
        "name": "path",
        "inflight_read": 11,
        "inflight_write": 11,
        "request_clocks": 4,
        "release_clocks_read": 8,  # below CL and a burst, so that CL shows
        "release_clocks_write": 90,
        "column_clocks": 9,
        "ordered": True,
    }
    port = {
        "path": 0,
        "width_bytes": 8,
        "part_bytes": 128,
        "fifo_bytes": 512,
        "request_cycles": 4,
        "return_cycles": 4,
        "response_clocks": 6,
        "early_response": True,
        "release_whole_burst": True,
    }
    stream = {
        "region": 0,
        "bytes": 16384,
        "burst_bytes": 128,
        "gap_cycles": 0,
        "between_cycles": 0,
        "pattern": "sequential",
        "stride": 0,
        "loopback_bursts": 2,
        "loopback_cycles": 3,
    }
    timing = [row["key"] for row in model.describe() if row["table"] == "dram.timing"][:15]
    clocks = (7, 6, 7, 7, 19, 26, 6, 21, 4, 4, 4, 8, 84, 800, 7)
    timing = dict(zip(timing, clocks, strict=True))
    return {
        "clocks": {"ddr": 4, "pl": 11},
        "dram": {
            "timing": timing,
            "banks": 8,
            "row_bytes": 512,
            "column_bytes": 32,
            "burst_clocks": 4,
            "bytes": 2**24,
            "mapping": "row-bank-column",
        },
        "controller": {
            "policy": "zynq-ddrc",
            "read_entries": 32,
            "write_entries": 32,
            "starve_clocks": 11,
            "run_length": 8,
            "min_non_critical_clocks": 32,
        },
        "paths": [path],
        "ports": [port | {"name": "one"}, port | {"name": "two", "period": 9}],
        "streams": [
            stream | {"port": 0, "direction": "write", "base": 0, "partner": 1, "outstanding": 2},
            stream
            | {"port": 0, "direction": "read", "base": 2**16, "partner": 0, "outstanding": 4},
            stream
            | {"port": 1, "direction": "write", "base": 2**17, "partner": -1, "outstanding": 4},
            stream
            | {"port": 1, "direction": "read", "base": 2**18, "partner": -1, "outstanding": 4}
            | {"stop": 3363},  # a burst would begin right then
        ],
    }


START = {"launch": [0, 0, 3, 5], "first_refresh": 100, "stop": -1, "pattern_seed": 1}


def test_the_busy_case_agrees(busy):
    assert fuzz_compare.disagreement(fuzz_model.Case(busy, [START])) is None


@pytest.mark.parametrize("place", MUTANTS, ids=lambda place: "-".join(map(str, place)))
def test_a_model_that_is_off_by_one_is_noticed(busy, place):
    wrong = deepcopy(busy)
    table = wrong
    for key in place[:-1]:
        table = table[key]
    table[place[-1]] += 1
    if place[-1] == "loopback_cycles":  # a pair has it in common
        wrong["streams"][0][place[-1]] += 1
    expected = model.Simulator(wrong).plain(START)
    assert fuzz_compare.difference(expected, model.Simulator(busy).trace(START)) is not None


def test_shrinking_keeps_the_failure_and_drops_the_rest():
    case = next(c for c in map(fuzz_model.case, range(100)) if len(c.spec["streams"]) > 3)
    small = fuzz_compare.shrink(case, lambda c: any(s["bytes"] >= 100 for s in c.spec["streams"]))
    [stream] = small.spec["streams"]
    assert 100 <= stream["bytes"] < 200 + stream["burst_bytes"]
    assert len(small.starts) == 1


def _held(spec, cycles=3):
    """The write of the second port with first beats that are late."""
    found = deepcopy(spec)
    found["streams"][2]["address_cycles"] = cycles
    return found


def test_late_beats_agree_and_are_noticed_by_one(busy):
    right = _held(busy)
    assert fuzz_compare.disagreement(fuzz_model.Case(right, [START])) is None
    run = model.Simulator(right).trace(START, beats=True)
    expected = model.Simulator(_held(busy, 4)).plain(START, beats=True)
    assert fuzz_compare.difference(expected, run) is not None


def test_beats_are_where_the_master_moves_them(busy):
    """16 beats a burst, one a cycle; between bursts the 3 from the address, at least."""
    spec = _held(busy)
    spec["streams"] = [spec["streams"][2] | {"outstanding": 63}]
    start = START | {"launch": [7]}
    (stream,) = model.Simulator(spec).run(start, beats=True)["streams"]
    beats = stream["beats"]
    bursts = 16384 // 128
    assert (beats["count"], beats["first"]) == (16 * bursts, 7 + 3)
    assert beats["between"][1] == 15 * bursts
    assert min(n for n in beats["between"] if n != 1) >= 4
    assert sum(beats["between"].values()) == beats["count"] - 1
    moved = sum(n * times for n, times in beats["between"].items())
    assert beats["first"] + moved == beats["last"]


def test_only_those_who_keep_beats_are_asked(busy):
    assert "beats" not in model.Simulator(busy).run(START)["streams"][0]
    spec = deepcopy(busy)
    spec["streams"][1]["address_cycles"] = 1  # a read
    with pytest.raises(ValueError, match=r"streams\[1\].address_cycles"):
        model.Simulator(spec)


# Of a pair with jobs, each setting off by one.
JOBS = {
    "job_fill": 4,
    "job_ahead": 2,
    "job_setup_cycles": 700,
    "job_place_cycles": 60,
    "job_compute_cycles": 90,
}


def _with_jobs(spec, through_fifo, **changes):
    """The first two streams as halves that work in jobs."""
    found = deepcopy(spec)
    for half, bursts in zip(found["streams"][:2], (4 if through_fifo else 3, 4), strict=True):
        room = {"loopback_bursts": 5 if through_fifo else 0}
        half |= JOBS | room | changes | {"job_bursts": bursts, "bytes": 32 * bursts * 128}
    return found


@pytest.mark.parametrize("through_fifo", [False, True])
def test_jobs_agree(busy, through_fifo):
    # Nothing of one class limits alone: each has a case in which it does.
    for changes in JOB_CASES:
        spec = _with_jobs(busy, through_fifo, **changes)
        assert fuzz_compare.disagreement(fuzz_model.Case(spec, [START])) is None


JOB_CASES = [{}, {"job_setup_cycles": 0, "job_compute_cycles": 600}, {"job_place_cycles": 900}]
JOB_MUTANTS = [
    ({}, {"job_setup_cycles": 701}),
    ({}, {"job_ahead": 1}),
    ({"job_setup_cycles": 0, "job_compute_cycles": 600}, {"job_compute_cycles": 601}),
    ({"job_place_cycles": 900}, {"job_place_cycles": 901}),
    ({"job_fill": 2}, {"job_fill": 1}),
]


@pytest.mark.parametrize(("changes", "mutant"), JOB_MUTANTS, ids=str)
def test_a_job_that_is_off_by_one_is_noticed(busy, changes, mutant):
    fifo = "job_fill" in mutant
    right = _with_jobs(busy, fifo, **changes)
    wrong = _with_jobs(busy, fifo, **{**changes, **mutant})
    expected = model.Simulator(wrong).plain(START)
    assert fuzz_compare.difference(expected, model.Simulator(right).trace(START)) is not None


def test_some_cases_have_jobs():
    cases = [fuzz_model.case(seed) for seed in SEEDS]
    halves = [s for case in cases for s in case.spec["streams"] if s.get("job_bursts")]
    assert len(halves) > 40
    assert {half["loopback_bursts"] > 0 for half in halves} == {True, False}
