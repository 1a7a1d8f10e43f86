"""`axiometer build`: a project of the vendor's tool, from the board and a top of the RTL."""

from __future__ import annotations

import argparse
import shlex
from typing import TYPE_CHECKING, Protocol

from axiometer.base.errors import AxiometerError
from axiometer.cli.commands import console

if TYPE_CHECKING:
    from pathlib import Path

    from axiometer.bringup.projects.devicetree import Choice
    from axiometer.bringup.projects.plan import Plan

HELP = "write a project of Vivado or Quartus: a board and the RTL (never run through either)"


class Options(Protocol):
    """What the command line says."""

    board: str
    top: str
    ports: str | None
    width: str | None
    pl_mhz: str | None
    pll_mhz: str | None
    protocol: str | None
    set: list[str]
    driver: str | None
    memory: str | None
    memory_mib: str | None
    output: Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "board", metavar="BOARD", help="zybo, zcu102, de10-nano, ...: axiometer list boards"
    )
    parser.add_argument(
        "--top",
        required=True,
        help="dma, traffic, master, convolution or slave (rtl/tops/); AMD's engines: vendor-dma, "
        "vendor-sg, vendor-cdma, traffic-generator; Intel's: msgdma",
    )
    parser.add_argument(
        "--ports",
        metavar="PORTS",
        help="of the processor system, such as HP0+HP2 or F2S0+F2H (default: HP0, F2S0)",
    )
    parser.add_argument(
        "--width",
        metavar="BITS",
        help="of the top's ports (default: the processor system's widest)",
    )
    parser.add_argument(
        "--pl-mhz",
        metavar="MHZ",
        help="requested clock of the fabric, 150 or 150MHz (default: 100)",
    )
    parser.add_argument(
        "--pll-mhz",
        metavar="MHZ",
        help="of the PLL that makes it, where the preset's is another than the board's file has",
    )
    parser.add_argument(
        "--protocol", help="of the top's ports, AXI3 or AXI4 (default: the processor system's)"
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a parameter of the top, such as MODE=1 or MASTERS=3",
    )
    parser.add_argument(
        "--driver",
        help="what drives it in Linux, axm, uio or mainline, the kernel's own for AMD's engines "
        "(default: axm for DMA engines with rings, else uio)",
    )
    parser.add_argument(
        "--memory",
        help="for buffers with uio: cma, of the kernel's own, or reserved, kept from its start on",
    )
    parser.add_argument("--memory-mib", metavar="MIB", help="how much of it (default: 16)")
    parser.add_argument(
        "-o",
        "--output",
        metavar="DIR",
        required=True,
        type=console.path,
        help="the directory to write, which must not be there or be empty",
    )


def run(args: Options) -> int:
    from axiometer.base import standard_streams
    from axiometer.bringup.projects import devicetree, quartus, vivado
    from axiometer.present.text import Style

    made, choice = planned(args)
    write(made, choice, given(args), args.output)
    tool = quartus if made.tool == "Quartus" else vivado
    lines = [tool.readme(made).rstrip("\n"), devicetree.shown(choice)]
    console.show_lines(lines, Style.of_stdout())
    if made.mhz != made.asked_mhz:
        standard_streams.tell(
            f"axiometer: the PLL makes {float(made.mhz):g} MHz of the {float(made.asked_mhz):g} "
            "that are asked for"
        )
    console.say_written(args.output)
    return 0


def planned(args: Options) -> tuple[Plan, Choice]:
    """What is asked for: the project, and how Linux has it."""
    from axiometer.bringup.projects import devicetree
    from axiometer.bringup.projects.make import make

    made = make(
        args.board,
        args.top,
        [port.strip() for port in args.ports.split("+")] if args.ports else (),
        None if args.width is None else _whole("--width", args.width),
        _mhz("--pl-mhz", args.pl_mhz),
        args.protocol,
        dict(_parameter(text) for text in args.set),
        _mhz("--pll-mhz", args.pll_mhz),
    )
    choice = devicetree.choose(
        made,
        args.driver,
        args.memory,
        None if args.memory_mib is None else _mib("--memory-mib", args.memory_mib),
    )
    return made, choice


def given(args: Options) -> str:
    """Board and options as they were given, without the directory."""
    options = ("top", "ports", "width", "pl_mhz", "pll_mhz", "protocol", "set", "driver", "memory",
               "memory_mib")  # fmt: skip
    words = [args.board]
    for name in options:
        value = getattr(args, name)
        for each in value if isinstance(value, list) else [value]:
            if each is not None:
                words += ["--" + name.replace("_", "-"), each]
    return shlex.join(words)


def write(made: Plan, choice: Choice, options: str, directory: Path) -> None:
    """The whole project, with what Linux and boot loaders need of it. options: as `given`."""
    from axiometer.bringup.projects import devicetree, quartus, steps, vivado
    from axiometer.bringup.projects.boot import scripts

    (quartus if made.tool == "Quartus" else vivado).write(made, directory)
    devicetree.write(made, choice, directory)
    scripts.write(made, choice, directory)
    steps.write(made, choice, options, directory)


def _whole(option: str, text: str) -> int:
    from axiometer.base.units import whole

    found = whole(text)
    if found is None:
        raise AxiometerError(f"{option} is {text!r}", remedy="give a whole number")
    return found


def _mhz(option: str, text: str | None) -> float | None:
    if text is None:
        return None
    found = float(console.quantity(option, text, "MHz"))
    if not 0 < found < 1e6:
        raise AxiometerError(f"{option} is {text!r}", remedy="give MHz, such as 100 or 142.857")
    return found


def _mib(option: str, text: str) -> int:
    found = console.quantity(option, text, "MiB")
    if found.denominator != 1:
        raise AxiometerError(f"{option} is {text!r}", remedy="give whole MiB")
    return int(found)


def _parameter(text: str) -> tuple[str, int]:
    name, given, value = text.partition("=")
    if not given:
        raise AxiometerError(f"--set {text!r} has no value", remedy="write NAME=VALUE, as MODE=1")
    return name.strip(), _whole(f"--set {name}", value)
