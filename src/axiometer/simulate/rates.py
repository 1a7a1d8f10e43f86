"""Rates in MB/s (1e6 bytes a second)."""

from __future__ import annotations

from axiometer.base.record import Rates


def rates_of(read: int, write: int, elapsed: float) -> Rates:
    """MB/s of both directions and of each, from bytes and seconds."""
    scale = 1e-6 / elapsed
    return {
        "total_MBps": (read + write) * scale,
        "read_MBps": read * scale,
        "write_MBps": write * scale,
    }
