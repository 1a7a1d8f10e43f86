"""Runs what boot.cmd uses of U-Boot: load, fpga, setexpr, mw, setenv, fdt, booti, bootz.

`mainline.py` runs the script in a real U-Boot for the Zynq-7000; here are the other chips, and
planted mistakes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from axiometer.bringup.projects import boot
from axiometer.bringup.projects.plan import Plan
from validate.projects.boot import board_events

# What mainline 2025.01 has for all of these chips (include/configs/: xilinx_zynqmp.h,
# zynq-common.h, socfpga_common.h; printenv of a Zynq's, where loadaddr is 0).
ENVIRONMENT = {"loadaddr": "0", "kernel_addr_r": "2000000", "fdt_addr_r": "1f00000"}
ARGUMENTS = "root=/dev/mmcblk0p2 console=ttyPS0"  # of /chosen in the tree
_MUST_END = {"load", "fpga", "fdt"}
_FILES = {"system.bit", "zImage", "Image", "system.dtb", "memory.dtbo"}
_OPERATORS = {"&": int.__and__, "|": int.__or__, "+": int.__add__}
_OTHER = re.compile(r'if test "\$\{(\w+)\}" != "(\w+)"; then echo "[^"$]*"; exit 1; fi')
_WORD = re.compile(r'"((?:[^"])*)"|(\S+)')
_VARIABLE = re.compile(r"\$\{(\w+)\}")


class UBoot:
    """A prompt: environment, memory of registers, files that were loaded by address."""

    def __init__(self, words: dict[int, int], slcr: dict[int, int] | None = None) -> None:
        """slcr: registers of the fabric's clock."""
        self.env, self.words, self.slcr = dict(ENVIRONMENT), dict(words), dict(slcr or {})
        self.ended = False
        self.loaded: dict[str, str] = {}
        self.tree: str | None = None
        self.session = board_events.Session()

    def wrong(self, what: str) -> None:
        self.session.findings.append(what)

    def line(self, line: str) -> None:
        """One line of a script, without `if`."""
        line = line.strip()
        if not line or line.startswith("#") or self.ended:
            return
        if other := _OTHER.fullmatch(line):
            self.ended = self.env.get(other[1]) != other[2]
            return
        if line.startswith("if test -z "):
            self._without(line)
            return
        first, _, rest = line.partition(" || ")
        if name := re.fullmatch(r'test -n "\$\{(\w+)\}"', first):
            if name[1] not in self.env:
                self.line(rest)
            return
        stops = rest == "exit 1"
        line = first if stops else line
        outside = re.sub(r'"[^"]*"', "", line)
        if re.search(r"[&|<>`]", outside):
            self.wrong(f"{line!r}: the shell takes what is not in quotes for itself")
        words = []
        for quoted, bare in _WORD.findall(line):
            text = _VARIABLE.sub(self._value, quoted or bare)
            words += text.split() if bare else [text]
        if not stops and words[0] in _MUST_END and words[:2] != ["fdt", "get"]:
            self.wrong(f"{line!r}: the script goes on if that fails")
        self.command(words)

    def _without(self, line: str) -> None:
        """if test -z "${NAME}"; then echo "WHY"; exit 1; fi"""
        name = re.fullmatch(r'if test -z "\$\{(\w+)\}"; then echo "[^"]+"; exit 1; fi', line)
        if name is None:
            self.wrong(f"{line!r} is not understood")
        elif name[1] not in self.env:
            self.wrong(f"ends without {name[1]}")

    def _value(self, match: re.Match[str]) -> str:
        if match[1] not in self.env:
            self.wrong(f"${{{match[1]}}} is not set")
        return self.env.get(match[1], "0")

    def command(self, words: list[str]) -> None:
        verb, *rest = words
        do = {
            "load": self.load, "fpga": self.fpga, "setexpr": self.setexpr,
            "setexpr.l": self.setexpr, "mw.l": self.write, "setenv": self.setenv,
            "fdt": self.fdt, "bootz": self.boot, "booti": self.boot,
        }.get(verb)  # fmt: skip
        if do is None:
            self.wrong(f"{verb} is no command that is known")
            return
        try:
            do(verb, *rest)  # type: ignore[operator]  # too few or too many words are told below
        except (TypeError, ValueError) as error:
            self.wrong(f"{' '.join(words)!r}: {error}")

    def load(self, verb: str, interface: str, place: str, address: str, file: str) -> None:
        if file not in _FILES:
            self.wrong(f"loads {file}, which nothing makes")
        self.loaded[address] = file
        self.env["filesize"] = "1000"

    def fpga(self, verb: str, what: str, device: str, address: str, size: str) -> None:
        if what != "loadb" or self.loaded.get(address) != "system.bit":
            self.wrong(f"fpga {what} of what is no system.bit")
        self.session.events.append((board_events.BITSTREAM, address))

    def setexpr(
        self, verb: str, name: str, first: str, operator: str = "+", second: str = "0"
    ) -> None:
        if operator not in _OPERATORS:
            raise ValueError(f"no operator {operator!r}")
        value = _OPERATORS[operator](self._number(first, verb), self._number(second, verb))
        self.env[name] = f"{value:x}"

    def _number(self, text: str, verb: str) -> int:
        if not text.startswith("*"):
            return int(text, 16)
        if verb != "setexpr.l":
            raise ValueError("reads other than 32 bits")
        return self._read(int(text[1:], 16))

    def _read(self, address: int) -> int:
        if address in self.slcr:
            return self.slcr[address]
        if (board_events.BITSTREAM) not in self.session.kinds():
            self.wrong(f"{address:#010x} is read before the bitstream is loaded")
        if address not in self.words:
            self.wrong(f"{address:#010x} is no width of these ports")
        return self.words.get(address, 0)

    def write(self, verb: str, address: str, value: str) -> None:
        if int(address, 16) in self.slcr:
            if self.session.events:
                self.wrong("the fabric's clock is changed while there is a design")
            self.slcr[int(address, 16)] = int(value, 16)
            return
        self.words[int(address, 16)] = int(value, 16)
        self.session.events.append((board_events.WIDTH, address))

    def setenv(self, verb: str, name: str, value: str) -> None:
        self.env[name] = value

    def fdt(self, verb: str, what: str, address: str, *more: str) -> None:
        if [what, address, *more] == ["get", "value", "bootargs", "/chosen", "bootargs"]:
            self.env["bootargs"] = ARGUMENTS
        elif more:
            raise ValueError(f"no fdt {what} of so many words")
        elif what == "addr":
            self.tree = self.loaded.get(address)
        elif what == "apply" and (
            self.loaded.get(address) != "memory.dtbo" or self.tree != "system.dtb"
        ):
            self.wrong("fdt apply of what is no overlay, or to what is no tree")
        elif what not in ("apply", "resize", "addr"):
            raise ValueError(f"no fdt {what}")
        if what == "apply":
            self.env["axm_memory_kept"] = "1"

    def boot(self, verb: str, kernel: str, disk: str, tree: str) -> None:
        wanted = "zImage" if verb == "bootz" else "Image"
        if self.loaded.get(kernel) != wanted or self.loaded.get(tree) != "system.dtb":
            self.wrong(f"{verb} of what is no {wanted} or no tree")
        arguments = self.env.get("bootargs", "")
        if "uio_pdrv_genirq.of_id=generic-uio" not in arguments:
            self.wrong("Linux is not told what is for UIO")
        if not arguments.startswith(ARGUMENTS):
            self.wrong("root= and console= of the tree are lost")
        self.session.events.append((board_events.SYSTEM, verb))


