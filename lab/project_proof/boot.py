"""Proof of boot scripts without a board: each runs, and its accesses of a board are answered here.

The scripts for Linux run in `sh` with files for registers and configfs, those for JTAG in `tclsh`,
boot.cmd in `bash` (`uboot.sh`; `mainline` runs it in U-Boot itself). Order, registers and restored
words must be right, and a step that fails must end the script.
"""

from __future__ import annotations

import itertools
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from axiometer.bringup.projects import boot
from axiometer.bringup.projects.boot import socfpga
from axiometer.bringup.projects.plan import Plan
from project_proof import scripts

Words = dict[int, int]
PATTERNS = (0xA5A5A5A5, 0x5A5A5A5A)
"""What other bits of the registers hold: each is 1 once and 0 once."""
# Of the Zynq-7000 (UG585, B.28): SLCR_UNLOCK, IO_PLL_CTRL, FPGA0_CLK_CTRL; 50 MHz of 1000.
UNLOCK, PLL, CLOCK, FIFTY = 0xF8000008, 0xF8000108, 0xF8000170, 0x00400500
# fpgaportrst of a Cyclone V, and what the DE10-Nano's SPL has there; that of the DE1-SoC has 0.
PORT_RESET, HANDOFF = 0xFFC25080, 0x1FF
_UIO = "root=/dev/mmcblk0p2 console=ttyPS0 uio_pdrv_genirq.of_id=generic-uio"


def start(plan: Plan, pattern: int = PATTERNS[0]) -> Words:
    """Words of the registers before: another width, and a pattern in the other bits."""
    return {w.address: (pattern & w.keep) | (w.value ^ w.mask) & w.mask for w in boot.widths(plan)}


def check(plan: Plan, directory: Path) -> list[str]:
    """All that is wrong with a project's boot scripts. AxiometerError if there is no tclsh."""
    found = [*_uboot(plan, directory)]
    if plan.tool == "Vivado":
        found += [*_linux(plan, directory)]
        for name in ("xsdb.tcl", "openocd.cfg"):
            if (directory / boot.FOLDER / name).is_file():
                for pattern in PATTERNS:
                    found += [*_jtag(plan, directory, name, start(plan, pattern))]
    return list(dict.fromkeys(found))


def _compare(plan: Plan, name: str, before: Words, after: Words, back: Words) -> Iterator[str]:
    """Widths are the plan's, all else is as it was; and what was is put back."""
    for width in boot.widths(plan):
        wanted = before[width.address] & width.keep | width.value
        if after.get(width.address) != wanted:
            yield f"{name}: {width.name} becomes {after.get(width.address)}, wanted is {wanted}"
    for address in after.keys() - before.keys():
        yield f"{name}: writes {address:#010x}, which is no width of these ports"
    if any(back.get(address) != word for address, word in before.items()):
        yield f"{name}: the widths are not put back"


def _kinds(events: list[str]) -> list[str]:
    return [kind for kind, _ in itertools.groupby(event.split()[0] for event in events)]


# ---- U-Boot


@dataclass
class _Booted:
    """What boot.cmd did: exit status, events in order, words of registers after it and put back."""

    status: int
    events: list[str]
    after: Words
    back: Words
    said: str


def _boot(script: Path, words: Mapping[int, int], fail: int, handoff: int) -> _Booted:
    env = {**os.environ, "AXM_FAIL": str(fail), "AXM_HANDOFF": str(handoff),
           "AXM_WORDS": " ".join(f"{a}={w}" for a, w in words.items())}  # fmt: skip
    done = subprocess.run(
        ["bash", Path(__file__).with_name("uboot.sh"), script], env=env,
        capture_output=True, text=True, timeout=scripts.LIMIT_S,
    )  # fmt: skip
    lines = done.stdout.splitlines()
    events = [line for line in lines if not line.startswith(("word ", "axm:"))]
    saved = [line.split()[1:] for line in lines if line.startswith("word ")]
    after, back = (
        {int(at): int(word) for when, at, word in saved if when == wanted}
        for wanted in ("after", "ended")
    )
    return _Booted(done.returncode, events, after, back, done.stderr.strip())


