"""A list of one master of the processor's side, as the keys of a point.

Such a master alone is simulated with its start and its end, as published rows have it
(`simulate/transfer.py`). It is one question, whether a table asks it or `ports`, `mode` and
`master`. With a rate, a place or a time of its own, or for a `duration`, it is a master of the
shared memory.
"""

from __future__ import annotations

from collections.abc import Mapping

from axiometer.experiment import kinds, master_keys, master_values
from axiometer.experiment.keys import Given
from axiometer.experiment.master_tables import TABLES, with_settings
from axiometer.platform import Platform

_NAMES = {"port": "ports", "direction": "mode", "kind": "master"}
_SAME = ("pl_mhz", "through", "memory_type", "copy_bytes")
_SHARED = ("duration", "background", "skew_us", "qos")
"""Keys of a list that only masters of the shared memory have."""


def as_keys(given: Mapping[str, Given], platform: Platform) -> dict[str, Given] | None:
    """The same question in keys of a point; None where keys cannot state it."""
    if any(name in given for name in (*_SHARED, *master_keys.TAKEN_OVER)):
        return None
    tables = with_settings(given)
    table = {key: value for key, value in tables[0].items() if key != "name"}
    kind = str(table["kind"].value)
    of = kinds.OF_POINTS.get(kind)
    if len(tables) > 1 or of is None or not of.source or {*table} - {*_NAMES, *_SAME}:
        return None
    if master_values.engine_of(platform, tables[0]) is not None:
        return None
    if "port" not in table:
        usual = of.usual_port(platform)
        if usual is None:
            return None
        table["port"] = table["kind"]._replace(value=usual)
    rest = {
        name: value
        for name, value in given.items()
        if name != TABLES and not master_keys.is_setting(name)
    }
    return rest | {_NAMES.get(key, key): value for key, value in table.items()}
