"""The old name of `axiometer.experiment.keys_fabric`. Write the new one."""

import sys

from axiometer.experiment import keys_fabric

sys.modules[__name__] = keys_fabric
