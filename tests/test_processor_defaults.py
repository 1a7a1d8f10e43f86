"""Laws of the cost of copies by the processor; the defaults of its side where a key is left
out: docs/architecture.md, config.hpp.

A key that gets lost on its way would silently be this.
"""

import pytest

from axiometer import _model as model
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.simulate.transfer import Transfer

LINE, LINES = 32, 64
CACHE = {"line_bytes": LINE, "l1_bytes": 4096, "l1_ways": 4, "l2": False, "l2_clocks": 0}
LATENCY, BEATS = 3, 8


def reads(way, outstanding, **cache):
    """Units of time for LINES lines from a slave that serves one burst at a time, all clocks 1."""
    return model.run_processor({
        "master": "copy", "attribute": "cached", "cache": CACHE | cache,
        "transfer": {"to_fabric": False, "bytes": LINE * LINES}, "cpu": {"access_bytes": 8},
        "gp": {"outstanding_read": outstanding, "sync_cycles": 0},
        "slave": {"read_latency": LATENCY, "read_way_cycles": way},
    })["elapsed"]  # fmt: skip


def test_a_way_takes_its_time_of_each_read_that_is_alone():
    assert reads(9, 1, prefetch_lines=0) - reads(0, 1, prefetch_lines=0) == 9 * LINES


def test_a_way_holds_up_nothing_where_reads_wait_for_the_slave():
    many = {"outstanding": 8, "prefetch_lines": 8}
    served = LINES * (LATENCY + BEATS)
    assert served <= reads(0, **many) <= reads(9, **many) <= served + 20


def test_of_two_lines_of_which_one_is_read_ahead_the_second_waits_for_the_slave_only():
    way, instructions = 40, 2 * LINE // 8 * 2
    pair = way + 2 * (LATENCY + BEATS)
    found = reads(way, 2, prefetch_lines=2, prefetch_step=2)
    assert LINES / 2 * pair <= found <= LINES / 2 * (pair + instructions)
    assert reads(way, 2, prefetch_lines=2, prefetch_step=1) < 0.85 * found


def copies(master="memory_from_buffer", **tables):
    return model.run_processor({
        "master": master, "cache": CACHE, "transfer": {"bytes": LINE * LINES},
        "cpu": {"access_bytes": LINE, **tables.get("cpu", {})}, "memory": {"read_clocks": 50},
        "system": tables.get("system", {}),
    })["elapsed"]  # fmt: skip


def test_a_longer_load_takes_a_clock_for_each_of_its_registers():
    whole, in_four = (copies(cpu={"clock_bytes": n}) for n in (LINE, 8))
    assert in_four - whole == LINES * 2 * 3  # loads and stores, three clocks more each


@pytest.mark.parametrize("master", ["memory_from_buffer", "memory_to_buffer"])
def test_a_driver_s_buffer_is_copied_in_one_system_call(master):
    call = {"present": True, "system_call": 1000}
    assert copies(master, system=call) - copies(master) == 1000


def accesses(board, **keys):
    platform = Platform.load(board)
    values = single(platform, {"ports": "GP0", "master": "memcpy", **keys}).values
    tables = Transfer.of(platform, values).tables
    return tables.cpu.access_bytes, tables.cache.prefetch_step, tables.gp.outstanding_read


@pytest.mark.parametrize(
    ("board", "keys", "expected"),
    [
        ("zybo-z7", {"os": "linux", "memory_type": "cached"}, (8, 2, 2)),
        ("zybo-z7", {"os": "linux", "memory_type": "strongly_ordered"}, (8, 2, 1)),
        ("zybo-z7", {"os": "linux", "copy_bytes": 32}, (32, 1, 1)),
        ("zybo-z7", {"memory_type": "cached"}, (8, 1, 1)),
        ("zybo-z7", {"master": "ps_dma", "os": "linux"}, (32, 1, 1)),
        ("zedboard", {"os": "linux"}, (32, 1, 1)),
    ],
)
def test_whose_copy_routine_it_is(board, keys, expected):
    """A program's memcpy by its C library, the kernel's own around a driver's DMA."""
    assert accesses(board, **keys) == expected
