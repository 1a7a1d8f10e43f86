"""The record of one repeat: its figures and their units. Backends make it, the store saves it.

MB are 1e6 bytes. Cycles are PL clocks of the port; in the record itself, of the point's `pl_mhz`.
`records/laws/` has the laws between figures, docs/architecture.md explains the classes of time.
Not for: statistics over repeats (`answer/analysis/`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NotRequired, TypedDict

BOARD, EMULATED = "board", "emulated"
"""Backends without a model: a board, and an emulated board, whose times are figures of no chip."""
FIGURES = {BOARD: "measured", EMULATED: "emulated (simulated)"}
"""The name of their figures."""

DRAM_CLASSES = (
    *("read_data", "write_data", "read_to_write", "write_to_read", "activate_precharge"),
    *("refresh", "idle_no_request", "idle_port", "idle_path"),
)
STREAM_CLASSES = (
    *("data", "launch", "master", "partner", "path", "controller", "latency", "done"),
)


class Rates(TypedDict):
    """Bytes divided by the whole elapsed time, in MB/s; 0.0 without bytes."""

    total_MBps: float
    read_MBps: float
    write_MBps: float


def rate_of(rates: Rates, direction: str) -> float:
    """MB/s of one direction, "read" or "write"."""
    return rates["read_MBps"] if direction == "read" else rates["write_MBps"]


class Latency(TypedDict):
    """Latency of `n` bursts: of a read from accepted address to last beat, of a write from address
    to response."""

    mean: float
    min: float
    max: float
    p50: float
    p99: float
    n: int
    hist: NotRequired[dict[str, int]]
    """Bursts by the least latency of their bin (`latency_bins.py`), all streams together."""


class MasterRates(Rates):
    """Rates of a master; for a `[[master]]` table also its bytes and latency (None: no burst)."""

    bytes: NotRequired[int]
    latency_ns: NotRequired[Latency | None]


class Dram(TypedDict):
    """Seconds of the bus by class of time, all of `DRAM_CLASSES`, and commands by their kind:
    reads, writes, activates, precharges, refreshes."""

    classes_s: dict[str, float]
    counts: dict[str, int]


class Steady(TypedDict):
    """The uncertainty of the rate of a free run, of which a part is measured."""

    settled: bool
    may_drift: bool
    half_width_MBps: float | None
    """Half of the 95 % interval of the rate; None: the run is too short."""
    start_up_s: float
    simulated_s: float


class StreamRecord(TypedDict):
    """One direction of an engine; its time by class, all of `STREAM_CLASSES`."""

    port: str
    direction: str
    bytes: int
    """Those that the question asked to move; 0 where it asked for none in this direction."""
    memory_bytes: NotRequired[int]
    """Of a master that requests burst by burst: all that its bursts moved at the memory, with a
    DMA's program and lines that caches fetched or wrote back, without what caches held."""
    start_s: float
    end_s: float
    classes_s: dict[str, float]
    latency_cycles: Latency | None
    master: NotRequired[str | int]
    """Its name. Older stores lack that of the only one at a port, and number several."""
    inactivity_cycles: NotRequired[int]
    """Zynq UltraScale+: the longest time between two beats of the whole run."""


def by_master(record: Record) -> Mapping[str, Rates]:
    """The rates of each master by its name."""
    return record["by_master"] if "by_master" in record else record["by_port"]


def owner(stream: StreamRecord) -> str:
    """The name of a stream's master."""
    master = stream.get("master", stream["port"])
    return f"{stream['port']}.{master}" if isinstance(master, int) else master


class Between(TypedDict):
    """Cycles from beat to beat. `typ`: the mean's whole part; for the RTL, whose sniffer counts in
    bins, the most frequent. `mean` is None where the bins do not give it."""

    min: int
    typ: int
    mean: float | None
    max: int


class Beats(TypedDict):
    """Figures of a counter in the fabric: `cycles` from first to last beat, and the rate over
    them. For `axi_dma` the start counts as an additional first beat."""

    count: int
    between: Between
    cycles: int
    MBps: float


class ProcessorSide(TypedDict):
    """Seconds by class of time (docs/numbers.md). `beats` is None for a ring, which is modelled by
    packets, and for fewer than two beats."""

    classes_s: dict[str, float]
    beats: Beats | None


class MonitorSide(TypedDict):
    """Counts of the design's monitor for a stream. `cycles` of the fabric's clock are the sum of
    `beats` and of the other classes, the reasons for clocks without a beat. For a vendor's engine a
    sniffer counts bursts and beats, including those of descriptors."""

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
    """Other figures of a board. `before` and `after`: conditions that may change a measurement,
    such as temperature_mC and cpu_khz (docs/hosts.md, `environment`)."""

    ns: int
    """From the first start to the last end, by the processor's clock."""
    clocks: int | None
    """By the fabric's counter, from before the first start to after the last end; None where the
    design has none."""
    clock_hz: int
    """Of the fabric, from the design's register."""
    design: str
    """Hash of the identification block and the table of blocks: equal for equal designs."""
    before: dict[str, str | int]
    after: dict[str, str | int]
    streams: list[MonitorSide]


class Record(Rates):
    """A repeat, from the start of the first launch until the processor sees the end."""

    repeat: int
    elapsed_s: float
    bytes: int
    """For a ring, the bytes of its packets, each counted once: half of the rate is in each
    direction."""
    by_port: dict[str, Rates]
    background: NotRequired[dict[str, Rates]]
    """The chip's own masters, which no total includes; only with the key `background`."""
    by_master: NotRequired[dict[str, MasterRates]]
    """Of points at the memory. Older stores lack it where each port has one master."""
    latency_cycles: Latency | None
    dram: Dram | None
    steady: NotRequired[Steady]
    streams: list[StreamRecord]
    board: NotRequired[BoardSide]
    """Of a run on a board or an emulated board; `dram` is None then, without `streams`."""
    processor: NotRequired[ProcessorSide]
    """If `master` is not `dma`; `dram` and `latency_cycles` are None then, without `streams`."""