def _uboot(plan: Plan, directory: Path) -> Iterator[str]:
    """boot.cmd: in order, with the plan's clock and ports; nothing starts if a command fails."""
    script, known = directory / boot.FOLDER / "boot.cmd", boot.of_chip(plan)
    intel, clocked = plan.tool == "Quartus", "fabric_clock" in known
    bits = socfpga.port_bits(plan) if intel else 0
    ports = ["mw"] if boot.widths(plan) or bits else []
    order = ["load", "fpga", *ports, "load"]
    if intel:
        order = ["load", "bridge", "fpga", "sleep", "bridge", *ports, "load"]
    order = [*(["mw"] if clocked else []), *order]
    if (directory / "linux" / "memory.dtso").is_file():
        order.append("apply")
    order.append(known["boot"])
    for pattern in PATTERNS:
        before = start(plan, pattern)
        own = {UNLOCK: 0, CLOCK: FIFTY, PLL: boot.multiplier(plan) << 12 | 8} if clocked else {}
        words = before | own | ({PORT_RESET: 0} if intel else {})
        done = _boot(script, words, 0, HANDOFF)
        if done.said or _kinds(done.events) != order:
            yield f"boot.cmd: does {done.events}; in order it is {order}: {done.said}"
            return
        if f"{known['boot']} {known['kernel']} system.dtb {_UIO}" not in done.events[-1]:
            yield f"boot.cmd: starts {done.events[-1]}"
        if not any(re.fullmatch("fpga loadb? (system.bit|axm.rbf)", e) for e in done.events):
            yield "boot.cmd: the fabric does not get the bitstream"
        clock = done.after.pop(CLOCK, 0)
        made = (plan.pll_mhz or 0) / max((clock >> 8 & 63) * (clock >> 20 & 63), 1)
        if clocked and (made != plan.mhz or done.after.pop(UNLOCK) != 0xDF0D):
            yield f"boot.cmd: the fabric's clock has {float(made):g} MHz, or stays locked"
        if intel and (done.after[PORT_RESET], done.back[PORT_RESET]) != (HANDOFF | bits, HANDOFF):
            yield "boot.cmd: fpgaportrst is not set, or not put back"
        rest = {a: w for a, w in done.after.items() if a not in (PLL, PORT_RESET)}
        yield from _compare(plan, "boot.cmd", before, rest, done.back)
        for fail in itertools.count(1):
            failed = _boot(script, words, fail, HANDOFF)
            if len(failed.events) == len(done.events):
                break
            if not failed.status or known["boot"] in _kinds(failed.events):
                yield f"boot.cmd: goes on though command {fail} fails"
    if bits and not _boot(script, words, 0, 0).status:
        yield "boot.cmd: goes on though the SPL has no ports to the memory"


# ---- JTAG


def _jtag(plan: Plan, directory: Path, name: str, before: Words) -> Iterator[str]:
    """A script for xsdb or OpenOCD, then axm_back."""
    known, form = boot.of_chip(plan), "mrd -force -value {:#010x}"
    target = 'targets -set -nocase -filter name =~ "{}"'
    order = ["connect", target.format(known["system"]), "rst -system", *known["init"],
             "fpga -file system.bit", *known["after_bitstream"], "mrd", "mwr",
             target.format(known["core"]), *known["reset_core"], "dow agent.elf",
             "con"]  # fmt: skip
    if name == "openocd.cfg":
        form = "read_memory {:#010x} 32 1"
        order = ["find zynq_7000.cfg", "init", "reset halt", "targets zynq.cpu0",
                 *known["init"], "pld load zynq_pl.pld system.bit", *known["after_bitstream"],
                 "sleep 500", "read_memory", "mww", "load_image agent.elf", "resume"]  # fmt: skip
    access = ("mrd", "mwr", "read_memory", "mww")
    order = [step for step in order if before or step not in access]
    answers = {form.format(address): f"{word:#x}" for address, word in before.items()}
    with tempfile.TemporaryDirectory(prefix="axiometer-boot-") as place:
        project = Path(place)
        shutil.copytree(directory / boot.FOLDER, project / boot.FOLDER)
        for file in ("system.bit", "boot/agent.elf", f"boot/{known['init_file']}"):
            (project / file).touch()
        (project / "run.tcl").write_text(f"source boot/{name}\naxm_boundary\naxm_back\n")
        calls, wrong = scripts.run(project / "run.tcl", answers | {"find": "/dev/null"})
    yield from (f"{name}: {why}" for why in wrong)
    steps: list[str] = []
    after, back = dict[int, int](), dict[int, int]()
    for call in calls:
        if call.name in ("mwr", "mww"):
            words = back if "axm_boundary" in steps else after
            words[int(call.words[-2], 0)] = int(call.words[-1], 0)
        whole = re.sub(r"\S*/", "", " ".join((call.name, *call.words)))
        step = call.name if call.name in access else whole
        steps += [step] if step not in steps else []
    if steps != [*order, "axm_boundary"]:
        yield f"{name}: does {steps}; in order it is {order}"
    yield from _compare(plan, name, before, after, back)


# ---- Linux

