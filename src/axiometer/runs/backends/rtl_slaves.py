"""The RTL backend for slaves in the fabric: what runs, and its records.

Simulated as RTL is what is in the fabric: RAM, counter and sniffer. The processor, its DMA engine
and the way to the port are the model's, whose bursts come to the slave when they are there, and
which waits as long as the slave makes it wait.
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
# Latencies of rtl/ram as it is: of a read to its first beat; of a write, counted as if its beats
# had come with the address, which they do one clock later in the RAM with bursts.
LEAST_FULL = {"read": 2, "write": 1}
LEAST_LITE = {"read": 1, "write": 0}


def runs(platform: Platform, values: Values) -> bool:
    """Whether a point's slave is in the fabric, and its master the processor or its DMA."""
    kind = keys_processor.kind(platform, values["ports"][0])
    return values["master"] in MASTERS and kind == "gp-master"


def design(platform: Platform, values: Values) -> RtlDesign:
    """The design of a point. AxiometerError if there is none."""
    (port, *_), name = values["ports"], values["slave"]
    transfer = Transfer.of(platform, values)
    slave = transfer.tables.slave
    size = platform.whole(f"fabric.slave.{name}.bytes")
    if slave.read_beat_cycles != 1:
        raise cannot(f"slave {name!r}", "its RAM gives a beat a clock; use the model backend")
    if slave.outstanding != 1:
        raise cannot(f"slave {name!r}", "its RAM takes one burst at a time; use the model backend")
    if known(values["transfer_bytes"]) % WORD:
        raise cannot(
            f"transfer_bytes = {values['transfer_bytes']} with master {values['master']!r}",
            f"give a multiple of {WORD}: it moves whole words",
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
    """What the co-simulation reads of a transfer."""
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
    """Records of repeats `first` to `first + count - 1`. Clocks and refresh stand as in the model's
    repeats; cycles between data are those that the sniffer saw."""
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
