"""`axiometer doctor`: find what a target lacks, before an access hangs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.cli.commands import console
from axiometer.cli.options import option, word

if TYPE_CHECKING:
    from pathlib import Path

    from axiometer.bringup.doctor.expected import Expected
    from axiometer.bringup.doctor.target import Target

HELP = "check a board's clocks, resets, bridges, bitstream, memory and design before it can hang"


class Options(console.Printed):
    """The values of the command line."""

    target: str = word(
        "local: this machine (default); ssh:HOST; cosim: the co-simulation",
        metavar="TARGET",
        default="local",
    )
    project: Path | None = option(
        "the project of axiometer build that the target should hold", metavar="DIR"
    )
    board: str | None = option("the board, without a project")
    agent: str | None = option(
        'the command that starts the agent on the target: "axiometer-agent /dev/uio0 '
        '0x43C00000 0x10000 udmabuf0"',
        metavar="COMMAND",
    )
    root: Path | None = option(
        "for local: a directory with a copy of a board's /proc and /sys", metavar="DIR"
    )
    registers: Path | None = option(
        "for local: registers that devmem, xsdb or U-Boot printed, instead of /dev/mem",
        metavar="FILE",
    )
    addresses: bool = option("print the addresses for --registers and stop: devmem reads them")
    unguarded: bool = option(
        "continue after a check that was not possible; a stopped clock or bridge then freezes "
        "the board"
    )


def run(args: Options) -> int:
    """0 without faults, 1 with; prints which checks were not possible."""
    from axiometer.bringup import doctor
    from axiometer.present import doctor as words
    from axiometer.present.text import Style

    expected = _expected(args)
    if args.addresses:
        return _addresses(expected)
    target = _target(args)
    style = Style.of_stdout(args.plain)
    found = []
    try:
        if not args.json:
            console.show_lines([f"{target.name}:"], style)
        for finding in doctor.examine(target, expected, args.unguarded):
            found.append(finding)
            # Print each finding immediately: the next check may hang the board.
            if not args.json:
                print(style.finish("\n".join(words.lines(finding))), flush=True)
    finally:
        target.close()
    if args.json:
        console.show_json(words.document(target.name, found))
    else:
        console.show_lines([words.summary(found)], style)
    return RUN_FAILED if any(finding.verdict == doctor.FAULT for finding in found) else 0


def _addresses(expected: Expected) -> int:
    from axiometer.bringup.doctor import chip
    from axiometer.platform import Platform

    if expected.board is None:
        raise AxiometerError("no board is named", remedy="give --board or --project")
    family = Platform.load(expected.board).family
    known = chip.named(family)
    if known is None:
        raise AxiometerError(
            f"Axiometer knows no registers of {family}",
            remedy="chips with registers: " + ", ".join(c.name for c in chip.chips()),
        )
    for address, name in known.addresses(expected.widths).items():
        print(f"{address:#010x} {name}")
    return 0


def _expected(args: Options) -> Expected:
    from axiometer.bringup.doctor import expected
    from axiometer.platform import Platform

    if args.project is not None:
        if args.board is not None:
            raise AxiometerError("the project has its own board", remedy="leave out --board")
        return expected.of_project(args.project)
    board = None if args.board is None else Platform.load(args.board).name
    return expected.Expected(board=board)


def _target(args: Options) -> Target:
    from axiometer.base import standard_streams
    from axiometer.base.errors import did_you_mean

    kind, _, host = args.target.partition(":")
    if kind != "local" and (args.root is not None or args.registers is not None):
        raise AxiometerError(
            "--root and --registers are for files of this machine",
            remedy="leave out TARGET, or write local",
        )
    if args.target == "cosim":
        from axiometer.bringup.doctor import simulation

        if args.agent is not None:
            raise AxiometerError("the co-simulation has its own agent", remedy="leave out --agent")
        return simulation.start(standard_streams.tell)
    if kind == "ssh":
        from axiometer.bringup.doctor.shell import Shell

        return Shell(host, args.agent)
    if args.target != "local":
        raise AxiometerError(
            f"there is no target {args.target!r}",
            remedy=did_you_mean(args.target, ("local", "ssh:HOST", "cosim"), "targets"),
        )
    return _local(args)


def _local(args: Options) -> Target:
    from pathlib import Path

    from axiometer.bringup.doctor.machine import Machine, registers_of

    root = args.root or Path("/")
    if not root.is_dir():
        raise AxiometerError(
            "is not a directory", file=root, remedy="give one with a copy of /proc and /sys"
        )
    registers = None if args.registers is None else registers_of(args.registers)
    return Machine(root, registers, args.agent)
