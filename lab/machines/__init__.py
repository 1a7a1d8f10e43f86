"""Emulated machines whose fabric is the simulated design: they show that software works.

Emulated processors have no timing: no time measured in one is a figure of a chip.
"""

from pathlib import Path

TREE = Path(__file__).resolve().parents[2]
"""The source tree."""
