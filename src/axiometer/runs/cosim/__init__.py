"""The co-simulation: built on first use, run as a process, spoken to by lines.

`build.executable` gives the program for a design, `process.Cosim` runs it,
`axiometer.runs.backends.rtl` makes records with it.
"""
