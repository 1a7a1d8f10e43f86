"""The model against its plain forms on random specifications, and plain forms that are given one
setting wrong: on some seed that shows. The plain forms step clock by clock, keep lists and share
no rule of time with the fast ones. The processor's side has laws and recorded outcomes instead
(fuzz_processor.py).

`make validate` tries many more seeds, and all shipped points (lab/validate/differential.py).
"""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import pytest

import fuzz_compare
import fuzz_model
import fuzz_open
import fuzz_processor
import fuzz_usp
from axiometer import _model as model
from law_cases import one_reader
from test_usp_laws import prepared


@dataclass
class Machine:
    """Cases by seed, what differs between their models, and a report of it."""

    case: Callable[[int], Any]
    disagreement: Callable[[Any], str | None]
    report: Callable[[int, Any, str], str]
    seeds: int


MACHINES = {
    name: Machine(case, of.disagreement, of.report, seeds)
    for name, case, of, seeds in (
        ("zynq", fuzz_model.case, fuzz_compare, 300),
        # In the last ones, a write burst could begin in the cycle in which a place comes free.
        ("zynq, whole bursts", fuzz_model.whole, fuzz_compare, 280),
        ("usp", fuzz_usp.case, fuzz_compare, 300),
        ("processor", fuzz_processor.drawn, fuzz_processor, 1600),
        ("zynq, open", fuzz_open.case, fuzz_open, 800),
        ("usp, open", fuzz_open.usp_case, fuzz_open, 700),
    )
}


@pytest.mark.parametrize("name", MACHINES)
def test_both_models_agree(name):
    machine = MACHINES[name]
    for seed in range(machine.seeds):
        case = machine.case(seed)
        found = machine.disagreement(case)
        assert found is None, machine.report(seed, case, found)


@pytest.mark.parametrize("compare", [fuzz_compare.compare, fuzz_compare.compare_forgetful])
def test_skipping_changes_nothing(compare):
    """Also where its memory is too small for all that recurs."""
    skipped = 0
    for seed in range(100):
        found, intervals = compare(fuzz_model.case(seed))
        assert found is None, f"seed {seed}: {found}"
        skipped += intervals
    assert skipped > 1000


@pytest.mark.parametrize("board", ["zcu102", "ultra96"])
def test_both_models_agree_on_the_boards_of_ultrascale(board):
    for keys in (
        {"ports": "HP0+HP1+HP2+HP3", "mode": "mixed", "burst_bytes": 256, "pl_mhz": 300},
        {"ports": "HP0+HP1+HP2+HP3", "mode": "mixed", "burst_bytes": 64, "masters_per_port": 2},
        {"ports": "HP1+HP2", "mode": "write", "burst_bytes": 80, "pl_mhz": 250},
        {"ports": "HP0+HP1+HP3", "mode": "read", "burst_bytes": 1024, "pl_mhz": 300},
        {"ports": "HP3", "mode": "mixed", "burst_bytes": 16, "pattern": "random"},
    ):
        spec, start = prepared(board, duration="8us", **keys)
        spec["measure"]["block"] = 0
        found = fuzz_compare.disagreement(fuzz_compare.Case(spec, [start]))
        assert found is None, f"{keys}: {found}"


def test_time_and_bytes_of_bursts_from_outside_add_up():
    for seed in range(400):
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


# -- a setting that is wrong is noticed ------------------------------------------------------------

