"""The RTL backend for simple masters in the fabric: what runs, and its records.

What is in the fabric and behind its port is simulated: master, counter and sniffer as RTL, register
slices for the interconnect, the port and the DRAM as the memory model has them. What the processor
does before and after a frame (its register accesses, its system calls) is that of `processor.py`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from axiometer import _model, keys_processor
from axiometer.backends import model_spec, processor_spec
from axiometer.cosim.design import Design
from axiometer.cosim.masters_bench import START_CLOCKS, Frame, MastersBench
from axiometer.cosim.process import Cosim
from axiometer.cosim.traffic_bench import cannot

TOP = "axm_master_top"
MASTERS = ("lite", "lite_improved", "full", "full_improved")
# Of the model's classes, those in which the processor works or its register accesses travel.
PROCESSOR = ("software", "fetch", "system", "copy", "cache_control", "setup", "engine")
FABRIC = ("interconnect", "crossing", "fabric", "data", "memory", "queue")
# Where the chip's classes of a stream belong among those of the processor's side.
CLASSES = {
    "data": "data",
    "launch": "setup",
    "master": "fabric",
    "partner": "fabric",
    "path": "queue",
    "controller": "memory",
    "latency": "interconnect",
    "done": "fabric",
}


def design(platform: Any, values: dict[str, Any]) -> Design:
    """The design of a point. AxiometerError if there is none."""
    master, (port, *_) = values["master"], values["ports"]
    if master not in MASTERS:
        raise cannot(
            f"master = {master!r}", f"it has the masters dma, {', '.join(MASTERS)}; use the model"
        )
    if keys_processor.kind(platform, port) != "hp":
        hp = [p for p in platform.ports if keys_processor.kind(platform, p) == "hp"]
        raise cannot(
            f"port {port}: it is no port of the memory model, whose chip the RTL meets",
            f"use a port on a path of it: {', '.join(hp)}; or use the model backend",
        )
    beat = beat_bytes(platform, values)
    widths = platform.value(f"port.{port}.widths")
    if 8 * beat not in widths:
        raise cannot(f"port {port} with masters of {8 * beat} bits", "use the model backend")
    if values["transfer_bytes"] % beat:
        raise cannot(
            f"transfer_bytes = {values['transfer_bytes']} with master {master!r}",
            f"give a multiple of {beat}: it moves whole words",
        )
    return Design(
        top=TOP,
        ports=1,
        width_bits=8 * beat,
        axi3=platform.value(f"port.{port}.axi", 3) == 3,
        parameters=(
            ("FULL", int(master.startswith("full"))),
            ("IMPROVED", int(master.endswith("improved"))),
            *zip(("WAY_OUT", "WAY_BACK"), way(platform), strict=True),
            ("OUTSTANDING", platform.value("fabric.master.outstanding_improved")),
            ("CLOCK_HZ", round(processor_spec.pl_mhz(platform, values["pl_mhz"]) * 10**6)),
        ),
    )


def way(platform: Any) -> tuple[int, int]:
    """PL clocks from master to port and back: the interconnect, halved as in the model."""
    both = platform.value("fabric.master.interconnect_cycles")
    return both // 2, both - both // 2


def bench(
    cosim: Cosim, platform: Any, values: dict[str, Any], spec: dict[str, Any]
) -> MastersBench:
    """The bench of a point on its co-simulation."""
    return MastersBench(cosim, spec, burst_beats(platform, values), way(platform)[1])


def beat_bytes(platform: Any, values: dict[str, Any]) -> int:
    """Bytes of a word of the masters, as the model has it."""
    return processor_spec.build(platform, values)[0]["gp"]["beat_bytes"]


def burst_beats(platform: Any, values: dict[str, Any]) -> int:
    """Beats of a burst of the point's master."""
    return processor_spec.build(platform, values)[0]["fabric"]["burst_beats"]


def spec(platform: Any, values: dict[str, Any]) -> tuple[dict[str, Any], Fraction]:
    """The chip as the memory model describes it, for this master; and the PL clock in MHz, which is
    what the PLL gives."""
    beats, beat = burst_beats(platform, values), beat_bytes(platform, values)
    pl_mhz = processor_spec.pl_mhz(platform, values["pl_mhz"])
    improved = values["master"].endswith("improved")
    outstanding = platform.value("fabric.master.outstanding_improved") if improved else 1
    own = {
        "width_bits": 8 * beat,
        "burst_beats": beats,
        "burst_bytes": beats * beat,
        "pl_mhz": pl_mhz,
        "outstanding_read": outstanding,
        "outstanding_write": outstanding,
    }
    return model_spec.build(platform, values | own), pl_mhz


def run_repeats(
    bench: MastersBench, platform: Any, point: Any, seed: int, first: int, count: int
) -> list[dict[str, Any]]:
    """Records of repeats `first` to `first + count - 1`; refreshes are as in the model backend's
    streams, the processor's part is that of its own model."""
    values = point.values
    chip, pl_mhz = spec(platform, values)
    processor, unit = processor_spec.build(platform, values)
    records = []
    for repeat in range(first, first + count):
        start = model_spec.start(platform, values, chip, seed, repeat) | {"launch": [START_CLOCKS]}
        frame = bench.run(start)
        outcome = _model.run_processor(processor_spec.start(processor, seed, repeat))
        before = {name: float(outcome["classes"][name] * unit) for name in PROCESSOR}
        records.append(_record(values, pl_mhz, repeat, frame, before))
    return records


def _record(
    values: dict[str, Any],
    pl_mhz: Fraction,
    repeat: int,
    frame: Frame,
    before: dict[str, float],
) -> dict[str, Any]:
    period = float(1 / (pl_mhz * 10**6))
    classes = before | dict.fromkeys(FABRIC, 0.0)
    for name, clocks in frame.books["streams"][0]["classes"].items():
        classes[CLASSES[name]] += clocks * period
    cycles = START_CLOCKS + frame.beats["cycles"]
    # From the port to the master, when the chip has done its part.
    classes["fabric"] += (cycles - frame.books["cycles"]) * period
    elapsed = sum(before.values()) + cycles * period
    moved = values["transfer_bytes"]
    rate = moved / elapsed * 1e-6
    read = rate if values["mode"] == "ps_to_pl" else 0.0
    rates = {"total_MBps": rate, "read_MBps": read, "write_MBps": rate - read}
    speed = moved / (frame.beats["cycles"] * period) * 1e-6
    beats = None if frame.beats["between"] is None else {**frame.beats, "MBps": speed}
    return {
        "repeat": repeat,
        "elapsed_s": elapsed,
        "bytes": moved,
        **rates,
        "by_port": {port: dict(rates) for port in values["ports"]},
        "latency_cycles": None,
        "dram": None,
        "streams": [],
        "processor": {"classes_s": classes, "beats": beats},
    }
