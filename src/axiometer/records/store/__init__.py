"""Where runs are kept: one SQLite file, which several processes may use and a kill cannot spoil.

`opened.py` is what everybody else asks; `store.py` keeps and finds runs, `database.py` has the
file under it, `row_checks.py` checks what comes back, `writer_mark.py` tells whether the file was
closed.
"""

from axiometer.records.store.store import (
    PointData,
    RunData,
    RunInfo,
    Store,
    default_path,
    pack,
    unpack,
)

__all__ = ["PointData", "RunData", "RunInfo", "Store", "default_path", "pack", "unpack"]
