"""`axiometer build`: a project of the vendor's tool for a board and a top of the RTL."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from axiometer.base.errors import AxiometerError
from axiometer.cli.commands import console
from axiometer.cli.options import option, word

if TYPE_CHECKING:
    from pathlib import Path

    from axiometer.bringup.projects.devicetree import Choice
    from axiometer.bringup.projects.plan import Plan

HELP = "write a project of Vivado or Quartus for a board (no tool has run one yet)"


class Options:
    """The values of the command line."""

    board: str = word("zybo, zcu102, de10-nano, ...: axiometer list boards", metavar="BOARD")
    top: str = option(
        "dma, traffic, master, convolution or slave (rtl/tops/); AMD's engines: vendor-dma, "
        "vendor-sg, vendor-cdma, traffic-generator; Intel's: msgdma",
        required=True,
    )
    ports: str | None = option(
        "ports of the processor system: HP0+HP2 or F2S0+F2H (default: HP0, F2S0)"
    )
    width: str | None = option(
        "width of the top's ports (default: the widest of the processor system)", metavar="BITS"
    )
    pl_mhz: str | None = option(
        "requested clock of the fabric, 150 or 150MHz (default: 100)", metavar="MHZ"
    )
    pll_mhz: str | None = option(
        "clock of the PLL that makes it, if the preset differs from the board's file",
        metavar="MHZ",
    )
    protocol: str | None = option("AXI3 or AXI4 (default: that of the processor system)")
    set: list[str] = option(
        "a parameter of the top, such as MODE=1 or MASTERS=3", metavar="NAME=VALUE"
    )
    driver: str | None = option(
        "its driver in Linux: axm, uio, or mainline for AMD's engines (default: axm for DMA "
        "engines with rings, else uio)"
    )
    memory: str | None = option(
        "memory of the buffers with uio: cma (from the kernel) or reserved (at boot)"
    )
    memory_mib: str | None = option("size of that memory in MiB (default: 16)", metavar="MIB")
    output: Path = option(
        "the directory to write: new or empty", "-o", "--output", metavar="DIR", required=True
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
            f"axiometer: the PLL makes {float(made.mhz):g} MHz instead of the requested "
            f"{float(made.asked_mhz):g}"
        )
    console.say_written(args.output)
    return 0


def planned(args: Options) -> tuple[Plan, Choice]:
    """The requested project, and its driver and memory in Linux."""
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
    """The given board and options, without the directory."""
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
    """Write the project with its files for Linux and boot loaders. options: as `given`."""
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
        raise AxiometerError(f"--set {text!r} has no value", remedy="write NAME=VALUE: MODE=1")
    return name.strip(), _whole(f"--set {name}", value)
