"""Starts the server of a design and QEMU, and returns the result of the guest."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from axiometer.base import children
from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.bringup.vm import devicetree, objections, packages
from axiometer.bringup.vm.devicetree import Node
from axiometer.bringup.vm.guest import ENDED, Guest
from axiometer.bringup.vm.kernels import Kernel
from axiometer.bringup.vm.simulated import OnChip
from axiometer.runs.cosim.rtl_design import RtlDesign

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
LINE = (0, 4, 4)
ENABLE = (
    f"cd /sys/bus/pci/devices/{SLOT}\necho none > driver_override\necho 1 > enable\n"
    "printf '\\006' | dd of=config bs=1 seek=4 conv=notrunc 2> /dev/null\ncd /\n"
)
# A kernel that sees the PCI device switches it off, when the machine sleeps, before the driver of
# the node has stopped it.
HIDE = f"{ENABLE}echo 1 > /sys/bus/pci/devices/{SLOT}/remove\n"
IOMMU = "virtio-iommu-pci"
BUSES = ("pci", "platform", "platform-noncoherent")


def place(coherent: bool) -> dict[str, bytes]:
    """Properties of the design's node: its registers, its interrupt."""
    found = {
        "reg": devicetree.cells(0, WINDOW, 0, WINDOW_BYTES),
        "interrupts": devicetree.cells(*LINE),
    }
    return found | ({"dma-coherent": b""} if coherent else {})


def own(coherent: bool) -> Sequence[Node]:
    """The design's node, for our driver."""
    properties = {"compatible": devicetree.text("axiometer,dma-1")} | place(coherent)
    return [Node(f"dma-controller@{WINDOW:x}", properties)]


@dataclass(frozen=True)
class Settings:
    """The machine. bus: of BUSES. devices: QEMU's devices besides the design. nodes: returns nodes
    of the device tree, for a coherent device or not. instruction_log2_ns: log2 of the emulated ns
    per instruction."""

    kernel: Kernel
    bus: str
    limit_s: float
    devices: tuple[str, ...] = ()
    nodes: Callable[[bool], Sequence[Node]] = own
    instruction_log2_ns: int = 0


def _tell(text: str) -> None:
    sys.stderr.write(text)


@dataclass(frozen=True)
class Server:
    """The program that serves the device, and its arguments after the socket's name. allowed: rules
    that software may break (lab/engines/rules.hpp). chip: behind its ports. heard: called at the
    end with its output."""

    program: Path
    words: tuple[str, ...]
    allowed: frozenset[str] = frozenset()
    chip: OnChip | None = None
    heard: Callable[[str], object] = _tell


def qemu(settings: Settings, socket: Path, initrd: Path, guest: Guest, uart: str = "") -> list[str]:
    """The command of QEMU, with the loader and libraries of its unpacked packages. uart: an
    argument of -serial for the guest's console ("": stdio)."""
    kernel, root = settings.kernel, packages.root("tools").path / "usr"
    libraries = root / "lib" / "x86_64-linux-gnu"
    device = f'{{"driver":"vfio-user-pci","socket":{{"path":"{socket}","type":"unix"}}}}'
    # panic=-1: a panic ends the guest. Its time counts instructions, so a busy host has no effect.
    words = "console=ttyAMA0 panic=-1" + ("" if guest.script is None else f" quiet {CAREFUL}")
    memory = kernel.memory
    command = [
        str(root / "lib64" / "ld-linux-x86-64.so.2"), "--library-path", str(libraries),
        str(root / "bin" / "qemu-system-aarch64"), "-L", str(root / "share" / "qemu"),
        "-M", _machine(kernel), "-cpu", kernel.architecture["cpu"], "-m", memory,
        "-object", f"memory-backend-memfd,id=ram,size={memory},share=on", "-device", device,
        "-icount", f"shift={settings.instruction_log2_ns},sleep=on",
        "-kernel", str(kernel.image), "-initrd", str(initrd),
        "-append", f"{words} {guest.words}".strip(), "-nographic", "-no-reboot", "-nic", "none",
    ]  # fmt: skip
    if uart:
        command += ["-serial", uart, "-monitor", "none"]
    for each in settings.devices:
        command += ["-device", each]
    if settings.bus != "pci":
        tree = initrd.with_name("tree")
        command += ["-dtb", str(tree)]
        _write_tree(command, tree, settings)
    return command


def design(ports: int = 1, mode: int = 0) -> RtlDesign:
    """Our DMA engine with rings, for a PCI device. mode: MODE of axm_dma_top."""
    parameters = (("MODE", mode), ("UNALIGNED", 1), ("RINGS", 1))
    return RtlDesign("axm_dma_top", ports, 64, axi3=False, parameters=parameters)