# Of the Zynq-7000 (UG585, B.28): SLCR_UNLOCK, IO_PLL_CTRL, FPGA0_CLK_CTRL.
UNLOCK, PLL, CLOCK = 0xF8000008, 0xF8000108, 0xF8000170
FIFTY = 0x00400500  # 1000 MHz / 5 / 4: what U-Boot's first stage leaves on a Zybo Z7, ZC702, ZC706


def _clock(plan: Plan, prompt: UBoot) -> Iterator[str]:
    """What is wrong with the fabric's clock after the script."""
    word, key = prompt.slcr[CLOCK], prompt.slcr[UNLOCK]
    made = (plan.pll_mhz or 0) / (max(word >> 8 & 63, 1) * max(word >> 20 & 63, 1))
    if made != plan.mhz or word >> 4 & 3:
        yield f"the fabric's clock has {float(made):g} MHz, the design's is {float(plan.mhz):g}"
    if key != 0xDF0D:
        yield "the registers of clocks are locked"


def run(plan: Plan, directory: Path, before: dict[int, int]) -> board_events.Session:
    """The script, then `run axm_back`."""
    own = boot.of_chip(plan).get("fabric_clock") is not None
    pll = boot.multiplier(plan) << 12 | 0x8 if own else 0
    slcr = {UNLOCK: 0, PLL: pll, CLOCK: FIFTY}
    prompt = UBoot(before, slcr if own else None)
    for line in (directory / boot.FOLDER / "boot.cmd").read_text(encoding="utf-8").splitlines():
        prompt.line(line)
    session = prompt.session
    if own:
        session.findings += _clock(plan, prompt)
    session.after = dict(prompt.words)
    kept = directory / "linux" / "memory.dtso"
    if kept.is_file() and "axm_memory_kept" not in prompt.env:
        session.findings.append("linux/memory.dtso is not applied")
    events = list(session.events)
    for command in prompt.env.get("axm_back", "").split(";"):
        prompt.line(command)
    session.events = events
    session.back = dict(prompt.words)
    return session
