"""Long transfers, on the verilated test bench of lab/bench/rtl (cocotb would take minutes)."""

import sys

import pytest
from flow import tools

sys.path.insert(0, str(tools.ROOT / "lab" / "bench" / "rtl"))
import dma_rates as bench  # noqa: E402

LONG = 16 << 20


@pytest.fixture(scope="module")
def programs():
    return {copy: bench.build(copy) for copy in (False, True)}


@pytest.mark.parametrize("direction", ["read", "write", "copy"])
def test_16_mib_in_bursts_of_one_beat_across_4_gib(programs, direction):
    """Every byte is compared. 16 bursts in flight at latency 30: 16 beats in 31 clocks at most."""
    start = (1 << 32) - (8 << 20)
    got = bench.measure(programs[direction == "copy"], direction, 30, LONG, 1, 1, start)
    assert got["beats"] == LONG // 8
    assert got["beats"] / got["clocks"] == pytest.approx(16 / 31, rel=0.001)


@pytest.mark.parametrize("direction", ["read", "write"])
def test_bursts_that_divide_no_page(programs, direction):
    """24 beats: 21 bursts a page and a rest of 8; the stream does not notice."""
    got = bench.measure(programs[False], direction, 30, LONG, 1, 24)
    assert got["clocks"] <= got["beats"] + 31
