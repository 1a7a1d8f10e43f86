"""What the keys of a `[[master]]` table may be that only masters with jobs have: accelerators and
rings. For `master_values.py`, which says what a parser is given and gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from axiometer.base.errors import BadValueError
from axiometer.experiment import keys, keys_processor
from axiometer.experiment.values import Master, known
from axiometer.platform import Platform, limits

MOST_JOB_BYTES = 2**20
MOST_AT_ONCE = int(limits.of_model("streams[].job_ahead").bounds[1])
"""Jobs that a master holds."""


def whole_bursts(name: str) -> Callable[[object, Platform, Master], int]:
    """Whole bursts; of a ring, a packet below a burst is one."""

    def parse(raw: object, platform: Platform, own: Master) -> int:
        size, burst = keys.size_of(name, raw), own["burst_bytes"]
        if own["kind"] == "ring" and size < burst:
            burst = own["burst_bytes"] = size
        if size % burst or size > MOST_JOB_BYTES:
            raise BadValueError(
                f"{name} is {limits.shown(raw)}",
                f"give whole bursts of {burst} bytes, at most {MOST_JOB_BYTES}",
            )
        return size

    return parse


def whole(name: str, least: int, most: int, unit: str) -> Callable[[object, Platform, Master], int]:
    def parse(raw: object, platform: Platform, own: Master) -> int:
        if not isinstance(raw, int) or isinstance(raw, bool) or not least <= raw <= most:
            raise BadValueError(f"{name} is {limits.shown(raw)}", f"give {least} to {most} {unit}")
        return raw

    return parse


def _cache_control(raw: object, platform: Platform, own: Master) -> str:
    """Only coherent ports keep caches coherent, and there nothing else is needed."""
    coherent = keys_processor.is_coherent(platform, known(own["port"]))
    good = ["coherent"] if coherent else ["explicit", "none", "uncached"]
    if raw not in good:
        raise BadValueError(
            f"cache_control is {limits.shown(raw)}", f"at {own['port']}: {', '.join(good)}"
        )
    return str(raw)


PARSE: Mapping[str, Callable[[object, Platform, Master], object]] = {
    "bytes_in": whole_bursts("bytes_in"),
    "bytes_out": whole_bursts("bytes_out"),
    "packet_bytes": whole_bursts("packet_bytes"),
    "compute_cycles": whole("compute_cycles", 0, 2**24, "cycles"),
    "buffers": whole("buffers", 1, MOST_AT_ONCE, "buffers"),
    "depth": whole("depth", 1, MOST_AT_ONCE, "packets"),
    "cache_control": _cache_control,
}
"""In an order in which each needs only those before it, after the burst's bytes."""

USUAL: Mapping[str, Callable[[Platform, Master], object]] = {
    "bytes_in": lambda p, own: max(4096 // own["burst_bytes"], 1) * own["burst_bytes"],
    "bytes_out": lambda p, own: own["bytes_in"],
    "packet_bytes": lambda p, own: 4096,
    "compute_cycles": lambda p, own: 0,
    "buffers": lambda p, own: 2,
    "depth": lambda p, own: 1,
    "cache_control": lambda p, own: (
        "coherent" if keys_processor.is_coherent(p, known(own["port"])) else "explicit"
    ),
}
