"""The model backend with the costs of the real program on a host.

`model+linux`, `model+bare` and `model+freertos`: records are the model's, each with `host`, the
instructions of a packet and its time in fabric and memory (bringup/vm/packet_costs.py). Only for
points whose master is a ring, because the program drives a ring.
"""

from __future__ import annotations

from collections.abc import Sequence

from axiometer.base import standard_streams
from axiometer.base.errors import AxiometerError
from axiometer.base.record import HostSide, Record
from axiometer.bringup.vm import host_costs, packet_costs
from axiometer.experiment.points import Point
from axiometer.experiment.port_kinds import kind
from axiometer.experiment.values import Values
from axiometer.platform import Platform
from axiometer.runs.backends import model

RINGS = "an experiment whose master is a ring, such as zedboard-zero-copy"


class Hosts:
    """The backend with one host."""

    def __init__(self, host: str) -> None:
        self.host = host

    def prepare(self, platform: Platform, points: Sequence[Point]) -> None:
        """Measure the missing costs for `points`. AxiometerError if a point cannot run on the host,
        or a tool is missing."""
        asked = [self._asked(platform, point.values) for point in points]
        model.prepare(platform, points)
        packet_costs.require(self.host, packet_costs.chip_of(platform.family))
        for one in dict.fromkeys(asked):
            host_costs.of(one, platform, standard_streams.tell)

    def run_repeats(
        self, platform: Platform, point: Point, seed: int, first: int, count: int
    ) -> list[Record]:
        """The model's records with the host's costs, which are the same for all repeats, because
        they do not depend on the phases of a chip's clocks."""
        cost = host_costs.of(self._asked(platform, point.values), platform, standard_streams.tell)
        side: HostSide = {
            "name": self.host,
            "instructions": cost.instructions,
            "accesses": cost.accesses,
            "fabric_memory_s": cost.seconds if _simulated(platform, point.values) else None,
        }
        records = model.run_repeats(platform, point, seed, first, count)
        for record in records:
            record["host"] = side.copy()
        return records

    def _asked(self, platform: Platform, values: Values) -> host_costs.Asked:
        """The packet of a point. AxiometerError if the program does not support it."""
        size = values["transfer_bytes"]
        wrong = {
            f"master = {values['master']!r}": (values["master"] != "ring", f"run {RINGS}"),
            f"ring_depth = {values['ring_depth']}": (
                values["ring_depth"] != 1,
                "the program has one packet under way: --set ring_depth=1",
            ),
            f"cache_control = {values['cache_control']!r}": (
                values["cache_control"] == "uncached",
                "the program's buffers are cached: --set cache_control=explicit",
            ),
            f"transfer_bytes = {size}": (
                size is None or size % 4 != 0 or not 4 <= size <= packet_costs.MOST_BYTES,
                f"give a multiple of 4 up to {packet_costs.MOST_BYTES}",
            ),
        }
        for what, (refused, remedy) in wrong.items():
            if refused:
                raise AxiometerError(f"--host {self.host} cannot run {what}", remedy=remedy)
        assert size is not None  # or it was refused
        return host_costs.Asked(
            host=self.host,
            chip=packet_costs.chip_of(platform.family),
            # The processor's work is the same at every port, so the first port is measured.
            port=values["ports"][0] if _simulated(platform, values) else "",
            pl_mhz=values["pl_mhz"],
            way=packet_costs.Way(
                coherent=values["cache_control"] != "explicit", copies=values["io"] == "copy"
            ),
            bytes=size,
        )


def _simulated(platform: Platform, values: Values) -> bool:
    """Whether the port is one of the memory's model."""
    return kind(platform, values["ports"][0]) == "hp"


LINUX, BARE, FREERTOS = map(Hosts, packet_costs.HOSTS)
