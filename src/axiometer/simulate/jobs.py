"""Masters that work in jobs, as halves of a pair: accelerators and rings of packets.

A job is read, computed, and written; the processor's work for it (in a ring) comes from the model
of the processor's side, which has no other master.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from axiometer import _model
from axiometer.base.clocks import meant
from axiometer.experiment.master_keys import JOBS, is_half, job_bytes
from axiometer.experiment.points import single
from axiometer.experiment.values import Master, known
from axiometer.platform import Platform
from axiometer.simulate import machine
from axiometer.simulate.transfer import Transfer

# Bursts of a job of a pair that passes on what it reads: more than its FIFO holds, which limits it.
_JOB = 1024
# Most bursts in the model's loop-back FIFO.
_MOST_AHEAD = 31
# Packets of two runs; the difference excludes the cost of the first and last packets.
_FEW, _MANY = 32, 64
# A beat of this width takes almost no time: the rest is the processor's.
_WIDE_BYTES = 4096


@dataclass(frozen=True)
class Job:
    """Job values of one half of a pair (docs/keys.md, `streams[]`, job_*): bursts, jobs, and cycles
    of the port's clock; loopback_bursts: of a FIFO between the halves, 0 if all that a job reads is
    stored before its first result is written."""

    bursts: int
    fill: int
    ahead: int
    setup_cycles: int = 0
    place_cycles: int = 0
    compute_cycles: int = 0
    loopback_bursts: int = 0

    def document(self) -> dict[str, int]:
        """The values in the model's form."""
        keys = ("bursts", "fill", "ahead", "setup_cycles", "place_cycles", "compute_cycles")
        return {f"job_{key}": getattr(self, key) for key in keys}


def bursts_ahead(platform: Platform, burst_bytes: int) -> int:
    """Bursts that fit in the FIFO between the halves of a pair."""
    return max(1, min(_MOST_AHEAD, platform.whole("master.loopback_bytes") // burst_bytes))


def of(platform: Platform, master: Master, direction: str) -> Job | None:
    """The jobs of one half of a master; None if it has none."""
    burst = master["burst_bytes"]
    if master["kind"] == "engine" and is_half(master):
        ahead = bursts_ahead(platform, burst)
        own = machine.of(platform).measures_part  # others have pairs without jobs
        return Job(_JOB, fill=1, ahead=2, loopback_bursts=ahead) if own else None
    if master["kind"] not in JOBS:
        return None
    bursts = job_bytes(master, direction) // burst
    if master["kind"] == "accelerator":
        return Job(
            bursts=bursts,
            fill=job_bytes(master, "read") // burst,
            ahead=known(master["buffers"]),
            compute_cycles=known(master["compute_cycles"]),
        )
    room = min(_MOST_AHEAD, max(1, platform.value("processor.ring.fifo_bytes") // burst))
    setup, place = (round(us * meant(master["link_mhz"])) for us in software_us(platform, master))
    return Job(
        bursts=bursts,
        fill=min(room, bursts),
        ahead=known(master["depth"]),
        setup_cycles=setup,
        place_cycles=place,
        loopback_bursts=room,
    )


def software_us(platform: Platform, master: Master) -> tuple[Fraction, Fraction]:
    """The driver's time for a packet of a ring, us: until the reading half is started (system call,
    descriptors, cleaning lines, registers), and until the packet has a place to arrive
    (invalidating lines)."""
    transfer = beside(platform, master)
    of, ring = transfer.tables, known(transfer.tables.ring)
    size = ring.buffer_bytes
    wide = replace(ring, fifo_bytes=max(size, 1), width_bytes=_WIDE_BYTES, beat_cycles=1, depth=1)
    few, many = (
        _model.run_processor(replace(of, ring=replace(wide, packets=packets)).document())
        for packets in (_FEW, _MANY)
    )
    packet = Fraction(many["elapsed"] - few["elapsed"], _MANY - _FEW)
    moving = -(-size // _WIDE_BYTES) * of.clocks.pl
    lines = -(-size // of.cache.line_bytes)
    place = lines * of.cache.maintenance_clocks * of.clocks.cpu if ring.maintain else 0
    # The writing half waits for the place and for the packet, then moves it.
    setup = max(Fraction(0), packet - max(place, moving) - moving)
    return setup * transfer.unit * 10**6, place * transfer.unit * 10**6


def beside(platform: Platform, master: Master) -> Transfer:
    """The same ring alone, on the processor's side."""
    point = single(
        platform,
        {
            "ports": master["port"],
            "master": "ring",
            "os": "linux",
            "cache_control": master["cache_control"],
            "ring_depth": master["depth"],
            "transfer_bytes": master["packet_bytes"],
            "pl_mhz": master["pl_mhz"],
        },
    )
    return Transfer.of(platform, point.values)
