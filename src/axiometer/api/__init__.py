"""The Python interface, also for the commands: one point, a run, a design, each as an object.

`expectation.py` has a point, `runs.py` runs, `design.py` designs (`design_answers.py` their
simulation), `frames.py` tables for other packages. Not for: arguments and printing, which `cli/`
has. The names in `axiometer/__init__.py` are stable; docs/python.md documents them.
"""
