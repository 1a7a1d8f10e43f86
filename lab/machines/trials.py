"""Trials of the Linux driver in a guest: scripts of the functions of trials.sh.

A script ends with status 0 only on success. Some trials use a device with a fault
(lab/vfio/faulty.hpp), a design with one half, or a device tree of their own.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from machines import fabric, kernels, machine, programs
from machines.guest import Guest
from machines.simulated import OnChip

LIES = "1"  # seed of the device that lies
MOST = (900, 400)  # instructions, a packet of 64 bytes sent and received: alone, in batches of 32
# Switches off what Debian's kernel has and the kernel of a Cortex-A53 board lacks: KASLR (the
# board's loader gives no seed) and with it KPTI, which this core does not need; and a random offset
# of the stack in each system call, which arm64's defconfig does not set.
BOARD = "nokaslr randomize_kstack_offset=off"
SHARED = "iomem=relaxed"  # registers of a device that has a driver may be mapped
# The design with a clock that Linux switches by a bit of the device (fault "gated").
GATE_AT = machine.WINDOW + machine.WINDOW_BYTES - 0x1000
GATED = f"""
gpio@{GATE_AT:x} {{
  compatible = "axiometer,trial-gate"; reg = <0 {GATE_AT:#x} 0 4>; reg-names = "dat";
  gpio-controller; #gpio-cells = <2>; phandle = <0xac20>;
}};
design-clock {{
  compatible = "gpio-gate-clock"; #clock-cells = <0>; enable-gpios = <0xac20 0 0>;
  phandle = <0xac21>;
}};
dma-controller@{machine.WINDOW:x} {{
  compatible = "axiometer,dma-1"; reg = <0 {machine.WINDOW:#x} 0 {GATE_AT - machine.WINDOW:#x}>;
  {machine.LINE} clocks = <0xac21>; COHERENT
}};
"""
# The same with the usual first mistake: an interrupt number that is not the design's.
WITHOUT_LINE = GATED.replace(machine.LINE, "interrupts = <0 99 4>;")


@dataclass(frozen=True)
class Trial:
    """script: calls of trials.sh (None: a shell). device: its fault, if any. words: for the
    kernel's command line. ports, mode: of the design. nodes: of the device tree. first: calls
    before the driver has to be there."""

    script: str | None
    device: tuple[str, ...] = ()
    words: str = ""
    ports: int = 0
    mode: int = 0
    nodes: str = machine.OWN
    first: str = ""

    def text(self, ports: int, bus: str) -> str:
        """The whole script."""
        head = {
            "PORTS": str(self.ports or ports),
            "BUS": "pci" if bus == "pci" else "platform",
            "LIES": LIES if LIES in self.device else "",
            "DIES": machine.DIES,
            "LIVES": machine.LIVES,
        }
        functions = Path(__file__).with_name("trials.sh").read_text(encoding="utf-8")
        lines = [f"{name}={shlex.quote(value)}" for name, value in head.items()]
        return "\n".join([*lines, functions, self.first, "begin", str(self.script), ""])


def _tries(*modes: str) -> str:
    return "tries " + " ".join(f'"{mode}"' for mode in modes)


_OWN = _tries("export 20 1", "locked", "synced")
_CALLS = _tries("slow", "undone", "coalesce", "tail", "reopen", "restart", "fresh")
_REGISTERS = f"/dev/mem {machine.WINDOW:#x}"
_GATE = f"gate {GATE_AT:x}"
_FEW = "again ring_log2=6"

FAULTS = {
    "calls": Trial(f"{_CALLS}; pieces; {_tries('fragmented')}; clean"),
    "memory": Trial(f"memory; {_OWN}; clean"),
    # Devices see copies, so what is not synchronised is seen. (Of the default size, 32768, the
    # kernel would take a 64th.)
    "bounced": Trial(
        f"{_tries('copy 20 1', 'zero 20 1')}; {_OWN}; clean", words="swiotlb=16384,force"
    ),
    "suspend": Trial(f"suspended_packets; {_tries('continued')}; clean"),
    "hangup": Trial("hangup"),
    "gone": Trial("gone"),
    "closing": Trial(f"{_tries('closing /dev/axm0c1')}; clean", ports=2),
    "source": Trial(
        f"{_tries(f'pause {_REGISTERS}', f'source {_REGISTERS}')}; clean", words=SHARED, mode=2
    ),
    "sink": Trial(f"{_tries(f'sink {_REGISTERS}')}; clean", words=SHARED, mode=1),
    "stuck": Trial(f"{_tries('stuck')}; rmmod axiometer", ("stuck",)),
    "deaf": Trial(f"{_tries('lost')}; late", ("deaf",)),
}
"""Trials of the driver's calls, its memory, and of faults that it had."""
OF_TREE = {
    "clocks": Trial("clocks; clean", ("gated",), nodes=GATED, first=_GATE),
    "line": Trial(f"clocks; {_tries('lost')}; late", ("gated",), nodes=WITHOUT_LINE, first=_GATE),
}
"""Those that need a device tree."""
MINUTE = Trial("packets 10 1; rough 1; dead 1; fuzz 8 1; no_bug", ports=2)
"""A short run of the others, for a test."""
_COUNTED: Mapping[str, Callable[[int, int], Trial]] = {
    "packets": lambda n, seed: Trial(f"packets {n} {seed}; clean"),
    "rough": lambda n, _: Trial(f"rough {n}; clean"),
    "hostile": lambda n, _: Trial(f"hostile {n}; no_bug", (LIES,)),
    "dead": lambda n, _: Trial(f"dead {n}; no_bug"),
    "suspend": lambda n, _: Trial(f"suspend {n}; clean"),
    "fuzz": lambda n, seed: Trial(f"fuzz {n} {seed}; clean"),
    "lies": lambda n, seed: Trial(f"fuzz {n} {seed}; no_bug", (LIES,)),
}
_COUNT = f"{_FEW}; {_tries('count')}; clean"
NAMES = ("shell", "all", "count", "minute", *_COUNTED, *FAULTS, *OF_TREE)


def named(name: str, number: int, seed: int, bus: str) -> list[Trial]:
    """The trials of a name of NAMES, one machine after the other. number: packets, times or
    seconds of those that count."""
    # "suspend" without a number is the trial of a fault.
    if name in _COUNTED and (number or name not in FAULTS):
        return [_COUNTED[name](number or 100, seed)]
    if name == "all":
        return [*FAULTS.values(), *(OF_TREE.values() if bus != "pci" else ())]
    if name == "count":
        # With a board's settings, where it fails above MOST, and with Debian's.
        board = _COUNT.replace("count", f"count {MOST[0]} {MOST[1]}", 1)
        return [Trial(board, words=BOARD), Trial(_COUNT)]
    return [{"shell": Trial(None), "minute": MINUTE, **FAULTS, **OF_TREE}[name]]


@dataclass(frozen=True)
class Setting:
    """The machine of a trial. interrupt: msix or intx. latency: clocks of a memory of no chip."""

    kernel: str = "6.12"
    bus: str = "pci"
    ports: int = 1
    interrupt: str = "msix"
    latency: int = 20
    iommu: bool = False
    limit_s: float = 600.0
    chip: OnChip | None = None


def run(trial: Trial, on: Setting, say: Callable[[str], None], script: str | None = None) -> int:
    """The status of a trial, or of a script of one's own, in a guest with the driver."""
    kernel = kernels.find(on.kernel, say)
    design = machine.design(trial.ports or on.ports, trial.mode)
    if on.chip is not None:
        design = on.chip.design()
    program = fabric.server(design, say, chip=on.chip is not None)
    interrupt = on.interrupt if on.bus == "pci" else "intx"

    def heard(text: str) -> None:
        say(text)
        machine.one_setting(text)

    words = (interrupt, str(on.latency), *trial.device)
    server = machine.Server(program, words, chip=on.chip, heard=heard)
    driver = programs.driver(kernel, say)
    if script is None and trial.script is not None:
        script = trial.text(on.ports, on.bus)
    before = "" if on.bus == "pci" else machine.HIDE
    guest = Guest((driver.module,), driver.tests, before, script, trial.words)
    devices = (machine.IOMMU,) if on.iommu else ()
    settings = machine.Settings(kernel, on.bus, on.limit_s, devices, trial.nodes)
    return machine.run(settings, server, guest)
