"""The RTL backend for masters in the fabric at one port: what runs, and its records.

Simulated as RTL is what is in the fabric: master or DMA engine, counter and sniffer. The
interconnect beside it, the port and what is behind it are those that the model's own masters meet
(model/include/axiometer/model/processor/slave_port.hpp). What the processor does before and after
a frame (its register accesses, its system calls) is the model's.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from axiometer import _model
from axiometer.backends import processor_spec
from axiometer.backends.processor import document
from axiometer.cosim.between import between
from axiometer.cosim.design import Design
from axiometer.cosim.dma_bench import DmaBench
from axiometer.cosim.masters_bench import MastersBench
from axiometer.cosim.process import Cosim
from axiometer.cosim.traffic_bench import cannot

MASTERS = ("lite", "lite_improved", "full", "full_improved")
DMA = "axi_dma"
# The tops, and the MODE of that with DMA engines for each direction.
TOP, DMA_TOP = "axm_master_top", "axm_dma_top"
DMA_MODES = {"ps_to_pl": 1, "pl_to_ps": 2}
# Where frames are in memory. At a page's begin, so that no burst is cut.
BASE = 1 << 20
# Of the model's classes, those in which the processor works or its register accesses travel.
PROCESSOR = ("software", "fetch", "system", "copy", "cache_control", "setup", "engine")
FABRIC = ("interconnect", "crossing", "fabric", "data", "memory", "queue")
# Where the chip's classes of a stream belong among those of the processor's side.
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
# The model's masters know no address: this is what a chip's port needs of a platform.
SIDE = {
    "clocks": ("cpu", "interconnect", "ddr", "pl"),
    "memory": (
        "read_clocks",
        "device_clocks",
        "burst_clocks",
        "column_bytes",
        "refresh_clocks",
        "refresh_interval",
    ),
    "gp": ("read_clocks", "write_clocks", "sync_cycles", "beat_bytes"),
    "cache": ("line_bytes",),
    "fabric": ("interconnect_cycles", "hold_cycles"),
    "port": (
        "acceptance_read",
        "acceptance_write",
        "central",
        "beat_bytes",
        "beat_period",
        "serial_time",
        "address_cycles",
    ),
}


def design(platform: Any, values: dict[str, Any]) -> Design:
    """The design of a point. AxiometerError if there is none."""
    master, (port, *_) = values["master"], values["ports"]
    if master not in (*MASTERS, DMA):
        raise cannot(
            f"master = {master!r}",
            f"it has the masters dma, {', '.join((*MASTERS, DMA))}, and at GP ports memcpy, loop, "
            "register, ps_dma; use the model",
        )
    beat = processor_spec.build(platform, values)[0]["gp"]["beat_bytes"]
    if 8 * beat not in platform.value(f"port.{port}.widths"):
        raise cannot(f"port {port} with masters of {8 * beat} bits", "use the model backend")
    if values["transfer_bytes"] % beat:
        raise cannot(
            f"transfer_bytes = {values['transfer_bytes']} with master {master!r}",
            f"give a multiple of {beat}: it moves whole words",
        )
    clock = ("CLOCK_HZ", round(processor_spec.pl_mhz(platform, values["pl_mhz"]) * 10**6))
    if master == DMA:
        parameters = (("MODE", DMA_MODES[values["mode"]]), ("UNALIGNED", 0), clock)
    else:
        parameters = (
            ("FULL", int(master.startswith("full"))),
            ("IMPROVED", int(master.endswith("improved"))),
            ("OUTSTANDING", platform.value("fabric.master.outstanding_improved")),
            clock,
        )
    return Design(
        top=DMA_TOP if master == DMA else TOP,
        ports=1,
        width_bits=8 * beat,
        axi3=platform.value(f"port.{port}.axi", 3) == 3,
        parameters=parameters,
    )


def bench(
    cosim: Cosim, platform: Any, values: dict[str, Any], spec: dict[str, Any]
) -> MastersBench | DmaBench:
    """The bench of a point on its co-simulation."""
    beats = processor_spec.build(platform, values)[0]["fabric"]["burst_beats"]
    return (DmaBench if values["master"] == DMA else MastersBench)(cosim, spec, beats)


def spec(platform: Any, values: dict[str, Any]) -> tuple[dict[str, Any], Fraction]:
    """The streams of a bench, and the port as the co-simulation takes it (`chip`); and the PL clock
    in MHz, which is what the PLL gives."""
    processor, _ = processor_spec.build(platform, values)
    (port, *_) = values["ports"]
    read = processor["transfer"]["to_fabric"]
    stream = {
        "port": 0,
        "name": port,
        "direction": "read" if read else "write",
        "base": BASE,
        "bytes": values["transfer_bytes"],
        "outstanding": processor["fabric"]["outstanding"],
        "partner": -1,
    }
    side = {name: {key: processor[name][key] for key in keys} for name, keys in SIDE.items()}
    chip = {
        "side": side | {"transfer": {"to_fabric": read}},
        "port": {"name": port, "width_bytes": processor["gp"]["beat_bytes"]},
        "memory_bytes": platform.value("dram.size_MiB") * 2**20,
        "streams": [stream],
    }
    return chip, processor_spec.pl_mhz(platform, values["pl_mhz"])


def chip(spec: dict[str, Any]) -> dict[str, Any]:
    """What of a specification the co-simulation is told."""
    return {key: value for key, value in spec.items() if key != "streams"}


def start(
    made: MastersBench | DmaBench, processor: dict[str, Any], outcome: dict[str, Any]
) -> dict[str, Any]:
    """The state in which a frame begins: its first address comes at the very moment at which the
    model's does in `outcome`, with clocks and refresh as they stand in `processor`."""
    launch = made.start_clocks
    return {
        "launch": [launch],
        "first_refresh": 0,
        "pattern_seed": 0,
        "origin": outcome["frame_begins"] - launch * processor["clocks"]["pl"],
        "refresh_phase": processor["memory"]["refresh_phase"],
    }


