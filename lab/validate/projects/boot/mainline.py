"""Runs boot.cmd of a Zynq-7000 in mainline's U-Boot, on QEMU's chip, as its own boot flow finds it.

    python -m validate.projects.boot.mainline   fetches U-Boot (33 MB), builds it (2 min), runs it

QEMU has no working configuration port: where `fpga loadb` is to succeed, the function behind the
command notes where the bitstream is, and reports success. All else is U-Boot's own. The kernel is a
few instructions that write files: that bitstream, and the device tree they are given.
"""

from __future__ import annotations

import os
import re
import shutil
import struct
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from axiometer.base import children
from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.bringup.projects import boot, devicetree, plan
from axiometer.bringup.projects.boot import scripts, uboot
from axiometer.bringup.vm import archives, packages
from axiometer.runs.cosim import build

SOURCE: packages.Archive = {
    "version": "2025.01",
    "url": "http://deb.debian.org/debian/pool/main/u/u-boot/u-boot_2025.01.orig.tar.bz2",
    "sha256": "cdef7d507c93f1bbd9f015ea9bc21fa074268481405501945abc6f854d5b686f",
}
COMPILER = "arm-linux-gnueabihf-"
NEEDED = (f"{COMPILER}gcc", "bison", "flex", "bc", "make", "dtc", "mkimage", "mformat")
INSTALL = (
    "sudo apt-get install gcc-arm-linux-gnueabihf bison flex bc make swig python3-dev libssl-dev "
    "libgnutls28-dev device-tree-compiler u-boot-tools mtools qemu-system-arm"
)
QEMU = "qemu-system-arm"
CARD_BYTES, FIRST_BYTE, SECTOR = 16 << 20, 1 << 20, 512
NOTED = 0x07000000  # where the bitstream's address and size are written
# As the first stage leaves a Zybo: SLCR_UNLOCK; IO_PLL_CTRL, 1000 MHz.
FIRST_STAGE = {0xF8000008: 0xDF0D, 0xF8000108: 0x14008}
CLOCK = 0xF8000170  # FPGA0_CLK_CTRL
PROMPT, AUTOBOOT, FAILED = b"Zynq> ", b"stop autoboot", "SCRIPT FAILED"
LIMIT_S = 120
# ldr r3, =NOTED; str r1, [r3]; str r2, [r3, #4]; mov r0, #0; bx lr
_NOTES = (0xE3A03407, 0xE5831000, 0xE5832004, 0xE3A00000, 0xE12FFF1E)
_KERNEL = f"""\
.arm
.rept 8
mov r0, r0
.endr
b begin
.word 0x016f2818, 0, end
begin:
mov r5, r2
ldr r6, [r5, #4]
rev r6, r6
adr r4, tree
bl save
ldr r3, ={NOTED:#x}
ldr r5, [r3]
ldr r6, [r3, #4]
adr r4, bitstream
bl save
mov r0, #0x18
ldr r1, =0x20026
svc #0x123456
save: @ r6 bytes at r5, in the file whose SYS_OPEN is at r4
add r1, r4, #12
str r1, [r4]
mov r1, r4
mov r0, #1
svc #0x123456
stmia r4, {{r0, r5, r6}}
mov r1, r4
mov r0, #5
svc #0x123456
bx lr
.ltorg
tree: .word 0, 5, 4
.asciz "tree"
.balign 4
bitstream: .word 0, 5, 9
.asciz "bitstream"
.balign 4
end:
"""
_TREE = """\
/dts-v1/;
/ { #address-cells = <1>; #size-cells = <1>; model = "a Zynq"; compatible = "xlnx,zynq-7000";
chosen { CHOSEN }; memory@0 { device_type = "memory"; reg = <0 0x20000000>; }; };
"""
ARGUMENTS = "root=/dev/mmcblk0p2 console=ttyPS0,115200"


@dataclass(frozen=True)
class Booted:
    """What U-Boot printed, and last its variables of widths if no kernel came. What the kernel got:
    arguments, whether memory is reserved, the bitstream loaded before. None: it did not start."""

    said: str
    back: str
    arguments: str | None
    reserved: bool
    bitstream: bytes | None


def folder() -> Path:
    return build.cache() / "vm" / f"u-boot-{SOURCE['version']}-{SOURCE['sha256'][:8]}"


def built() -> bool:
    return (folder() / packages.DONE).is_file() and shutil.which(QEMU) is not None


