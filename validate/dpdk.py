"""The drivers for DPDK on simulated devices: testpmd, dmadev_autotest, and the program that runs on
every target.

Usage: python -m validate.dpdk [--fetch | --count [--write FILE]] [--packets N] [--forward N]. Exit
status 1 if one fails; 0 with a line that says so if DPDK is not there. `--count` counts the
instructions of a packet by the Linux driver and by DPDK (docs/instructions.md).
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from axiometer.base import streams
from axiometer.base.errors import AxiometerError
from axiometer.bringup.vm import dpdk, dpdk_guest, dpdk_trials
from validate import made_by

OWN = "axm"
PACKETS_OF = ("axi-dma-sg",)  # besides our own
COPIES_OF = ("axi-cdma",)
COUNTED = re.compile(r"(.+?) +batches of +(\d+): +(\d+) instructions a packet(?:, and (\d+))?")
BATCHES = (1, 32)
COMMAND = "python -m validate.dpdk --count --write docs/instructions.md"
PAGE = """# Instructions of a packet
What a packet of 64 bytes costs the processor, sent and received together: instructions of program
and kernel on 64-bit ARM, counted by the processor's own counter in one run of a virtual machine
(Debian's kernel 6.12, `-icount`) whose device is the verilated `axm_dma_top`. While the device
works nothing is counted. These are counts; no time is a figure of a chip.

{table}

- *write and read* copies. *rings* are the Linux driver's in shared memory: *two* calls, one to give
  a batch and one to collect it, or *one* for both ([its README](../drivers/linux/README.md)).
- *ioctl pair of a dma-buf each way* is what it costs to hand a buffer to the device and back by the
  kernel, as with UIO and u-dma-buf; stores to registers are not in it.
- *bursts of an ethdev* are DPDK's, by `net_axm` ([its README](../drivers/dpdk/README.md)): without
  the kernel, but the program keeps a processor busy. Taking and freeing mbufs is the program's.
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fetch", action="store_true", help="fetch DPDK, and end")
    parser.add_argument(
        "--count", action="store_true", help="only count instructions, in a guest of axiometer vm"
    )
    parser.add_argument("--write", type=Path, help="with --count: the page")
    parser.add_argument("--packets", type=int, default=2000, help="of 1 to 65535 bytes")
    parser.add_argument("--forward", type=int, default=20_000, help="packets of testpmd")
    args = parser.parse_args()
    try:
        if args.fetch:
            dpdk.fetch(streams.tell)
            return 0
        if not dpdk.there():
            print(f"skipped: DPDK is not there; {dpdk.FETCH} fetches it")
            return 0
        if args.count:
            return _counted(dpdk_guest.count(streams.tell), args.write)
        for line in results(args.packets, args.forward):
            print(line, flush=True)
    except AxiometerError as error:
        print(f"failed: {error}", file=sys.stderr)
        return 1
    return 0


def _counted(lines: Sequence[str], page: Path | None) -> int:
    print("\n".join(lines))
    if page is not None:
        text = PAGE.format(table=table(lines)) + "\n" + made_by(COMMAND)
        page.write_text(text, encoding="utf-8")
    return 0


def table(lines: Sequence[str]) -> str:
    """The counts of programs as a table: a row a way, a column a batch."""
    rows: dict[str, dict[int, str]] = {}
    for found in filter(None, map(COUNTED.match, lines)):
        mbufs = f" and {found[4]} for mbufs" if found[4] else ""
        rows.setdefault(found[1], {})[int(found[2])] = found[3] + mbufs
    head = ["| how | one at a time | batches of 32 |", "|---|---|---|"]
    return "\n".join(
        head
        + [
            f"| {way} | {' | '.join(row.get(b, '') for b in BATCHES)} |"
            for way, row in rows.items()
        ]
    )


def results(packets: int, forward: int) -> Iterator[str]:
    built = dpdk.built(streams.tell)
    yield "Function only: no time of a simulated device is a figure of a chip."
    with dpdk_trials.device(dpdk_trials.DUPLEX, streams.tell) as socket:
        found = dpdk_trials.forwards(socket, OWN, forward, built)
        yield f"testpmd on {OWN}: {found['TX-packets']} packets out, {found['RX-packets']} in"
    tables = {}
    with dpdk_trials.device(dpdk_trials.DUPLEX, streams.tell) as socket:
        tables[OWN] = dpdk_trials.packets(socket, OWN, packets, built)
    for engine in PACKETS_OF:
        with dpdk_trials.vendors(engine, streams.tell) as socket:
            tables[engine] = dpdk_trials.packets(socket, engine, packets, built)
    for engine, table in tables.items():
        yield f"host/apps/packets.c over DPDK on {engine}:"
        yield table
    with dpdk_trials.device(dpdk_trials.COPY, streams.tell) as socket:
        yield f"dmadev_autotest on {OWN}:\n{dpdk_trials.copies(socket, OWN, built)}"
    for engine in COPIES_OF:
        with dpdk_trials.vendors(engine, streams.tell) as socket:
            yield f"dmadev_autotest on {engine}:\n{dpdk_trials.copies(socket, engine, built)}"
    if len({_of_every_target(table) for table in tables.values()}) != 1:
        raise AxiometerError("the tables differ")


def _of_every_target(table: str) -> str:
    """The lines of a table that are the same on every target."""
    lines = table.splitlines()
    start = next(i for i, line in enumerate(lines) if line.lstrip().startswith("bytes packets"))
    return "\n".join(line for line in lines[start:] if not line.startswith("#"))


if __name__ == "__main__":
    sys.exit(main())
