"""The sentence that a PL clock is not the one that was typed. Not for: which it is instead
(`clocks`, `simulate/transfer.py`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from axiometer import clocks
from axiometer.experiment.keys_processor import AT_MEMORY
from axiometer.platform import Platform
from axiometer.simulate.transfer import pl_mhz


def note(platform: Platform, key: Mapping[str, Any], values: Mapping[str, Any]) -> str | None:
    """What to say of the clock of a point, whose `key` has what was typed; None if it is that."""
    asked, got = key.get("pl_mhz"), values["pl_mhz"]
    if asked is None:
        return None
    if values["master"] not in AT_MEMORY:
        made = float(pl_mhz(platform, got))
        if abs(made - got) > got * float(clocks.TOLERANCE):
            return f"The PL clock is {made:.10g} MHz: the PLL gives none nearer below {asked} MHz."
    return clocks.said(asked, got)
