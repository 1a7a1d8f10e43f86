"""Completion for fish: one `complete` a word or option."""

from __future__ import annotations

from collections.abc import Sequence

from axiometer.cli.completions.arguments import Argument, Command

_HEAD = """\
# Completion of axiometer for fish. Made by `axiometer completion fish`; to have it in every shell:
#   axiometer completion fish > ~/.config/fish/completions/axiometer.fish
complete -c axiometer -n __fish_use_subcommand -f
complete -c axiometer -n __fish_use_subcommand -l version -d 'Its version'
"""


def text(commands: Sequence[Command]) -> str:
    """The script."""
    out = [_HEAD]
    for command in commands:
        about = _quoted(command.about)
        out.append(f"complete -c axiometer -n __fish_use_subcommand -a {command.name} -d {about}\n")
    for command in commands:
        head = f"complete -c axiometer -n '__fish_seen_subcommand_from {command.name}'"
        out += [f"{head} {_option(option)}\n" for option in command.options]
        out += [
            f"{head} -a {_quoted(' '.join(word.values))} -d {_quoted(word.takes)}\n"
            for word in command.words
            if word.values
        ]
    return "".join(out)


def _option(option: Argument) -> str:
    parts = [
        f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in option.flags
    ]
    if option.takes:
        parts.append(f"-x -a {_quoted(' '.join(option.values))}" if option.values else "-r")
    return f"{' '.join(parts)} -d {_quoted(option.about)}"


def _quoted(words: str) -> str:
    return "'" + words.replace("\\", "\\\\").replace("'", "\\'") + "'"
