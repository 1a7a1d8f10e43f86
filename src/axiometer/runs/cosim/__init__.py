"""The co-simulation: built on first use, run as a process, controlled by lines of text.

`build.executable` returns the program of a design, `process.Cosim` runs it,
`axiometer.runs.backends.rtl` makes records with it.
"""
