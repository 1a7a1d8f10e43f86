"""The store of runs: one SQLite file, for several processes, that survives a kill.

`opened.py` opens it for other rooms; `store.py` saves and finds runs, `database.py` handles the
file, `row_checks.py` checks every row that is read, `writer_mark.py` shows whether the file was
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
