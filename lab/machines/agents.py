"""Emulated boards with the agent: a chip's processor without an operating system, or Linux.

    python -m machines agent KIND EXPERIMENT [N]

is such a board on standard input and output, with the verilated design that the points of an
experiment need (the N-th, if they need several) and a memory of no chip: for `axiometer measure`,
`"pipe:python -m machines agent zynq-7000 zybo-hp-bandwidth"`.
"""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace

from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.experiment import Experiment
from axiometer.runs.agent.client import Client
from axiometer.runs.agent.conversation import Transport
from axiometer.runs.agent.pipe import Pipe
from axiometer.runs.backends import rtl_tops
from axiometer.runs.cosim.rtl_design import RtlDesign
from machines import bare, kernels, machine, programs
from machines.guest import Guest

KERNELS = {"linux": "6.12", "linux-arm": "6.12-arm"}
"""The kernels of boards with Linux, by their names."""
READY_S = 600.0  # until the kernel has booted and the agent answers
READY = b"axiometer-vm: the agent starts"
# The kernel of 32 bits does not use the end of the guest's 512 MiB, which begin here.
_RAM = 1 << 30
KEPT, KEPT_BYTES = 0x5E00_0000, 0x0200_0000


def kinds() -> list[str]:
    return [*bare.chips(), *KERNELS]


def running(kind: str, design: RtlDesign, uart: str = "stdio") -> AbstractContextManager[Pipe]:
    """The agent's line on a board of `kinds`, until the block ends. uart: as of `bare.running`."""
    if kind in KERNELS:
        return _linux(KERNELS[kind], design, "" if uart == "stdio" else uart)
    return bare.running(bare.image(True, chip=kind), design, kind, uart=uart)


def wait(kind: str, line: Transport) -> None:
    """Wait until the agent answers.

    A guest's UART whose buffer is full when the kernel opens it never receives again: nothing is
    sent before the agent starts. AxiometerError if it does not.
    """
    if kind not in KERNELS:
        bare.wait(Client(line))
        return
    until = time.monotonic() + READY_S
    while (found := line.receive(max(until - time.monotonic(), 0.0))) is not None:
        if READY in found:
            return
    raise AxiometerError(
        f"the guest has not started the agent in {READY_S:g} s",
        remedy="check whether the machine is busy, and with a shell that its kernel boots",
        status=RUN_FAILED,
    )


@contextmanager
def _linux(name: str, design: RtlDesign, uart: str) -> Iterator[Pipe]:
    """Registers by UIO; the DMA memory is a huge page, or, on 32-bit kernels, memory that the
    kernel does not use."""
    kernel = kernels.find(name)
    bits_64 = kernel.table["architecture"] == "arm64"
    memory = "hugepage" if bits_64 else f"{KEPT:#x},{KEPT_BYTES:#x}"
    script = (
        f"{programs.LOAD_UIO}busybox stty raw -echo\necho {READY.decode()}\n"
        f"exec axiometer-agent /dev/uio0 {machine.WINDOW:#x} {machine.WINDOW_BYTES:#x} {memory}\n"
    )
    guest = Guest(
        files={"bin/axiometer-agent": programs.agent(kernel), **programs.uio(kernel)},
        before=machine.ENABLE,
        script=script,
        words="hugepages=4" if bits_64 else f"mem={(KEPT - _RAM) >> 20}M",
    )
    settings = machine.Settings(kernel, "platform", READY_S, nodes=programs.UIO_NODE)
    server = machine.Server(replace(design, axi3=False), "intx")
    with machine.prepared(settings, server, guest, uart) as (command, _):
        line = Pipe(command, machine.of_qemu(), name="the emulated board")
        try:
            yield line
        finally:
            line.kill()
            line.close()


def designs(experiment: Experiment) -> list[RtlDesign]:
    """The designs that the points of an experiment need, each once. AxiometerError if no point has
    a design."""
    found: dict[RtlDesign, None] = {}
    why = None
    for point in experiment.points():
        try:
            found[rtl_tops.choose(experiment.platform, point.values)] = None
        except AxiometerError as error:
            why = why or error
    if why is not None and not found:
        raise why
    return list(found)


def serve(kind: str, experiment: str, number: int, settings: Sequence[str]) -> int:
    """The board on standard input and output, until its user goes."""
    design = designs(Experiment.load(experiment, settings))[number]
    with running(kind, design) as line:
        wait(kind, line)

        def answers() -> None:
            with contextlib.suppress(AxiometerError, OSError):
                while True:
                    if (found := line.receive(3600.0)) is not None:
                        sys.stdout.buffer.write(found + b"\n")
                        sys.stdout.buffer.flush()

        threading.Thread(target=answers, daemon=True).start()
        for command in sys.stdin.buffer:
            line.send(command.rstrip(b"\n"))
    return 0
