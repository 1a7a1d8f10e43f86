"""Starts the server of a design and QEMU beside it, and says how the guest ended."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.bringup.vm import devicetree, initramfs, packages
from axiometer.bringup.vm.guest_programs import Programs

MEMORY = "512M"
MACHINE = "virt,accel=tcg,memory-backend=ram"
APPLETS = (
    "basename cat chmod cp cttyhack dd dmesg echo env false find free grep head id insmod kill ln "
    "ls lsmod mkdir more mount mv nice poweroff printf ps pwd readlink rm rmmod sed seq setsid sh "
    "sleep sort stat sync tail tee test time top touch true uname uniq wc xargs"
)
MOUNTS = (
    "mount -t proc proc /proc\nmount -t sysfs sys /sys\nmount -t devtmpfs dev /dev\n"
    "mount -t debugfs debug /sys/kernel/debug\n"
)
# Red zones and poison around and in the kernel's objects, so that a stray write is noticed.
CAREFUL = "slub_debug=FZPU page_poison=1 init_on_free=0"
KILL = "axiometer-vm: the device dies"
ENDED = "axiometer-vm: the script ended with status"
SOCKET_S = 60.0


# On the bus "platform" the kernel finds the design by the device tree, at the place of the PCI
# device's registers, which are the first of QEMU's 32-bit window, and at its INTA.
SLOT = "0000:00:01.0"
WINDOW, WINDOW_BYTES = 0x1000_0000, 0x1_0000
LINE = (0, 4, 4)
ENABLE = (
    f"cd /sys/bus/pci/devices/{SLOT}\necho none > driver_override\necho 1 > enable\n"
    "printf '\\006' | dd of=config bs=1 seek=4 conv=notrunc 2> /dev/null\ncd /\n"
)
BUSES = ("pci", "platform", "platform-noncoherent")


@dataclass(frozen=True)
class Settings:
    """bus: of BUSES. interrupt: msix or intx; the platform's is intx. latency: clocks of the
    guest's memory as the design meets it. lies: seed of a device that lies, if it does."""

    kernel: str
    bus: str
    interrupt: str
    latency: int
    lies: int | None
    limit_s: float


def init(scripted: bool, bus: str) -> str:
    """The guest's first program: loads the module, then runs /script, or gives a shell."""
    load = ("" if bus == "pci" else ENABLE) + "insmod /axiometer.ko\n"
    if not scripted:
        shell = "echo; echo /dev/axm* is there, axm_test exercises it, poweroff -f ends.\n"
        return "#!/bin/sh\n" + MOUNTS + load + shell + "setsid cttyhack sh\npoweroff -f\n"
    run = f'sh /script\necho "{ENDED} $?"\npoweroff -f\n'
    return "#!/bin/sh\n" + MOUNTS + load + run


def files(programs: Programs, bus: str, script: str | None) -> bytes:
    """The guest's file system."""
    entries = [initramfs.directory(d) for d in ("bin", "proc", "sys", "dev", "tmp")]
    entries.append(initramfs.console())
    busybox = packages.guest().path / "usr" / "bin" / "busybox"
    entries.append(initramfs.program("bin/busybox", busybox.read_bytes()))
    entries += [initramfs.link(f"bin/{name}", "busybox") for name in APPLETS.split()]
    entries.append(initramfs.program("bin/axm_test", programs.test.read_bytes()))
    entries.append(initramfs.program("axiometer.ko", programs.module.read_bytes()))
    entries.append(initramfs.program("init", init(script is not None, bus).encode()))
    if script is not None:
        entries.append(initramfs.program("script", script.encode()))
    return initramfs.archive(entries)


def qemu(settings: Settings, socket: Path, initrd: Path, interactive: bool) -> list[str]:
    """QEMU runs where its packages are unpacked, with their own loader and libraries."""
    root = packages.tools().path / "usr"
    libraries = root / "lib" / "x86_64-linux-gnu"
    device = f'{{"driver":"vfio-user-pci","socket":{{"path":"{socket}","type":"unix"}}}}'
    # panic=-1: a guest that panics ends. Its time is its instructions': a busy host is not felt.
    words = "console=ttyAMA0 panic=-1" + ("" if interactive else f" quiet {CAREFUL}")
    command = [
        str(root / "lib64" / "ld-linux-x86-64.so.2"), "--library-path", str(libraries),
        str(root / "bin" / "qemu-system-aarch64"), "-L", str(root / "share" / "qemu"),
        "-M", MACHINE, "-cpu", "cortex-a53", "-m", MEMORY,
        "-object", f"memory-backend-memfd,id=ram,size={MEMORY},share=on", "-device", device,
        "-icount", "shift=3,sleep=on", "-kernel", str(packages.image(settings.kernel)),
        "-initrd", str(initrd), "-append", words, "-nographic", "-no-reboot", "-nic", "none",
    ]  # fmt: skip
    if settings.bus != "pci":
        tree = initrd.with_name("tree")
        command += ["-dtb", str(tree)]
        _write_tree(command, tree, settings.bus)
    return command


