"""Completion for bash (4 and newer): a function that `complete` calls."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote

from axiometer.cli.completions.arguments import Command

_HEAD = """\
# Completion of axiometer for bash. Made by `axiometer completion bash`; to have it in every shell:
#   axiometer completion bash > ~/.local/share/bash-completion/completions/axiometer
_axiometer() {
  local current="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" words=""
  COMPREPLY=()
  if (( COMP_CWORD == 1 )); then
    words=%s
  else
    case "${COMP_WORDS[1]} $before" in
"""
_MIDDLE = """\
      *)
        case "${COMP_WORDS[1]} $current" in
"""
_TAIL = """\
        esac ;;
    esac
  fi
  # Without a word that fits, the shell completes names of files (-o default).
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o default -F _axiometer axiometer
"""


def text(commands: Sequence[Command]) -> str:
    """The script."""
    first = [command.name for command in commands] + ["--help", "--version"]
    out = [_HEAD % quote(" ".join(first))]
    for command in commands:
        for option in command.options:
            if option.takes:
                heads = "|".join(f'"{command.name} {flag}"' for flag in option.flags)
                out.append(f"      {heads}) words={quote(' '.join(option.values))} ;;\n")
    out.append(_MIDDLE)
    for command in commands:
        flags = " ".join(flag for option in command.options for flag in option.flags)
        values = " ".join(value for word in command.words for value in word.values)
        out.append(f'          "{command.name} -"*) words={quote(flags)} ;;\n')
        out.append(f'          "{command.name} "*) words={quote(values)} ;;\n')
    return "".join([*out, _TAIL])
