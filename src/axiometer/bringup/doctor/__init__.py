"""Looks at a target before anything on it can hang: `examine(target, expected)`.

target.py    what a check may ask a target for; who answers: machine.py (this one, or a copy of
             its files), shell.py (one behind ssh), simulation.py (the co-simulation)
chip.py      registers of a chip (its doctor.toml), and what they must hold
checks/      the checks, each with what it looks at, its verdict and a remedy
examine.py   their order, and what must be right before a check may touch what it looks at
"""

from axiometer.bringup.doctor.examine import examine
from axiometer.bringup.doctor.finding import FAULT, NOT_CHECKED, OK, Finding

__all__ = ["FAULT", "NOT_CHECKED", "OK", "Finding", "examine"]