def run_repeats(
    made: MastersBench | DmaBench, platform: Any, point: Any, seed: int, first: int, count: int
) -> list[dict[str, Any]]:
    """Records of repeats `first` to `first + count - 1`. Where clocks and refresh stand, and the
    processor's part, are those of the model's repeats."""
    values = point.values
    processor, unit = processor_spec.build(platform, values)
    records = []
    for repeat in range(first, first + count):
        drawn = processor_spec.start(processor, seed, repeat)
        outcome = _model.run_processor(drawn)
        books = made.run(start(made, drawn, outcome))
        slot = made.slot(made.stream if isinstance(made, MastersBench) else made.streams[0])
        records.append(_record(values, drawn, unit, repeat, outcome, books, slot))
    return records


def _record(
    values: dict[str, Any],
    processor: dict[str, Any],
    unit: Fraction,
    repeat: int,
    outcome: dict[str, Any],
    books: dict[str, Any],
    slot: int,
) -> dict[str, Any]:
    period = processor["clocks"]["pl"]
    stream = books["streams"][0]
    # In units: before the first address and after the end, and what of it is the processor's.
    outside = outcome["elapsed"] - outcome["frame_ends"] + outcome["frame_begins"]
    classes = dict.fromkeys(FABRIC, 0) | {name: outcome["classes"][name] for name in PROCESSOR}
    classes["crossing"] += outside - sum(classes.values())
    for name, clocks in stream["classes"].items():
        classes[CLASSES[name]] += clocks * period
    # Before the launch there is nothing of the frame.
    classes["fabric"] -= stream["launch"] * period
    elapsed = float((outside + (stream["end"] - stream["launch"]) * period) * unit)
    moved = values["transfer_bytes"]
    side = {
        "classes_s": {name: float(value * unit) for name, value in classes.items()},
        "beats": _beats(moved, processor, unit, outcome, books, slot),
    }
    return document(values, repeat, elapsed, moved, float(values["mode"] == "ps_to_pl"), side)


def _beats(
    moved: int,
    processor: dict[str, Any],
    unit: Fraction,
    outcome: dict[str, Any],
    books: dict[str, Any],
    slot: int,
) -> dict[str, Any] | None:
    """As the model has it: with `prepare`, the frame begins with the processor's set-up."""
    period = processor["clocks"]["pl"]
    first, last = books["beats"]
    before = None
    if processor["transfer"]["prepare"]:
        launch = books["streams"][0]["launch"]
        before = (outcome["frame_begins"] - outcome["first_beat"]) // period + first - launch
    seen = between(books["counters"], slot, before)
    if seen is None:
        return None
    cycles = last - first + 1 + (before or 0)
    count = moved // processor["gp"]["beat_bytes"] + (before is not None)
    speed = moved / float(cycles * period * unit) * 1e-6
    return {"count": count, "between": seen, "cycles": cycles, "MBps": speed}
