"""Starts the server of a design and QEMU, and returns the result of the guest."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from axiometer.base import children
from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.runs.cosim.rtl_design import RtlDesign
from machines import fabric, packages
from machines.guest import ENDED, Guest
from machines.kernels import Kernel

Heard = Callable[[str], object]

# Red zones and poison around and in the kernel's objects, which reveal stray writes.
CAREFUL = "slub_debug=FZPU page_poison=1 init_on_free=0"
# A script prints these lines to have its device killed and revived.
DIES, LIVES = "axiometer-vm: the device dies", "axiometer-vm: the device lives again"
SIGNALS = {DIES: signal.SIGUSR1, LIVES: signal.SIGUSR2}
SOCKET_S, ENDS_S = 60.0, 5.0
# On the bus "platform" the kernel finds the design by the device tree, at the registers of the PCI
# device, which are the first of QEMU's 32-bit window, and at its INTA.
SLOT = "0000:00:01.0"
WINDOW, WINDOW_BYTES = 0x1000_0000, 0x1_0000
LINE = "interrupts = <0 4 4>;"
ENABLE = (
    f"cd /sys/bus/pci/devices/{SLOT}\necho none > driver_override\necho 1 > enable\n"
    "printf '\\006' | dd of=config bs=1 seek=4 conv=notrunc 2> /dev/null\ncd /\n"
)
# A kernel that sees the PCI device switches it off, when the machine sleeps, before the driver of
# the node has stopped it.
HIDE = f"{ENABLE}echo 1 > /sys/bus/pci/devices/{SLOT}/remove\n"
IOMMU = "virtio-iommu-pci"
BUSES = ("pci", "platform", "platform-noncoherent")
AXM = "axm"
LATENCY = "20"  # clocks, of a memory of no chip
# The design's node of the device tree; COHERENT becomes a property, or nothing.
PLACE = f"reg = <0 {WINDOW:#x} 0 {WINDOW_BYTES:#x}>; {LINE} COHERENT"
OWN = f'dma-controller@{WINDOW:x} {{ compatible = "axiometer,dma-1"; {PLACE} }};'


@dataclass(frozen=True)
class Settings:
    """The machine. bus: of BUSES. devices: QEMU's devices besides the design. nodes: source of
    nodes of the device tree, with COHERENT. instruction_log2_ns: log2 of the emulated ns per
    instruction."""

    kernel: Kernel
    bus: str
    limit_s: float
    devices: tuple[str, ...] = ()
    nodes: str = OWN
    instruction_log2_ns: int = 0


@dataclass(frozen=True)
class Server:
    """What the device is. behind: AXM is our design. interrupt: msix or intx. heard: called at the
    end with its output. fault: of lab/vfio/faulty.hpp. allowed: rules that software may break
    (lab/engines/rules.hpp)."""

    behind: fabric.Behind
    interrupt: str = "msix"
    heard: Heard = sys.stderr.write
    fault: str = ""
    allowed: Collection[str] = ()


def design(ports: int = 1, mode: int = 0) -> RtlDesign:
    """Our DMA engine with rings, for a PCI device. mode: MODE of axm_dma_top."""
    parameters = (("MODE", mode), ("UNALIGNED", 1), ("RINGS", 1))
    return RtlDesign("axm_dma_top", ports, 64, axi3=False, parameters=parameters)


def qemu(settings: Settings, work: Path, guest: Guest, uart: str = "") -> list[str]:
    """The command of QEMU, with the loader and libraries of its unpacked packages. work: has
    `socket`, and gets its files. uart: an argument of -serial for the console ("": stdio)."""
    kernel, memory = settings.kernel, settings.kernel.table.get("memory", "512M")
    root = packages.root("tools").path / "usr"
    initrd = work / "initrd"
    initrd.write_bytes(guest.archive(kernel.table["architecture"]))
    target = f"{kernel.architecture['machine']},accel=tcg,memory-backend=ram"
    # panic=-1: a panic ends the guest. Its time counts instructions, so a busy host has no effect.
    words = "console=ttyAMA0 panic=-1" + ("" if guest.script is None else f" quiet {CAREFUL}")
    command = [
        str(root / "lib64" / "ld-linux-x86-64.so.2"),
        "--library-path", str(root / "lib" / "x86_64-linux-gnu"),
        str(root / "bin" / "qemu-system-aarch64"), "-L", str(root / "share" / "qemu"),
        "-M", target, "-cpu", kernel.architecture["cpu"], "-m", memory,
        "-object", f"memory-backend-memfd,id=ram,size={memory},share=on",
        "-icount", f"shift={settings.instruction_log2_ns},sleep=on",
        "-kernel", str(kernel.image), "-initrd", str(initrd),
        "-append", f"{words} {guest.words}".strip(), "-nographic", "-no-reboot", "-nic", "none",
    ]  # fmt: skip
    if uart:
        command += ["-serial", uart, "-monitor", "none"]
    if settings.bus != "pci":
        dump = [f"{word},dumpdtb={work / 'tree'}" if word == target else word for word in command]
        packages.done(dump, of_qemu())
        _add_nodes(work / "tree", settings)
        command += ["-dtb", str(work / "tree")]
    socket = f'{{"path":"{work / "socket"}","type":"unix"}}'
    for device in (f'{{"driver":"vfio-user-pci","socket":{socket}}}', *settings.devices):
        command += ["-device", device]
    return command


def _add_nodes(tree: Path, settings: Settings) -> None:
    """Add the design to QEMU's device tree, whose root says that all below it is coherent."""
    coherent = settings.bus == "platform"
    source = tree.with_suffix(".dts")
    dtc = ["dtc", "-q", "-o"]
    packages.done([*dtc, str(source), "-I", "dtb", "-O", "dts", str(tree)])
    nodes = settings.nodes.replace("COHERENT", "dma-coherent;" if coherent else "")
    root = "" if coherent else "/delete-property/ dma-coherent;"
    with source.open("a", encoding="utf-8") as file:
        file.write(f"/ {{ {root} {nodes} }};\n")
    packages.done([*dtc, str(tree), "-I", "dts", "-O", "dtb", str(source)])


