"""The UltraScale+ model against its plain form, which steps every controller clock and keeps lists.

`make validate` tries many more seeds (lab/validate/differential.py).
"""

from copy import deepcopy

import pytest

import fuzz_compare
import fuzz_usp
from axiometer import _model as model
from test_usp_laws import prepared

SEEDS = range(100)
# Of arbiters that choose by QoS value only few cases have two ports that ask at once.
MUTANT_SEEDS = range(200)


def test_both_forms_of_the_model_agree():
    for seed in SEEDS:
        case = fuzz_usp.case(seed)
        found, _ = fuzz_compare.compare(case)
        assert found is None, fuzz_compare.report(seed, case, found)


@pytest.mark.parametrize("board", ["zcu102", "ultra96"])
def test_both_forms_agree_on_the_boards(board):
    """Figures as they are shipped; what is random elsewhere has other proportions."""
    points = [
        {"ports": "HP0+HP1+HP2+HP3", "mode": "mixed", "burst_bytes": 256, "pl_mhz": 300},
        {"ports": "HP0+HP1+HP2+HP3", "mode": "mixed", "burst_bytes": 64, "masters_per_port": 2},
        {"ports": "HP1+HP2", "mode": "write", "burst_bytes": 80, "pl_mhz": 250},
        {"ports": "HP0+HP1+HP3", "mode": "read", "burst_bytes": 1024, "pl_mhz": 300},
        {"ports": "HP3", "mode": "mixed", "burst_bytes": 16, "pattern": "random"},
    ]
    for keys in points:
        spec, start = prepared(board, duration="8us", **keys)
        spec["measure"]["block"] = 0
        found = fuzz_compare.disagreement(fuzz_compare.Case(spec, [start]))
        assert found is None, f"{keys}: {found}"


# Settings that the plain model is given wrong, by so much: on some seed that shows.
MUTANTS = {
    **{("dram", "timing", t): 4 for t in ("CWL", "tRCD", "tRP", "tRAS", "tRC", "tRRD", "tFAW")},
    **{("dram", "timing", t): 4 for t in ("tCCD", "tWTR", "tRTP", "tWR", "tRFC", "tREFI")},
    **{("dram", "timing", t): 12 for t in ("read_to_write", "tCCD_L", "tRRD_L", "tWTR_L")},
    ("dram", "rank_gap"): 8,
    ("dram", "command_clocks"): 3,
    **{("controller", key): 1 for key in ("read_entries", "write_entries", "low_latency_entries")},
    **{("controller", key): 1 for key in ("starve_clocks", "run_length", "least_run")},
    **{("controller", key): 1 for key in ("idle_gap_clocks", "read_tail_clocks", "read_clocks")},
    ("controller", "write_bytes"): -15,
    ("controller", "command_clocks"): 1,
    ("controller", "write_turns"): 1,
    ("controller", "write_combining"): None,
    ("controller", "starved_writes_turn"): None,
    **{("paths", f"request_clocks_{d}"): 4 for d in fuzz_usp.DIRECTIONS},
    **{("paths", f"queue_parts_{d}"): 1 for d in fuzz_usp.DIRECTIONS},
    **{("paths", f"timeout_clocks_{d}"): 1 for d in fuzz_usp.DIRECTIONS},
    **{("paths", f"entry_clocks_{d}"): 1 for d in fuzz_usp.DIRECTIONS},
    ("paths", "inflight_read"): -1,
    ("paths", "column_clocks"): 4,
    ("paths", "clock_bytes"): -1,
    ("paths", "buffers"): None,
    ("paths", "part_clocks"): 6,
    **{("controller", f"throttle_entries_{d}"): 1 for d in fuzz_usp.DIRECTIONS},
    **{("paths", f"throttled_{d}"): None for d in fuzz_usp.DIRECTIONS},
    **{("ports", f"fifo_bytes_{d}"): 64 for d in fuzz_usp.DIRECTIONS},
    ("ports", "response_clocks"): 4,
    ("ports", "release_whole_burst"): None,
    ("ports", "issue_commands"): 1,
    ("ports", "inflight_parts"): 1,
    ("ports", "address_bursts"): -1,
    ("ports", "passed_commands"): 4,
    **{("ports", f"qos_{d}"): None for d in fuzz_usp.DIRECTIONS},
    ("streams", "outstanding"): -1,
    ("streams", "gap_cycles"): 1,
    ("streams", "pace_cycles"): 1,
    ("streams", "pace_bursts"): 1,
    ("streams", "burst_bytes"): 16,
    **{("streams", f"job_{step}_cycles"): 1 for step in ("setup", "place", "compute")},
    ("streams", "loopback_cycles"): 1,
    ("streams", "between_cycles"): 1,
}


def mutated(spec, place, by):
    """`spec` with the setting moved by so much, or turned round where that is None."""
    wrong = deepcopy(spec)
    table = wrong
    for key in place[:-1]:
        table = table[key]
    for entry in table if isinstance(table, list) else [table]:
        if place[-1] not in entry:  # what only some have
            continue
        was = entry[place[-1]]
        turned = not was if isinstance(was, bool) else 15 - was
        entry[place[-1]] = turned if by is None else was + by
    return wrong


@pytest.mark.parametrize("place", MUTANTS, ids="-".join)
def test_a_setting_that_is_wrong_is_noticed(place):
    for seed in MUTANT_SEEDS:
        case = fuzz_usp.case(seed)
        wrong = mutated(case.spec, place, MUTANTS[place])
        try:
            simulator = model.Simulator(wrong)
        except ValueError:
            continue
        start = case.starts[0]
        expected, got = simulator.plain(start), model.Simulator(case.spec).trace(start)
        if fuzz_compare.difference(expected, got):
            return
    pytest.fail("no case hangs on it")


def test_the_cases_reach_what_they_are_for():
    specs = [fuzz_usp.case(seed).spec for seed in SEEDS]
    streams = [stream for spec in specs for stream in spec["streams"]]
    ports = [port for spec in specs for port in spec["ports"]]
    assert {stream["pattern"] for stream in streams} == {"sequential", "stride", "random"}
    assert {port["width_bytes"] for port in ports} == {4, 8, 16}
    assert {port["passed_commands"] for port in ports} == {1, 6, 24, 128}
    assert {spec["controller"]["turn"] for spec in specs} == {"part", "command"}
    assert {spec["dram"]["ranks"] for spec in specs} == {1, 2}
    # Different bursts, directions and gaps at once, and several engines on one interface.
    assert any(len({s["burst_bytes"] for s in spec["streams"]}) > 5 for spec in specs)
    assert any(len({s["gap_cycles"] for s in spec["streams"]}) > 3 for spec in specs)
    assert len({stream.get("pace_bursts", 0) for stream in streams}) > 4
    places = [[(s["port"], s["direction"]) for s in spec["streams"]] for spec in specs]
    assert any(place.count(place[0]) == 4 for place in places)
    assert {stream.get("job_ahead", 0) for stream in streams} == {0, 1, 2, 3, 8}


def test_the_plain_model_says_what_it_does_not_do():
    case = fuzz_usp.case(0)
    judged = case.spec | {"measure": {"settle": 0, "block": 100, "confidence": 0}}
    with pytest.raises(ValueError, match="measure.block"):
        model.Simulator(judged).plain(case.starts[0])
