"""Runs boot.cmd of a Zynq-7000 in mainline's U-Boot, on QEMU's chip, as its own boot flow finds it.

    python -m project_proof.mainline   fetches U-Boot (33 MB), builds it (2 min), runs it

QEMU has no working configuration port: where `fpga loadb` is to succeed, the function behind the
command notes where the bitstream is, and reports success. All else is U-Boot's own. The kernel is a
few instructions (`kernel.s`) that write files: that bitstream, and the device tree they are given.
"""

from __future__ import annotations

import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

from axiometer.base import children
from axiometer.base.errors import AxiometerError
from axiometer.bringup.projects import boot, devicetree, plan
from axiometer.bringup.projects.boot import scripts, uboot
from machines import packages

VERSION = "2025.01"
ARCHIVE = {
    "url": f"http://deb.debian.org/debian/pool/main/u/u-boot/u-boot_{VERSION}.orig.tar.bz2",
    "sha256": "cdef7d507c93f1bbd9f015ea9bc21fa074268481405501945abc6f854d5b686f",
}
COMPILER = "arm-linux-gnueabihf-"
QEMU = "qemu-system-arm"
NEEDED = (f"{COMPILER}gcc", "bison", "flex", "bc", "make", "dtc", "mkimage", "mformat", QEMU)
INSTALL = (
    "sudo apt-get install gcc-arm-linux-gnueabihf bison flex bc make swig python3-dev libssl-dev "
    "libgnutls28-dev device-tree-compiler u-boot-tools mtools qemu-system-arm"
)
FOLDER = packages.store() / f"u-boot-{VERSION}-{ARCHIVE['sha256'][:8]}"
CARD_BYTES, FIRST_BYTE, SECTOR = 16 << 20, 1 << 20, 512
LIMIT_S = 120
PROMPT, AUTOBOOT, FAILED = b"Zynq> ", b"stop autoboot", "SCRIPT FAILED"
# As the first stage leaves a Zybo: SLCR_UNLOCK; IO_PLL_CTRL, 1000 MHz. And FPGA0_CLK_CTRL.
FIRST_STAGE, CLOCK = {0xF8000008: 0xDF0D, 0xF8000108: 0x14008}, 0xF8000170
# ldr r3, =0x7000000; str r1, [r3]; str r2, [r3, #4]; mov r0, #0; bx lr
_NOTES = (0xE3A03407, 0xE5831000, 0xE5832004, 0xE3A00000, 0xE12FFF1E)
_TREE = """\
/dts-v1/;
/ { #address-cells = <1>; #size-cells = <1>; model = "a Zynq"; compatible = "xlnx,zynq-7000";
chosen { CHOSEN }; memory@0 { device_type = "memory"; reg = <0 0x20000000>; }; };
"""
ARGUMENTS = "root=/dev/mmcblk0p2 console=ttyPS0,115200"
BITSTREAM = bytes(range(256)) * 65


def make() -> None:
    """Fetch and build U-Boot, once. AxiometerError if a program is missing or that fails."""
    if absent := [program for program in NEEDED if shutil.which(program) is None]:
        raise AxiometerError(f"not installed: {', '.join(absent)}", remedy=INSTALL)

    def build(folder: Path) -> None:
        with tempfile.TemporaryDirectory(prefix="axiometer-u-boot-") as work:
            source = packages.fetched(ARCHIVE, Path(work) / "source", print)
            make = ["make", "-s", f"-j{os.cpu_count()}", f"CROSS_COMPILE={COMPILER}"]
            _done([*make, "xilinx_zynq_virt_defconfig"], source)
            _done([*make, "DEVICE_TREE=zynq-zybo", "u-boot.elf"], source)
            for file in ("u-boot", "u-boot.elf"):
                shutil.copy(source / file, folder / file)

    packages.made(FOLDER, build)


def _done(words: list[str | Path], where: Path) -> str:
    done = subprocess.run(words, cwd=where, capture_output=True, text=True, check=False)
    if done.returncode:
        raise AxiometerError(f"{words[0]}: {done.stderr.strip()[-500:]}", remedy=INSTALL)
    return done.stdout


