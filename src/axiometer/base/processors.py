"""How many processors this process may use."""

from __future__ import annotations

import os


def usable() -> int:
    """At least 1. On Linux the number that a job's limits leave; elsewhere that of the machine."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
