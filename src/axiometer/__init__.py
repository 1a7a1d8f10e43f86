"""Axiometer: how fast data moves between processor and fabric of an FPGA SoC.

Nothing is imported here: `axiometer --help` must stay quick.
"""

__version__ = "0.1.0"
