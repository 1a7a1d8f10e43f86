"""The record of one repeat: its figures and their units. Backends give it, the store keeps it.

MB are 1e6 bytes. Cycles are PL clocks of the port, in the record itself of the point's `pl_mhz`.
What must hold between the figures is said by `records/laws/`, what the classes of time mean by
docs/architecture.md. Not for: statistics over repeats (`answer/analysis/`).
"""

from __future__ import annotations

from typing import NotRequired, TypedDict

BOARD, EMULATED = "board", "emulated"
"""Backends whose records no model made: of a board, and of an emulated one, whose times are no
figure of any chip."""
FIGURES = {BOARD: "measured", EMULATED: "emulated (simulated)"}
"""What their figures are called."""

DRAM_CLASSES = (
    *("read_data", "write_data", "read_to_write", "write_to_read", "activate_precharge"),
    *("refresh", "idle_no_request", "idle_port", "idle_path"),
)
STREAM_CLASSES = (
    *("data", "launch", "master", "partner", "path", "controller", "latency", "done"),
)


class Rates(TypedDict):
    """Bytes over the whole elapsed time; 0.0 if none."""

    total_MBps: float
    read_MBps: float
    write_MBps: float


def rate_of(rates: Rates, direction: str) -> float:
    """MB/s of one direction, "read" or "write"."""
    return rates["read_MBps"] if direction == "read" else rates["write_MBps"]


class Latency(TypedDict):
    """Of `n` bursts: of a read from address accepted to last beat, of a write from address to
    response."""

    mean: float
    min: float
    max: float
    p50: float
    p99: float
    n: int
    hist: NotRequired[dict[str, int]]
    """Bursts by the least latency of their bin (`latency_bins.py`); of all streams together."""


class MasterRates(Rates):
    """Of a master: of a `[[master]]` table also its bytes and latency (None: no burst)."""

    bytes: NotRequired[int]
    latency_ns: NotRequired[Latency | None]


class Dram(TypedDict):
    """Seconds of the bus by class of time, all of `DRAM_CLASSES`, and commands by their kind:
    reads, writes, activates, precharges, refreshes."""

    classes_s: dict[str, float]
    counts: dict[str, int]


class Steady(TypedDict):
    """How sure the rate of a free run is, of which a part is measured."""

    settled: bool
    may_drift: bool
    half_width_MBps: float | None
    """Half of the 95 % interval of the rate; None: too short to tell."""
    start_up_s: float
    simulated_s: float


class StreamRecord(TypedDict):
    """One direction of an engine; its times by all of `STREAM_CLASSES`."""

    port: str
    direction: str
    bytes: int
    start_s: float
    end_s: float
    classes_s: dict[str, float]
    latency_cycles: Latency | None
    master: NotRequired[str | int]
    """Its `[[master]]` table, or its number at a multiplexer."""
    inactivity_cycles: NotRequired[int]
    """Zynq UltraScale+: longest time without a beat between two, of the whole run."""


class Between(TypedDict):
    """Cycles from beat to beat. `typ`: the mean's whole part; of the RTL, whose sniffer counts in
    bins, the most frequent. `mean` is None where the bins do not tell it."""

    min: int
    typ: int
    mean: float | None
    max: int


class Beats(TypedDict):
    """What a counter in the fabric sees: `cycles` from first beat to last, and the rate over
    these. Of `axi_dma` its start counts as one beat more, before the others."""

    count: int
    between: Between
    cycles: int
    MBps: float


class ProcessorSide(TypedDict):
    """Seconds by class of time (docs/numbers.md). Of a ring, which is modelled by packets, and of
    fewer than two beats `beats` is None."""

    classes_s: dict[str, float]
    beats: Beats | None


class MonitorSide(TypedDict):
    """What the design's monitor counted of a stream. `cycles` of the fabric's clock are those of
    `beats` and of the other classes: a beat, or why there was none. Of a vendor's engine a sniffer
    counted bursts and beats, with those of descriptors."""

    port: str
    direction: str
    bursts: int
    beats: int
    bytes: int
    cycles: NotRequired[int]
    idle: NotRequired[int]
    address: NotRequired[int]
    wait: NotRequired[int]
    stall: NotRequired[int]
    response: NotRequired[int]


class BoardSide(TypedDict):
    """What a board told besides. `before` and `after`: what may change what is measured, such as
    temperature_mC and cpu_khz (docs/hosts.md, `environment`)."""

    ns: int
    """From the first start to the last end, by the processor's clock."""
    clocks: int | None
    """By the fabric's counter, from before the first start to after the last end; None where the
    design has none."""
    clock_hz: int
    """Of the fabric, as the design says."""
    design: str
    """Of the identification block and the table of blocks: equal for equal designs."""
    before: dict[str, str | int]
    after: dict[str, str | int]
    streams: list[MonitorSide]


class HostSide(TypedDict):
    """Of a packet of a ring, with the real program on an emulated machine (docs/hosts.md). The two
    figures are of different machines, and in no rate."""

    name: str
    """linux, bare or freertos."""
    instructions: float
    """Counted by the emulator, without the accesses of registers that are counted apart."""
    accesses: int
    """Of the design's registers by the program; a kernel's are among its instructions."""
    fabric_memory_s: float | None
    """Simulated: for how long the fabric and the memory worked. None: the port is not of the memory
    model."""


class Record(Rates):
    """A repeat, from the start of the first launch until the processor sees the end."""

    repeat: int
    elapsed_s: float
    bytes: int
    """Of a ring those of its packets, each counted once: half of the rate is in each direction."""
    by_port: dict[str, Rates]
    background: NotRequired[dict[str, Rates]]
    """The chip's own masters, which are in no total; only with the key `background`."""
    by_master: NotRequired[dict[str, MasterRates]]
    """`[[master]]` tables by name, or "HP0.1" where `masters_per_port` is not 1."""
    latency_cycles: Latency | None
    dram: Dram | None
    steady: NotRequired[Steady]
    streams: list[StreamRecord]
    board: NotRequired[BoardSide]
    """Where it ran on a board, or an emulated one; `dram` is None then, no `streams`."""
    processor: NotRequired[ProcessorSide]
    """Where `master` is not `dma`; `dram` and `latency_cycles` are None then, no `streams`."""
    host: NotRequired[HostSide]
    """Only of a run with a host."""
