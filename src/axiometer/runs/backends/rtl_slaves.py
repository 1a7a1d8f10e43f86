"""The RTL backend for slaves in the fabric: designs and records.

The RTL has the fabric: RAM, counter and sniffer. The model has the processor, its DMA engine and
the path to the port; its bursts reach the slave at their times, and it waits as long as the slave
makes it wait.
"""

from __future__ import annotations

from dataclasses import asdict

from axiometer.base.record import Record
from axiometer.experiment import keys_processor
from axiometer.experiment.values import Values, known
from axiometer.platform import Platform
from axiometer.runs.backends import processor
from axiometer.runs.cosim.process import Cosim
from axiometer.runs.cosim.rtl_design import RtlDesign
from axiometer.runs.cosim.slave_bench import SlaveBench
from axiometer.runs.cosim.traffic_bench import cannot
from axiometer.simulate.transfer import Transfer

TOP = "axm_slave_top"
MASTERS = ("memcpy", "loop", "register", "ps_dma")
WORD = 4
# Latencies of rtl/ram as built: of a read to its first beat; of a write, as if its beats came with
# the address; in the RAM with bursts they come one clock later.
LEAST_FULL = {"read": 2, "write": 1}
LEAST_LITE = {"read": 1, "write": 0}


def runs(platform: Platform, values: Values) -> bool:
    """Whether a point's slave is in the fabric, and its master the processor or its DMA."""
    kind = keys_processor.kind(platform, values["ports"][0])
    return values["master"] in MASTERS and kind == "gp-master"


def design(platform: Platform, values: Values) -> RtlDesign:
    """The design of a point. AxiometerError if it has none."""
    (port, *_), name = values["ports"], values["slave"]
    transfer = Transfer.of(platform, values)
    slave = transfer.tables.slave
    size = platform.whole(f"fabric.slave.{name}.bytes")
    if slave.read_beat_cycles != 1:
        raise cannot(f"slave {name!r}", "its RAM moves a beat a clock; use the model backend")
    if slave.outstanding != 1:
        raise cannot(f"slave {name!r}", "its RAM has one burst at a time; use the model backend")
    if known(values["transfer_bytes"]) % WORD:
        raise cannot(
            f"transfer_bytes = {values['transfer_bytes']} with master {values['master']!r}",
            f"give a multiple of {WORD}: the master moves whole words",
        )
    if size & (size - 1) or not 64 <= size <= 2**20:
        raise cannot(f"slave {name!r} of {size} bytes", "give a power of two from 64 to 2^20")
    least = LEAST_LITE if slave.single else LEAST_FULL
    extra = {"read": slave.read_latency, "write": slave.write_latency}
    extra = {way: clocks - least[way] for way, clocks in extra.items()}
    if min(extra.values()) < 0:
        raise cannot(
            f"slave {name!r} with latencies below {least['read']} and {least['write']}",
            "use the model backend",
        )
    clock = round(transfer.pl_mhz * 10**6)
    return RtlDesign(
        top=TOP,
        ports=1,
        width_bits=8 * WORD,
        axi3=platform.whole(f"port.{port}.axi", 3) == 3,
        parameters=(
            ("FULL", int(not slave.single)),
            ("BYTES", size),
            ("EXTRA_READ", extra["read"]),
            ("EXTRA_WRITE", extra["write"]),
            ("CLOCK_HZ", clock),
        ),
        slave=True,
    )


def document(transfer: Transfer) -> dict[str, object]:
    """The input of the co-simulation for a transfer."""
    slave = f"fabric.slave.{transfer.values['slave']}"
    return {
        "processor": transfer.document(),
        "slave_bytes": transfer.platform.whole(f"{slave}.bytes"),
    }


def bench(cosim: Cosim, transfer: Transfer) -> SlaveBench:
    """The bench of a transfer on its co-simulation."""
    return SlaveBench(cosim, transfer)


def run_repeats(
    made: SlaveBench, transfer: Transfer, seed: int, first: int, count: int
) -> list[Record]:
    """Records of repeats `first` to `first + count - 1`. Phases of clocks and refresh are those of
    the model's repeats; cycles between data come from the sniffer."""
    records = []
    for repeat in range(first, first + count):
        drawn = transfer.start(seed, repeat)
        outcome, seen = made.run(asdict(drawn.phases))
        record = processor.record(drawn, repeat, outcome)
        beats = record["processor"]["beats"]
        if beats is not None and seen is not None:  # both or none
            beats["between"] = seen
        records.append(record)
    return records
