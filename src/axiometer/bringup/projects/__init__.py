"""Projects of the vendors' tools: a board, a top of `rtl/tops/` and what joins them, written whole.

`plan` says what the project is, `vivado` writes it, `proof` runs what was written in a Tcl
interpreter with the tool's commands replaced by checks. Nothing here was ever run through Vivado.
Facts are data: `tops.toml`, `proof/*.toml`, each chip's `project.toml` and
`boot.toml`. Not for: reading designs of others (`designs/`), nor building the co-simulation
(`cosim/build.py`).
"""

NEVER_RUN = "never run through Vivado"
"""What every written file says of itself."""
