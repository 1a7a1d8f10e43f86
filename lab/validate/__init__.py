"""The model and the RTL against published figures, and against each other: what `make validate`
runs. They write docs/accuracy.md, docs/agreement.md, docs/how-sure.md and docs/findings.md.

Each program is a module: `python -m validate.usp --help`.
"""


def made_by(command: str) -> str:
    """The last line of a page, for authors; readers need not begin with it."""
    return f"Made by `{command}`; do not edit it.\n"
