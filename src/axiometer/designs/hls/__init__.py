"""Synthesis reports of Vitis HLS: the m_axi interfaces of a core, their bursts, and misses.

`load` makes a design of a report alone; `completed` adds a report's bursts to the design that has
the core. Not for: what bursts cost, nor findings (`checks/missed.py`).
"""

from axiometer.designs.hls.as_design import load
from axiometer.designs.hls.bursts import completed
from axiometer.designs.hls.files import is_report, read

__all__ = ["completed", "is_report", "load", "read"]
