"""The RTL backend for masters in the fabric at one port: designs and records.

The RTL has the fabric: master or DMA engine, counter and sniffer. The interconnect beside it, the
port and the path behind it are those of the model's own masters
(model/src/sources/slave_port.cpp). The processor's work before and after a
frame (its register accesses, its system calls) comes from the model.
"""

from __future__ import annotations

from dataclasses import dataclass

from axiometer import _model
from axiometer.base.record import Beats, ProcessorSide, Record
from axiometer.experiment.values import Values, known
from axiometer.platform import Platform
from axiometer.runs.backends import processor
from axiometer.runs.cosim.beat_gaps import between
from axiometer.runs.cosim.bench import Counted
from axiometer.runs.cosim.dma_bench import DmaBench
from axiometer.runs.cosim.masters_bench import MastersBench
from axiometer.runs.cosim.process import Cosim
from axiometer.runs.cosim.rtl_design import RtlDesign
from axiometer.runs.cosim.traffic_bench import cannot
from axiometer.simulate.outcome import TransferOutcome
from axiometer.simulate.start import Start
from axiometer.simulate.stream import Stream
from axiometer.simulate.transfer import Transfer

MASTERS = ("lite", "lite_improved", "full", "full_improved")
DMA = "axi_dma"
# The tops, and the MODE of the top with DMA engines for each direction.
TOP, DMA_TOP = "axm_master_top", "axm_dma_top"
DMA_MODES = {"ps_to_pl": 1, "pl_to_ps": 2}
# Addresses of frames in memory, at the start of a page, so that no burst is cut.
BASE = 1 << 20
# The model's classes in which the processor works or its register accesses travel.
PROCESSOR = ("software", "fetch", "system", "copy", "cache_control", "setup", "engine")
FABRIC = ("interconnect", "crossing", "fabric", "data", "memory", "queue")
# Classes of the processor's side for the chip's classes of a stream.
CLASSES = {
    "data": "data",
    "launch": "fabric",
    "master": "fabric",
    "partner": "fabric",
    "path": "queue",
    "controller": "memory",
    "latency": "interconnect",
    "done": "fabric",
}


def design(platform: Platform, values: Values) -> RtlDesign:
    """The design of a point. AxiometerError if it has none."""
    master, (port, *_) = values["master"], values["ports"]
    if master not in (*MASTERS, DMA):
        raise cannot(
            f"master = {master!r}",
            f"the RTL has the masters dma, {', '.join((*MASTERS, DMA))}, and at GP ports memcpy, "
            "loop, register, ps_dma; use the model",
        )
    transfer = Transfer.of(platform, values)
    beat = transfer.tables.gp.beat_bytes
    if 8 * beat not in platform.wholes(f"port.{port}.widths"):
        raise cannot(f"port {port} with masters of {8 * beat} bits", "use the model backend")
    if known(values["transfer_bytes"]) % beat:
        raise cannot(
            f"transfer_bytes = {values['transfer_bytes']} with master {master!r}",
            f"give a multiple of {beat}: the master moves whole words",
        )
    clock = ("CLOCK_HZ", round(transfer.pl_mhz * 10**6))
    parameters: tuple[tuple[str, int], ...]
    if master == DMA:
        parameters = (("MODE", DMA_MODES[values["mode"]]), ("UNALIGNED", 0), clock)
    else:
        parameters = (
            ("FULL", int(master.startswith("full"))),
            ("IMPROVED", int(master.endswith("improved"))),
            ("OUTSTANDING", platform.whole("fabric.master.outstanding_improved")),
            clock,
        )
    return RtlDesign(
        top=DMA_TOP if master == DMA else TOP,
        ports=1,
        width_bits=8 * beat,
        axi3=platform.whole(f"port.{port}.axi", 3) == 3,
        parameters=parameters,
    )


@dataclass(frozen=True)
class FrameStart(Start):
    """A start of a port of the processor's side. origin: units of time at PL cycle 0;
    refresh_phase: DRAM clock of the first refresh."""

    origin: int = 0
    refresh_phase: int = 0


def bench(cosim: Cosim, transfer: Transfer) -> MastersBench | DmaBench:
    """The bench of a transfer on its co-simulation."""
    beats = transfer.in_fabric[0].burst_beats
    if transfer.values["master"] == DMA:
        return DmaBench(cosim, [stream(transfer)], beats)
    return MastersBench(cosim, stream(transfer), beats)