BOTH = fuzz_model.DIRECTIONS
# By so much; None turns the setting round.
ZYNQ = {
    **{("dram", "timing", t): 1 for t in ("CL", "CWL", "tRCD", "tRP", "tRAS", "tRC", "tRRD")},
    **{("dram", "timing", t): 1 for t in ("tFAW", "tCCD", "tWTR", "tRTP", "tWR", "tRFC", "tREFI")},
    ("dram", "timing", "read_to_write"): 1,
    **{("controller", f"{d}_entries"): -1 for d in BOTH},
    **{("controller", key): 1 for key in ("starve_clocks", "run_length", "batch")},
    **{("controller", key): 1 for key in ("min_non_critical_clocks", "pick_window")},
    **{("controller", key): 1 for key in ("prepare_window", "high_entries", "high_run_length")},
    **{("controller", f"high_{key}"): 1 for key in ("starve_clocks", "min_non_critical_clocks")},
    **{("paths", f"{key}_{d}"): 1 for key in ("inflight", "request_clocks") for d in BOTH},
    **{("paths", f"release_clocks_{d}"): 1 for d in BOTH},
    **{("paths", f"ordered_{d}"): None for d in BOTH},
    ("paths", "column_clocks"): 1,
    ("paths", "high_priority_reads"): None,
    **{("ports", f"request_cycles_{d}"): 1 for d in BOTH},
    **{("ports", key): 1 for key in ("return_cycles", "response_clocks", "period")},
    **{("ports", key): None for key in ("early_response", "release_whole_burst")},
    **{("streams", key): 1 for key in ("outstanding", "gap_cycles", "between_cycles", "stop")},
    **{("streams", key): 1 for key in ("pace_cycles", "pace_bursts", "address_cycles", "base")},
    **{("streams", f"job_{step}_cycles"): 1 for step in ("setup", "place", "compute")},
    **{("streams", key): 1 for key in ("job_ahead", "loopback_cycles", "loopback_bursts")},
    ("streams", "job_fill"): -1,
}
USP = {
    **{("dram", "timing", t): 4 for t in ("CWL", "tRCD", "tRP", "tRAS", "tRC", "tRRD", "tFAW")},
    **{("dram", "timing", t): 4 for t in ("tCCD", "tWTR", "tRTP", "tWR", "tRFC", "tREFI")},
    **{("dram", "timing", t): 12 for t in ("read_to_write", "tCCD_L", "tRRD_L", "tWTR_L")},
    ("dram", "rank_gap"): 8,
    ("dram", "command_clocks"): 3,
    **{("controller", key): 1 for key in ("read_entries", "write_entries", "low_latency_entries")},
    **{("controller", key): 1 for key in ("starve_clocks", "run_length", "least_run")},
    **{("controller", key): 1 for key in ("idle_gap_clocks", "read_tail_clocks", "read_clocks")},
    ("controller", "write_bytes"): -15,
    **{("controller", key): 1 for key in ("command_clocks", "write_turns")},
    **{("controller", key): None for key in ("write_combining", "starved_writes_turn")},
    **{("controller", f"throttle_entries_{d}"): 1 for d in BOTH},
    **{("paths", f"request_clocks_{d}"): 4 for d in BOTH},
    **{("paths", f"{key}_{d}"): 1 for key in ("queue_parts", "timeout_clocks") for d in BOTH},
    **{("paths", f"entry_clocks_{d}"): 1 for d in BOTH},
    **{("paths", f"throttled_{d}"): None for d in BOTH},
    ("paths", "inflight_read"): -1,
    ("paths", "column_clocks"): 4,
    ("paths", "clock_bytes"): -1,
    ("paths", "buffers"): None,
    ("paths", "part_clocks"): 6,
    **{("ports", f"fifo_bytes_{d}"): 64 for d in BOTH},
    **{("ports", key): 4 for key in ("response_clocks", "passed_commands")},
    **{("ports", key): 1 for key in ("issue_commands", "inflight_parts")},
    ("ports", "release_whole_burst"): None,
    ("ports", "address_bursts"): -1,
    **{("ports", f"qos_{d}"): None for d in BOTH},
    ("streams", "outstanding"): -1,
    ("streams", "burst_bytes"): 16,
    **{("streams", key): 1 for key in ("gap_cycles", "pace_cycles", "pace_bursts")},
    **{("streams", f"job_{step}_cycles"): 1 for step in ("setup", "place", "compute")},
    **{("streams", key): 1 for key in ("loopback_cycles", "between_cycles")},
}
OUTSIDE = {
    **{("ports", key): 1 for key in ("return_cycles", "response_clocks")},
    **{("ports", f"request_cycles_{d}"): 1 for d in BOTH},
    ("paths", "request_clocks_write"): 1,
}
# Sizes of the processor's side change enough for another number of beats, lines or bursts.
SIZES = {"line_bytes": 8, "l1_bytes": 512, "l2_bytes": 512, "burst_bytes": 64, "program_bytes": 64}
SIZES |= {"buffer_bytes": 64, "fifo_bytes": 64, "prefetch_from": 500, "bytes": 64, "fetch_bytes": 4}
WORDS = {"master": "loop", "target": "gpio", "attribute": "cached"}


def mutated(spec, place, by):
    """`spec` with the setting moved by so much, turned round where that is None, or a word."""
    wrong = deepcopy(spec)
    table = wrong
    for key in place[:-1]:
        table = table[key]
    for entry in table if isinstance(table, list) else [table]:
        if place[-1] not in entry:  # what only some have
            continue
        was = entry[place[-1]]
        turned = not was if isinstance(was, bool) else 15 - was if by is None else None
        entry[place[-1]] = by if isinstance(by, str) else was + by if turned is None else turned
    return wrong


