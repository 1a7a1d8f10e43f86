"""Every board, with the memory that its registers describe: what all of its ports do together, and
the DRAM's commands against the standards."""

import pytest
from checker import check
from test_groups import prepared, violations
from test_model_traces import parameters, trace

from axiometer.base import data
from axiometer.experiment import points
from axiometer.platform import Platform
from axiometer.runs.backends import model
from axiometer.simulate.scenario import Scenario

BOARDS = {name: Platform.load(name) for name in data.names("boards")}
FREE = [name for name, board in BOARDS.items() if board.value("controller.policy") == "usp-ddrc"]


def ports(platform):
    """All ports of the fabric's that reach the memory by themselves, past no cache."""
    reach = [p for p in platform.ports if platform.value(f"port.{p}.path", None)]
    return "+".join(p for p in reach if platform.value(f"port.{p}.kind", "") != "coherent")


def commands_of(platform):
    """Violations of the standards in a short run on all ports."""
    if platform.name in FREE:
        keys = {"ports": ports(platform), "mode": "mixed", "burst_bytes": 256}
        return violations(*prepared(platform, keys))
    keys = {"ports": ports(platform), "mode": "duplex", "transfer_bytes": "256KiB"}
    values = points.single(platform, keys).values
    scenario = Scenario.of(platform, values)
    spec = scenario.document()
    commands, end = trace(spec, scenario.start(0, 0).document(), skip=False)
    return check(parameters(spec), commands, end=end)


@pytest.mark.parametrize("name", BOARDS)
def test_all_ports_together_on_every_board(name):
    platform = BOARDS[name]
    end = {"duration": "60us"} if name in FREE else {"transfer_bytes": "64KiB"}
    point = points.single(platform, {"ports": ports(platform), **end})
    (record,) = model.run_repeats(platform, point, 0, 0, 1)
    peak = platform.value("clocks.ddr_mhz") * 2 * platform.value("dram.bus_bits") / 8
    assert 0.1 * peak < record["total_MBps"] < peak
    assert commands_of(platform) == []
