"""Laws of the Zynq UltraScale+ model that need a trace, or a run cut short."""

import pytest

from axiometer import _model as model
from axiometer.experiment import points
from axiometer.platform import Platform
from axiometer.simulate.scenario import Scenario

BEAT, COLUMN = 16, 64  # bytes


def prepared(board, **keys):
    platform = Platform.load(board)
    usual = {"ports": "HP0", "mode": "write", "burst_bytes": 256, "duration": "20us"}
    values = points.single(platform, usual | keys).values
    scenario = Scenario.of(platform, values)
    return scenario.document(), scenario.start(0, 0).document()


# Where writes to one DRAM burst are combined, bursts of whole ones, which never are.
@pytest.mark.parametrize(("board", "mhz", "burst"), [
    *(("zcu102", mhz, burst) for mhz in (100, 300) for burst in (16, 64, 80, 192, 256)),
    *(("ultra96", 100, burst) for burst in (64, 192, 256)),
])  # fmt: skip
def test_nothing_is_written_before_its_data_have_come(board, mhz, burst):
    """A port alone carries a beat a cycle: what needs n beats is not written before cycle n."""
    spec, start = prepared(board, burst_bytes=burst, pl_mhz=mhz)
    _, commands = model.Simulator(spec).trace(start)
    writes = [clk for clk, name, *_ in commands if name == "WR"]
    assert len(writes) > 20
    needed = []  # beats before the end of each command's data
    for begin in range(0, len(writes) * burst, burst):
        for column in range(begin // COLUMN, -(-(begin + burst) // COLUMN)):
            end = min(begin + burst, (column + 1) * COLUMN)
            needed.append(-(-end // BEAT))
    for clk, beats in zip(writes, needed, strict=False):
        assert clk * spec["clocks"]["ddr"] >= beats * spec["clocks"]["pl"]


def test_a_run_ends_early_only_when_it_is_sure():
    def run(confidence):
        spec, start = prepared("zcu102", ports="HP0+HP1+HP3", mode="mixed", duration="200us")
        spec["measure"] = {"settle": 6000, "block": 500, "confidence": confidence}
        result = model.Simulator(spec).run(start)
        return result["measured"], result["measured"]["begins"] + result["cycles"], start["stop"]

    never, whole, stop = run(0.0)
    assert whole == pytest.approx(stop, abs=2)
    easily, ended, _ = run(0.5)
    assert ended < stop / 2 and easily["settled"]
    assert 0 <= easily["half_width"] <= 0.5


def test_ranks_are_refreshed_in_turn():
    """Each rank every tREFI, the second half an interval after the first."""
    spec, start = prepared("ultra96", mode="read", duration="60us")
    _, commands = model.Simulator(spec).trace(start)
    first, interval = start["first_refresh"], spec["dram"]["timing"]["tREFI"]
    refreshes = [(clk, bank) for clk, name, bank, *_ in commands if name == "REF"]
    due = [first + n * interval // 2 for n in range(len(refreshes))]
    late = [clk - wanted for (clk, _), wanted in zip(refreshes, due, strict=True)]
    assert len(refreshes) > 10
    assert all(-spec["controller"]["dram_clocks"] <= by <= 200 for by in late)
    assert [bank for _, bank in refreshes[:4]] == [0, 8, 0, 8]
