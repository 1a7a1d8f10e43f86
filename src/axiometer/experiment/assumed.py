"""What a question left to defaults, of what the first line of its answer says."""

from __future__ import annotations

from collections.abc import Mapping

from axiometer.experiment import kinds, master_tables
from axiometer.experiment.keys import Given

_OF_POINT = {
    "port": ("ports",),
    "direction": ("mode",),
    "width": ("width_bits",),
    "clock": ("pl_mhz",),
    "burst": ("burst_beats", "burst_bytes"),
}
_OF_MASTER = {
    "port": ("port",),
    "direction": ("direction", "operation"),
    "width": ("width_bits",),
    "clock": ("pl_mhz",),
    "burst": ("burst_bytes", "max_read_burst_length", "max_write_burst_length"),
}
"""The keys of the point, and of a master, that give each; one suffices."""


def of(given: Mapping[str, Given]) -> tuple[str, ...]:
    """Those of port, direction, width, clock and burst that the keys of the point do not give, or
    at least one of its masters could have and has not."""
    if master_tables.TABLES not in given:
        return tuple(word for word, keys in _OF_POINT.items() if not {*keys} & {*given})
    tables = master_tables.with_settings(given)

    def lacks(table: Mapping[str, Given], keys: tuple[str, ...]) -> bool:
        could = {*keys} & {*kinds.TABLES[str(table["kind"].value)].keys}
        return bool(could) and not could & {*table}

    return tuple(
        word
        for word, keys in _OF_MASTER.items()
        if not {*_OF_POINT[word]} & {*given} and any(lacks(table, keys) for table in tables)
    )
