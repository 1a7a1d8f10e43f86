"""Completion for bash (4 and newer): a function that `complete` calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from shlex import quote

from axiometer.cli.completions.arguments import Argument, Command, boards_by_ports

_HEAD = """\
# Completion of axiometer for bash. Made by `axiometer completion bash`; to have it in every shell:
#   axiometer completion bash > ~/.local/share/bash-completion/completions/axiometer
_axiometer() {
  local current="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" words="" ports=""
  local word
  COMPREPLY=()
  # The ports of the board that the line names.
  for word in "${COMP_WORDS[@]:2}"; do
    case "$word" in
%s    esac
  done
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
  # Ports are joined by +.
  if [[ $ports && $words == *"$ports"* && $current == *+* ]]; then
    words="${current%+*}+${ports// / ${current%+*}+}"
  fi
  # Without a word that fits, the shell completes names of files (-o default).
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  # A value follows KEY= without a space.
  if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -o default -F _axiometer axiometer
"""


def text(commands: Sequence[Command], ports: Mapping[str, Sequence[str]]) -> str:
    """The script. `ports`: the ports of each board."""
    first = [command.name for command in commands] + ["--help", "--version"]
    each = "".join(
        f"      {'|'.join(boards)}) ports={quote(' '.join(of))} ;;\n"
        for of, boards in boards_by_ports(ports).items()
    )
    out = [_HEAD % (each, quote(" ".join(first)))]
    for command in commands:
        for option in command.options:
            if option.takes:
                heads = "|".join(f'"{command.name} {flag}"' for flag in option.flags)
                out.append(f"      {heads}) words={_values(option)} ;;\n")
    out.append(_MIDDLE)
    for command in commands:
        flags = " ".join(flag for option in command.options for flag in option.flags)
        out.append(f'          "{command.name} -"*) words={quote(flags)} ;;\n')
        out.append(f'          "{command.name} "*) {_words(command)} ;;\n')
    return "".join([*out, _TAIL])


def _values(of: Argument) -> str:
    return '"$ports"' if of.is_ports else quote(" ".join(of.values))


def _words(command: Command) -> str:
    """All words by their place; but ports and what follows them only behind a board."""
    at = next((n for n, word in enumerate(command.words) if word.is_ports), len(command.words))
    first, rest = command.words[:at], command.words[at + 1 :]
    said = f"words={quote(' '.join(value for word in first for value in word.values))}"
    if at == len(command.words):
        return said
    behind = " ".join(value for word in rest for value in word.values)
    return f'{said}; if [[ $ports ]]; then words="$ports {behind}"; fi'
