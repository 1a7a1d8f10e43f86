"""Exercises the Linux driver in virtual machines, and prints a table of the runs.

Usage: python -m validate.driver [--packets N] [--fuzz S] [NAME...]     (`make validate-driver`)
--packets: in each of five modes. --fuzz: seconds on the honest device, and a tenth on the one that
lies. NAME: only runs whose names begin with it. The machines' output is in build/driver/.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from axiometer.base import children

TIMES = "20"
DEBUG, ARM_DEBUG = "6.12-debug", "6.12-arm-debug"
ENGINES = (
    *("axi-dma", "axi-dma-sg", "axi-cdma", "axi-cdma-sg", "msgdma"),
    "axi-dma-sg,data=32,realign=0",
)
LOGS = Path("build") / "driver"


@dataclass(frozen=True)
class Run:
    """name: of the table. words: of `axiometer vm`."""

    name: str
    words: tuple[str, ...]

    def fetch(self) -> list[str]:
        """Words that fetch what it needs."""
        kept = [*_value(self.words, "--kernel"), *_value(self.words, "--engine")]
        return ["--fetch", *kept, *(["--check"] if "--check" in self.words else [])]


def _value(words: tuple[str, ...], option: str) -> tuple[str, ...]:
    return words[words.index(option) :][:2] if option in words else ()


def runs(packets: int, fuzz_s: int) -> list[Run]:
    few = str(max(1, packets // 100))
    some = str(max(1, packets // 1000))
    found = [
        Run("sources", ("--check",)),
        Run("packets", ("--packets", str(packets))),
        Run("packets, 6.1", ("--kernel", "6.1", "--packets", few)),
        Run("packets, INTx", ("--interrupt", "intx", "--packets", some)),
        Run("packets, 4 channels", ("--ports", "4", "--packets", some)),
    ]
    found += [
        Run(f"packets, {bus}", ("--bus", bus, "--packets", some))
        for bus in ("platform", "platform-noncoherent")
    ]
    found += [
        Run(f"packets, {kernel}", ("--kernel", kernel, "--packets", few))
        for kernel in ("newest", "5.15", "6.12-arm", DEBUG, ARM_DEBUG)
    ]
    debug = ("--kernel", DEBUG)
    found += [
        Run("packets, IOMMU", (*debug, "--iommu", "--packets", some)),
        Run("killed, unbound, unloaded", (*debug, "--rough", TIMES)),
        Run("killed, 6.1", ("--kernel", "6.1", "--rough", TIMES)),
        Run("suspended", (*debug, "--suspend", TIMES)),
        Run("dead", (*debug, "--dead", TIMES)),
        Run("hostile", (*debug, "--hostile", TIMES)),
        Run("fuzz", (*debug, "--ports", "2", "--fuzz", str(fuzz_s))),
        Run("fuzz, hostile", (*debug, "--lies", "--fuzz", str(max(1, fuzz_s // 10)))),
        Run("fuzz, 32 bits", ("--kernel", ARM_DEBUG, "--ports", "2", "--fuzz", str(fuzz_s // 10))),
    ]
    found += [
        Run("faults", ("--faults", "all")),
        Run("faults, platform", ("--bus", "platform", "--faults", "all")),
        Run("memory", (*debug, "--faults", "memory")),
        Run("gone", (*debug, "--faults", "gone")),
        Run("gone, platform", (*debug, "--bus", "platform", "--faults", "gone")),
        Run("what a packet costs", ("--count",)),
    ]
    found += [Run(f"mainline, {e}", ("--engine", e, "--dmatest", "2000")) for e in ENGINES]
    return found


def go(run: Run) -> tuple[bool, float]:
    """Whether it went well, and how long it took, in seconds."""
    log = LOGS / f"{re.sub('[ ,=]+', '-', run.name)}.log"
    vm = [sys.executable, "-m", "axiometer", "vm"]
    print(f"{run.name}: axiometer vm {' '.join(run.words)} > {log}", flush=True)
    with log.open("w") as file:
        began = time.monotonic()
        for words in (run.fetch(), [*run.words, "--time-limit", "86400"]):
            command = children.tied([*vm, *words], "TERM")
            done = subprocess.run(command, stdout=file, stderr=file, check=False)
            if done.returncode:
                break
    return done.returncode == 0, time.monotonic() - began


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--packets", type=int, default=200_000)
    parser.add_argument("--fuzz", type=int, default=3600)
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    LOGS.mkdir(parents=True, exist_ok=True)
    lines = []
    for run in runs(args.packets, args.fuzz):
        if args.names and not any(run.name.startswith(name) for name in args.names):
            continue
        good, took_s = go(run)
        lines.append(f"{run.name:28} {'good' if good else 'BAD':>5} {took_s:8.0f} s")
        print(lines[-1], flush=True)
    print("\n".join(["", "The driver in virtual machines", *lines]))
    return 1 if any(" BAD " in line for line in lines) else 0


if __name__ == "__main__":
    sys.exit(main())
