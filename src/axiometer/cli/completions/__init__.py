"""What shells and `man` know of the command line, written from its parser.

`arguments.py` says what each command takes; `bash.py`, `zsh.py`, `fish.py` and `man.py` write that
down. To add a shell: a module with `text(commands)`, and its name in `SHELLS`.
"""

SHELLS = ("bash", "zsh", "fish")