def stream(transfer: Transfer) -> Stream:
    """The stream of the master in the fabric."""
    beat = transfer.tables.gp.beat_bytes
    size = known(transfer.values["transfer_bytes"])
    return Stream(
        port=0,
        name=transfer.values["ports"][0],
        direction="read" if transfer.tables.transfer.to_fabric else "write",
        base=BASE,
        bytes=size,
        region=0,
        burst_bytes=transfer.in_fabric[0].burst_beats * beat,
        outstanding=transfer.in_fabric[0].outstanding,
    )


def document(transfer: Transfer) -> dict[str, object]:
    """The input of the co-simulation for a transfer: the port, and the path behind it."""
    return {
        "side": transfer.tables.document(),
        "port": {
            "name": transfer.values["ports"][0],
            "width_bytes": transfer.tables.gp.beat_bytes,
        },
        "memory_bytes": transfer.platform.memory_bytes,
    }


def start(
    made: MastersBench | DmaBench, transfer: Transfer, outcome: TransferOutcome
) -> FrameStart:
    """The state at the beginning of a frame: its first address has the time of the model's in
    `outcome`; clocks and refresh have the phases in `transfer`."""
    launch = made.start_clocks
    return FrameStart(
        launch=(launch,),
        first_refresh=0,
        stop=-1,
        pattern_seed=0,
        origin=outcome["frame_begins"] - launch * transfer.tables.clocks.pl,
        refresh_phase=transfer.phases.refresh_phase,
    )


def run_repeats(
    made: MastersBench | DmaBench, transfer: Transfer, seed: int, first: int, count: int
) -> list[Record]:
    """Records of repeats `first` to `first + count - 1`. Phases of clocks and refresh, and the
    processor's part, are those of the model's repeats."""
    slot = made.slot(stream(transfer))
    records = []
    for repeat in range(first, first + count):
        drawn = transfer.start(seed, repeat)
        outcome = _model.run_processor(drawn.document())
        books = made.run(start(made, drawn, outcome))
        records.append(_record(drawn, repeat, outcome, books, slot))
    return records


def _record(
    transfer: Transfer,
    repeat: int,
    outcome: TransferOutcome,
    books: Counted,
    slot: int,
) -> Record:
    values, unit = transfer.values, transfer.unit
    period = transfer.tables.clocks.pl
    stream = books["streams"][0]
    # In units: time before the first address and after the end; the rest is the processor's.
    outside = outcome["elapsed"] - outcome["frame_ends"] + outcome["frame_begins"]
    classes = dict.fromkeys(FABRIC, 0) | {name: outcome["classes"][name] for name in PROCESSOR}
    classes["crossing"] += outside - sum(classes.values())
    for name, clocks in stream["classes"].items():
        classes[CLASSES[name]] += clocks * period
    # The frame has no part before the launch.
    classes["fabric"] -= stream["launch"] * period
    elapsed = float((outside + (stream["end"] - stream["launch"]) * period) * unit)
    moved = known(values["transfer_bytes"])
    side: ProcessorSide = {
        "classes_s": {name: float(value * unit) for name, value in classes.items()},
        "beats": _beats(moved, transfer, outcome, books, slot),
    }
    share = float(values["mode"] == "ps_to_pl")
    return processor.document(values, repeat, elapsed, moved, share, side)


def _beats(
    moved: int,
    transfer: Transfer,
    outcome: TransferOutcome,
    books: Counted,
    slot: int,
) -> Beats | None:
    """The model's beats: with `prepare`, the frame begins with the processor's set-up."""
    tables, unit = transfer.tables, transfer.unit
    period = tables.clocks.pl
    first, last = books["beats"]
    before = None
    if tables.transfer.prepare:
        launch = books["streams"][0]["launch"]
        before = (outcome["frame_begins"] - outcome["first_beat"]) // period + first - launch
    seen = between(books["counters"], slot, before)
    if seen is None:
        return None
    cycles = last - first + 1 + (before or 0)
    count = moved // tables.gp.beat_bytes + (before is not None)
    speed = moved / float(cycles * period * unit) * 1e-6
    return {"count": count, "between": seen, "cycles": cycles, "MBps": speed}
