"""Every controller that registers itself and is driven by events: on random cases the fast model is
its plain twin to the clock, and its commands keep the standard."""

import random

import pytest
from checker import check
from test_model_traces import parameters

import fuzz_compare
import fuzz_model
from axiometer import _model
from law_cases import one_reader

CONTROLLERS = [name for name, parts in _model.machine_parts().items() if parts["remembers"]]


def drawn(policy, seed):
    """A random case with this controller and any of its keys."""
    draw = random.Random(f"{policy}:{seed}")
    rows = [row for row in _model.describe() if row["table"] == "controller"]
    while True:
        case = fuzz_model.case(draw.getrandbits(32))
        case.spec["controller"] = {"policy": policy} | {
            row["key"]: max(row["least"], draw.choice([0, 1, 3, 8, 16, 32, 48]))
            for row in rows
            if row["key"] != "policy" and row["only"] in ("", policy)
            and (row["required"] or draw.random() < 0.7)
        }  # fmt: skip
        try:
            _model.Simulator(case.spec)
        except ValueError:
            continue
        return case


@pytest.mark.parametrize("policy", CONTROLLERS)
def test_a_controller_is_its_plain_twin_and_keeps_the_standard(policy):
    for seed in range(40):
        case = drawn(policy, seed)
        assert fuzz_compare.disagreement(case) is None, case
        result, commands = _model.Simulator(case.spec).trace(case.starts[0])
        late = case.starts[0]["first_refresh"] > 9 * case.spec["dram"]["timing"]["tREFI"]
        found = check(parameters(case.spec), commands, end=result["clocks"])
        assert late or not found, (case, found[:3])


@pytest.mark.parametrize(("read_time", "write_time"), [(64, 32), (300, 150)])
def test_a_direction_keeps_the_bus_for_its_time(read_time, write_time):
    """`timed-turns`, where both directions always wait: not for less, nor for much more."""
    spec, start = one_reader()
    spec["controller"] = {
        "policy": "timed-turns", "read_entries": 32, "write_entries": 32,
        "read_time": read_time, "write_time": write_time,
    }  # fmt: skip
    spec["clocks"] = {"ddr": 4, "pl": 4}
    spec["ports"].append(spec["ports"][0] | {"name": "other"})
    read = spec["streams"][0] | {"bytes": 2**17, "outstanding": 32}
    spec["streams"] = [read, read | {"port": 1, "direction": "write", "base": 2**20}]
    start["launch"] = [0, 0]
    _, commands = _model.Simulator(spec).trace(start)
    of_columns = [(clock, name) for clock, name, *_ in commands if name in ("RD", "WR")]
    both = of_columns[: len(of_columns) * 3 // 4]  # while both still have something
    turns = [b for a, b in zip(both, both[1:], strict=False) if a[1] != b[1]]
    assert len(turns) > 20
    spans = {"RD": [], "WR": []}
    for (began, name), (ended, _) in zip(turns, turns[1:], strict=False):
        spans[name].append(ended - began)
    part = 4 * spec["dram"]["timing"]["tCCD"]
    for name, time in (("RD", read_time), ("WR", write_time)):
        usual = sorted(spans[name])[len(spans[name]) // 2]
        assert time - part < usual < time + 3 * part, (name, spans[name])
