"""Completion for fish: one `complete` a word or option."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from axiometer.cli.completions.arguments import Argument, Command, boards_by_ports

_HEAD = """\
# Completion of axiometer for fish. Made by `axiometer completion fish`; to have it in every shell:
#   axiometer completion fish > ~/.config/fish/completions/axiometer.fish
# The ports of the board that the line names.
function __axiometer_ports
  for word in (commandline -opc)
    switch $word
%s    end
  end
end
complete -c axiometer -n __fish_use_subcommand -f
complete -c axiometer -n __fish_use_subcommand -l version -d 'Its version'
"""


def text(commands: Sequence[Command], ports: Mapping[str, Sequence[str]]) -> str:
    """The script. `ports`: the ports of each board."""
    each = "".join(
        f"      case {' '.join(boards)}\n        printf '%s\\n' {' '.join(of)}\n"
        for of, boards in boards_by_ports(ports).items()
    )
    out = [_HEAD % each]
    for command in commands:
        about = _quoted(command.about)
        out.append(f"complete -c axiometer -n __fish_use_subcommand -a {command.name} -d {about}\n")
    for command in commands:
        head = f"complete -c axiometer -n '__fish_seen_subcommand_from {command.name}'"
        out += [f"{head} {_option(option)}\n" for option in command.options]
        out += [
            f"{head} -a {_values(word)} -d {_quoted(word.takes)}\n"
            for word in command.words
            if word.values or word.is_ports
        ]
    return "".join(out)


def _option(option: Argument) -> str:
    parts = [
        f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in option.flags
    ]
    if option.takes:
        parts.append(f"-x -a {_values(option)}" if option.values or option.is_ports else "-r")
    return f"{' '.join(parts)} -d {_quoted(option.about)}"


def _values(of: Argument) -> str:
    return _quoted("(__axiometer_ports)" if of.is_ports else " ".join(of.values))


def _quoted(words: str) -> str:
    return "'" + words.replace("\\", "\\\\").replace("'", "\\'") + "'"
