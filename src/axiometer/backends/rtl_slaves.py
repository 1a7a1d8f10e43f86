"""The RTL backend for slaves in the fabric: what runs, and its records.

Simulated as RTL is what is in the fabric: RAM, counter and sniffer. The processor, its DMA engine
and the way to the port are the model's, whose bursts come to the slave when they are there, and
which waits as long as the slave makes it wait.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from axiometer import keys_processor
from axiometer.backends import processor, processor_spec
from axiometer.cosim.design import Design
from axiometer.cosim.process import Cosim
from axiometer.cosim.slave_bench import SlaveBench
from axiometer.cosim.traffic_bench import cannot

TOP = "axm_slave_top"
MASTERS = ("memcpy", "loop", "register", "ps_dma")
WORD = 4
# Latencies of rtl/ram as it is: of a read to its first beat; of a write, counted as if its beats
# had come with the address, which they do one clock later in the RAM with bursts.
LEAST_FULL = {"read": 2, "write": 1}
LEAST_LITE = {"read": 1, "write": 0}


def runs(platform: Any, values: dict[str, Any]) -> bool:
    """Whether a point's slave is in the fabric, and its master the processor or its DMA."""
    kind = keys_processor.kind(platform, values["ports"][0])
    return values["master"] in MASTERS and kind == "gp-master"


def design(platform: Any, values: dict[str, Any]) -> Design:
    """The design of a point. AxiometerError if there is none."""
    (port, *_), name = values["ports"], values["slave"]
    slave = processor_spec.build(platform, values)[0]["slave"]
    size = platform.value(f"fabric.slave.{name}.bytes")
    if slave.get("read_beat_cycles", 1) != 1:
        raise cannot(f"slave {name!r}", "its RAM gives a beat a clock; use the model backend")
    if values["transfer_bytes"] % WORD:
        raise cannot(
            f"transfer_bytes = {values['transfer_bytes']} with master {values['master']!r}",
            f"give a multiple of {WORD}: it moves whole words",
        )
    if size & (size - 1) or not 64 <= size <= 2**20:
        raise cannot(f"slave {name!r} of {size} bytes", "give a power of two from 64 to 2^20")
    least = LEAST_LITE if slave["single"] else LEAST_FULL
    extra = {way: slave[f"{way}_latency"] - least[way] for way in least}
    if min(extra.values()) < 0:
        raise cannot(
            f"slave {name!r} with latencies below {least['read']} and {least['write']}",
            "use the model backend",
        )
    clock = round(processor_spec.pl_mhz(platform, values["pl_mhz"]) * 10**6)
    return Design(
        top=TOP,
        ports=1,
        width_bits=8 * WORD,
        axi3=platform.value(f"port.{port}.axi", 3) == 3,
        parameters=(
            ("FULL", int(not slave["single"])),
            ("BYTES", size),
            ("EXTRA_READ", extra["read"]),
            ("EXTRA_WRITE", extra["write"]),
            ("CLOCK_HZ", clock),
        ),
        slave=True,
    )


def spec(platform: Any, values: dict[str, Any]) -> tuple[dict[str, Any], Fraction]:
    """What the co-simulation is told, and the PL clock in MHz, which is what the PLL gives."""
    made, _ = processor_spec.build(platform, values)
    told = {
        "processor": made,
        "slave_bytes": platform.value(f"fabric.slave.{values['slave']}.bytes"),
    }
    return told, processor_spec.pl_mhz(platform, values["pl_mhz"])


def chip(spec: dict[str, Any]) -> dict[str, Any]:
    """What of a specification the co-simulation is told."""
    return spec


def bench(cosim: Cosim, platform: Any, values: dict[str, Any], spec: dict[str, Any]) -> SlaveBench:
    """The bench of a point on its co-simulation."""
    return SlaveBench(cosim, spec)


def run_repeats(
    made: SlaveBench, platform: Any, point: Any, seed: int, first: int, count: int
) -> list[dict[str, Any]]:
    """Records of repeats `first` to `first + count - 1`. Clocks and refresh stand as in the model's
    repeats; cycles between data are those that the sniffer saw."""
    base, unit = processor_spec.build(platform, point.values)
    records = []
    for repeat in range(first, first + count):
        drawn = processor_spec.start(base, seed, repeat)
        phases = {
            "pl_phase": drawn["clocks"]["pl_phase"],
            "refresh_phase": drawn["memory"]["refresh_phase"],
        }
        outcome = made.run(phases)
        record = processor.record(point.values, drawn, unit, repeat, outcome)
        if record["processor"]["beats"] is not None:
            record["processor"]["beats"]["between"] = outcome["seen"]
        records.append(record)
    return records
