"""One module a command: `HELP`, `add_arguments(parser)` and `run(args) -> exit status`.

Modules import what they need inside of `run`, so that `axiometer --help` stays quick. To add a
command, add its module here and its name to `COMMANDS` in `axiometer/cli/command_line.py`.
"""
