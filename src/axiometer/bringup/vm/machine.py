"""Starts the server of a design and QEMU beside it, and says how the guest ended."""

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

# Red zones and poison around and in the kernel's objects, so that a stray write is noticed.
CAREFUL = "slub_debug=FZPU page_poison=1 init_on_free=0"
# What a script says to have its device killed, and alive again.
DIES, LIVES = "axiometer-vm: the device dies", "axiometer-vm: the device lives again"
SIGNALS = {DIES: signal.SIGUSR1, LIVES: signal.SIGUSR2}
SOCKET_S, ENDS_S = 60.0, 5.0
# On the bus "platform" the kernel finds the design by the device tree, at the place of the PCI
# device's registers, which are the first of QEMU's 32-bit window, and at its INTA.
SLOT = "0000:00:01.0"
WINDOW, WINDOW_BYTES = 0x1000_0000, 0x1_0000
LINE = (0, 4, 4)
ENABLE = (
    f"cd /sys/bus/pci/devices/{SLOT}\necho none > driver_override\necho 1 > enable\n"
    "printf '\\006' | dd of=config bs=1 seek=4 conv=notrunc 2> /dev/null\ncd /\n"
)
IOMMU = "virtio-iommu-pci"
BUSES = ("pci", "platform", "platform-noncoherent")


def place(coherent: bool) -> dict[str, bytes]:
    """Properties of a node that is the design: its registers, its interrupt."""
    found = {
        "reg": devicetree.cells(0, WINDOW, 0, WINDOW_BYTES),
        "interrupts": devicetree.cells(*LINE),
    }
    return found | ({"dma-coherent": b""} if coherent else {})


def _own(coherent: bool) -> Sequence[Node]:
    properties = {"compatible": devicetree.text("axiometer,dma-1")} | place(coherent)
    return [Node(f"dma-controller@{WINDOW:x}", properties)]


@dataclass(frozen=True)
class Settings:
    """The machine. bus: of BUSES. devices: more of QEMU's, besides the design. nodes: of the device
    tree, if the device is coherent or not. instruction_log2_ns: of the emulated time."""

    kernel: Kernel
    bus: str
    limit_s: float
    devices: tuple[str, ...] = ()
    nodes: Callable[[bool], Sequence[Node]] = _own
    instruction_log2_ns: int = 0


def _tell(text: str) -> None:
    sys.stderr.write(text)


@dataclass(frozen=True)
class Server:
    """The program that serves the device, and its words after the socket's name. allowed: rules
    that software may break (cosim/vendor/rules.hpp). chip: behind its ports. heard: is given at the
    end what it said."""

    program: Path
    words: tuple[str, ...]
    allowed: frozenset[str] = frozenset()
    chip: OnChip | None = None
    heard: Callable[[str], object] = _tell


def qemu(settings: Settings, socket: Path, initrd: Path, guest: Guest, uart: str = "") -> list[str]:
    """QEMU runs where its packages are unpacked, with their own loader and libraries. uart: where
    it has the guest's console, as its -serial takes it, in place of stdio."""
    kernel, root = settings.kernel, packages.root("tools").path / "usr"
    libraries = root / "lib" / "x86_64-linux-gnu"
    device = f'{{"driver":"vfio-user-pci","socket":{{"path":"{socket}","type":"unix"}}}}'
    # panic=-1: a guest that panics ends. Its time is its instructions': a busy host is not felt.
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
    """Our DMA engine with rings, as a PCI device has it. mode: MODE of axm_dma_top."""
    parameters = (("MODE", mode), ("UNALIGNED", 1), ("RINGS", 1))
    return RtlDesign("axm_dma_top", ports, 64, axi3=False, parameters=parameters)


def of_qemu() -> dict[str, str]:
    """The environment in which it finds its modules."""
    modules = packages.root("tools").path / "usr" / "lib" / "x86_64-linux-gnu" / "qemu"
    return os.environ | {"QEMU_MODULE_DIR": str(modules)}


def _machine(kernel: Kernel) -> str:
    return f"{kernel.architecture['machine']},accel=tcg,memory-backend=ram"


def _write_tree(command: list[str], tree: Path, settings: Settings) -> None:
    """QEMU's own device tree, and the design in it."""
    machine = _machine(settings.kernel)
    dump = [f"{word},dumpdtb={tree}" if word == machine else word for word in command]
    # Neither the device, whose server has not to be there, nor the tree that is being made.
    for option in ("-device", "-dtb"):
        at = dump.index(option)
        del dump[at : at + 2]
    done = subprocess.run(dump, capture_output=True, text=True, check=False)
    if done.returncode or not tree.is_file():
        raise AxiometerError(f"QEMU gives no device tree: {done.stderr}", status=RUN_FAILED)
    coherent = settings.bus == "platform"
    made = devicetree.with_nodes(tree.read_bytes(), settings.nodes(coherent))
    # QEMU's root says it of everything below it.
    tree.write_bytes(made if coherent else devicetree.root_without(made, "dma-coherent"))


@contextmanager
def serving(server: Server, socket: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The server of the design, until the block ends.

    AxiometerError if it had objections then to what software did, besides those that are allowed.
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
            process.wait(ENDS_S)  # by itself, as the guest has gone
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
    """The guest's script, or a shell; the script's exit status, 0 after a shell. hear: is given
    each line of a script, which is printed otherwise.

    AxiometerError if the guest ends without one, or not in time.
    """
    with prepared(settings, server, guest) as (command, process):
        if guest.script is None:
            return subprocess.run(command, env=of_qemu(), check=False).returncode
        return _scripted(command, settings.limit_s, process, hear or _print)


@contextmanager
def prepared(
    settings: Settings, server: Server, guest: Guest, uart: str = ""
) -> Iterator[tuple[list[str], subprocess.Popen[bytes]]]:
    """The command that boots the guest, in the environment of `of_qemu`, and the server of its
    design, which ends with the block; else as `serving`. uart: as `qemu` has it."""
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
    """Passes on what the guest prints; a script may have its device killed."""
    said: list[str] = []
    began = time.monotonic()
    guest = subprocess.Popen(
        command, env=of_qemu(), text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, errors="replace",
    )  # fmt: skip
    limit = threading.Timer(limit_s, guest.kill)
    limit.start()
    try:
        assert guest.stdout is not None
        for line in guest.stdout:
            said.append(line)
            hear(line)
            if line.strip() in SIGNALS:
                server.send_signal(SIGNALS[line.strip()])
        guest.wait()
    finally:
        limit.cancel()
        guest.kill()  # if the loop was left
        guest.wait()
    late = time.monotonic() - began >= limit_s
    status = ended(said)
    if status is None:
        raise AxiometerError(
            "the guest ended without the script's status"
            + (f": it was stopped after {limit_s:g} s" if late else ""),
            remedy=f"its last lines: {''.join(said[-5:]).strip()}; --time-limit gives it longer",
            status=RUN_FAILED,
        )
    return status


def _print(line: str) -> None:
    sys.stdout.write(line)
    sys.stdout.flush()


def ended(said: list[str]) -> int | None:
    """The status that the guest reported of its script, if it did."""
    found = re.findall(re.escape(ENDED) + r" (\d+)", "".join(said))
    return int(found[-1]) if found else None
