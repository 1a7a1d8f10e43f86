"""The old name of `axiometer.experiment.keys_usp`. Write the new one."""

import sys

from axiometer.experiment import keys_usp

sys.modules[__name__] = keys_usp
