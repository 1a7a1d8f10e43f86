"""Latencies from the DRAM's mode registers; a controller's rounded fields do not show them."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

_DATA = Path(__file__).resolve().parent.parent / "mode_registers.toml"


def read_latency(kind: str, register: int) -> int | None:
    """CL in DRAM clocks of a DRAM type ("DDR4") with this mode register (MR0; LPDDR4: MR2); None
    for an unknown type or code."""
    return _latency(kind, "read", register)


def write_latency(kind: str, register: int) -> int | None:
    """CWL in DRAM clocks of a DRAM type with this MR2; None for an unknown type or code."""
    return _latency(kind, "write", register)


def _latency(kind: str, way: str, register: int) -> int | None:
    table = _tables().get(kind)
    if table is None:
        return None
    code = 0
    for bit in table[f"{way}_bits"]:
        code = code << 1 | register >> bit & 1
    latencies = table[way]
    return (latencies[code] or None) if code < len(latencies) else None


@cache
def _tables() -> dict[str, dict[str, list[int]]]:
    return tomllib.loads(_DATA.read_text(encoding="utf-8"))
