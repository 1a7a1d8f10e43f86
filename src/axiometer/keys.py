"""The old name of `axiometer.experiment.keys`. Write the new one."""

import sys

from axiometer.experiment import keys

sys.modules[__name__] = keys
