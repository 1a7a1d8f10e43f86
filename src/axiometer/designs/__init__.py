"""The user's own design, read from the export of a tool.

`load` reads a `Design` from an .xsa, .hdf, .hwh, .hwh.xz, .qsys or a directory of them. `check`
finds mistakes in it, `points` states it in keys of an experiment. To support a core, add an entry
to `cores/`. Each chip's `exports.toml` explains the parameters of its processor system.
"""

from axiometer.designs.handoff import load
from axiometer.designs.model import Design

__all__ = ["Design", "load"]
