"""The old name of `axiometer.analysis.accelerators`. Write the new one."""

import sys

from axiometer.analysis import accelerators

sys.modules[__name__] = accelerators
