"""The old name of `axiometer.experiment.points`. Write the new one."""

import sys

from axiometer.experiment import points

sys.modules[__name__] = points
