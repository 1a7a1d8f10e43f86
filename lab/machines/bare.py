"""An emulated board without an operating system, whose fabric is the verilated design.

QEMU emulates chips without a fabric. Each access of the program to the fabric becomes a message to
the design (host/bare/window.c, lab/window/), whose masters access the emulated memory, a shared
file. This tests software: no time of the processor is a figure of a chip, and the emulator has no
data cache, so missing cache maintenance has no effect. Times of fabric and memory are a chip's
where one is simulated behind the design's ports (simulated.py).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from axiometer.base import children, chip_files
from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.runs.agent.client import Client
from axiometer.runs.agent.pipe import Pipe
from axiometer.runs.cosim import build
from axiometer.runs.cosim.rtl_design import RtlDesign
from machines import TREE, fabric, freertos, machine, packages

COMPILERS = {"armv7": "arm-none-eabi-gcc", "armv8": "aarch64-linux-gnu-gcc"}
INSTALL = (
    "sudo apt-get install qemu-system-arm gcc-arm-none-eabi libnewlib-arm-none-eabi "
    "gcc-aarch64-linux-gnu libc6-dev-arm64-cross make"
)
MOST_IMAGE_BYTES = 72 * 1024
READY_S = 30.0  # until the agent answers; messages before its UART is on are lost
HELLO_S = 1.0
LATENCY = 20  # clocks, of the memory of a design or engine; of no chip
SILENCE_S = 60.0
# Last lines of programs of host/apps/.
DONE, FAILED = "done", "failed: "
# Programs that need a design other than the duplex one: the MODE of axm_dma_top.
MODES = {"one_way": 1}
# Programs whose engine has rings, and which count instructions.
RINGS = ("packet_times",)
INSTRUCTION_LOG2_NS = 5
"""Log2 of the emulated ns per instruction, where that is constant: 32 ns, so that no timer of the
chips ticks more rarely."""


def chips() -> list[str]:
    """The chips with images; the first is the default."""
    return sorted(chip_files.having("host"), key=lambda chip: not facts(chip).get("usual", False))


def facts(chip: str) -> dict[str, Any]:
    """A chip's host.toml: its header, its architecture, and QEMU's machine for it; "" means the
    default chip."""
    found = chip_files.read(chip or chips()[0], "host")
    assert found is not None, chip
    return dict(found)


def design(ports: int, app: str = "") -> RtlDesign:
    """Our design for a processor, as a program needs it."""
    rings = (("RINGS", 1),) if app in RINGS else ()
    parameters = (("MODE", MODES.get(app, 0)), ("UNALIGNED", 1), *rings)
    return RtlDesign("axm_dma_top", ports, 64, axi3=True, parameters=parameters)


def missing(chip: str = "") -> list[str]:
    """The required programs that are not installed."""
    about = facts(chip)
    needed = (COMPILERS[about["architecture"]], about["emulator"]["program"], "make")
    return [program for program in needed if shutil.which(program) is None]


def require(chip: str = "") -> None:
    """AxiometerError if a program is missing."""
    if lacking := missing(chip):
        raise AxiometerError(
            f"not installed: {', '.join(lacking)}", remedy=INSTALL, status=RUN_FAILED
        )


def apps() -> list[str]:
    """The programs of host/apps/."""
    return sorted(path.stem for path in (TREE / "host" / "apps").glob("*.c"))


def image(
    emulated: bool, app: str = "", rtos: bool = False, chip: str = "", **settings: str
) -> Path:
    """An image (ELF) for a board or for the emulator, built if necessary.

    app: one of apps(), with rtos of freertos.apps(); default: the agent. rtos: with FreeRTOS. chip:
    one of chips(). settings: variables of host/bare/bare.mk: BASE, PS_CLK_HZ, UART.
    """
    settings["CHIP"] = facts(chip)["header"]
    if emulated:
        settings |= {"EMULATED": "1", "MEMORY_MIB": str(facts(chip)["emulator"]["memory_MiB"])}
    room = "freertos" if rtos else "bare"
    if rtos:
        settings |= {"APP": freertos.source(app), freertos.VARIABLE: str(freertos.require())}
    elif app:
        settings["APP"] = f"../apps/{app}.c"
    host, parts = TREE / "host", (".c", ".h", ".S", ".ld", ".mk")
    files = [p for room in (host, TREE / "regs") for p in room.rglob("*") if p.suffix in parts]
    files += [host / "sources.txt", host / room / "Makefile"]

    def make(folder: Path) -> None:
        words = [f"{name}={value}" for name, value in settings.items()]
        packages.done(["make", "-C", str(host / room), f"BUILD={folder}", *words])

    mark = packages.mark(files, emulated, sorted(settings.items()))
    return packages.made(build.cache() / room / mark, make) / f"{app or 'axm-agent'}.elf"


def _base(chip: str) -> int:
    """The address at which images expect a design's registers (tools/chip_headers.py)."""
    header = TREE / "host" / "include" / "axm" / f"{facts(chip)['header']}.h"
    found = re.search(r"#define AXM_DESIGN AXM_NUMBER\((\w+)\)", header.read_text())
    assert found, header
    return int(found[1], 16)


