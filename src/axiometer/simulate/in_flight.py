"""How many bursts an engine in the fabric has in flight: what it keeps, and what its port takes."""

from __future__ import annotations

from axiometer.experiment.values import Values
from axiometer.platform import Platform


def kept(platform: Platform, values: Values, direction: str) -> int:
    """Bursts in flight: of the point, or else what the platform's engines keep."""
    reads = direction == "read"
    own = values.get("outstanding_read") if reads else values.get("outstanding_write")
    return platform.whole(f"master.outstanding_{direction}") if own is None else own


def at_port(
    platform: Platform, port: str, direction: str, own: int, sharing: tuple[int, int] = (1, 1)
) -> int:
    """Of `own` bursts those that the port takes from one engine: where it has a limit in a
    direction, or for both together, each engine keeps to its part. `sharing`: how many engines
    share the port, in this direction and in both."""
    limits = (f"acceptance_{direction}", "outstanding_max")
    for limit, engines in zip(limits, sharing, strict=True):
        most = platform.whole(f"port.{port}.{limit}", None)
        if most is not None:
            own = min(own, max(1, most // engines))
    return own
