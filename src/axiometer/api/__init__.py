"""What people import, and what the commands ask: one point, a run, a design, each as an object.

`expectation.py` has a point, `runs.py` runs, `design.py` designs (`design_answers.py` what is
simulated of them), `frames.py` tables of other packages. Not for: arguments and printing, which
`commands/` has. What `axiometer/__init__.py` names is kept stable; docs/python.md documents it.
"""
