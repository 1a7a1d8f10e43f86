"""The masters at the memory of any point as one list, however the point states them: as
`[[master]]` tables, or as engines that `ports`, `mode` and `masters_per_port` name. Behind the
door, this list is the only form of a question.

Not for: masters of the processor's side that have a point to themselves (`simulate/transfer.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from axiometer.experiment.directions import OF_MODE
from axiometer.experiment.keys_processor import AT_MEMORY
from axiometer.experiment.master_keys import KEYS, OWN, Frozen, of
from axiometer.experiment.values import Master, Values

_NONE = dict.fromkeys((*KEYS, *OWN))
_SAME = ("width_bits", "pl_mhz", "burst_bytes", "gap_cycles", "pattern", "through")


def masters(values: Values) -> tuple[Master, ...]:
    """The masters, port by port; () for a transfer of the processor's side. Those of keys have the
    names of their records: the port's, or "HP0.1" for the second of several."""
    if values.get("master", AT_MEMORY[0]) not in AT_MEMORY:
        return ()
    tables = of(values)
    return tables or tuple(
        _engine(values, port, name)
        for port in values.get("ports") or ()
        for name in _names(port, values.get("masters_per_port", 1))
    )


def having(values: Values, change: Callable[[Master], Mapping[str, object]]) -> Values:
    """The point with other values of each of its masters."""
    made = (Frozen({**master, **change(master)}) for master in masters(values))
    return cast("Values", {**values, "masters": tuple(made)})


def has_ports_name(master: Master) -> bool:
    """Whether a master has the name of its port, perhaps with its number there. Other names have no
    dot."""
    return master["name"].partition(".")[0] == master["way"]


def _names(port: str, masters: int) -> list[str]:
    return [port] if masters == 1 else [f"{port}.{number}" for number in range(masters)]


def _engine(values: Values, port: str, name: str) -> Master:
    """An engine at `port` with the point's keys; older stores lack some of them."""
    keys = cast("dict[str, object]", values)
    found: dict[str, object] = {
        **_NONE,
        **{key: keys.get(key) for key in _SAME},
        "name": name,
        "kind": "engine",
        "port": port,
        "way": port,
        "direction": OF_MODE[values["mode"]],
        "link_mhz": values["pl_mhz"],
        "num_read_outstanding": keys.get("outstanding_read"),
        "num_write_outstanding": keys.get("outstanding_write"),
    }
    return cast("Master", Frozen(found))
