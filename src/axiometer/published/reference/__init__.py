"""Published figures: shipped tables or the user's own, and the row of a point.

`table.py` reads and searches them, `parts.py` joins the rows of single ports to those of their
configurations, `datasets.py` has the columns of public datasets.
"""

from axiometer.published.reference.table import (
    ACCELERATORS,
    Reference,
    Row,
    condition,
    for_experiment,
    role,
    selects,
    within,
)

__all__ = [
    "ACCELERATORS",
    "Reference",
    "Row",
    "condition",
    "for_experiment",
    "role",
    "selects",
    "within",
]
