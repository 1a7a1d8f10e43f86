"""Projects of the vendors' tools: a board, a top of `rtl/tops/` and what joins them, written whole.

`make` plans a project; `vivado` or `quartus`, `devicetree` and `boot` write it. Nothing here was
ever run through these tools; `validate/projects/` proves it without. Facts are data: `tops.toml`,
each chip's `project.toml` and `boot.toml`. Not for: reading designs of others (`designs/`), nor
building the co-simulation (`cosim/build.py`).
"""

NEVER_RUN = "never run through Vivado"
"""What every written file says of itself."""