def _write_tree(command: list[str], tree: Path, bus: str) -> None:
    """QEMU's own device tree, and the design in it."""
    dump = [f"{word},dumpdtb={tree}" if word == MACHINE else word for word in command]
    # Neither the device, whose server has not to be there, nor the tree that is being made.
    for option in ("-device", "-dtb"):
        at = dump.index(option)
        del dump[at : at + 2]
    done = subprocess.run(dump, capture_output=True, text=True, check=False)
    if done.returncode or not tree.is_file():
        raise AxiometerError(f"QEMU tells no device tree: {done.stderr}", status=RUN_FAILED)
    properties = {
        "compatible": b"axiometer,dma-1\0",
        "reg": devicetree.cells(0, WINDOW, 0, WINDOW_BYTES),
        "interrupts": devicetree.cells(*LINE),
    }
    if bus == "platform":
        properties["dma-coherent"] = b""
    name = f"dma-controller@{WINDOW:x}"
    tree.write_bytes(devicetree.with_node(tree.read_bytes(), name, properties))


@contextmanager
def serving(program: Path, socket: Path, settings: Settings) -> Iterator[subprocess.Popen[bytes]]:
    """The server of the design, until the block ends."""
    command = [str(program), str(socket), settings.interrupt, str(settings.latency)]
    if settings.lies is not None:
        command.append(str(settings.lies))
    server = subprocess.Popen(command)
    try:
        until = time.monotonic() + SOCKET_S
        while not socket.exists():
            if server.poll() is not None or time.monotonic() > until:
                raise AxiometerError("the server of the design did not start", status=RUN_FAILED)
            time.sleep(0.02)
        yield server
    finally:
        if server.poll() is None:
            server.terminate()
        server.wait()


def run(settings: Settings, server: Path, programs: Programs, script: str | None) -> int:
    """The guest's script, or a shell; the script's exit status, 0 after a shell.

    AxiometerError if the guest ends without one, or not in time.
    """
    with tempfile.TemporaryDirectory(prefix="axm-vm-") as work:
        socket, initrd = Path(work) / "socket", Path(work) / "initrd"
        initrd.write_bytes(files(programs, settings.bus, script))
        command = qemu(settings, socket, initrd, script is None)
        modules = packages.tools().path / "usr" / "lib" / "x86_64-linux-gnu" / "qemu"
        environment = os.environ | {"QEMU_MODULE_DIR": str(modules)}
        with serving(server, socket, settings) as process:
            if script is None:
                return subprocess.run(command, env=environment, check=False).returncode
            return _scripted(command, environment, settings.limit_s, process)


def _scripted(
    command: list[str], environment: dict[str, str], limit_s: float, server: subprocess.Popen[bytes]
) -> int:
    """Prints what the guest prints; a script that says so has its device killed."""
    said: list[str] = []
    guest = subprocess.Popen(
        ["timeout", "--kill-after=5", str(limit_s), *command], env=environment, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, errors="replace",
    )  # fmt: skip
    try:
        assert guest.stdout is not None
        for line in guest.stdout:
            said.append(line)
            sys.stdout.write(line)
            sys.stdout.flush()
            if line.strip() == KILL:
                server.send_signal(signal.SIGUSR1)
    finally:
        if guest.poll() is None and guest.stdout is not None:
            guest.stdout.close()
        guest.wait()
    status = ended(said)
    if status is None:
        raise AxiometerError(
            "the guest ended without the script's status"
            + (f": it was stopped after {limit_s:g} s" if guest.returncode == 124 else ""),
            remedy="its last lines stand above; --time-limit gives it longer",
            status=RUN_FAILED,
        )
    return status


def ended(said: list[str]) -> int | None:
    """The status that the guest reported of its script, if it did."""
    found = re.findall(re.escape(ENDED) + r" (\d+)", "".join(said))
    return int(found[-1]) if found else None
