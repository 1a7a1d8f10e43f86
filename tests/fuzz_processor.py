"""Random transfers of the processor's side, with every master, on both of its models. The same seed
gives the same case."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from axiometer import _model as model
from axiometer.experiment import Experiment
from axiometer.experiment.keys_processor import AT_MEMORY
from axiometer.simulate.transfer import Transfer
from shrink import shrunk

Spec = dict[str, Any]

MASTERS = ("copy", "loop", "dmac", "fabric", "ring", "memory_read", "memory_write", "memory_copy",
           "memory_to_buffer", "memory_from_buffer")  # fmt: skip

# Periods of processor, interconnect, peripherals, DRAM and fabric: a Zedboard's with the fabric at
# 142.9 and at 250 MHz, simple, and ugly.
CLOCKS = [
    (240, 720, 1440, 300, 1120),
    (240, 720, 1440, 300, 640),
    (1, 1, 1, 1, 1),
    (2, 6, 12, 3, 4),
    (7, 5, 31, 11, 13),
    (13, 29, 17, 3, 97),
]


def case(seed: int) -> Spec:
    """The transfer of a seed, as `run_processor` takes it."""
    draw = random.Random(f"axiometer:processor:{seed}")
    names = ("cpu", "interconnect", "apb", "ddr", "pl")
    clocks = dict(zip(names, draw.choice(CLOCKS), strict=True))
    clocks["pl_phase"] = draw.randrange(clocks["pl"])
    master = MASTERS[seed % len(MASTERS)]
    cache = _cache(draw)
    return {
        "clocks": clocks,
        "memory": _memory(draw),
        "gp": _gp(draw),
        "slave": _slave(draw),
        "cache": cache,
        "cpu": _cpu(draw),
        "dmac": _dmac(draw),
        "system": {"present": draw.random() < 0.5, "system_call": draw.choice([0, 1, 999])},
        "fabric": _fabric(draw),
        "port": _port(draw, clocks),
        "ring": _ring(draw, cache["line_bytes"]),
        "transfer": {
            "gpio_clocks": draw.randint(0, 5),
            "to_fabric": draw.random() < 0.5,
            "prepare": draw.random() < 0.5,
            # Some fit into the caches drawn, some do not.
            "bytes": draw.choice([1, 2, 7, 64, 100, 512, 1000, draw.randint(1, 3000)]),
        },
        "master": master,
        "target": draw.choice(["slave", "slave", "gpio"]),
        "attribute": draw.choice(["device", "cached", "strongly_ordered", "noncacheable"]),
    }


def _memory(draw: random.Random) -> Spec:
    refresh = draw.choice([0, 1, 20, 160])
    return {
        "read_clocks": draw.choice([0, 1, 33, 81]),
        "device_clocks": draw.choice([0, 5, 18]),
        "burst_clocks": draw.choice([0, 1, 4, 16]),
        "column_bytes": draw.choice([1, 8, 32]),
        "refresh_clocks": refresh,
        "refresh_interval": refresh + draw.choice([1, 50, 1000]),
        "refresh_phase": draw.choice([0, 3, 500]),
    }


def _gp(draw: random.Random) -> Spec:
    return {
        "read_clocks": draw.randint(0, 30),
        "write_clocks": draw.randint(0, 30),
        "sync_cycles": draw.randint(0, 3),
        "beat_bytes": draw.choice([1, 4, 4, 8]),
        "burst_beats": draw.choice([1, 3, 16]),
        "outstanding_read": draw.choice([1, 1, 2, 5]),
    }


def _slave(draw: random.Random) -> Spec:
    return {
        "read_latency": draw.randint(0, 6),
        "write_latency": draw.randint(0, 6),
        "read_recovery": draw.randint(0, 9),
        "write_recovery": draw.randint(0, 9),
        "single": draw.random() < 0.3,
        "read_beat_cycles": draw.choice([1, 1, 2, 3]),
        "outstanding": draw.choice([1, 1, 2, 5]),
        "read_way_cycles": draw.choice([0, 0, 1, 5]),
        "write_way_cycles": draw.choice([0, 0, 2, 7]),
    }


def _cache(draw: random.Random) -> Spec:
    line = draw.choice([8, 32, 32, 64])
    found: Spec = {"line_bytes": line}
    for level, most_sets in (("l1", 4), ("l2", 16)):
        ways = draw.choice([1, 2, 4])
        found[f"{level}_ways"] = ways
        found[f"{level}_bytes"] = line * ways * draw.randint(1, most_sets) + draw.choice([0, 3])
    return found | {
        "l2_clocks": draw.choice([0, 1, 25]),
        "l2": draw.random() < 0.8,
        "line_buffers": draw.choice([1, 2, 4]),
        "prefetch_lines": draw.choice([0, 1, 2, 5]),
        "prefetch_step": draw.choice([1, 1, 2, 3]),
        "prefetch_from": draw.choice([0, 0, 1000]),
        "maintenance_clocks": draw.choice([0, 1, 12]),
    }


def _cpu(draw: random.Random) -> Spec:
    return {
        "call_instructions": draw.choice([0, 1, 30]),
        "loop_clocks": draw.choice([0, 1, 7]),
        "access_bytes": draw.choice([1, 4, 8, 12, 32, 100]),
        "clock_bytes": draw.choice([1, 8, 8, 4096]),
        "device_read_bytes": draw.choice([1, 4, 8, 64]),
        "device_write_bytes": draw.choice([1, 4, 8, 64]),
        "device_stores": draw.choice([1, 1, 2, 15]),
        "fetch_bytes": draw.choice([4, 6, 8, 32]),
        "caches": draw.random() < 0.7,
        "instruction_cache": draw.random() < 0.7,
    }


def _dmac(draw: random.Random) -> Spec:
    return {
        "burst_bytes": draw.choice([4, 10, 64, 128]),
        "beat_bytes": draw.choice([1, 4, 8]),
        "program_bytes": draw.choice([60, 256, 4096]),
        "loop_clocks": draw.choice([0, 1, 9]),
        "beat_clocks": draw.choice([0, 1, 2]),
        "bursts_in_flight": draw.choice([1, 2, 4, 16]),
        "start_instructions": draw.choice([0, 3, 50]),
        "start_accesses": draw.randint(0, 5),
        "prepare_instructions": draw.choice([0, 3, 50]),
        "program_fetches": draw.randint(0, 3),
        "copies": draw.random() < 0.5,
        "waits_for_writes": draw.random() < 0.5,
        "write_clocks": draw.randint(0, 6),
    }


def _fabric(draw: random.Random) -> Spec:
    return {
        "issue_cycles": draw.choice([1, 1, 3, 8]),
        "interconnect_cycles": draw.randint(0, 9),
        "burst_beats": draw.choice([1, 1, 3, 16]),
        "outstanding": draw.choice([1, 1, 2, 4, 16]),
        "start_accesses": draw.choice([0, 0, 3]),
        "taken_cycles": draw.choice([0, 1, 2]),
        "hold_cycles": draw.choice([0, 1, 3]),
    }


def _port(draw: random.Random, clocks: Spec) -> Spec:
    periods = [clocks["ddr"], clocks["interconnect"], clocks["ddr"] * 7]
    return {
        "acceptance_read": draw.choice([1, 2, 8]),
        "acceptance_write": draw.choice([1, 2, 8]),
        "central": draw.random() < 0.4,
        "beat_bytes": draw.choice([1, 4, 8]),
        "beat_period": draw.choice(periods),
        "serial_time": draw.choice([0, 0, 1, 50, 6000]),
        "address_cycles": draw.randint(0, 3),
    }


def _ring(draw: random.Random, line: int) -> Spec:
    return {
        "buffer_bytes": draw.choice([1, line, 100, 1500]),
        "depth": draw.choice([1, 2, 3, 8]),
        "packets": draw.choice([1, 2, 9]),
        "fifo_bytes": draw.choice([1, 64, 2048]),
        "width_bytes": draw.choice([1, 4, 8]),
        "beat_cycles": draw.choice([1, 1, 2, 5]),
        "maintain": draw.random() < 0.6,
        "copy": draw.random() < 0.4,
        "doorbells": draw.randint(0, 3),
        "descriptors": draw.randint(0, 3),
    }


def shipped(name: str, most_bytes: int) -> Iterator[tuple[str, Spec]]:
    """The points of a shipped experiment with masters of the processor's side, no longer than
    `most_bytes`, as their first repeat begins; each with its name."""
    experiment = Experiment.load(name)
    for point in experiment.points():
        if point.values.get("masters") or point.values["master"] in AT_MEMORY:
            continue
        values = point.values | {"transfer_bytes": min(point.values["transfer_bytes"], most_bytes)}
        transfer = Transfer.of(experiment.platform, values).start(0, 0)
        yield f"{name} {point.index}", transfer.document()


def disagreement(spec: Spec, plainly: Spec | None = None) -> str | None:
    """A difference between the two models on a transfer, if any. plainly: the plain model's
    specification, if it differs."""
    expected = model.plain_processor(plainly or spec)
    got = model.run_processor(spec)
    for key, value in expected.items():
        if got[key] == value:
            continue
        if isinstance(value, dict):
            differing = sorted(k for k in {**value, **got[key]} if value.get(k) != got[key].get(k))
            said = [(k, value.get(k), got[key].get(k)) for k in differing]
            return f"{key} (which, plain, model): {said}"
        return f"{key}: plain {value}, model {got[key]}"
    return None


def report(seed: int, spec: Spec, found: str) -> str:
    """A disagreement in words, with the simplest transfer that has one."""
    small = shrunk(spec, lambda s: disagreement(s) is not None)
    return f"seed {seed}: {found}\n  simplest: {small}\n  there: {disagreement(small)}"
