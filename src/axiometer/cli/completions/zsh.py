"""Completion for zsh: a function for `_arguments`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from axiometer.cli.completions.arguments import Argument, Command, boards_by_ports

_HEAD = """\
#compdef axiometer
# Completion of axiometer for zsh. Made by `axiometer completion zsh`; to have it in every shell,
# write it to a file _axiometer in a directory of $fpath, before compinit.
# The ports of the board that the line names, joined by +.
_axiometer_ports() {
  local word
  local -a ports
  for word in $words; do
    case $word in
%s    esac
  done
  compset -P '*+'
  compadd -a ports
}
_axiometer() {
  local -a commands
"""
_MIDDLE = """\
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
"""
_TAIL = """\
  esac
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _axiometer "$@"
else
  compdef _axiometer axiometer
fi
"""


def text(commands: Sequence[Command], ports: Mapping[str, Sequence[str]]) -> str:
    """The script. `ports`: the ports of each board."""
    each = "".join(
        f"      {'|'.join(boards)}) ports=({' '.join(of)}) ;;\n"
        for of, boards in boards_by_ports(ports).items()
    )
    out = [_HEAD % each, "  commands=(\n"]
    out += [f"    {_quoted(f'{c.name}:{c.about}')}\n" for c in commands]
    out += ["  )\n", _MIDDLE]
    for command in commands:
        specs = [spec for option in command.options for spec in _option(option)]
        specs += [_word(word) for word in command.words]
        lines = " \\\n".join(f"        {_quoted(spec)}" for spec in specs)
        out.append(f"    {command.name})\n      _arguments -S \\\n{lines} ;;\n")
    return "".join([*out, _TAIL])


def _option(option: Argument) -> list[str]:
    """An option is offered again: several may be given more than once."""
    value = f":{_plain(option.takes)}:{_values(option)}" if option.takes else ""
    return [f"*{flag}[{_plain(option.about)}]{value}" for flag in option.flags]


def _word(word: Argument) -> str:
    return f"{'*' if word.many else ''}:{_plain(word.takes)}:{_values(word)}"


def _values(argument: Argument) -> str:
    if argument.is_ports:
        return "_axiometer_ports"
    return f"({' '.join(argument.values)})" if argument.values else "_files"


def _plain(words: str) -> str:
    """Without what `_arguments` takes for its own signs."""
    return "".join("\\" + sign if sign in "[]:\\" else sign for sign in words)


def _quoted(words: str) -> str:
    return "'" + words.replace("'", "'\\''") + "'"
