"""`axiometer completion`: a script for completion in a shell."""

from __future__ import annotations

from axiometer.cli.options import word

HELP = "print a script for your shell that completes commands, options and names"


class Options:
    """The values of the command line."""

    shell: str = word(
        'bash, zsh or fish: eval "$(axiometer completion bash)"', choices=("bash", "zsh", "fish")
    )


def run(args: Options) -> int:
    from axiometer.cli import completion

    print(completion.script(args.shell), end="")
    return 0
