"""Exercises the Linux driver in virtual machines, and prints a table of the runs.

    python -m machines driver [--packets N] [--fuzz S] [NAME...]

--packets: in each of five modes. --fuzz: seconds on the honest device, and a tenth on the one that
lies. NAME: only runs whose names begin with it. The machines' output is in build/driver/.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from axiometer.base import children

TIMES = "20"
DEBUG, ARM_DEBUG = "6.12-debug", "6.12-arm-debug"
ENGINES = (
    *("axi-dma", "axi-dma-sg", "axi-cdma", "axi-cdma-sg", "msgdma"),
    "axi-dma-sg,data=32,realign=0",
)
LOGS = Path("build") / "driver"


def runs(packets: int, fuzz_s: int) -> dict[str, str]:
    """Arguments of `python -m machines` by the name of a run."""
    few, some = max(1, packets // 100), max(1, packets // 1000)
    found = {
        "sources": "check",
        "packets": f"packets {packets}",
        "packets, 6.1": f"packets {few} --kernel 6.1",
        "packets, INTx": f"packets {some} --interrupt intx",
        "packets, 4 channels": f"packets {some} --ports 4",
    }
    for bus in ("platform", "platform-noncoherent"):
        found[f"packets, {bus}"] = f"packets {some} --bus {bus}"
    for kernel in ("newest", "5.15", "6.12-arm", DEBUG, ARM_DEBUG):
        found[f"packets, {kernel}"] = f"packets {few} --kernel {kernel}"
    debug = f"--kernel {DEBUG}"
    found |= {
        "packets, IOMMU": f"packets {some} {debug} --iommu",
        "killed, unbound, unloaded": f"rough {TIMES} {debug}",
        "killed, 6.1": f"rough {TIMES} --kernel 6.1",
        "suspended": f"suspend {TIMES} {debug}",
        "dead": f"dead {TIMES} {debug}",
        "hostile": f"hostile {TIMES} {debug}",
        "fuzz": f"fuzz {fuzz_s} {debug} --ports 2",
        "fuzz, hostile": f"lies {max(1, fuzz_s // 10)} {debug}",
        "fuzz, 32 bits": f"fuzz {max(1, fuzz_s // 10)} --kernel {ARM_DEBUG} --ports 2",
        "faults": "all",
        "faults, platform": "all --bus platform",
        "memory": f"memory {debug}",
        "gone": f"gone {debug}",
        "gone, platform": f"gone {debug} --bus platform",
        "what a packet costs": "count",
    }
    return found | {f"mainline, {e}": f"mainline 2000 --engine {e}" for e in ENGINES}


def fetching(words: str) -> list[str]:
    """Arguments that fetch what a run needs."""
    kernel = re.findall(r"--kernel \S+", words)
    more = ["--check"] if words == "check" else ["--sources"] if "--engine" in words else []
    return " ".join(["fetch", *kernel, *more]).split()


def go(name: str, words: str) -> tuple[bool, float]:
    """Whether a run went well, and how long it took, in seconds."""
    log = LOGS / f"{re.sub('[ ,=]+', '-', name)}.log"
    print(f"{name}: python -m machines {words} > {log}", flush=True)
    limit = [] if words == "check" else ["--time-limit", "86400"]
    with log.open("w") as file:
        began = time.monotonic()
        for each in (fetching(words), [*words.split(), *limit]):
            command = children.tied([sys.executable, "-m", "machines", *each], "TERM")
            done = subprocess.run(command, stdout=file, stderr=file, check=False)
            if done.returncode:
                break
    return done.returncode == 0, time.monotonic() - began


def main(arguments: Sequence[str] = ()) -> int:
    parser = argparse.ArgumentParser(prog="python -m machines driver")
    parser.add_argument("--packets", type=int, default=200_000)
    parser.add_argument("--fuzz", type=int, default=3600)
    parser.add_argument("names", nargs="*")
    args = parser.parse_args(arguments)
    LOGS.mkdir(parents=True, exist_ok=True)
    lines = []
    for name, words in runs(args.packets, args.fuzz).items():
        if args.names and not name.startswith(tuple(args.names)):
            continue
        good, took_s = go(name, words)
        lines.append(f"{name:28} {'good' if good else 'BAD':>5} {took_s:8.0f} s")
        print(lines[-1], flush=True)
    print("\n".join(["", "The driver in virtual machines", *lines]))
    return 1 if any(" BAD " in line for line in lines) else 0
