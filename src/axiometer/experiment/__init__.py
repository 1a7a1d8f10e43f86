"""Experiments: the file, its keys, and the points that they make.

`keys*.py` define the allowed values of each key, `points.py` makes points, `settings.py` reads
KEY=VALUE from the command line. Not for: running points.
"""

from axiometer.experiment.experiment import Experiment
from axiometer.experiment.points import Point

__all__ = ["Experiment", "Point"]
