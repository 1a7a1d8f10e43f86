"""The drivers for DPDK on simulated devices: testpmd, dmadev_autotest, and the program that runs on
every target.

Usage: python -m validate.dpdk [--fetch | --count | --write] [--packets N] [--forward N]. Exit
status 1 if one fails; 0 with a message if DPDK is missing. `--count` counts the
instructions of a packet by the Linux driver and by DPDK, `--write` puts them into docs/hosts.md.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from axiometer.base import standard_streams
from axiometer.base.errors import AxiometerError
from axiometer.bringup.vm import dpdk, dpdk_guest, dpdk_trials
from validate import hosts, marks

OWN = "axm"
PACKETS_OF = ("axi-dma-sg",)  # besides our own
COPIES_OF = ("axi-cdma",)
COUNTED = re.compile(r"(.+?) +batches of +(\d+): +(\d+) instructions a packet(?:, and (\d+))?")
BATCHES = (1, 32)
PAGE = Path("docs/hosts.md")
COMMAND = "python -m validate.dpdk --write"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fetch", action="store_true", help="fetch DPDK, and end")
    parser.add_argument(
        "--count", action="store_true", help="only count instructions, in a guest of axiometer vm"
    )
    parser.add_argument("--write", action="store_true", help=f"count, and write {PAGE}")
    parser.add_argument("--packets", type=int, default=2000, help="of 1 to 65535 bytes")
    parser.add_argument("--forward", type=int, default=20_000, help="packets of testpmd")
    args = parser.parse_args()
    try:
        if args.fetch:
            dpdk.fetch(standard_streams.tell)
            return 0
        if not dpdk.there():
            print(f"skipped: DPDK is not there; {dpdk.FETCH} fetches it")
            return 0
        if args.count or args.write:
            return _counted(dpdk_guest.count(standard_streams.tell), args.write)
        for line in results(args.packets, args.forward):
            print(line, flush=True)
    except AxiometerError as error:
        print(f"failed: {error}", file=sys.stderr)
        return 1
    return 0


def _counted(lines: Sequence[str], write: bool) -> int:
    print("\n".join(lines))
    if write:
        marks.write(PAGE, COMMAND, table(lines))
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
    built = dpdk.built(standard_streams.tell)
    yield "Function only: times of a simulated device are not those of a chip."
    with dpdk_trials.device(dpdk_trials.DUPLEX, standard_streams.tell) as socket:
        found = dpdk_trials.forwards(socket, OWN, forward, built)
        yield f"testpmd on {OWN}: {found['TX-packets']} packets out, {found['RX-packets']} in"
    tables = {}
    with dpdk_trials.device(dpdk_trials.DUPLEX, standard_streams.tell) as socket:
        tables[OWN] = dpdk_trials.packets(socket, OWN, packets, built)
    for engine in PACKETS_OF:
        with dpdk_trials.vendors(engine, standard_streams.tell) as socket:
            tables[engine] = dpdk_trials.packets(socket, engine, packets, built)
    for engine, table in tables.items():
        yield f"host/apps/packets.c over DPDK on {engine}:"
        yield table
    with dpdk_trials.device(dpdk_trials.COPY, standard_streams.tell) as socket:
        yield f"dmadev_autotest on {OWN}:\n{dpdk_trials.copies(socket, OWN, built)}"
    for device, mode in (("net_axm", dpdk_trials.DUPLEX), ("dma_axm", dpdk_trials.COPY)):
        with dpdk_trials.device(mode, standard_streams.tell) as socket:
            yield f"{device}: {dpdk_trials.removed(socket, device, built)}"
    for engine in COPIES_OF:
        with dpdk_trials.vendors(engine, standard_streams.tell) as socket:
            yield f"dmadev_autotest on {engine}:\n{dpdk_trials.copies(socket, engine, built)}"
    if len({hosts.table(table.splitlines()) for table in tables.values()}) != 1:
        raise AxiometerError("the tables differ")


if __name__ == "__main__":
    sys.exit(main())
