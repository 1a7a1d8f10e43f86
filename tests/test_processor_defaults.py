"""The defaults of the processor's side where a key is left out: docs/architecture.md, config.hpp.

A key that gets lost on its way would silently be this.
"""

from itertools import product

import pytest

from axiometer import _model as model

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
