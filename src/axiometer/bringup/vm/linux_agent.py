"""The agent in a virtual machine's Linux, on its console: registers by UIO, the verilated design.

Its DMA memory is a huge page, or, on 32-bit kernels, memory that the kernel does not use.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.bringup.vm import kernels, linux_apps, machine, packages
from axiometer.bringup.vm.guest import Guest
from axiometer.runs.agent.client import Client
from axiometer.runs.agent.conversation import Transport
from axiometer.runs.agent.pipe import Pipe
from axiometer.runs.cosim import build
from axiometer.runs.cosim.rtl_design import RtlDesign

KERNELS = {"linux": "6.12", "linux-arm": "6.12-arm"}
"""The names of targets, and of their kernels."""
READY_S = 600.0  # until the kernel has booted and the agent answers
READY = b"axiometer-vm: the agent starts"
# The kernel does not use the end of the guest's 512 MiB, which begin here.
_RAM = 1 << 30
KEPT, KEPT_BYTES = 0x5E00_0000, 0x0200_0000
PROGRAM = "bin/axiometer-agent"


@contextmanager
def running(
    name: str, design: RtlDesign, latency: int, say: Callable[[str], None], uart: str = ""
) -> Iterator[Pipe]:
    """The console of the guest `name` of KERNELS, which the agent uses; otherwise as
    `bare.running`."""
    kernel = kernels.find(KERNELS[name], say)
    served = build.server(replace(design, axi3=False), say)
    guest = _guest(kernel, say)
    settings = machine.Settings(kernel, "platform", READY_S, nodes=linux_apps.nodes)
    server = machine.Server(served, ("intx", str(latency)))
    with machine.prepared(settings, server, guest, uart) as (command, _):
        line = Pipe(command, machine.of_qemu(), name="the emulated board")
        try:
            yield line
        finally:
            line.kill()
            line.close()


@contextmanager
def board(
    name: str, design: RtlDesign, latency: int, say: Callable[[str], None]
) -> Iterator[Client]:
    """The agent in the guest `name` of KERNELS, until the block ends."""
    with running(name, design, latency, say) as line:
        wait(line)
        client = Client(line)
        client.hello()
        yield client


def wait(line: Transport) -> None:
    """Wait until the agent starts, without sending: a UART whose buffer is full when the kernel
    opens it never receives again. AxiometerError after READY_S."""
    until = time.monotonic() + READY_S
    while (found := line.receive(max(until - time.monotonic(), 0.0))) is not None:
        if READY in found:
            return
    raise AxiometerError(
        f"the guest has not started the agent in {READY_S:g} s",
        remedy="check whether the machine is busy, and with axiometer vm that its kernel boots",
        status=RUN_FAILED,
    )


def _guest(kernel: kernels.Kernel, say: Callable[[str], None]) -> Guest:
    architecture = packages.listed()["kernels"][kernel.name]["architecture"]
    agent = sorted(f"agent/{path.name}" for path in linux_apps.agent_sources())
    files = {PROGRAM: linux_apps.compiled(kernel, "axiometer-agent", agent, say)}
    files |= linux_apps.uio_modules(kernel, say)
    bits_64 = architecture == "arm64"
    memory = "hugepage" if bits_64 else f"{KEPT:#x},{KEPT_BYTES:#x}"
    script = (
        f"{linux_apps.LOAD_UIO}busybox stty raw -echo\necho {READY.decode()}\n"
        f"exec axiometer-agent /dev/uio0 {machine.WINDOW:#x} {machine.WINDOW_BYTES:#x} {memory}\n"
    )
    words = "hugepages=4" if bits_64 else f"mem={(KEPT - _RAM) >> 20}M"
    return Guest(architecture, files=files, before=machine.ENABLE, script=script, words=words)
