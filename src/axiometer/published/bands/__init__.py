"""The uncertainty of an answer: a band around each rate, checked by leaving out whole sources.

`spread.py` has the width by kind of rate, `benches.py` whether the point's bench was measured,
`bounds.py` the limits of every rate. `python -m validate bands --write` makes the shipped files.
Not for: the spread over random starts, which the simulation gives.
"""

from axiometer.published.bands.band import SHARE, Band
from axiometer.published.bands.likely import of_rate, of_total

__all__ = ["SHARE", "Band", "of_rate", "of_total"]
