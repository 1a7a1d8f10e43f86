"""Writes complete projects of the vendors' tools for a board and a top of `rtl/tops/`.

`make` plans a project; `vivado` or `quartus`, `devicetree` and `boot` write it. No project was ever
run through these tools; `lab/project_proof/` checks the files without the tools. Facts
are data: `tops.toml`, each chip's `project.toml` and `boot.toml`. Not for: reading users' designs
(`designs/`), or building the co-simulation (`cosim/build.py`).
"""

NEVER_RUN = "never run through Vivado"
"""The notice in every written file."""