# Words of registers are files; each access is a line of the log.
_DEVMEM = """\
#!/bin/sh
at=$AXM_BOARD/words/$(printf %x $(( $1 )))
[ "$2" = 32 ] && [ -e "$at" ] || { echo "wrong devmem $*" >> "$AXM_BOARD/log"; exit 1; }
if [ $# = 2 ]; then cat "$at"; exit; fi
[ "$1" != "${AXM_DEAD:-}" ] || exit 1
printf '0x%08X\\n' $(( $3 )) > "$at"
echo "width $1" >> "$AXM_BOARD/log"
"""
# configfs: a directory of an overlay has its status; what is written to dtbo is applied.
_MKDIR = """\
#!/bin/sh
[ "${1%/*}" = "$AXM_CONFIGFS/device-tree/overlays" ] || exec "$AXM_MKDIR" "$@"
"$AXM_MKDIR" "$1" && echo applied > "$1/status"
[ "${1##*/}" != "${AXM_REFUSED:-}" ] || echo unapplied > "$1/status"
[ -e "$AXM_FIRMWARE/system.bit.bin" ] || echo "wrong: no bitstream is there" >> "$AXM_BOARD/log"
echo "${1##*/}" >> "$AXM_BOARD/log"
"""
_RMDIR = '#!/bin/sh\necho "remove" >> "$AXM_BOARD/log"\nrm -r "$1"\n'


class Board:
    """A directory that stands for a board: registers' words, configfs, firmware, and a log."""

    def __init__(self, directory: Path, place: Path, before: Words) -> None:
        self.place, self.overlays = place, place / "config/device-tree/overlays"
        shutil.copytree(directory / boot.FOLDER, place / "boot")
        for name in ("bitstream.dtbo", "axm.dtbo", "system.bit.bin"):
            (place / "boot" / name).write_text(name)
        for folder in (place / "words", place / "bin", self.overlays, place / "firmware"):
            folder.mkdir(parents=True)
        for name, text in (("devmem", _DEVMEM), ("mkdir", _MKDIR), ("rmdir", _RMDIR)):
            (place / "bin" / name).write_text(text)
            (place / "bin" / name).chmod(0o755)
        for address, word in before.items():
            (place / "words" / f"{address:x}").write_text(f"{word:#010x}\n")

    def run(self, script: str, verb: str, **more: str) -> tuple[int, str, list[str]]:
        """Status, what it says of errors, and the log. more: of the environment (AXM_DEAD: a
        register that cannot be written; AXM_REFUSED: an overlay)."""
        (self.place / "log").write_text("")
        paths = {"BOARD": "", "STATE": "state", "CONFIGFS": "config", "FIRMWARE": "firmware"}
        env = {
            **os.environ,
            **{f"AXM_{name}": str(self.place / path) for name, path in paths.items()},
            "PATH": f"{self.place / 'bin'}:{os.environ['PATH']}",
            "AXM_MKDIR": str(shutil.which("mkdir")),
            **more,
        }
        done = subprocess.run(
            ["sh", self.place / "boot" / script, verb], env=env,
            capture_output=True, text=True, timeout=scripts.LIMIT_S,
        )  # fmt: skip
        return done.returncode, done.stderr.strip(), (self.place / "log").read_text().splitlines()

    def words(self) -> Words:
        return {int(p.name, 16): int(p.read_text(), 0) for p in (self.place / "words").iterdir()}


def _linux(plan: Plan, directory: Path) -> Iterator[str]:
    """afi.sh set and back, overlay.sh load and unload; each twice, of which the second is to be
    refused; an overlay that the kernel refuses, or a dead register, leaves nothing."""
    widths = ["width"] if boot.widths(plan) else []
    for script, forth, order, back, undone in (
        ("afi.sh", "set", widths, "back", widths),
        ("overlay.sh", "load", ["bitstream", *widths, "axm"], "unload",
         ["remove", *widths, "remove"] if widths else ["remove"]),
    ):  # fmt: skip
        for pattern in PATTERNS:
            before = start(plan, pattern)
            with tempfile.TemporaryDirectory(prefix="axiometer-boot-") as place:
                board = Board(directory, Path(place), before)
                status, said, events = board.run(script, forth)
                after = board.words()
                if status or _kinds(events) != order:
                    yield f"{script}: {forth} does {events}, in order it is {order}: {said}"
                if not board.run(script, forth)[0] or board.words() != after:
                    yield f"{script}: {forth} twice is not refused"
                status, said, events = board.run(script, back)
                if status or _kinds(events) != undone:
                    yield f"{script}: {back} does {events}, in order it is {undone}: {said}"
                if not board.run(script, back)[0]:
                    yield f"{script}: {back} of what is not there is not refused"
                yield from _compare(plan, script, before, after, board.words())
    last = [f"{width.address:#010x}" for width in boot.widths(plan)[-1:]]
    for fault in (
        {"AXM_REFUSED": "bitstream"},
        {"AXM_REFUSED": "axm"},
        *({"AXM_DEAD": at} for at in last),
    ):
        with tempfile.TemporaryDirectory(prefix="axiometer-boot-") as place:
            board = Board(directory, Path(place), before)
            status, _, events = board.run("overlay.sh", "load", **fault)
            touched = "bitstream" in fault.values() and "width" in _kinds(events)
            if not status or touched or list(board.overlays.iterdir()) or board.words() != before:
                yield f"overlay.sh: goes on, or leaves something, with {fault}"
