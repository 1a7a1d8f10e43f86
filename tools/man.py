"""Writes the manual page axiometer(1) from the parser of the command line and man.roff.

Usage: python tools/man.py [--output DIRECTORY]     (default: dist/)
Read it with `man -l dist/axiometer.1`.
"""

import argparse
import os
import re
from pathlib import Path

from argparse_manpage.manpage import Manpage

from axiometer import __version__
from axiometer.cli.command_line import EXAMPLE, parser

ROOT = Path(__file__).resolve().parent.parent


def page() -> str:
    """The manual page in roff."""
    # A wrapped line might begin with a full stop (.hwh), which roff takes for a macro.
    os.environ["COLUMNS"] = "9999"
    whole, each = parser()
    whole.epilog = None
    for command in each.values():
        command.description = None  # the help says the same
    about = {
        "description": "data rates between the processor and the fabric of an FPGA SoC",
        "version": __version__,
        "manual_title": "User Commands",
        "include": Path(__file__).with_suffix(".roff"),
    }
    made = Manpage(whole, about, format="single-commands-section")
    made.date = ""  # the page does not change with the day
    made.add_section("examples", "=", "\n".join([".nf", *EXAMPLE.splitlines()[1:], ".fi"]))
    compact = str(made).replace("\n\n.TP", "\n.TP")
    # A help may begin with a file's suffix, which roff would take for a macro.
    return re.sub(r"^\.(?=[a-z]{3})", r"\\&.", compact, flags=re.MULTILINE)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--output", type=Path, default=ROOT / "dist", metavar="DIRECTORY")
    output = options.parse_args().output
    output.mkdir(parents=True, exist_ok=True)
    (output / "axiometer.1").write_text(page(), encoding="utf-8")
    print(output / "axiometer.1")


if __name__ == "__main__":
    main()
