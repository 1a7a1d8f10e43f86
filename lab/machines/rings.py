"""The RSoC tables with the real program, host/apps/packet_times.c, on each host, beside the
published figures.

Two figures that are never added: the simulated time of fabric and memory, and the processor's
instructions, counted by the emulator; how long these take is not simulated.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import axiometer
from axiometer.answer.analysis.results import Row
from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.experiment.port_kinds import kind
from axiometer.platform import Platform
from machines import bare, kernels, machine, programs, simulated
from machines.guest import Guest
from machines.simulated import OnChip, Work

HOSTS = {"linux": "Linux", "bare": "no operating system", "freertos": "FreeRTOS"}
TIMES = "packet_times"
EXPERIMENT = "zedboard-zero-copy"
ROUNDING = 0.02  # of the model's rates and of instructions, which a division varies
PACKETS = 100  # of each size
SIZES = tuple(2**n for n in range(6, 16))  # of packet_times.c: bytes of its packets
KERNELS = {"armv7": "6.12-arm", "armv8": "6.12"}
RING_LOG2 = 2  # of the driver, as many slots as its channels have elsewhere
LIMIT_S = 1800.0


@dataclass(frozen=True)
class Way:
    """The way of packets. coherent: without cache maintenance. copies: into and out of buffers."""

    coherent: bool = False
    copies: bool = False


@dataclass(frozen=True)
class Cost:
    """The cost of a packet of `bytes`, there and back. accesses: of the design's registers by the
    program; under Linux the kernel's are among the instructions. work: of all packets."""

    bytes: int
    packets: int
    accesses: int
    instructions: float
    work: Work

    @property
    def seconds(self) -> float:
        """Time of fabric and memory for a packet; all packets share the opening of the channel."""
        return self.work.seconds / self.packets


def costs(host: str, chip: str, on: OnChip, way: Way, packets: int) -> list[Cost]:
    """The cost of packets of each of SIZES. host: of HOSTS. chip: the program's chip.

    AxiometerError if the program failed or a tool is missing.
    """
    said: list[str] = []
    if host == "linux":
        lines = _linux(chip, on, way, packets, said.append)
    else:
        settings = {
            "PACKETS": str(packets),
            "SIZES": ",".join(map(str, SIZES)),
            "COPIES": str(way.copies).lower(),
            "COHERENT": str(way.coherent).lower(),
        }
        lines = list(
            bare.printed(
                TIMES, on, host == "freertos", chip,
                counted=True, heard=said.append, **settings,
            )
        )  # fmt: skip
    return read(host, lines, "".join(said))


def read(host: str, lines: Sequence[str], said: str, sizes: Sequence[int] = SIZES) -> list[Cost]:
    """The costs from the lines of the program (bytes, packets, accesses, time, wrong bytes) and the
    output of the fabric. AxiometerError if the program failed."""
    words = [line.split() for line in lines]
    rows = [[int(w) for w in row] for row in words if len(row) == 5 and "".join(row).isdigit()]
    works = simulated.works(said)
    whole = [row[0] for row in rows] == list(sizes) and not any(row[4] for row in rows)
    if not whole or len(works) < len(rows):
        raise AxiometerError(
            f"the program on {host} failed: {' / '.join(lines[-3:]) or 'it printed nothing'}",
            remedy="this is a fault of the program or of the design: please report it",
            status=RUN_FAILED,
        )
    # A driver may have stopped the engine before.
    return [
        Cost(size, count, accesses, ns / 2**bare.INSTRUCTION_LOG2_NS, work)
        for (size, count, accesses, ns, _), work in zip(rows, works[-len(rows) :], strict=True)
    ]


def _linux(
    chip: str, on: OnChip, way: Way, packets: int, heard: Callable[[str], object]
) -> list[str]:
    """The output with Linux, whose driver maintains caches where the design is not coherent."""
    kernel = kernels.find(KERNELS[bare.facts(chip)["architecture"]])
    server = machine.Server(on, "intx", heard)
    bus = "platform" if way.coherent else "platform-noncoherent"
    log2 = bare.INSTRUCTION_LOG2_NS
    settings = machine.Settings(kernel, bus, LIMIT_S, instruction_log2_ns=log2)
    lines: list[str] = []
    machine.run(settings, server, guest(kernel, bus, packets, way.copies), lines.append)
    return [line.strip() for line in lines]


