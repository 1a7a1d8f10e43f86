"""What is to be run: an experiment's file, its keys, and the points that they make.

`keys*.py` say what each key may be, `points.py` makes points of them, `settings.py` reads
KEY=VALUE from the command line. Not for: running anything.
"""

from axiometer.experiment.experiment import Experiment
from axiometer.experiment.points import Point

__all__ = ["Experiment", "Point"]
