"""`axiometer completion`: a script by which a shell completes what is typed."""

from __future__ import annotations

import argparse
from typing import Protocol

from axiometer.cli.completions import SHELLS

HELP = "print a script by which your shell completes commands, options and names"


class Options(Protocol):
    """What the command line says."""

    shell: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "shell", choices=SHELLS, help='bash, zsh or fish: eval "$(axiometer completion bash)"'
    )


def run(args: Options) -> int:
    from importlib import import_module

    from axiometer.base import data
    from axiometer.cli.command_line import parser
    from axiometer.cli.completions.arguments import commands
    from axiometer.experiment.keys import BOTH, KEYS
    from axiometer.published.catalogue import listed

    names = {
        "boards": data.names("boards"),
        "experiments": data.names("experiments"),
        "keys": [f"{key}=" for key in KEYS],
        "modes": ("read", "write", BOTH),
    }
    ports = {
        str(row["name"]): f"{row['ports']}+{row['not validated']}".strip("+").split("+")
        for row in listed.platforms()
    }
    written = import_module(f"axiometer.cli.completions.{args.shell}").text(
        commands(parser()[1], names), ports
    )
    print(written, end="")
    return 0