def make(say: Callable[[str], None]) -> None:
    """Fetch and build it, once. AxiometerError if a program is missing or that fails."""
    if absent := [program for program in (*NEEDED, QEMU) if shutil.which(program) is None]:
        raise AxiometerError(f"not installed: {', '.join(absent)}", remedy=INSTALL)
    with packages.locked(folder()) as wanted:
        if not wanted:
            return
        shutil.rmtree(folder(), ignore_errors=True)
        with (
            tempfile.TemporaryDirectory(prefix="axiometer-u-boot-") as work,
            archives.fetched("U-Boot", SOURCE, say) as file,
        ):
            with tarfile.open(fileobj=file) as archive:
                archive.extractall(work, filter="data")
            (source,) = Path(work).iterdir()
            say(f"building U-Boot {SOURCE['version']}")
            for words in (
                ["xilinx_zynq_virt_defconfig"],
                [f"CROSS_COMPILE={COMPILER}", "DEVICE_TREE=zynq-zybo", "u-boot.elf"],
            ):
                _checked(["make", "-s", f"-j{os.cpu_count()}", *words], source)
            folder().mkdir(parents=True)
            for name in ("u-boot", "u-boot.elf"):
                shutil.copy(source / name, folder() / name)
            (folder() / packages.DONE).touch()


def _checked(words: list[str | Path], where: Path) -> str:
    done = subprocess.run(words, cwd=where, capture_output=True, text=True, check=False)
    if done.returncode:
        raise AxiometerError(
            f"{words[0]} ended with {done.returncode}: {done.stderr.strip()[-500:]}",
            remedy=INSTALL,
            status=RUN_FAILED,
        )
    return done.stdout


def booted(
    directory: Path,
    loads: bool = True,
    chosen: str = f'bootargs = "{ARGUMENTS}";',
    first_stage: Mapping[int, int] = FIRST_STAGE,
) -> Booted:
    """A project's boot.cmd from a card. loads: whether the fabric takes the bitstream. chosen: of
    the system's tree. first_stage: the registers that it has set."""
    with tempfile.TemporaryDirectory(prefix="axiometer-u-boot-") as name:
        work = Path(name)
        _card(work, directory, chosen)
        said, back = _run(work, loads, first_stage)
        tree = work / "tree"
        found = (
            _checked(["dtc", "-q", "-I", "dtb", "-O", "dts", tree], work) if tree.is_file() else ""
        )
        arguments = re.search(r'bootargs = "(.*)";', found)
        return Booted(
            said,
            back,
            None if arguments is None else arguments[1],
            "axm-memory" in found,
            (work / "bitstream").read_bytes() if (work / "bitstream").is_file() else None,
        )


BITSTREAM = bytes(range(256)) * 65


