"""Streams of vendors' engines: what `experiment/vendor_engines.toml` says, as the model has it.

At the ports of the processor's side an engine has the way of a DMA in the fabric, which that side's
figures describe (`dma_way.py`); its bursts, and how many are in flight, are its own.
"""

from __future__ import annotations

from typing import Any

from axiometer.experiment import vendor
from axiometer.experiment.master_keys import job_bytes
from axiometer.experiment.values import Master
from axiometer.platform import Platform, limits
from axiometer.simulate.jobs import Job

# The model's loop-back FIFO holds so many bursts at most.
_MOST_AHEAD = 31


def figure(master: Master, name: str, usual: Any = None) -> Any:
    """A figure of the master's engine, with descriptors where the master has them."""
    return vendor.figure(master["engine"], name, bool(master["scatter_gather"]), usual)


def burst_bytes(platform: Platform, master: Master, direction: str) -> int:
    """Bytes of a burst in one direction at the port; the halves of a copy have the same."""
    told = master[f"max_{direction}_burst_length"]
    if told is None or master["direction"] == "pair":
        return int(master["burst_bytes"])
    size = told * master["width_bits"] // 8
    return vendor.at_port(platform, master["port"], size, master["width_bits"])


def outstanding(platform: Platform, master: Master, direction: str) -> int:
    """Bursts of the port that an engine has in flight: of each of its own, all the pieces."""
    told = master["outstanding"] or master[f"num_{direction}_outstanding"]
    usual = platform.value(f"master.outstanding_{direction}")
    own = told or figure(master, f"outstanding_{direction}", usual)
    length = master[f"max_{direction}_burst_length"]
    pieces = master["pieces"]
    if length is not None:
        pieces = length * master["width_bits"] // 8 // burst_bytes(platform, master, direction)
    return int(min(own * pieces, limits.of_key(f"outstanding_{direction}").most))


def gap_cycles(platform: Platform, master: Master, direction: str) -> int:
    """Idle cycles between bursts at the port: the engine's own, of pieces their part, and what
    lies between descriptors."""
    gap = figure(master, f"gap_{direction}") / master["pieces"]
    size = master["descriptor_bytes"]
    if size and master["direction"] != "pair":  # a copy's descriptors are its jobs
        gap += (
            figure(master, f"descriptor_{direction}")
            * burst_bytes(platform, master, direction)
            / size
        )
    return round(gap)


def start_cycles(master: Master, direction: str) -> int:
    """Cycles from the software's last access, or the first data, to the first address."""
    return int(figure(master, f"start_{direction}"))


def job(platform: Platform, master: Master, direction: str) -> Job | None:
    """Of an engine that copies: what is read is written as it comes, a descriptor a job."""
    if master["direction"] != "pair":
        return None
    ahead = sum(outstanding(platform, master, way) for way in ("read", "write"))
    return Job(
        bursts=job_bytes(master, direction) // burst_bytes(platform, master, direction),
        fill=1,
        ahead=master["depth"],
        setup_cycles=figure(master, "descriptor_read"),
        loopback_bursts=min(_MOST_AHEAD, ahead),
    )


def loopback_cycles(platform: Platform, master: Master) -> int:
    """Cycles of a beat inside an engine that copies."""
    told = master["latency"]
    return int(platform.value("master.loopback_cycles", 1) if told is None else told)
