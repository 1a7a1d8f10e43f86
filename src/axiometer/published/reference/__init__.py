"""Published figures: tables that come with Axiometer, or the user's own, and which row of them
is of a point.

`table.py` reads and searches them, `parts.py` joins the rows of single ports to those of their
configurations, `datasets.py` knows the columns of public datasets.
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
