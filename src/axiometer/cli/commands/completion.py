"""`axiometer completion`: a script for completion in a shell."""

from __future__ import annotations

import argparse
from typing import Protocol

HELP = "print a script for your shell that completes commands, options and names"


class Options(Protocol):
    """The values of the command line."""

    shell: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from axiometer.cli.completion import SHELLS

    parser.add_argument(
        "shell", choices=SHELLS, help='bash, zsh or fish: eval "$(axiometer completion bash)"'
    )


def run(args: Options) -> int:
    from axiometer.cli import completion

    print(completion.script(args.shell), end="")
    return 0
