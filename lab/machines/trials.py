"""Trials of the Linux driver in a guest (`trials.toml`): scripts of the functions of trials.sh, on
our design, on one with a fault, or with a device tree of its own."""

from __future__ import annotations

import shlex
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from axiometer.base.standard_streams import tell
from machines import kernels, machine, programs
from machines.guest import Guest

LIES = "1"  # seed of the device that lies
USUAL = 100  # of packets, times or seconds


@cache
def listed() -> dict[str, Any]:
    """trials.toml."""
    return tomllib.loads(Path(__file__).with_name("trials.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Trial:
    """As in trials.toml; script: None for a shell."""

    script: str | None
    fault: str = ""
    words: str = ""
    ports: int = 0
    mode: int = 0
    nodes: str = machine.OWN
    first: str = ""
    bus: str = ""

    def text(self, ports: int, bus: str) -> str:
        """The whole script."""
        head = {
            "PORTS": str(self.ports or ports),
            "BUS": "pci" if bus == "pci" else "platform",
            "LIES": LIES if self.fault == LIES else "",
            "DIES": machine.DIES,
            "LIVES": machine.LIVES,
        }
        functions = Path(__file__).with_name("trials.sh").read_text(encoding="utf-8")
        lines = [f"{name}={shlex.quote(value)}" for name, value in head.items()]
        return "\n".join([*lines, functions, self.first, "begin", str(self.script), ""])


def names() -> list[str]:
    return ["shell", *listed()["groups"], *listed()["trials"]]


def named(name: str, number: int = 0, seed: int = 1, bus: str = "") -> list[Trial]:
    """The trials of a name, one machine after the other. number: packets, times or seconds of those
    that count. bus: only those that it allows."""
    if name == "shell":
        return [Trial(None)]
    found = []
    for each in listed()["groups"].get(name, [name]):
        about = dict(listed()["trials"][each])
        if "like" in about:
            about = listed()["trials"][about.pop("like")] | about
            about["nodes"] = about["nodes"].replace(*about.pop("replace"))
        script = about["script"].replace("SEED", str(seed)).replace(" N", f" {number or USUAL}")
        trial = Trial(**about | {"script": script})
        if bus.startswith(trial.bus) or each == name:
            found.append(trial)
    return found


@dataclass(frozen=True)
class Setting:
    """The machine of a trial. interrupt: msix or intx."""

    kernel: str = "6.12"
    bus: str = "pci"
    ports: int = 1
    interrupt: str = "msix"
    iommu: bool = False
    limit_s: float = 600.0


def run(trial: Trial, on: Setting, script: str | None = None) -> int:
    """The status of a trial, or of a script of one's own, in a guest with the driver."""
    kernel = kernels.find(on.kernel)
    behind = machine.design(trial.ports or on.ports, trial.mode)
    interrupt = on.interrupt if on.bus == "pci" else "intx"

    def hear(text: str) -> None:
        tell(text)
        machine.one_setting(text)

    server = machine.Server(behind, interrupt, hear, trial.fault)
    driver = programs.driver(kernel)
    if script is None and trial.script is not None:
        script = trial.text(on.ports, on.bus)
    before = "" if on.bus == "pci" else machine.HIDE
    guest = Guest((driver.module,), driver.tests, before, script, trial.words)
    devices = (machine.IOMMU,) if on.iommu else ()
    settings = machine.Settings(kernel, on.bus, on.limit_s, devices, trial.nodes)
    return machine.run(settings, server, guest)
