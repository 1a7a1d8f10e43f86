"""`axiometer import board`: a board file of an initialisation, or of a running board."""

from __future__ import annotations

from pathlib import Path

from axiometer.base import atomic_file
from axiometer.base.errors import AxiometerError
from axiometer.cli.commands import console
from axiometer.cli.options import option, word


class Options(console.Printed):
    """The values of the command line that `import board` uses, some of which are
    also for a design."""

    directory: Path = word(
        "the design's .xsa, .hdf, .hwh, .hwh.xz, .qsys, its block design's Tcl, csynth.xml of "
        "Vitis HLS, or the directory of one; the board's ps7_init or psu_init (.tcl, .c, or the "
        "export with it), the directory of its sdram_config.h and pll_config.h or of its hps.xml "
        "and emif.xml, or the output of devmem, xsdb mrd or U-Boot md",
        metavar="FILE|DIR",
    )
    output: Path | None = option(
        "the design or board file to write (default: only print it)",
        "-o",
        "--output",
        "--out",
        metavar="FILE",
    )
    chip: str | None = option("for a board: its chip (default: from the registers)", metavar="CHIP")
    crystal: str | None = option(
        "for a board: rate of the PS's reference clock, 33.333MHz or 100/3 (default: the "
        "usual rate that fits the refresh interval)",
        metavar="MHZ",
    )


def run(args: Options) -> int:
    from axiometer.designs.initialisation import registers_at
    from axiometer.platform.registers import own_board
    from axiometer.present import own_board as words
    from axiometer.present.text import Style

    if args.output is not None and args.output.suffix.lower() != ".toml":
        raise AxiometerError(
            f"{args.output} does not end in .toml", remedy="give a name that ends in .toml"
        )
    name = (args.output or args.directory).stem
    writes, source = registers_at(args.directory)
    crystal = None if args.crystal is None else _mhz(args.crystal)
    made = own_board.board(name, writes, source, args.directory, args.chip, crystal)
    if args.output is not None:
        atomic_file.write_text(args.output, made.text)
        console.say_written(args.output)
    if args.json:
        console.show_json(words.document(made))
    else:
        style = Style.of_stdout(args.plain)
        console.show_lines(words.lines(made, args.output, style), style)
    return 0


def _mhz(text: str) -> str:
    """A rate with its unit in MHz; a fraction such as 100/3 as it is."""
    return text if "/" in text else str(console.quantity("--crystal", text, "MHz"))
