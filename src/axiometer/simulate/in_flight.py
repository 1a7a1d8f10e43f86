"""Outstanding bursts of an engine in the fabric: its own number, limited by its port."""

from __future__ import annotations

from axiometer.experiment import master_keys
from axiometer.experiment.values import Master
from axiometer.platform import Platform


def kept(platform: Platform, master: Master, direction: str) -> int:
    """Outstanding bursts: the master's, or else those of the platform's engines."""
    own = master_keys.outstanding(master, direction)
    return platform.whole(f"master.outstanding_{direction}") if own is None else own


def at_port(
    platform: Platform, port: str, direction: str, own: int, sharing: tuple[int, int] = (1, 1)
) -> int:
    """`own` outstanding bursts, limited by the port: if it has a limit in a direction, or for both
    together, each engine has an equal part. `sharing`: the number of engines at the port, in this
    direction and in both."""
    limits = (f"acceptance_{direction}", "outstanding_max")
    for limit, engines in zip(limits, sharing, strict=True):
        most = platform.whole(f"port.{port}.{limit}", None)
        if most is not None:
            own = min(own, max(1, most // engines))
    return own
