"""Random transfers of the processor's side, with every master: laws, and recorded outcomes. The
same seed gives the same case."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from axiometer import _model as model
from shrink import shrunk

RECORDED = Path(__file__).with_name("processor_outcomes.txt")
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


@dataclass(frozen=True)
class Drawn:
    """The case of a seed."""

    seed: int
    spec: Spec


def drawn(seed: int) -> Drawn:
    return Drawn(seed, case(seed))


def digest(outcome: Any) -> str:
    """All of an outcome, in eight digits."""
    return sha256(json.dumps(outcome, sort_keys=True).encode()).hexdigest()[:8]


@cache
def recorded() -> list[str]:
    """By seed, the digests of what two models of the processor's side, written apart, both gave."""
    return RECORDED.read_text().split()


def broken(spec: Spec) -> str | None:
    """A law that the outcome of a transfer breaks, if any."""
    found = model.run_processor(spec)
    if found != model.run_processor(spec):
        return "another outcome the second time"
    spent = found["classes"].values()
    if min(spent) < 0 or sum(spent) != found["elapsed"]:
        return f"classes that are not {found['elapsed']}: {found['classes']}"
    between = found["between"]
    if sum(between.values()) != max(found["beats"] - 1, 0) or min(between, default=0) < 0:
        return f"{found['beats']} beats with {between} between"
    if found["beats"]:
        cycles = sum(gap * often for gap, often in between.items())
        if found["last_beat"] - found["first_beat"] != cycles * spec["clocks"]["pl"]:
            return f"beats from {found['first_beat']} to {found['last_beat']} in {cycles} cycles"
    return None


def disagreement(of: Drawn) -> str | None:
    """What is wrong with the outcome of a case, if anything."""
    wrong = broken(of.spec)
    if wrong is None and digest(model.run_processor(of.spec)) != recorded()[of.seed]:
        return "not the recorded outcome"
    return wrong


def report(seed: int, of: Drawn, found: str) -> str:
    """What is wrong in words, with the simplest transfer that breaks a law."""
    said = f"seed {seed}: {found}\n  {of.spec}"
    if broken(of.spec):
        small = shrunk(of.spec, lambda s: broken(s) is not None)
        said += f"\n  simplest: {small}\n  there: {broken(small)}"
    return said


if __name__ == "__main__":  # after a change of a rule: write the digests anew
    digests = [digest(model.run_processor(case(seed))) for seed in range(len(recorded()))]
    RECORDED.write_text("".join(f"{' '.join(digests[i : i + 10])}\n" for i in range(0, 1600, 10)))
