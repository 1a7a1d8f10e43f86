"""Scripts that start a project on a board, `scripts.write(plan, choice, directory)`:

    boot/afi.sh       Linux: set the ports' widths, restore the old ones
    boot/overlay.sh   Linux: load and unload the overlays, and set the widths between them
    boot/boot.cmd     U-Boot: bitstream, widths, reserved memory, Linux
    boot/xsdb.tcl     XSCT, xsdb: from reset over JTAG to a program without operating system
    boot/openocd.cfg  OpenOCD, the same (Zynq-7000)

No script was ever run on a board; `lab/project_proof/boot.py` runs them without a board.
"""

from __future__ import annotations

from dataclasses import dataclass

from axiometer.base import chip_files
from axiometer.base.board_tools import tools
from axiometer.base.errors import AxiometerError
from axiometer.bringup.doctor import chip
from axiometer.bringup.projects.plan import Plan
from axiometer.platform import Platform

FOLDER = "boot"
WORD = 0xFFFFFFFF
_MOST = "clocks.pl_divider_max"


@dataclass(frozen=True)
class Width:
    """A register with widths of ports: its `mask` bits are set to those of `value`; `key`: its name
    in the chip's folder; `source`: the document."""

    name: str
    key: str
    address: int
    mask: int
    value: int
    source: str

    @property
    def keep(self) -> int:
        """The bits that do not change."""
        return WORD & ~self.mask


def of_chip(plan: Plan) -> chip_files.Table:
    """The `boot.toml` of the plan's chip."""
    return chip_files.read(plan.chip, "boot") or {}


def agent(plan: Plan) -> str:
    """The command that makes the agent without an operating system for the plan's board: its
    crystal, UART and memory are in its file. AxiometerError if the file lacks one."""
    tool, low = tools()[plan.board], plan.system["memory"][0]["MiB"]
    facts = {
        "base": plan.registers_base,
        "uart": tool.uart,
        "crystal_hz": tool.crystal_hz,
        "memory_mib": min(Platform.load(plan.board).value("dram.size_MiB"), low),
    }
    command: str = of_chip(plan)["agent"]
    for name, value in facts.items():
        if value is None and f"{{{name}" in command:
            raise AxiometerError(
                f"the file of the board {plan.board} has no {name}",
                remedy="add it to its table [tool] (docs/add-a-board.md)",
            )
    return command.format(**facts)


def multiplier(plan: Plan) -> int:
    """Of the PLL of the fabric's clock, over the board's crystal."""
    crystal, pll = tools()[plan.board].crystal_hz, plan.pll_mhz
    assert crystal is not None and pll is not None
    return round(pll * 10**6 / crystal)


def divisors(plan: Plan) -> tuple[int, int]:
    """Of the fabric's clock, one after the other."""
    assert plan.pll_mhz is not None
    by, most = round(plan.pll_mhz / plan.mhz), Platform.load(plan.board).whole(_MOST)
    second = next(n for n in range(1, most + 1) if by % n == 0 and by // n <= most)
    return by // second, second


def widths(plan: Plan) -> list[Width]:
    """The registers with the widths of the plan's ports, from the table of the doctor."""
    known = chip.named(plan.chip)
    found: dict[int, Width] = {}
    ports = [(link.name, link.width) for link in plan.links]
    ports += [(master.name, master.width) for master in plan.masters]
    for port, width in ports:
        for w in known.widths.get(port, ()) if known else ():
            value = next(value for value, bits in w.widths.items() if bits == width)
            one = Width(w.name, w.key, w.address, w.field.mask, value << w.field.low, w.source)
            other = found.get(one.address)
            found[one.address] = one if other is None else _both(other, one)
    return list(found.values())


def _both(one: Width, other: Width) -> Width:
    """The register of two ports whose widths are in the same register."""
    mask, value = one.mask | other.mask, one.value | other.value
    source = f"{one.source}; {other.source}"
    return Width(one.name, one.key, one.address, mask, value, source)
