"""Writes the manual page axiometer(1) from the parser of the command line.

Usage: python tools/man.py [--output DIRECTORY]     (default: dist/)
Read it with `man -l dist/axiometer.1`.
"""

import argparse
from pathlib import Path

from axiometer import __version__
from axiometer.cli.command_line import DESCRIPTION, EXAMPLE, parser
from axiometer.cli.completions import man
from axiometer.cli.completions.arguments import commands

ROOT = Path(__file__).resolve().parent.parent


def page() -> str:
    """The manual page, without the names of boards and experiments, which the shell completes."""
    examples = "\n".join(EXAMPLE.splitlines()[1:])
    return man.text(commands(parser()[1], {}), __version__, DESCRIPTION, examples)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--output", type=Path, default=ROOT / "dist", metavar="DIRECTORY")
    output = options.parse_args().output
    output.mkdir(parents=True, exist_ok=True)
    (output / "axiometer.1").write_text(page(), encoding="utf-8")
    print(output / "axiometer.1")


if __name__ == "__main__":
    main()