def guest(kernel: kernels.Kernel, bus: str, packets: int, copies: bool) -> Guest:
    """Runs the program with the driver, once for each size. bus: of machine.BUSES, on which the
    driver must find the design. copies: by write and read."""
    how = f"{'-c ' if copies else ''}-n {packets} /dev/axm0c0"
    name = "pci" if bus == "pci" else "platform"
    script = f"""[ -n "$(ls -d /sys/bus/{name}/drivers/axiometer/*/axm)" ] || exit 1
rmmod axiometer && insmod /axiometer.ko ring_log2={RING_LOG2} || exit 1
for bytes in {" ".join(map(str, SIZES))}; do
  axm-packet-times {how} $bytes || exit 1
done
"""
    module = programs.driver(kernel).module
    files = {"bin/axm-packet-times": programs.app(kernel, TIMES)}
    return Guest((module,), files, "" if bus == "pci" else machine.ENABLE, script)


@cache
def _measured(
    host: str, board: str, port: str, pl_mhz: float, way: Way, packets: int
) -> dict[int, Cost]:
    """By size. Booting a machine takes far longer than a packet: all sizes are measured at once."""
    platform = Platform.load(board)
    print(f"{host}, {port or 'the first port'}, {way}", flush=True)
    on = OnChip.of(platform, port, pl_mhz)
    return {cost.bytes: cost for cost in costs(host, platform.family, on, way, packets)}


def of(host: str, row: Row, platform: Platform, packets: int) -> tuple[Cost, bool]:
    """The cost of a row's packet on a host, and whether its port is of the memory's model: at other
    ports the processor's work is the same, which is measured at the first one."""
    values = row.values
    simulated_here = kind(platform, values["ports"][0]) == "hp"
    way = Way(values["cache_control"] != "explicit", values["io"] == "copy")
    port = values["ports"][0] if simulated_here else ""
    found = _measured(host, platform.name, port, values["pl_mhz"], way, packets)
    return found[values["transfer_bytes"] or 0], simulated_here


def broken(host: str, rows: Sequence[Row], found: Sequence[tuple[Cost, bool]]) -> Iterator[str]:
    """Laws between the figures of a host."""
    count: dict[tuple[object, ...], float] = {}
    for row, (cost, simulated_here) in zip(rows, found, strict=True):
        values, size = row.values, cost.bytes
        what = f"{host}, {values['ports'][0]} {values['cache_control']} {values['io']} {size}"
        count[values["cache_control"], values["io"], size] = cost.instructions
        if not simulated_here or row.mean is None:
            continue
        clocks = cost.seconds * values["pl_mhz"] * 1e6
        if clocks < size / (values["width_bits"] / 8):
            yield f"{what}: {clocks:.0f} clocks are fewer than the packet has beats"
        if size / (row.mean * 1e6) < cost.seconds * (1 - ROUNDING):
            yield f"{what}: the model's packet is faster than fabric and memory alone"
    for (control, io, size), number in count.items():
        plain = count.get(("explicit", "zero_copy", size))
        if plain is None:
            continue
        if control == "none" and number > plain * (1 + ROUNDING):
            yield f"{host}, {size}: without maintenance it costs more"
        if io == "copy" and size >= 4096 and number < plain:
            yield f"{host}, {size}: a copy costs less than none"


def table(rows: Sequence[Row], found: Mapping[str, Sequence[tuple[Cost, bool]]]) -> str:
    """A row a point: rates, then for each host both of its figures."""
    head = ["port", "caches", "bytes", "simulated MB/s", "published MB/s"]
    head += [f"{HOSTS[host]}: {what}" for host in found for what in ("µs", "instructions")]
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    for row, *sides in zip(rows, *found.values(), strict=True):
        how = row.values["cache_control"] + (", copied" if row.values["io"] == "copy" else "")
        rate, theirs = row.mean, row.theirs
        cells = [row.values["ports"][0], how, str(row.values["transfer_bytes"])]
        cells += [f"{rate:.1f}" if rate is not None else "", f"{theirs:.1f}" if theirs else ""]
        for cost, simulated_here in sides:
            cells += [f"{cost.seconds * 1e6:.3f}" if simulated_here else ""]
            cells += [f"{cost.instructions:.0f}"]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def prove(hosts: tuple[str, ...], packets: int) -> tuple[str, list[str]]:
    """The table, and the laws between its figures that are broken. hosts: of HOSTS; () is all."""
    with tempfile.TemporaryDirectory() as folder:
        rows = axiometer.run(EXPERIMENT, store=Path(folder) / "runs").view.rows
    platform = Platform.load("zedboard")
    found = {
        host: [of(host, row, platform, packets) for row in rows]
        for host in HOSTS
        if host.startswith(hosts or "")
    }
    wrong = [each for host, costs in found.items() for each in broken(host, rows, costs)]
    return table(rows, found), wrong
