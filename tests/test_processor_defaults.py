"""Laws of the cost of copies by the processor; the defaults of its side where a key is left
out: docs/architecture.md, config.hpp.

A key that gets lost on its way would silently be this.
"""

from itertools import product

import pytest

from axiometer import _model as model
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.simulate.transfer import Transfer

# Times that nobody asked for are nothing, what must be there is one of it; sizes are the chip's.
DEFAULTS = {
    "clocks": {"cpu": 1, "interconnect": 1, "apb": 1, "ddr": 1, "pl": 1, "pl_phase": 0},
    "memory": {
        "read_clocks": 1, "device_clocks": 0, "burst_clocks": 4, "column_bytes": 32,
        "refresh_clocks": 0, "refresh_interval": 1, "refresh_phase": 0,
    },
    "gp": {
        "read_clocks": 0, "write_clocks": 0, "sync_cycles": 2, "beat_bytes": 4, "burst_beats": 16,
        "outstanding_read": 1,
    },
    "slave": {
        "read_latency": 1, "write_latency": 1, "read_recovery": 0, "write_recovery": 0,
        "single": False, "read_beat_cycles": 1,
        "outstanding": 1, "read_way_cycles": 0, "write_way_cycles": 0,
    },
    "cache": {
        "line_bytes": 32, "l1_bytes": 32768, "l1_ways": 4, "l2_bytes": 524288, "l2_ways": 8,
        "l2": True,
        "l2_clocks": 25, "line_buffers": 4, "prefetch_lines": 2, "prefetch_from": 0,
        "prefetch_step": 1, "maintenance_clocks": 1,
    },
    "cpu": {
        "call_instructions": 0, "loop_clocks": 0, "access_bytes": 4, "clock_bytes": 4096,
        "device_read_bytes": 8, "device_write_bytes": 8, "device_stores": 1, "fetch_bytes": 8,
        "caches": True, "instruction_cache": True,
    },
    "dmac": {
        "burst_bytes": 64, "beat_bytes": 4, "program_bytes": 32768, "loop_clocks": 1,
        "beat_clocks": 1, "bursts_in_flight": 4, "start_instructions": 0, "start_accesses": 0,
        "prepare_instructions": 0, "program_fetches": 2, "copies": False, "write_clocks": 4,
    },
    "system": {"present": False, "system_call": 0},
    "fabric": {
        "issue_cycles": 1, "interconnect_cycles": 0, "burst_beats": 1, "outstanding": 1,
        "start_accesses": 0, "taken_cycles": 0, "hold_cycles": 0,
    },
    "port": {
        "acceptance_read": 8, "acceptance_write": 8, "central": False, "beat_bytes": 8,
        "beat_period": 1, "serial_time": 0, "address_cycles": 0,
    },
    "ring": {
        "buffer_bytes": 4096, "depth": 1, "packets": 64, "fifo_bytes": 2048, "width_bytes": 8,
        "maintain": True, "copy": False, "doorbells": 2, "descriptors": 2,
    },
    "transfer": {"gpio_clocks": 0, "to_fabric": True, "prepare": False, "bytes": 4},
}  # fmt: skip

SCENES = [
    {"master": master, "attribute": attribute, "transfer": {"to_fabric": out, "bytes": size}}
    for master, attribute, out, size in product(
        ("copy", "loop", "dmac", "fabric", "ring"), ("device", "cached"), (True, False), (4, 40_000)
    )
]


def merged(*specs):
    out = {}
    for spec in specs:
        for key, value in spec.items():
            out[key] = out.get(key, {}) | value if isinstance(value, dict) else value
    return out


@pytest.mark.parametrize("more", [
    {}, {"system": {"present": True}}, {"cpu": {"caches": False}}, {"transfer": {"prepare": True}},
    {"clocks": {"cpu": 3, "interconnect": 6, "apb": 12, "ddr": 4, "pl": 20}},
], ids=lambda more: "-".join(more) or "bare")  # fmt: skip
def test_what_is_left_out_is_the_default(more):
    for scene in SCENES:
        spec = merged(scene, more)
        assert model.run_processor(spec) == model.run_processor(merged(DEFAULTS, spec)), scene


def test_each_default_could_be_another():
    """A changed figure changes some outcome, so that the test above can fail."""
    scenes = [merged(scene, {"clocks": {"cpu": 3, "interconnect": 6, "ddr": 4, "pl": 20}})
              for scene in SCENES]  # fmt: skip
    usual = [model.run_processor(scene) for scene in scenes]
    for table, key in (("memory", "burst_clocks"), ("gp", "sync_cycles"), ("clocks", "pl_phase"),
                       ("dmac", "burst_bytes"), ("ring", "packets"), ("cache", "l2_clocks"),
                       ("fabric", "taken_cycles"), ("dmac", "loop_clocks")):  # fmt: skip
        other = {table: {key: DEFAULTS[table][key] + (64 if key == "burst_bytes" else 1)}}
        changed = [model.run_processor(merged(scene, other)) for scene in scenes]
        assert changed != usual, (table, key)


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
