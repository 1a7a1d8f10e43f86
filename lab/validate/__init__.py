"""The model and the RTL against published figures, and against each other: `python -m validate`.

`claims.toml` lists what is claimed; each module makes the points of its claim and judges them.
"""