def of_qemu() -> dict[str, str]:
    """The environment in which QEMU finds its modules."""
    modules = packages.root("tools").path / "usr" / "lib" / "x86_64-linux-gnu" / "qemu"
    return os.environ | {"QEMU_MODULE_DIR": str(modules)}


def _machine(kernel: Kernel) -> str:
    return f"{kernel.architecture['machine']},accel=tcg,memory-backend=ram"


def _write_tree(command: list[str], tree: Path, settings: Settings) -> None:
    """Write QEMU's device tree with the design in it."""
    machine = _machine(settings.kernel)
    dump = [f"{word},dumpdtb={tree}" if word == machine else word for word in command]
    # Without the device, whose server need not run yet, and without the tree itself.
    for option in ("-device", "-dtb"):
        at = dump.index(option)
        del dump[at : at + 2]
    done = subprocess.run(dump, capture_output=True, text=True, check=False)
    if done.returncode or not tree.is_file():
        raise AxiometerError(f"QEMU gives no device tree: {done.stderr}", status=RUN_FAILED)
    coherent = settings.bus == "platform"
    made = devicetree.with_nodes(tree.read_bytes(), settings.nodes(coherent))
    # QEMU's root sets this property for everything below it.
    tree.write_bytes(made if coherent else devicetree.root_without(made, "dma-coherent"))


@contextmanager
def serving(server: Server, socket: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The server of the design, until the block ends.

    AxiometerError at the end if it had objections to software, other than the allowed ones.
    """
    said = socket.with_name("said")
    command = [str(server.program), str(socket), *server.words]
    command += [server.chip.option(socket.parent)] if server.chip is not None else []
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
    objections.check(text, server.allowed)


def run(
    settings: Settings, server: Server, guest: Guest, hear: Callable[[str], object] | None = None
) -> int:
    """Run the guest's script or a shell and return the script's exit status (0 after a shell).
    hear: called with each line of a script (None: lines are printed).

    AxiometerError if the guest ends without a status, or not in time.
    """
    with prepared(settings, server, guest) as (command, process):
        if guest.script is None:
            return subprocess.run(command, env=of_qemu(), check=False).returncode
        return _scripted(command, settings.limit_s, process, hear or _print)


@contextmanager
def prepared(
    settings: Settings, server: Server, guest: Guest, uart: str = ""
) -> Iterator[tuple[list[str], subprocess.Popen[bytes]]]:
    """The command that boots the guest in the environment of `of_qemu`, and the server of its
    design, which ends with the block; errors as in `serving`. uart: as in `qemu`."""
    with tempfile.TemporaryDirectory(prefix="axm-vm-") as work:
        socket, initrd = Path(work) / "socket", Path(work) / "initrd"
        initrd.write_bytes(guest.archive())
        command = children.tied(qemu(settings, socket, initrd, guest, uart))
        with serving(server, socket) as process:
            yield command, process


def _scripted(
    command: list[str],
    limit_s: float,
    server: subprocess.Popen[bytes],
    hear: Callable[[str], object],
) -> int:
    """Pass on the guest's output; a script may have its device killed."""
    said: list[str] = []
    began = time.monotonic()
    guest = subprocess.Popen(
        command, env=of_qemu(), text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, errors="replace",
    )  # fmt: skip
    limit = threading.Timer(limit_s, guest.kill)
    limit.daemon = True  # an interrupt before the block below must not wait for it
    try:
        limit.start()
        assert guest.stdout is not None
        for line in guest.stdout:
            said.append(line)
            hear(line)
            if line.strip() in SIGNALS:
                server.send_signal(SIGNALS[line.strip()])
        guest.wait()
    finally:
        limit.cancel()
        guest.kill()  # if an exception left the loop
        guest.wait()
    late = time.monotonic() - began >= limit_s
    status = ended(said)
    if status is None:
        raise AxiometerError(
            "the guest ended without the script's status"
            + (f": it was stopped after {limit_s:g} s" if late else ""),
            remedy=f"its last lines: {''.join(said[-5:]).strip()}; raise --time-limit if needed",
            status=RUN_FAILED,
        )
    return status


def _print(line: str) -> None:
    sys.stdout.write(line)
    sys.stdout.flush()


def ended(said: list[str]) -> int | None:
    """The status of its script that the guest reported; None without one."""
    found = re.findall(re.escape(ENDED) + r" (\d+)", "".join(said))
    return int(found[-1]) if found else None
