"""The model backend for masters on the processor's side, and for transfers that it starts.

Records have the form in docs/architecture.md. This model has no single DRAM commands: `dram` is
null and `streams` is empty; `processor.classes_s` accounts for the whole time.
"""

from __future__ import annotations

import math
from fractions import Fraction

from axiometer import _model
from axiometer.base import progress
from axiometer.base.record import Beats, ProcessorSide, Rates, Record
from axiometer.experiment.points import Point
from axiometer.experiment.values import Values, known
from axiometer.platform import Platform
from axiometer.simulate import cost, remembered
from axiometer.simulate.model_errors import reported
from axiometer.simulate.outcome import TransferOutcome
from axiometer.simulate.transfer import Transfer


def run_repeats(
    platform: Platform, point: Point, seed: int, first: int, count: int
) -> list[Record]:
    """Records of repeats `first` to `first + count - 1` of `point` on `platform`."""
    transfer = Transfer.of(platform, point.values)
    cost.check_transfer(transfer.tables)
    records = []
    for repeat in range(first, first + count):
        drawn = transfer.start(seed, repeat)
        records.append(record(drawn, repeat, _outcome(drawn)))
    return records


def _outcome(transfer: Transfer) -> TransferOutcome:
    document = transfer.document()

    def simulated() -> TransferOutcome:
        with reported():
            outcome = _model.run_processor(document)
        progress.simulated()
        return outcome

    return remembered.once(remembered.key_of_transfer(document), simulated)


def record(transfer: Transfer, repeat: int, outcome: TransferOutcome) -> Record:
    """The record of one repeat."""
    values, unit = transfer.values, transfer.unit
    elapsed = float(outcome["elapsed"] * unit)
    ring = values["master"] == "ring"
    size = known(values["transfer_bytes"])
    moved = size * (known(transfer.tables.ring).packets if ring else 1)
    # A packet crosses twice and counts once; each direction has half of the rate.
    share = 0.5 if ring else float(values["mode"] == "ps_to_pl")
    classes = {k: float(v * unit) for k, v in outcome["classes"].items()}
    # A ring is modelled by packets, not by beats: the fabric has none to count.
    period = transfer.tables.clocks.pl
    beats = None if ring else _beats(outcome, period, unit, size)
    return document(values, repeat, elapsed, moved, share, {"classes_s": classes, "beats": beats})


def document(
    values: Values,
    repeat: int,
    elapsed: float,
    moved: int,
    share: float,
    side: ProcessorSide,
) -> Record:
    """A record: `moved` bytes in `elapsed` seconds, `share` of them to the fabric; `side`: the
    figures of the processor's side."""
    rate = moved / elapsed * 1e-6
    read = rate * share
    rates: Rates = {"total_MBps": rate, "read_MBps": read, "write_MBps": rate - read}
    return {
        "repeat": repeat,
        "elapsed_s": elapsed,
        "bytes": moved,
        "total_MBps": rate,
        "read_MBps": read,
        "write_MBps": rate - read,
        "by_port": {port: rates.copy() for port in values["ports"]},
        "latency_cycles": None,
        "dram": None,
        "streams": [],
        "processor": side,
    }


def _beats(outcome: TransferOutcome, period: int, unit: Fraction, transfer: int) -> Beats | None:
    """Beats at the fabric's end: PL cycles between them, and over all of them plus one.

    `typ` is the mean's whole part, rounded like the paper that prints it; None for fewer than two
    beats.
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
