"""An emulated board without an operating system, whose fabric is the verilated design.

QEMU emulates chips without a fabric. Each access of the program to the fabric becomes a message to
the design (host/bare/window.c, cosim/window/), whose masters access the emulated memory, a shared
file. This tests software: no time of the processor is a figure of a chip, and the emulator has no
data cache, so missing cache maintenance has no effect. Times of fabric and memory are a chip's
where one is simulated behind the design's ports (simulated.py).
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NotRequired, TypedDict, cast

from axiometer.base import children, chip_files, data
from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.bringup.vm import freertos, objections
from axiometer.bringup.vm.simulated import OnChip
from axiometer.runs.agent.client import Client
from axiometer.runs.agent.pipe import Pipe
from axiometer.runs.cosim import build
from axiometer.runs.cosim.rtl_design import RtlDesign

COMPILERS = {"armv7": "arm-none-eabi-gcc", "armv8": "aarch64-linux-gnu-gcc"}
INSTALL = (
    "sudo apt-get install qemu-system-arm gcc-arm-none-eabi libnewlib-arm-none-eabi "
    "gcc-aarch64-linux-gnu libc6-dev-arm64-cross make"
)
MOST_IMAGE_BYTES = 72 * 1024
READY_S = 30.0  # until the agent answers; messages before its UART is on are lost
HELLO_S = 1.0
SILENCE_S = 60.0
# Last lines of programs of host/apps/.
DONE, FAILED = "done", "failed: "
# Programs that need a design other than the duplex one: the MODE of axm_dma_top.
MODES = {"one_way": 1}
# Programs whose engine has rings, and which count instructions.
RINGS = ("packet_times",)
Fabric = RtlDesign | OnChip | str
"""The processor's fabric: a design, a design on a simulated chip, or an engine of lab/engines/."""
INSTRUCTION_LOG2_NS = 5
"""Log2 of the emulated ns per instruction, where that is constant: 32 ns, so that no timer of the
chips ticks more rarely."""


class Emulator(TypedDict):
    """QEMU's machine for a chip."""

    program: str
    machine: str
    settings: str
    options: list[str]
    memory_MiB: int


class Facts(TypedDict):
    """The parts of a chip's host.toml that are used here."""

    header: str
    architecture: str
    usual: NotRequired[bool]
    emulator: Emulator


def chips() -> list[str]:
    """The chips with images; the first is the default."""
    return sorted(chip_files.having("host"), key=lambda chip: not facts(chip).get("usual", False))


def facts(chip: str) -> Facts:
    """A chip's host.toml; "" means the default chip."""
    found = chip_files.read(chip or chips()[0], "host")
    assert found is not None, chip
    return cast(Facts, found)


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
    return sorted(path.stem for path in (data.directory("host") / "apps").glob("*.c"))


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
    host, regs = data.directory("host"), data.directory("regs")
    sources = sorted(p for room in (host, regs) for p in room.rglob("*") if p.suffix in _PARTS)
    digest = hashlib.sha256(repr((emulated, sorted(settings.items()))).encode())
    for path in (*sources, host / "sources.txt", host / room / "Makefile"):
        digest.update(path.read_bytes())
    folder = build.cache() / room / digest.hexdigest()[:16]
    target = folder / f"{app or 'axm-agent'}.elf"
    if not target.is_file():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as work:
            words = [f"{name}={value}" for name, value in settings.items()]
            done = subprocess.run(
                ["make", "-C", str(host / room), f"BUILD={work}/image", *words],
                capture_output=True,
                text=True,
                check=False,
            )
            if done.returncode:
                raise AxiometerError(
                    f"the image for {settings['CHIP']} cannot be built",
                    remedy=done.stderr.strip()[-2000:],
                    status=RUN_FAILED,
                )
            shutil.rmtree(folder, ignore_errors=True)
            (Path(work) / "image").replace(folder)
    return target


_PARTS = (".c", ".h", ".S", ".ld", ".mk")


def _base(chip: str) -> int:
    """The address at which images expect a design's registers (tools/chip_headers.py)."""
    header = data.directory("host") / "include" / "axm" / f"{facts(chip)['header']}.h"
    found = re.search(r"#define AXM_DESIGN AXM_NUMBER\((\w+)\)", header.read_text())
    assert found, header
    return int(found[1], 16)


@contextmanager
def running(
    program: Path,
    fabric: Fabric,
    latency: int,
    say: Callable[[str], None] = lambda text: None,
    chip: str = "",
    machine: str = "",
    counted: bool = False,
    heard: Callable[[str], None] = lambda text: None,
    uart: str = "stdio",
) -> Iterator[Pipe]:
    """The UART of an image on the emulated processor with `fabric`, until the block ends.

    latency: clocks of the memory for a design or engine; of no chip. machine: settings of QEMU's
    machine instead of the defaults, such as "secure=off". counted: an instruction takes
    INSTRUCTION_LOG2_NS. heard: called at the end with the fabric's output. uart: an argument of
    QEMU's -serial; if it is not stdio, the line has QEMU's own output. AxiometerError at the end if
    the engine had objections.
    """
    design = _server(fabric, say)
    with tempfile.TemporaryDirectory(prefix="axiometer-bare-") as name:
        work = Path(name)
        pipes = [work / "axm-requests", work / "axm-replies"]
        for pipe in pipes:
            os.mkfifo(pipe)
        memory = work / "memory"
        with memory.open("wb") as file:
            file.truncate(facts(chip)["emulator"]["memory_MiB"] << 20)
        command = [str(word) for word in (design, *pipes, memory, hex(_base(chip)), latency)]
        if isinstance(fabric, OnChip):
            command.append(fabric.option(work))
        elif isinstance(fabric, str):
            command.append(f"--engine={fabric}")
        with (work / "fabric").open("wb") as file:
            server = subprocess.Popen(children.tied(command), stderr=file)
        try:
            line = Pipe(
                children.tied(
                    [
                        *_emulator(program, memory, chip, machine, uart),
                        *(_COUNTED if counted else ()),
                    ]
                ),
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
        objections.check(said)


_COUNTED = ("-icount", f"shift={INSTRUCTION_LOG2_NS}")


def _server(fabric: Fabric, say: Callable[[str], None]) -> Path:
    """The program that serves as the emulated processor's fabric."""
    if isinstance(fabric, str):
        return build.engine_window(say)
    if isinstance(fabric, OnChip):
        return build.window(fabric.design(), say, chip=True)
    return build.window(fabric, say)


@contextmanager
def board(
    design: RtlDesign,
    latency: int,
    say: Callable[[str], None] = lambda text: None,
    chip: str = "",
    machine: str = "",
) -> Iterator[Client]:
    """The agent on the emulated board, until the block ends; as running()."""
    require(chip)
    with running(image(emulated=True, chip=chip), design, latency, say, chip, machine) as line:
        client = Client(line)
        wait(client)
        yield client


def printed(
    app: str,
    fabric: Fabric,
    latency: int,
    say: Callable[[str], None],
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
    if isinstance(fabric, str):
        settings |= _engine(fabric)
    program = image(emulated=True, app=app, rtos=rtos, chip=chip, **settings)
    with running(program, fabric, latency, say, chip, counted=counted, heard=heard) as line:
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


def _emulator(program: Path, memory: Path, chip: str, machine: str, uart: str) -> list[str]:
    about = facts(chip)["emulator"]
    size = about["memory_MiB"]
    ram = f"memory-backend-file,id=ram,size={size}M,mem-path={memory},share=on"
    settings = machine or about["settings"]
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
