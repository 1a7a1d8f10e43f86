"""A platform and a point become one scenario, and a platform's figures reach the model by name."""

import dataclasses

import pytest

from axiometer import _model as model
from axiometer.base.errors import AxiometerError
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.simulate.figures import passed
from axiometer.simulate.model_tables import Path
from axiometer.simulate.scenario import Scenario
from axiometer.simulate.transfer import Transfer

BOARDS = {name: Platform.load(name) for name in ("zybo", "de1-soc", "zcu102", "ultra96")}
POINTS = {  # of Zynq UltraScale+, with two ports behind one switch, whose figures matter only then
    "zybo": {"ports": "HP0+HP2", "mode": "duplex"},
    "de1-soc": {"ports": "F2S"},
    "zcu102": {"ports": "HP1+HP2+HP3", "mode": "mixed", "duration": "1ms"},
    "ultra96": {"ports": "HP1+HP2", "mode": "read", "duration": "1ms"},
}


def scenario(board, platform=None, **keys):
    platform = platform or BOARDS[board]
    return Scenario.of(platform, single(platform, POINTS[board] | keys).values)


def had(board, platform=None, **keys):
    """What the model has, by full names."""
    return model.configuration(scenario(board, platform, **keys).document())


def other(value):
    """Another figure of the same kind."""
    if isinstance(value, bool):
        return not value
    return {"part": "command", "command": "part", "store": "port", "port": "store",
            "taken": "returned", "returned": "taken"}.get(value) or value + 2  # fmt: skip


OF_OTHERS = ("path", "policy")  # what decides over other keys


@pytest.mark.parametrize("board", BOARDS)
def test_each_figure_that_the_model_names_reaches_it(board):
    platform = BOARDS[board]
    policy = platform.value("controller.policy")
    port = single(platform, POINTS[board]).values["ports"][0]
    path = platform.value(f"port.{port}.path")
    tables = {"dram.timing": "dram.timing", "dram": "dram", "controller": "controller",
              "paths[]": f"path.{path}", "ports[]": f"port.{port}"}  # fmt: skip
    before, reached = had(board), 0
    for row in model.describe():
        if row["table"] not in tables or row["only"] not in ("", policy) or row["key"] in OF_OTHERS:
            continue
        for end in ("", "_read", "_write") if row["pair"] else ("",):
            name = f"{tables[row['table']]}.{row['key']}{end}"
            if not platform.has(name) or row["type"] in ("text", "list of whole numbers"):
                continue
            value = platform.value(name)
            try:
                after = had(board, platform.with_overrides({name: other(value)}))
            except AxiometerError:  # it goes with another figure, or has limits of its own
                continue
            moved = {key for key in before if before[key] != after[key]}
            full = row["table"].replace("[]", "[0]") + "." + row["key"] + end
            ways = {full, f"{full}_read", f"{full}_write"}
            assert moved & ways, (name, moved)
            reached += 1
    assert reached > (30 if policy == "usp-ddrc" else 20)


def test_a_figure_that_is_missing_is_named():
    with pytest.raises(AxiometerError, match=r"path\.s9\.inflight_read is missing"):
        passed(BOARDS["zcu102"], "path.s9", Path, {"name": "s9"})


def test_a_figure_of_another_controller_stays_behind():
    assert BOARDS["zybo"].has("controller.idle_gap_clocks")
    assert scenario("zybo").controller.idle_gap_clocks is None


@pytest.mark.parametrize("board", BOARDS)
def test_nothing_of_a_scenario_is_changed_by_a_run(board):
    made = scenario(board)
    before = made.document()
    made.document()["streams"].clear()
    made.document()["dram"]["banks"] = 0
    assert made.document() == before == scenario(board).document()
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.streams = ()
    assert made.start(3, 5) == made.start(3, 5) != made.start(3, 6)


@pytest.mark.parametrize("board", BOARDS)
def test_the_model_takes_every_document(board):
    assert model.Simulator(scenario(board).document())


def test_a_transfer_begins_where_its_repeat_says():
    platform = Platform.load("zedboard")
    keys = {"ports": "GP1", "mode": "ps_to_pl", "master": "memcpy", "transfer_bytes": 64}
    made = Transfer.of(platform, single(platform, keys).values)
    drawn = made.start(0, 7)
    had_now = model.processor_configuration(drawn.document())
    assert had_now["clocks.pl_phase"] == drawn.phases.pl_phase
    assert had_now["memory.refresh_phase"] == drawn.phases.refresh_phase
    assert made.start(0, 7) == drawn and made.phases.pl_phase == 0
    without = model.processor_configuration(made.document())
    assert {k for k in without if without[k] != had_now[k]} <= {
        "clocks.pl_phase", "memory.refresh_phase",
    }  # fmt: skip
