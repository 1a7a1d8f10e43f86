"""One module a command: `HELP`, `Options` (../options.py) and `run(args) -> exit status`.

Imports are in `run`, and so `axiometer --help` is fast. To add a
command, add its module here and its name to `COMMANDS` in `axiometer/cli/command_line.py`.
"""