def closed(case, wrong):
    """Whether the plain model given `wrong` runs otherwise."""
    start = case.starts[0]
    expected = model.Simulator(wrong).plain(start)
    return fuzz_compare.difference(expected, model.Simulator(case.spec).trace(start))


def from_outside(case, wrong):
    other = fuzz_open.OpenCase(wrong, case.start, case.script)
    return case.run()[1] != other.run(plain=True)[1]


def other_transfer(case, wrong):
    return model.run_processor(case.spec) != model.run_processor(wrong)


OF_SOURCES = ("mapped", "l2_prefetch_lines", "write_backs", "write_back_time")
"""Of buffers that only a source which shares the memory has (`test_sources.py`)."""
MUTANTS = [
    *(("zynq", closed, place, by) for place, by in ZYNQ.items()),
    *(("usp", closed, place, by) for place, by in USP.items()),
    *(("zynq, open", from_outside, place, by) for place, by in OUTSIDE.items()),
    *(
        ("processor", other_transfer,
         (row["table"], row["key"]) if row["table"] else (row["key"],),
         WORDS.get(row["key"], SIZES.get(row["key"], 1)))
        for row in model.describe_processor() if row["key"] not in OF_SOURCES
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "differs", "place", "by"), MUTANTS, ids=[f"{m[0]}-{'-'.join(m[2])}" for m in MUTANTS]
)
def test_a_setting_that_is_wrong_is_noticed(name, differs, place, by):
    for seed in range(800):
        case = MACHINES[name].case(seed)
        try:
            if differs(case, mutated(getattr(case, "spec", case), place, by)):
                return
        except (ValueError, RuntimeError):  # not to be simulated
            continue
    pytest.fail("no case hangs on it")


@pytest.mark.parametrize("place, by", [(1, 40), (2, 2**20), (3, -16), (5, 40)])
def test_a_burst_from_outside_that_is_wrong_is_noticed(place, by):
    """Its clock, address, bytes, or its time after another one."""
    for seed in range(700):
        case = fuzz_open.usp_case(seed)
        wrong = [(*b[:place], b[place] + by, *b[place + 1 :]) for b in case.script]
        try:
            got = model.run_open(case.spec, case.start, wrong, plain=True)
        except ValueError:
            continue
        if got != case.run():
            return
    pytest.fail("no case hangs on it")


# -- what else is said of them ---------------------------------------------------------------------


def test_beats_are_where_the_master_moves_them():
    """8 beats a burst, one a cycle; between bursts the 3 from the address, at least."""
    spec, start = one_reader()
    spec["streams"][0] |= {"direction": "write", "outstanding": 63, "address_cycles": 3}
    start |= {"launch": [7]}
    (stream,) = model.Simulator(spec).run(start, beats=True)["streams"]
    beats = stream["beats"]
    assert (beats["count"], beats["first"]) == (1024 // 8, 7 + 3)
    assert beats["between"][1] >= 1024 // 8 - 2 * 1024 // 128
    assert sum(beats["between"].values()) == beats["count"] - 1
    moved = sum(n * times for n, times in beats["between"].items())
    assert beats["first"] + moved == beats["last"]
    assert "beats" not in model.Simulator(spec).run(start)["streams"][0]


def test_shrinking_keeps_the_failure_and_drops_the_rest():
    def fails(case):
        moves = any(stream["bytes"] >= 100 for stream in case.spec["streams"])
        return moves and fuzz_compare.disagreement(case) is None

    case = next(c for c in map(fuzz_model.case, range(100)) if len(c.spec["streams"]) > 3)
    small = fuzz_compare.shrink(case, fails)
    [stream] = small.spec["streams"]
    assert stream["bytes"] == 100
    assert len(small.starts) == 1


def test_what_cannot_be_run_is_refused():
    case = next(c for c in map(fuzz_open.case, range(100)) if c.script)
    first = case.script[0]
    for bad in [(*first[:4], 0, 0), (*first[:4], -1, -1), first[:3]]:
        with pytest.raises(ValueError, match=r"script\[0\]"):
            model.run_open(case.spec, case.start, [bad])
    with pytest.raises(ValueError, match="outside"):  # a run that is not open
        model.Simulator(case.spec)
    usp = fuzz_usp.case(0)
    judged = usp.spec | {"measure": {"settle": 0, "block": 100, "confidence": 0}}
    with pytest.raises(ValueError, match="measure.block"):
        model.Simulator(judged).plain(usp.starts[0])
    with pytest.raises(ValueError, match=r"cache\.line_bytes"):
        model.run_processor({"cache": {"line_bytes": 24}})
