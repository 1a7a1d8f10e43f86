"""The old name of `axiometer.analysis.stats`. Write the new one."""

import sys

from axiometer.analysis import stats

sys.modules[__name__] = stats
