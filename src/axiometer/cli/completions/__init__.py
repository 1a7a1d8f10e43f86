"""Completion scripts of shells and the manual page, made from the parser of the command line.

`arguments.py` lists the arguments of each command; `bash.py`, `zsh.py`, `fish.py` and `man.py`
write them. To add a shell, add a module with `text(commands, ports)` and its name to `SHELLS`.
"""

SHELLS = ("bash", "zsh", "fish")
