"""Checks a target before anything on it can hang: `examine(target, expected)`.

target.py    the interface of a target; implemented by machine.py (this machine, or a copy of its
             files), shell.py (a machine behind ssh), simulation.py (the co-simulation)
chip.py      registers of a chip (its doctor.toml) and their required values
checks/      the checks, each with its evidence, its verdict and a remedy
examine.py   the order of the checks, and the checks that must pass first
"""

from axiometer.bringup.doctor.examine import examine
from axiometer.bringup.doctor.finding import FAULT, NOT_CHECKED, OK, Finding

__all__ = ["FAULT", "NOT_CHECKED", "OK", "Finding", "examine"]
