"""How far off an answer may be: a band about each rate, made by leaving out whole sources.

`spread.py` says how wide by kind of rate, `benches.py` whether the point's own bench was measured,
`bounds.py` what no rate exceeds. `python -m validate.bands --write` makes what ships. Not for: the
spread over random starts, which is the simulation's own.
"""

from axiometer.published.bands.band import SHARE, Band
from axiometer.published.bands.likely import of_rate, of_total

__all__ = ["SHARE", "Band", "of_rate", "of_total"]