def _card(work: Path, directory: Path, chosen: str) -> None:
    """An SD card with one partition, as STEPS.md has it filled."""
    (work / "system.bit").write_bytes(BITSTREAM)
    (work / "kernel.s").write_text(_KERNEL)
    (work / "system.dts").write_text(_TREE.replace("CHOSEN", chosen))
    compiler: list[list[str | Path]] = [
        [f"{COMPILER}gcc", "-nostdlib", "-Ttext=0x2000000", "-Wl,-e0x2000000", "-static",
         "-o", "kernel", "kernel.s"],
        [f"{COMPILER}objcopy", "-O", "binary", "-j", ".text", "kernel", "zImage"],
        ["dtc", "-q", "-@", "-I", "dts", "-O", "dtb", "-o", "system.dtb", "system.dts"],
        ["mkimage", "-A", "arm", "-T", "script", "-C", "none",
         "-d", directory / boot.FOLDER / "boot.cmd", "boot.scr"],
    ]  # fmt: skip
    files = ["boot.scr", "system.bit", "zImage", "system.dtb"]
    memory = directory / devicetree.FOLDER / "memory.dtso"
    if memory.is_file():
        compiler.append(["dtc", "-q", "-@", "-I", "dts", "-O", "dtb", "-o", "memory.dtbo", memory])
        files.append("memory.dtbo")
    for words in compiler:
        _checked(words, work)
    count = (CARD_BYTES - FIRST_BYTE) // SECTOR
    entry = struct.pack("<B3xB3xII", 0x80, 0x0E, FIRST_BYTE // SECTOR, count)
    with (work / "card").open("wb") as card:
        card.write(bytes(446) + entry + bytes(48) + b"\x55\xaa")
        card.truncate(CARD_BYTES)
    place = f"card@@{FIRST_BYTE}"
    _checked(["mformat", "-i", place, "-T", str(count), "-h", "16", "-s", "63", "::"], work)
    _checked(["mcopy", "-i", place, *files, "::"], work)


def _run(work: Path, loads: bool, first_stage: Mapping[int, int]) -> tuple[str, str]:
    listed = _checked([f"{COMPILER}nm", folder() / "u-boot"], work)
    symbol = re.search(r"^(\w+) T fpga_loadbitstream$", listed, re.M)
    assert symbol is not None
    command = [
        QEMU, "-M", "xilinx-zynq-a9", "-m", "512M", "-display", "none", "-monitor", "none",
        "-serial", "null", "-serial", "stdio", "-drive", "if=sd,format=raw,file=card",
        "-device", f"loader,file={folder() / 'u-boot.elf'},cpu-num=0",
        "-semihosting-config", "enable=on,target=native",
    ]  # fmt: skip
    with subprocess.Popen(
        children.tied(command),
        cwd=work,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        bufsize=0,
    ) as emulator:
        line = _Line(emulator)
        try:
            line.until(AUTOBOOT)
            line.ask("")
            if loads:
                told = re.search(r"reloc off\s*= (0x\w+)", line.ask("bdinfo"))
                assert told is not None
                at = int(symbol[1], 16) + int(told[1], 16)
                for n, word in enumerate(_NOTES):
                    line.ask(f"mw.l {at + 4 * n:x} {word:x}")
            for address, word in first_stage.items():
                line.ask(f"mw.l {address:x} {word:x}")
            line.ask("run bootcmd_mmc0")
            back = line.ask(f"printenv axm_back axm_new; md.l {CLOCK:x} 1")
        finally:
            emulator.kill()
        return line.said.decode(errors="replace"), back


class _Line:
    """U-Boot's prompt."""

    def __init__(self, emulator: subprocess.Popen[bytes]) -> None:
        import threading

        self.emulator, self.said, self.seen = emulator, b"", 0
        timer = threading.Timer(LIMIT_S, emulator.kill)
        timer.daemon = True
        timer.start()

    def until(self, word: bytes) -> str:
        """What is said until `word`, or the end of the emulator."""
        assert self.emulator.stdout is not None
        begun = self.seen
        while (place := self.said.find(word, begun)) < 0:
            more = self.emulator.stdout.read(4096)
            if not more:
                self.seen = len(self.said)
                break
            self.said += more
        else:
            self.seen = place + len(word)
        return self.said[begun : self.seen].decode(errors="replace")

    def ask(self, command: str) -> str:
        """Answer to a command, to the next prompt."""
        assert self.emulator.stdin is not None
        with suppress(BrokenPipeError):  # the kernel has ended it
            self.emulator.stdin.write(command.encode() + b"\n")
        return self.until(PROMPT)


def check(say: Callable[[str], None] = print, change: tuple[str, str] = ("", "")) -> list[str]:
    """What is wrong with boot.cmd in mainline's U-Boot; [] if nothing is. change: a text of the
    script and what stands there in its place."""
    project = plan.make("zybo", "dma", ["HP0", "HP2"], 32)
    found = []

    def rule(holds: object, what: str) -> None:
        say(f"{'ok  ' if holds else 'FAIL'} {what}")
        if not holds:
            found.append(what)

    with tempfile.TemporaryDirectory(prefix="axiometer-u-boot-") as name:
        directory = Path(name)
        choice = devicetree.choose(project, memory="reserved")
        devicetree.write(project, choice, directory)
        scripts.write(project, choice, directory)
        script = directory / boot.FOLDER / "boot.cmd"
        script.write_text(script.read_text().replace(*change) if change[0] else script.read_text())
        good = booted(directory)
        rule(good.bitstream == BITSTREAM, "the fabric gets the bitstream")
        rule(
            (good.arguments or "").startswith(ARGUMENTS), "Linux has the tree's root= and console="
        )
        rule("of_id=generic-uio" in (good.arguments or ""), "Linux has UIO's argument")
        rule(good.reserved, "memory is reserved")
        bad = booted(directory, loads=False)
        ended = bad.arguments is None and FAILED in bad.said
        rule(
            ended and "mw.l" not in bad.back, "it ends where the fabric refuses, and sets no width"
        )
        bare = booted(directory, chosen="")
        rule(bare.arguments is None and uboot.NO_ARGUMENTS in bare.said, "it says what is lacking")
        widths = [f"mw.l {width.address:#010x}" for width in boot.widths(project)]
        set_to = f"axm_new={boot.widths(project)[-1].value:x}"
        rule(all(w in bare.back for w in [*widths, set_to]), "the ports' widths are set")
        rule(f"{CLOCK:x}: 00100a00" in bare.back, "the fabric's clock is 1000 MHz / 10")
        other = booted(directory, first_stage={})
        rule(other.arguments is None and FAILED in other.said, "it ends at a PLL of another rate")
    return found


def main() -> int:
    try:
        make(print)
        return 1 if check() else 0
    except AxiometerError as error:
        print(f"{error.message}\n{error.remedy}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
