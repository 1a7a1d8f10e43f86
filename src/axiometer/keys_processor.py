"""The old name of `axiometer.experiment.keys_processor`. Write the new one."""

import sys

from axiometer.experiment import keys_processor

sys.modules[__name__] = keys_processor
