"""`axiometer import board`: a board file of an initialisation, or of a running board."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from axiometer.base import atomic_file
from axiometer.base.errors import AxiometerError
from axiometer.cli.commands import console


class Options(console.Printed, Protocol):
    """Of the command line: those of `import` that are of a board."""

    directory: Path
    output: Path | None
    chip: str | None
    crystal: str | None


def run(args: Options) -> int:
    from axiometer.designs.initialisation import registers_at
    from axiometer.platform.registers import own_board
    from axiometer.present import own_board as words
    from axiometer.present.text import Style

    if args.output is not None and args.output.suffix.lower() != ".toml":
        raise AxiometerError(
            f"{args.output} is no name of a board file", remedy="give a name that ends in .toml"
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