def of_qemu() -> dict[str, str]:
    """The environment in which QEMU finds its modules."""
    modules = packages.root("tools").path / "usr" / "lib" / "x86_64-linux-gnu" / "qemu"
    return os.environ | {"QEMU_MODULE_DIR": str(modules)}


@contextmanager
def serving(server: Server, work: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The server of the design at `work`/socket, until the block ends.

    AxiometerError at the end if it had objections to software, other than the allowed ones.
    """
    said, socket = work / "said", work / "socket"
    behind = design() if server.behind == AXM else server.behind
    words = [server.interrupt, LATENCY, *([server.fault] if server.fault else ())]
    program = fabric.program(fabric.VFIO, behind)
    command = [str(program), str(socket), *words, *fabric.option(behind, work)]
    with said.open("wb") as file:
        process = subprocess.Popen(children.tied(command), stderr=file)
    try:
        until = time.monotonic() + SOCKET_S
        while not socket.exists():
            if process.poll() is not None or time.monotonic() > until:
                raise AxiometerError("the server of the design did not start", status=RUN_FAILED)
            time.sleep(0.02)
        yield process
        with suppress(subprocess.TimeoutExpired):
            process.wait(ENDS_S)  # it ends because the guest has ended
    finally:
        if process.poll() is None:
            process.terminate()
        process.wait()
        text = said.read_text(encoding="utf-8", errors="replace")
        server.heard(text)
    objections(text, server.allowed)


def objections(said: str, allowed: Collection[str] = ()) -> None:
    """AxiometerError if a server's output reports broken rules of an engine's document other than
    the allowed ones."""
    broken = dict(re.findall(r"^objection: ([a-z-]+): (.*)$", said, re.MULTILINE)[::-1])
    found = [f"{rule}: {what}" for rule, what in broken.items() if rule not in allowed]
    if found:
        raise AxiometerError(
            f"software did what the engine's document forbids: {'; '.join(found)}",
            remedy="change the software; if a document allows this, report a fault of the model",
            status=RUN_FAILED,
        )


def one_setting(said: str) -> None:
    """AxiometerError if bursts of a port differed in AxCACHE or AxPROT: then some of a coherent
    port's, such as those of descriptors, were not coherent."""
    settings: dict[str, list[str]] = {}
    for port, how in re.findall(r"^bursts: port=(\d+) (cache=\d+ prot=\d+) ", said, re.MULTILINE):
        settings.setdefault(port, []).append(how)
    for port, found in settings.items():
        if len(found) > 1:
            raise AxiometerError(
                f"bursts of port {port} had {' and '.join(found)}",
                remedy="the driver has to set both before the first descriptor moves",
                status=RUN_FAILED,
            )


def show(line: str) -> None:
    print(line, end="", flush=True)


def run(settings: Settings, server: Server, guest: Guest, hear: Heard = show) -> int:
    """Run the guest's script or a shell and return the script's exit status (0 after a shell).
    hear: called with each line of a script.

    AxiometerError if the guest ends without a status, or not in time.
    """
    with prepared(settings, server, guest) as (command, process):
        if guest.script is None:
            return subprocess.run(command, env=of_qemu(), check=False).returncode
        return _scripted(command, settings.limit_s, process, hear)


@contextmanager
def prepared(
    settings: Settings, server: Server, guest: Guest, uart: str = ""
) -> Iterator[tuple[list[str], subprocess.Popen[bytes]]]:
    """The command that boots the guest in the environment of `of_qemu`, and the server of its
    design, which ends with the block; errors as in `serving`. uart: as in `qemu`."""
    with tempfile.TemporaryDirectory(prefix="axm-vm-") as name:
        command = children.tied(qemu(settings, Path(name), guest, uart))
        with serving(server, Path(name)) as process:
            yield command, process


def _scripted(
    command: list[str], limit_s: float, server: subprocess.Popen[bytes], hear: Heard
) -> int:
    """Pass on the guest's output; a script may have its device killed."""
    said: list[str] = []
    guest = subprocess.Popen(
        children.tied(["timeout", f"{limit_s}", *command]), env=of_qemu(), text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, errors="replace",
    )  # fmt: skip
    try:
        assert guest.stdout is not None
        for line in guest.stdout:
            said.append(line)
            hear(line)
            if line.strip() in SIGNALS:
                server.send_signal(SIGNALS[line.strip()])
        late = guest.wait() == 124
    finally:
        guest.kill()  # if an exception left the loop
        guest.wait()
    found = re.findall(re.escape(ENDED) + r" (\d+)", "".join(said))
    if not found:
        raise AxiometerError(
            "the guest ended without the script's status"
            + (f": it was stopped after {limit_s:g} s" if late else ""),
            remedy=f"its last lines: {''.join(said[-5:]).strip()}; raise --time-limit if needed",
            status=RUN_FAILED,
        )
    return int(found[-1])
