"""The masters at the memory of any point as one list, however the point states them: as
`[[master]]` tables, or as engines that `ports`, `mode` and `masters_per_port` name.

Not for: masters of the processor's side that have a point to themselves (`simulate/transfer.py`).
"""

from __future__ import annotations

from typing import cast

from axiometer.experiment.directions import OF_MODE
from axiometer.experiment.master_keys import KEYS, OWN, Frozen, of
from axiometer.experiment.values import Master, Values

_NONE = dict.fromkeys((*KEYS, *OWN))


def masters(values: Values) -> tuple[Master, ...]:
    """The masters, port by port. Those of keys have the names of their records: the port's, or
    "HP0.1" for the second of several."""
    tables = of(values)
    return tables or tuple(
        _engine(values, port, name)
        for port in values["ports"]
        for name in _names(port, values.get("masters_per_port", 1))
    )


def _names(port: str, masters: int) -> list[str]:
    return [port] if masters == 1 else [f"{port}.{number}" for number in range(masters)]


def _engine(values: Values, port: str, name: str) -> Master:
    """An engine at `port` with the point's keys."""
    found: dict[str, object] = {
        **_NONE,
        "name": name,
        "kind": "engine",
        "port": port,
        "way": port,
        "direction": OF_MODE[values["mode"]],
        "link_mhz": values["pl_mhz"],
        "through": values.get("through"),
        "num_read_outstanding": values["outstanding_read"],
        "num_write_outstanding": values["outstanding_write"],
        **{
            key: cast("dict[str, object]", values)[key]
            for key in ("width_bits", "pl_mhz", "burst_bytes", "gap_cycles", "pattern")
        },
    }
    return cast("Master", Frozen(found))
