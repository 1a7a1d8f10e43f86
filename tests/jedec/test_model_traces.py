"""The DRAM commands that the model issues, against the rules of JESD79-3.

Every distinct configuration of the shipped experiments is traced and checked; then schedulers
that break one rule by a clock or two must be caught, so that a clean trace means something.
"""

import json
from copy import deepcopy

import pytest
from checker import check

from axiometer import _model
from axiometer.base import data
from axiometer.experiment import Experiment
from axiometer.simulate.scenario import Scenario

TRANSFER = "256KiB"  # some twenty refreshes or more, for each stream


def parameters(spec):
    """What the checker needs to know of the DRAM in `spec`; columns are those of a trace."""
    dram = spec["dram"]
    return {
        **dram["timing"],
        "burst_length": 2 * dram["burst_clocks"],
        "banks": dram["banks"],
        "rows": dram["bytes"] // dram["banks"] // dram["row_bytes"],
        "columns": dram["row_bytes"] // dram["column_bytes"],
    }


def specifications(name, *settings):
    """(point, specification, start of the first repeat) of an experiment, each once."""
    experiment = Experiment.load(name, [f"transfer_bytes={TRANSFER}", *settings])
    seen = set()
    for point in experiment.points():
        scenario = Scenario.of(experiment.platform, point.values)
        spec = scenario.document()
        text = json.dumps(spec, sort_keys=True)
        if text not in seen:
            seen.add(text)
            spec["sources"] = scenario.source_documents()
            yield point, spec, scenario.start(0, 0).document()


def trace(spec, start, **options):
    given = {key: table for key, table in spec.items() if key != "sources"}
    simulator = _model.Simulator(given, spec.get("sources", []))
    result, commands = simulator.trace(start, **options)
    return commands, result["clocks"]


# Transfers of the processor's side have no DRAM commands; those on Zynq UltraScale+ run for a
# time, and test_groups.py checks their commands.
STREAMS = [
    name
    for name in data.names("experiments")
    if not name.startswith(("zcu102", "ultra96"))
    and all(point.values["master"] == "dma" for point in Experiment.load(name).points())
]


@pytest.mark.parametrize("name", STREAMS)
def test_shipped_experiments_obey_the_standard(name):
    for point, spec, start in specifications(name):
        commands, end = trace(spec, start, skip=False)
        column = spec["dram"]["column_bytes"]
        # A burst that is shorter than a column command has one for itself.
        wanted = sum(
            stream["bytes"] // stream["burst_bytes"] * -(-stream["burst_bytes"] // column)
            for stream in spec["streams"]
        )
        columns = sum(command[1] in ("RD", "WR") for command in commands)
        # A source that goes on for a time has no number of bursts.
        assert spec["sources"] or columns == wanted, point.key
        found = check(parameters(spec), commands, end=end)
        assert not found, f"{point.key}: {len(found)} violations, the first: {found[:3]}"
        skipped, _ = trace(spec, start, skip=True)
        assert skipped == commands, f"{point.key}: skipping changes the trace"


# -- mutants: a scheduler that believes in a shorter time -----------------------------------------

# Traffic in which every rule is the limit somewhere: reads and writes of short random bursts.
BUSY = ("ports=HP0+HP1+HP2+HP3", "mode=duplex", "width_bits=64", "pattern=random", "burst_beats=4")

# (rule, timing that makes it a limit of its own, what the scheduler believes). Where tRC is just
# tRAS + tRP, as on most parts, the three hide one another.
MUTANTS = [
    ("tRCD", {"tRCD": 7}, 6),
    ("tRP", {"tRP": 7, "tRC": 20}, 6),
    ("tRAS", {"tRAS": 30, "tRC": 30}, 29),
    ("tRC", {"tRC": 45}, 44),
    ("tRRD", {"tRRD": 6}, 5),
    ("tFAW", {"tFAW": 40}, 39),
    ("tCCD", {"tCCD": 6, "read_to_write": 9}, 5),
    ("tWTR", {"tWTR": 4}, 3),
    ("tRTP", {"tRTP": 16}, 15),
    ("tWR", {"tWR": 8}, 7),
    ("tRFC", {"tRFC": 84}, 83),
    ("tREFI", {"tREFI": 4064}, 2 * 4064),
    ("read_to_write", {"read_to_write": 9}, 8),
]


@pytest.fixture(scope="module")
def busy():
    [(_, spec, start)] = specifications("zybo-hp-bandwidth", *BUSY)
    return spec, start


@pytest.mark.parametrize(("rule", "timing", "believed"), MUTANTS)
def test_a_scheduler_that_breaks_a_rule_is_caught(busy, rule, timing, believed):
    spec, start = deepcopy(busy)
    spec["dram"]["timing"].update(timing)
    truth = parameters(spec)
    commands, end = trace(spec, start, skip=False)
    assert check(truth, commands, end=end) == []

    spec["dram"]["timing"][rule] = believed
    commands, end = trace(spec, start, skip=False)
    found = {violation.rule for violation in check(truth, commands, end=end)}
    assert found == {rule}


# -- mutants: a trace that lost or changed a command ----------------------------------------------


def without(commands, name):
    """The trace without the `name` command in its middle."""
    at = [i for i, command in enumerate(commands) if command[1] == name]
    index = at[len(at) // 2]
    return commands[:index] + commands[index + 1 :]


def changed(commands, name, **fields):
    """The trace with other fields in the `name` command in its middle."""
    at = [i for i, command in enumerate(commands) if command[1] == name]
    index = at[len(at) // 2]
    order = ("clock", "name", "bank", "row", "column")
    command = dict(zip(order, commands[index], strict=True))
    command |= {field: change(command[field]) for field, change in fields.items()}
    return [*commands[:index], tuple(command.values()), *commands[index + 1 :]]


@pytest.mark.parametrize(
    ("rule", "damage"),
    [
        ("bank_closed", lambda commands: without(commands, "ACT")),
        ("bank_open", lambda commands: without(commands, "PRE")),
        ("wrong_row", lambda commands: changed(commands, "RD", row=lambda row: row ^ 1)),
        ("wrong_row", lambda commands: changed(commands, "WR", row=lambda row: row ^ 1)),
        ("range", lambda commands: changed(commands, "ACT", bank=lambda bank: bank + 8)),
        ("command_bus", lambda commands: [*commands, commands[-1]]),
        ("order", lambda commands: [*commands, commands[0]]),
    ],
)
def test_a_damaged_trace_is_caught(busy, rule, damage):
    spec, start = busy
    commands, end = trace(spec, start, skip=False)
    found = {violation.rule for violation in check(parameters(spec), damage(commands), end=end)}
    assert rule in found
