"""How far off an answer may be: a band, made from the validated rows that are like it.

`validated.csv` has the model's errors on published rows, by set of rows and by what kind of point
they are (`features.py`); `python -m validate.bands --write` makes it. Not for: the spread over
random starts, which is the simulation's own.
"""

from axiometer.published.bands.bounds import of_total
from axiometer.published.bands.likeness import SHARE, Band, band, of_point

__all__ = ["SHARE", "Band", "band", "of_point", "of_total"]
