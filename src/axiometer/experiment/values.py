"""The types of a point's normalised values, and of its masters'.

Not for: allowed values (`keys.py`, `master_values.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NotRequired, TypedDict, TypeVar, cast

T = TypeVar("T")

Qos = dict[str, dict[str, str | int]]
"""{port: {direction: class, or AXI QoS value}}: a point's `qos`, laid over the platform's."""


class Master(TypedDict):
    """A `[[master]]` table of a point, normalised; None where the master's kind lacks the key or
    the key is not set. A point's masters do not change (`master_keys.Frozen`)."""

    name: str
    kind: str
    port: str | None
    direction: str
    rate_mbs: float | None
    gap_cycles: int | None
    region: int | None
    base: int | None
    start_us: float | None
    stop_us: float | None
    width_bits: int
    pl_mhz: float
    burst_bytes: int
    outstanding: int | None
    pattern: str
    through: NotRequired[str | None]  # absent in older stores
    partner: NotRequired[str | None]  # absent in older stores
    bytes_in: int | None
    bytes_out: int | None
    compute_cycles: int | None
    buffers: int | None
    packet_bytes: int | None
    depth: int | None
    cache_control: str | None
    operation: str | None
    memory_type: str | None
    copy_bytes: NotRequired[int | None]  # absent in older stores
    scatter_gather: bool | None
    descriptor_bytes: int | None
    pixel_bytes: int | None
    frame: str | None
    max_read_burst_length: int | None
    max_write_burst_length: int | None
    num_read_outstanding: int | None
    num_write_outstanding: int | None
    latency: int | None
    # Values that no key sets: `master_keys.OWN`.
    way: str
    link_mhz: float
    engine: str | None
    pieces: int | None
    turns: Mapping[str, float] | None


class Values(TypedDict):
    """Every key of a point, normalised; see `points.Point`. None: the platform's value."""

    ports: list[str]
    mode: str
    width_bits: int
    pl_mhz: float
    burst_beats: int
    burst_bytes: int
    transfer_bytes: int | None
    duration_s: float | None
    until_settled: NotRequired[bool]  # of runs by duration; absent in older stores
    repeats: int
    pattern: str
    outstanding_read: int | None
    outstanding_write: int | None
    masters_per_port: int
    through: NotRequired[str | None]  # absent in older stores
    background: str | None
    gap_cycles: int
    skew_us: float | None
    placement: str
    mapping: str
    qos: Qos | None
    accelerators: int
    fill: str
    seed: int
    master: str
    os: str
    cache: str
    memory_type: str
    dma_program: str
    program: str | None  # None: no program starts it; absent in older stores
    cache_control: str
    io: str
    ring_depth: int
    dma_burst_bytes: int | None
    copy_bytes: int | None
    slave: str | None
    masters: NotRequired[tuple[Master, ...]]  # of points with `[[master]]` tables


def known(value: T | None) -> T:
    """A value that a master's kind always has."""
    assert value is not None
    return value


def having(values: Values, changed: Mapping[str, object]) -> Values:
    """The values with some of them changed; `changed`: normalised values by name."""
    return cast("Values", {**values, **changed})
