"""The cost of a packet on a host, from the program host/apps/packet_times.c on an emulated machine.

Two figures that are never added: the simulated time of fabric and memory, and the processor's
instructions, counted by the emulator. The time of the instructions is not simulated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.bringup.vm import bare, freertos, kernels, linux_apps, machine, packages, simulated
from axiometer.bringup.vm.simulated import OnChip, Work
from axiometer.runs.cosim import build

HOSTS = ("linux", "bare", "freertos")
PACKETS = 100  # of each size
MOST_BYTES = 32768  # of a packet (host/apps/packet_times.h)
LATENCY = 0  # of a memory of no chip; unused here
KERNELS = {"armv7": "6.12-arm", "armv8": "6.12"}
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


def require(host: str, chip: str) -> None:
    """AxiometerError, with the command that fetches it, if a part for a host is missing."""
    if host == "linux":
        packages.require(kernel(chip))
        return
    bare.require(chip)
    if host == "freertos":
        freertos.require()


def kernel(chip: str) -> str:
    """The kernel for a chip's processor."""
    return KERNELS[bare.facts(chip)["architecture"]]


def costs(
    host: str,
    chip: str,
    fabric: OnChip,
    sizes: Sequence[int],
    way: Way,
    say: Callable[[str], None],
    packets: int = PACKETS,
) -> list[Cost]:
    """The cost of packets of each of `sizes` bytes. host: of HOSTS. chip: the program's chip.

    AxiometerError if the program failed or a tool is missing.
    """
    require(host, chip)
    run = _linux if host == "linux" else _image
    lines, said = run(host, chip, fabric, sizes, way, packets, say)
    rows = [row for row in map(_row, lines) if row is not None]
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


def _row(line: str) -> tuple[int, ...] | None:
    """Bytes, packets, accesses, time, wrong bytes."""
    words = line.split()
    return tuple(map(int, words)) if len(words) == 5 and all(map(str.isdigit, words)) else None


def _image(
    host: str,
    chip: str,
    fabric: OnChip,
    sizes: Sequence[int],
    way: Way,
    packets: int,
    say: Callable[[str], None],
) -> tuple[list[str], str]:
    """The output of the program without Linux, and that of the fabric."""
    said: list[str] = []
    settings = {
        "PACKETS": str(packets),
        "SIZES": ",".join(map(str, sizes)),
        "COPIES": str(way.copies).lower(),
        "COHERENT": str(way.coherent).lower(),
    }
    lines = bare.printed(
        linux_apps.TIMES, fabric, LATENCY, say, host == "freertos", chip,
        counted=True, heard=said.append, **settings,
    )  # fmt: skip
    return list(lines), "".join(said)


def _linux(
    host: str,
    chip: str,
    fabric: OnChip,
    sizes: Sequence[int],
    way: Way,
    packets: int,
    say: Callable[[str], None],
) -> tuple[list[str], str]:
    """The outputs with Linux, whose driver maintains caches where the design is not coherent."""
    said: list[str] = []
    lines: list[str] = []
    found = kernels.find(kernel(chip), say)
    program = build.server(fabric.design(), say, chip=True)
    words = ("intx", str(LATENCY))
    server = machine.Server(program, words, chip=fabric, heard=said.append)
    bus = "platform" if way.coherent else "platform-noncoherent"
    settings = machine.Settings(found, bus, LIMIT_S, instruction_log2_ns=bare.INSTRUCTION_LOG2_NS)
    guest = linux_apps.times(found, bus, sizes, packets, way.copies, say)
    machine.run(settings, server, guest, hear=lines.append)
    return [line.strip() for line in lines], "".join(said)


def chip_of(family: str) -> str:
    """The chip whose images a platform uses. AxiometerError if there is none."""
    if family not in bare.chips():
        known = ", ".join(bare.chips())
        raise AxiometerError(
            f"programs without an operating system do not support {family}",
            remedy=f"select a board with one of {known}",
        )
    return family