def _card(work: Path, project: Path, chosen: str) -> None:
    """An SD card with one partition, as STEPS.md has it filled. chosen: of the system's tree."""
    (work / "system.bit").write_bytes(BITSTREAM)
    (work / "system.dts").write_text(_TREE.replace("CHOSEN", chosen))
    count = (CARD_BYTES - FIRST_BYTE) // SECTOR
    entry = struct.pack("<B3xB3xII", 0x80, 0x0E, FIRST_BYTE // SECTOR, count)
    with (work / "card").open("wb") as card:
        card.write(bytes(446) + entry + bytes(48) + b"\x55\xaa")
        card.truncate(CARD_BYTES)
    place, dtc = f"card@@{FIRST_BYTE}", ["dtc", "-q", "-@", "-I", "dts", "-O", "dtb", "-o"]
    commands: list[list[str | Path]] = [
        [f"{COMPILER}gcc", "-nostdlib", "-Ttext=0x2000000", "-Wl,-e0x2000000", "-static",
         "-o", "kernel", Path(__file__).with_name("kernel.s")],
        [f"{COMPILER}objcopy", "-O", "binary", "-j", ".text", "kernel", "zImage"],
        [*dtc, "system.dtb", "system.dts"],
        [*dtc, "memory.dtbo", project / devicetree.FOLDER / "memory.dtso"],
        ["mkimage", "-A", "arm", "-T", "script", "-C", "none",
         "-d", project / boot.FOLDER / "boot.cmd", "boot.scr"],
        ["mformat", "-i", place, "-T", str(count), "-h", "16", "-s", "63", "::"],
        ["mcopy", "-i", place, "boot.scr", "system.bit", "zImage", "system.dtb", "memory.dtbo",
         "::"],
    ]  # fmt: skip
    for words in commands:
        _done(words, work)


class Booted:
    """A start of a project's boot.cmd from a card: `said`, what U-Boot printed; `back`, last its
    variables of widths, if no kernel came; `tree` and `bitstream`, what the kernel got, or None.

    loads: whether the fabric takes the bitstream. first_stage: the registers that it has set."""

    def __init__(
        self,
        project: Path,
        loads: bool = True,
        chosen: str = f'bootargs = "{ARGUMENTS}";',
        first_stage: dict[int, int] = FIRST_STAGE,
    ) -> None:
        self._seen, self._said = 0, b""
        with tempfile.TemporaryDirectory(prefix="axiometer-u-boot-") as name:
            work = Path(name)
            _card(work, project, chosen)
            self.back = self._run(work, loads, first_stage)
            self.said = self._said.decode(errors="replace")
            there = (work / "tree").is_file()
            dump: list[str | Path] = ["dtc", "-q", "-I", "dtb", "-O", "dts", "tree"]
            self.tree = _done(dump, work) if there else None
            file = work / "bitstream"
            self.bitstream = file.read_bytes() if file.is_file() else None

    def _run(self, work: Path, loads: bool, first_stage: dict[int, int]) -> str:
        listed = _done([f"{COMPILER}nm", FOLDER / "u-boot"], work)
        symbol = re.search(r"^(\w+) T fpga_loadbitstream$", listed, re.M)
        assert symbol is not None
        command = [
            QEMU, "-M", "xilinx-zynq-a9", "-m", "512M", "-display", "none", "-monitor", "none",
            "-serial", "null", "-serial", "stdio", "-drive", "if=sd,format=raw,file=card",
            "-device", f"loader,file={FOLDER / 'u-boot.elf'},cpu-num=0",
            "-semihosting-config", "enable=on,target=native",
        ]  # fmt: skip
        pipe = subprocess.PIPE
        with subprocess.Popen(
            children.tied(command), cwd=work, stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT,
            bufsize=0,
        ) as self._emulator:  # fmt: skip
            watch = threading.Timer(LIMIT_S, self._emulator.kill)
            watch.start()
            try:
                self._until(AUTOBOOT)
                self._ask("")
                if loads:
                    told = re.search(r"reloc off\s*= (0x\w+)", self._ask("bdinfo"))
                    assert told is not None
                    at = int(symbol[1], 16) + int(told[1], 16)
                    for n, word in enumerate(_NOTES):
                        self._ask(f"mw.l {at + 4 * n:x} {word:x}")
                for address, word in first_stage.items():
                    self._ask(f"mw.l {address:x} {word:x}")
                self._ask("run bootcmd_mmc0")
                return self._ask(f"printenv axm_back axm_new; md.l {CLOCK:x} 1")
            finally:
                watch.cancel()
                self._emulator.kill()

    def _until(self, word: bytes) -> str:
        """What is said until `word`, or the end of the emulator."""
        begun = self._seen
        while (place := self._said.find(word, begun)) < 0:
            more = self._emulator.stdout.read(4096)
            if not more:
                place = len(self._said) - len(word)
                break
            self._said += more
        self._seen = place + len(word)
        return self._said[begun : self._seen].decode(errors="replace")

    def _ask(self, command: str) -> str:
        """Answer to a command, to the next prompt."""
        with suppress(BrokenPipeError):  # the kernel has ended it
            self._emulator.stdin.write(command.encode() + b"\n")
        return self._until(PROMPT)


def check(old: str = "", new: str = "") -> list[str]:
    """What is wrong with boot.cmd in mainline's U-Boot, in which `new` stands for `old`."""
    project = plan.make("zybo", "dma", ["HP0", "HP2"], 32)
    with tempfile.TemporaryDirectory(prefix="axiometer-u-boot-") as name:
        place = Path(name)
        choice = devicetree.choose(project, memory="reserved")
        devicetree.write(project, choice, place)
        scripts.write(project, choice, place)
        script = place / boot.FOLDER / "boot.cmd"
        text = script.read_text("utf-8")
        script.write_text(text.replace(old, new) if old else text, "utf-8")
        good, bad = Booted(place), Booted(place, loads=False)
        bare, other = Booted(place, chosen=""), Booted(place, first_stage={})
    told = re.findall(r'bootargs = "(.*)";', good.tree or "")
    widths = [f"mw.l {width.address:#010x}" for width in boot.widths(project)]
    widths.append(f"axm_new={boot.widths(project)[-1].value:x}")
    rules = {
        "the fabric gets the bitstream": good.bitstream == BITSTREAM,
        "Linux has the tree's root= and console=": bool(told) and told[0].startswith(ARGUMENTS),
        "Linux has UIO's argument": bool(told) and "of_id=generic-uio" in told[0],
        "memory is reserved": "axm-memory" in (good.tree or ""),
        "it ends where the fabric refuses, and sets no width":
            bad.tree is None and FAILED in bad.said and "mw.l" not in bad.back,
        "it says what is lacking": bare.tree is None and uboot.NO_ARGUMENTS in bare.said,
        "the ports' widths are set": all(each in bare.back for each in widths),
        "the fabric's clock is 1000 MHz / 10": f"{CLOCK:x}: 00100a00" in bare.back,
        "it ends at a PLL of another rate": other.tree is None and FAILED in other.said,
    }  # fmt: skip
    return [rule for rule, holds in rules.items() if not holds]


if __name__ == "__main__":
    make()
    found = check()
    print("boot.cmd works in U-Boot" if not found else "\n".join(f"wrong: {f}" for f in found))
    sys.exit(bool(found))
