"""The model backend for what the processor starts, carries or pays for.

Records have the form of docs/internals.md. The DRAM's bus is not modelled command by command
here: `dram` is null and `streams` empty; `processor.classes_s` has all of the time instead.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from axiometer import _model
from axiometer.base import steps
from axiometer.simulate import cost
from axiometer.simulate.model_errors import told
from axiometer.simulate.transfer import Transfer


def run_repeats(
    platform: Any, point: Any, seed: int, first: int, count: int
) -> list[dict[str, Any]]:
    """Records of repeats `first` to `first + count - 1` of `point` on `platform`."""
    transfer = Transfer.of(platform, point.values)
    cost.check_transfer(transfer.tables)
    records = []
    for repeat in range(first, first + count):
        drawn = transfer.start(seed, repeat)
        with told():
            outcome = _model.run_processor(drawn.document())
        records.append(record(drawn, repeat, outcome))
        steps.simulated()
    return records


def record(transfer: Transfer, repeat: int, outcome: dict[str, Any]) -> dict[str, Any]:
    """The record of one repeat. outcome: what the model's binding gives."""
    values, unit = transfer.values, transfer.unit
    elapsed = float(outcome["elapsed"] * unit)
    ring = values["master"] == "ring"
    moved = values["transfer_bytes"] * (transfer.tables.ring.packets if ring else 1)
    # A packet crosses twice and counts once; half of the rate is each direction's.
    share = 0.5 if ring else float(values["mode"] == "ps_to_pl")
    classes = {k: float(v * unit) for k, v in outcome["classes"].items()}
    # A ring is modelled by packets, not by beats: there are none to count in the fabric.
    period = transfer.tables.clocks.pl
    beats = None if ring else _beats(outcome, period, unit, values["transfer_bytes"])
    return document(values, repeat, elapsed, moved, share, {"classes_s": classes, "beats": beats})


def document(
    values: dict[str, Any],
    repeat: int,
    elapsed: float,
    moved: int,
    share: float,
    side: dict[str, Any],
) -> dict[str, Any]:
    """A record: `moved` bytes in `elapsed` seconds, `share` of them to the fabric; `side`: what is
    told of the processor's side."""
    rate = moved / elapsed * 1e-6
    read = rate * share
    rates = {"total_MBps": rate, "read_MBps": read, "write_MBps": rate - read}
    return {
        "repeat": repeat,
        "elapsed_s": elapsed,
        "bytes": moved,
        **rates,
        "by_port": {port: dict(rates) for port in values["ports"]},
        "latency_cycles": None,
        "dram": None,
        "streams": [],
        "processor": side,
    }


def _beats(
    outcome: dict[str, Any], period: int, unit: Fraction, transfer: int
) -> dict[str, Any] | None:
    """Beats at the fabric's end: PL cycles between them, and over all of them with one to spare.

    `typ` is the mean's whole part, as the paper that prints it rounds; None with fewer than two.
    """
    between = outcome["between"]
    gaps = sum(between.values())
    if not gaps:
        return None
    mean = math.fsum(cycles * times for cycles, times in between.items()) / gaps
    cycles = (outcome["last_beat"] - outcome["first_beat"]) // period + 1
    return {
        "count": outcome["beats"],
        "between": {"min": min(between), "typ": int(mean), "mean": mean, "max": max(between)},
        "cycles": cycles,
        "MBps": transfer / float(cycles * period * unit) * 1e-6,
    }
