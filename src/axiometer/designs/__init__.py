"""The user's own design, read from the export of a tool.

`load` gives a `Design` for an .xsa, .hdf, .hwh, .hwh.xz, .qsys or a directory of them. `check`
finds mistakes in it, `points` says it in keys of an experiment. Adding a core is adding an entry to
`cores/`; what the processor system's parameters mean, in each chip's `exports.toml`.
"""

from axiometer.designs.handoff import load
from axiometer.designs.model import Design

__all__ = ["Design", "load"]
