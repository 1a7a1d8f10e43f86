"""One of the chip's own masters that share a path with ports: `port` is its name."""

from __future__ import annotations

from axiometer.base.errors import BadValueError
from axiometer.experiment import sizes
from axiometer.experiment.kinds.kind import STREAM, InFabric
from axiometer.experiment.values import Master
from axiometer.platform import Platform, limits


class Neighbour(InFabric):
    keys: tuple[str, ...] = ("port", "direction", "pl_mhz", *STREAM)

    def ports(self, platform: Platform) -> list[str]:
        return platform.neighbours

    def directions(self, platform: Platform, own: Master) -> list[str]:
        found = list(platform.words(f"neighbour.{own['port']}.directions"))
        return ["both", *found] if len(found) > 1 else found

    def wrong_direction(self, raw: str, platform: Platform, own: Master) -> BadValueError:
        good = f"{own['port']} supports: {', '.join(self.directions(platform, own))}"
        return BadValueError(f"direction is {limits.shown(raw)}", good)

    def width_bits(self, platform: Platform, own: Master, way: str) -> int | None:
        """The widest of the first port: the model moves a neighbour's data as a fabric port
        does."""
        return sizes.widest(platform, platform.ports[:1])

    def burst_bytes(self, platform: Platform, own: Master) -> int:
        return platform.whole(f"neighbour.{own['way']}.burst_bytes")