@contextmanager
def running(
    program: Path,
    behind: fabric.Behind,
    chip: str = "",
    cpu: str = "",
    counted: bool = False,
    heard: Callable[[str], None] = lambda text: None,
    uart: str = "stdio",
) -> Iterator[Pipe]:
    """The UART of an image on the emulated processor on the fabric `behind`, until the block ends.

    cpu: settings of QEMU's machine instead of the defaults, such as "secure=off". counted: an
    instruction takes INSTRUCTION_LOG2_NS. heard: called at the end with the fabric's output. uart:
    an argument of QEMU's -serial; if it is not stdio, the line has QEMU's own output.
    AxiometerError at the end if the engine had objections.
    """
    server_program = fabric.program(fabric.WINDOW, behind)
    with tempfile.TemporaryDirectory(prefix="axiometer-bare-") as name:
        work = Path(name)
        pipes = [work / "axm-requests", work / "axm-replies"]
        for pipe in pipes:
            os.mkfifo(pipe)
        memory = work / "memory"
        with memory.open("wb") as file:
            file.truncate(facts(chip)["emulator"]["memory_MiB"] << 20)
        words = (server_program, *pipes, memory, hex(_base(chip)), LATENCY)
        command = [*map(str, words), *fabric.option(behind, work)]
        with (work / "fabric").open("wb") as file:
            server = subprocess.Popen(children.tied(command), stderr=file)
        try:
            emulator = _emulator(program, memory, chip, cpu, uart) + (_COUNTED if counted else [])
            line = Pipe(
                children.tied(emulator),
                name="the emulated board",
                remedy="read the program's output; a kernel without free memory also ends it",
                cwd=work,
            )
            try:
                yield line
            finally:
                line.kill()  # it has nothing to save and does not end otherwise
                line.close()
        finally:
            server.kill()
            server.wait()
        said = (work / "fabric").read_text(encoding="utf-8", errors="replace")
        heard(said)
        machine.objections(said)


_COUNTED = ["-icount", f"shift={INSTRUCTION_LOG2_NS}"]


@contextmanager
def board(
    own: RtlDesign,
    chip: str = "",
    cpu: str = "",
) -> Iterator[Client]:
    """The agent on the emulated board, until the block ends; as running()."""
    require(chip)
    with running(image(emulated=True, chip=chip), own, chip, cpu) as line:
        client = Client(line)
        wait(client)
        yield client


def printed(
    app: str,
    behind: fabric.Behind,
    rtos: bool = False,
    chip: str = "",
    counted: bool = False,
    heard: Callable[[str], None] = lambda text: None,
    **settings: str,
) -> Iterator[str]:
    """The lines that a program prints on the emulated board, up to `done` or `failed: …`. app,
    rtos, chip, settings: as image(); counted, heard: as running().

    AxiometerError if it prints nothing for a minute.
    """
    require(chip)
    if isinstance(behind, str):
        settings |= _engine(behind)
    program = image(emulated=True, app=app, rtos=rtos, chip=chip, **settings)
    with running(program, behind, chip, counted=counted, heard=heard) as line:
        while True:
            found = line.receive(SILENCE_S)
            if found is None:
                raise AxiometerError(
                    f"the program {app} prints nothing any more",
                    remedy="if the machine is not busy, this is a fault: please report it",
                    status=RUN_FAILED,
                )
            text = found.decode(errors="replace").rstrip()
            yield text
            if text == DONE or text.startswith(FAILED):
                return


def _engine(name: str) -> dict[str, str]:
    """Variables of host/bare/Makefile for an engine; a CDMA's packets pass through the memory
    beside it, in the upper half of the processor's window (lab/engines/axi_cdma.hpp)."""
    kind = name.partition(",")[0]
    if not kind.startswith("axi-cdma"):
        return {"ENGINE": kind}
    return {"ENGINE": kind, "SPEC": ".base=base,.memory=0xC0000000u,.words=base+0x40000u"}


def _emulator(program: Path, memory: Path, chip: str, cpu: str, uart: str) -> list[str]:
    about = facts(chip)["emulator"]
    size = about["memory_MiB"]
    ram = f"memory-backend-file,id=ram,size={size}M,mem-path={memory},share=on"
    settings = cpu or about["settings"]
    options = [uart if word == "stdio" else word for word in about["options"]]
    return [
        about["program"], "-M", f"{about['machine']},memory-backend=ram,{settings}".strip(","),
        "-object", ram, "-m", f"{size}M", "-nographic", "-monitor", "none", *options,
        "-semihosting-config", "enable=on,target=native", "-kernel", str(program),
    ]  # fmt: skip


def wait(client: Client) -> None:
    """Send hello until the agent's UART is on."""
    until = time.monotonic() + READY_S
    usual, client.timeout_s = client.timeout_s, HELLO_S
    while True:
        try:
            client.hello()
            break
        except AxiometerError:
            if time.monotonic() > until:
                raise
    client.timeout_s = usual
