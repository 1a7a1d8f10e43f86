"""Proofs on emulated machines that take long; most write a table of a document.

    python -m machines PROOF [--number N] [--write] [NAME...]

hosts      one program, host/apps/packets.c with N packets, unchanged on every target and over every
           engine (trials.toml): whether each prints the same table
rings      the RSoC tables with the real program, host/apps/packet_times.c, on each host, beside the
           published figures
measure    `axiometer measure` on emulated boards, behind each kind of line: whether each has the
           counts of `--backend rtl`
dpdk       the drivers for DPDK on simulated devices: testpmd, dmadev_autotest, N packets
dpdk-count instructions of a packet by the Linux driver and by DPDK
driver     the Linux driver in virtual machines, N packets in each of five modes; fuzzed for N / 50
           seconds. The machines' output is in build/driver/

NAME: only what begins with it, and nothing is written. Exit status 1 if something is wrong.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from axiometer.base.errors import AxiometerError
from machines import dpdk, driver, hosts, measure, rings
from validate import marks

# What proves by names and a number, and gives its table and what is wrong; the page; the usual
# number.
PROOFS = {
    "hosts": (hosts.prove, "docs/hosts.md", 2000),
    "rings": (rings.prove, "docs/hosts.md", rings.PACKETS),
    "measure": (measure.prove, "docs/measure.md", 0),
    "dpdk": (dpdk.prove, "", 2000),
    "dpdk-count": (dpdk.prove_counts, "docs/hosts.md", 0),
    "driver": (driver.prove, "", 200_000),
}


def main(name: str, arguments: Sequence[str]) -> int:
    prove, page, usual = PROOFS[name]
    parser = argparse.ArgumentParser(
        prog=f"python -m machines {name}", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--number", type=int, default=usual)
    parser.add_argument("--write", action="store_true", help=page)
    parser.add_argument("names", nargs="*")
    args = parser.parse_args(arguments)
    try:
        text, wrong = prove(tuple(args.names), args.number)
    except AxiometerError as error:
        text, wrong = "", [str(error)]
    print(text, *(f"wrong: {each}" for each in wrong), sep="\n")
    if args.write and page and not wrong and not args.names:
        marks.write(Path(page), f"python -m machines {name} --write", text)
    return int(bool(wrong))
