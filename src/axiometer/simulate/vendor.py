"""Streams of vendors' engines, from `experiment/vendor_engines.toml`, in the model's terms.

At the ports of the processor's side an engine has the path of a DMA in the fabric, from that side's
figures (`dma_way.py`); its bursts, and its outstanding bursts, are its own.
"""

from __future__ import annotations

from axiometer.experiment import between, vendor
from axiometer.experiment.master_keys import job_bytes
from axiometer.experiment.values import Master, known
from axiometer.platform import Platform, limits
from axiometer.simulate.jobs import Job

# Most bursts in the model's loop-back FIFO.
_MOST_AHEAD = 31


def figure(master: Master, name: str, usual: float = 0) -> float:
    """A figure of the master's engine, with descriptors if the master uses them."""
    return vendor.number(known(master["engine"]), name, bool(master["scatter_gather"]), usual)


def _beats(master: Master, direction: str) -> int | None:
    """Beats of a burst, for engines with a value for each direction."""
    reads = direction == "read"
    return master["max_read_burst_length"] if reads else master["max_write_burst_length"]


def burst_bytes(platform: Platform, master: Master, direction: str) -> int:
    """Bytes of a burst in one direction at the port; the halves of a copy have equal bursts."""
    beats = _beats(master, direction)
    if beats is None or master["direction"] == "pair":
        return master["burst_bytes"]
    size = beats * master["width_bits"] // 8
    return vendor.at_port(platform, known(master["port"]), size, master["width_bits"])


def outstanding(platform: Platform, master: Master, direction: str) -> int:
    """Outstanding bursts of the port for an engine: all pieces of each of its own."""
    reads = direction == "read"
    each = master["num_read_outstanding"] if reads else master["num_write_outstanding"]
    usual = platform.whole(f"master.outstanding_{direction}")
    own = master["outstanding"] or each or figure(master, f"outstanding_{direction}", usual)
    length, pieces = _beats(master, direction), known(master["pieces"])
    beats = master["burst_bytes"] * pieces * 8 // master["width_bits"]
    if length is not None:
        beats = length
        pieces = length * master["width_bits"] // 8 // burst_bytes(platform, master, direction)
    if between.splits(master.get("through"), beats):
        own = 1
    return int(min(own * pieces, limits.most_of_key(f"outstanding_{direction}")))


def gap_cycles(platform: Platform, master: Master, direction: str) -> int:
    """Idle cycles between bursts at the port: the engine's own, shared by its pieces, and those
    between descriptors."""
    gap = figure(master, f"gap_{direction}") / known(master["pieces"])
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
    """The job of an engine that copies: data are written as they arrive, a descriptor a job."""
    if master["direction"] != "pair":
        return None
    ahead = sum(outstanding(platform, master, way) for way in ("read", "write"))
    return Job(
        bursts=job_bytes(master, direction) // burst_bytes(platform, master, direction),
        fill=1,
        ahead=known(master["depth"]),
        setup_cycles=int(figure(master, "descriptor_read")),
        loopback_bursts=min(_MOST_AHEAD, ahead),
    )


def loopback_cycles(platform: Platform, master: Master) -> int:
    """Cycles of a beat inside an engine that copies."""
    cycles = master["latency"]
    return platform.whole("master.loopback_cycles", 1) if cycles is None else cycles
