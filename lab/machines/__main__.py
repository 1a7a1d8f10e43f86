"""Emulated machines on the simulated design, with the programs that prove them.

python -m machines NAME [N] [OPTION...]      NAME --help has the options

shell          a Debian kernel with the Linux driver; --script FILE runs a script of yours there
a trial        of the driver (trials.toml): packets N, rough N, dead N, suspend N, fuzz S, lies S,
               hostile N, count, minute, all, or one of the faults that it had
check          the driver's sources with checkpatch, sparse and coccinelle of two kernels
mainline N     mainline's driver of an --engine: N copies or packets
app            a program of host/apps/ without a system, on FreeRTOS, or in Linux
bare N         transfers by the agent without an operating system
agent          an emulated board on standard input and output, for `axiometer measure pipe:...`
hosts, rings, measure, dpdk, dpdk-count, driver  proofs, with tables for the documents
fetch          what a kernel (its name), freertos or dpdk needs; it is fetched at its first use, too
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence
from pathlib import Path

from axiometer.base import children
from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.base.standard_streams import tell
from axiometer.platform import Platform
from machines import (
    agents,
    apps,
    bare,
    checks,
    dpdk,
    freertos,
    kernels,
    machine,
    simulated,
    transfers,
    trials,
    vendor,
)  # fmt: skip
from machines.simulated import OnChip

PROOFS = ("hosts", "rings", "measure", "dpdk", "dpdk-count", "driver")
OTHERS = ("fetch", "check", "mainline", "app", "bare", "agent")


def main(arguments: Sequence[str]) -> int:
    assert __doc__
    name, rest = (arguments[0], arguments[1:]) if arguments else ("", [])
    if name in PROOFS:  # which need more of the tree than a machine does
        return int(importlib.import_module("machines.proofs").main(name, rest))
    if name not in (*OTHERS, *trials.names()):
        print(f"{__doc__}\ntrials: {', '.join(trials.names())}")
        return 0 if name in ("", "--help") else 2
    parser = argparse.ArgumentParser(prog=f"python -m machines {name}")
    option = parser.add_argument
    if name in OTHERS:
        return globals()[f"_{name}"](parser, rest)
    option("number", nargs="?", type=int, default=0, help="packets, times, seconds")
    _machine(parser, *machine.BUSES)
    option("--ports", type=int, choices=range(1, 5), default=1, help="channels")
    option("--interrupt", choices=("msix", "intx"), default="msix")
    option("--seed", type=int, default=1)
    option("--iommu", action="store_true", help="refuse memory that is not mapped")
    option("--script", type=Path, help="a shell script for the guest")
    args = parser.parse_args(rest)
    on = trials.Setting(
        args.kernel, args.bus, args.ports, args.interrupt, args.iommu, args.time_limit
    )
    script = None if args.script is None else args.script.read_text(encoding="utf-8")
    status = 0
    for trial in trials.named(name, args.number, args.seed, args.bus):
        status = trials.run(trial, on, script) or status
    return status


def _machine(parser: argparse.ArgumentParser, *buses: str) -> None:
    parser.add_argument("--kernel", choices=kernels.names(), default=kernels.names()[0])
    parser.add_argument("--time-limit", type=float, default=600.0, help="seconds")
    if buses:
        parser.add_argument("--bus", choices=buses, default=buses[0], help="where Linux finds it")


def _heard(text: str) -> None:
    """Print the output of the server of a design, and the work of its ports."""
    tell(text)
    for work in simulated.works(text):
        print(work)


def _fetch(parser: argparse.ArgumentParser, words: Sequence[str]) -> int:
    parser.add_argument("what", nargs="?", choices=("freertos", "dpdk", *kernels.names()))
    what = parser.parse_args(words).what or kernels.names()[0]
    if what == "freertos":
        freertos.require()
    elif what == "dpdk":
        dpdk.fetch()
    else:
        kernels.fetch(what)
    return 0


def _check(parser: argparse.ArgumentParser, words: Sequence[str]) -> int:
    parser.parse_args(words)
    found = checks.remarks()
    print("\n".join(found))
    return RUN_FAILED if found else 0


def _mainline(parser: argparse.ArgumentParser, words: Sequence[str]) -> int:
    parser.add_argument("number", type=int)
    parser.add_argument("--engine", metavar="NAME[,PARAMETER=VALUE...]", required=True)
    _machine(parser, *machine.BUSES[1:])
    args = parser.parse_args(words)
    return vendor.run(args.engine, args.number, args.kernel, args.bus, args.time_limit)


def _app(parser: argparse.ArgumentParser, words: Sequence[str]) -> int:
    parser.add_argument("app", choices=sorted({*bare.apps(), *freertos.apps()}))
    parser.add_argument("--on", choices=("bare", "freertos", "linux", "uio"), default="bare")
    parser.add_argument("--engine", default=vendor.OWN, help="a model instead of our design")
    parser.add_argument("--chip", choices=bare.chips(), default=bare.chips()[0])
    parser.add_argument("--number", type=int, default=200, help="of packets")
    _machine(parser)
    parser.add_argument("--board", help="the design is at a port of this board's simulated chip")
    parser.add_argument("--pl-port", default="", help="that port (default: the first HP port)")
    parser.add_argument("--pl-mhz", type=float, default=simulated.USUAL_MHZ)
    args = parser.parse_args(words)
    behind = args.engine
    if args.board is not None:
        behind = OnChip.of(Platform.load(args.board), args.pl_port, args.pl_mhz)
    if args.on in ("linux", "uio"):
        return apps.run(
            args.kernel, args.app, args.on, behind, args.number, args.time_limit, _heard
        )
    if behind == vendor.OWN:
        behind = bare.design(1, args.app)
    elif isinstance(behind, str):
        vendor.find(behind)
    counted = args.app in bare.RINGS
    line = ""
    for line in bare.printed(
        args.app, behind, args.on == "freertos", args.chip, counted, _heard,
        PACKETS=str(args.number),
    ):  # fmt: skip
        print(line, flush=True)
    if counted:
        print(f"an instruction takes {2**bare.INSTRUCTION_LOG2_NS} ns of these, whatever it is")
    return 0 if line == bare.DONE else RUN_FAILED


def _bare(parser: argparse.ArgumentParser, words: Sequence[str]) -> int:
    parser.add_argument("number", type=int)
    parser.add_argument("--chip", choices=bare.chips(), default=bare.chips()[0])
    parser.add_argument("--ports", type=int, choices=range(1, 5), default=1)
    args = parser.parse_args(words)
    with bare.board(bare.design(args.ports), args.chip) as client:
        print(f"{transfers.transfers(client, args.number)} bytes, each checked")
    return 0


def _agent(parser: argparse.ArgumentParser, words: Sequence[str]) -> int:
    parser.add_argument("kind", choices=agents.kinds())
    parser.add_argument("experiment")
    parser.add_argument("design", nargs="?", type=int, default=0, help="which of those it needs")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    args = parser.parse_args(words)
    return agents.serve(args.kind, args.experiment, args.design, args.set)


if __name__ == "__main__":
    try:
        with children.tidied():
            sys.exit(main(sys.argv[1:]))
    except AxiometerError as error:
        sys.exit(f"{error}")
