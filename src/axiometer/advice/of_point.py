"""A point as the start of a search: all changes that answers try, and those that a search has time
for: other ports, bursts, outstanding bursts and classes of traffic.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from axiometer.advice.assignments import usual_bursts, usual_ports
from axiometer.answer.trials import of_point
from axiometer.answer.trials.trial import Change
from axiometer.base.errors import AxiometerError
from axiometer.experiment import changes, keys_qos, listed
from axiometer.experiment.keys_processor import AT_MEMORY
from axiometer.experiment.values import Values
from axiometer.platform import Platform
from axiometer.simulate.scenario import Scenario

LIMITS = (2, 4, 8, 16, 32, of_point.IN_FLIGHT)  # outstanding bursts


@dataclass(frozen=True)
class PointStart:
    """also: values to try by key, instead of the usual ones; fixed: keys that do not change."""

    platform: Platform
    values: Values
    also: Mapping[str, Sequence[object]] = field(default_factory=dict)
    fixed: Sequence[str] = ()

    def having(self, keys: Mapping[str, object]) -> PointStart:
        """The point with these keys. AxiometerError where it is impossible."""
        platform, values = changes.made(self.platform, self.values, keys)
        return replace(self, platform=platform, values=values)

    def scenario(self) -> Scenario:
        """All its masters. AxiometerError for masters of the processor's side."""
        if self.values["master"] not in AT_MEMORY:
            raise AxiometerError(
                f"master {self.values['master']!r} is on the processor's side",
                remedy="give --transfer-bytes or --packets for it",
            )
        return Scenario.of(self.platform, self.values)

    def changes(self) -> Iterator[Change]:
        """Every single change."""
        scenario = self.scenario()
        free = {*self.also, *self.fixed}
        for of in of_point.of(scenario, lambda cause: 1.0, point=True):
            if of.change.keys and free.isdisjoint(of.change.keys):
                yield of.change
        if "placement" not in free:
            yield from of_point.by_hand(scenario)
        for name, values in {**self._usual(), **self.also}.items():
            for value in values:
                if name not in self.fixed and value != dict(self.values)[name]:
                    yield Change({name: value})
        if free.isdisjoint(("qos",)):
            yield from self._classes()

    def _usual(self) -> dict[str, Sequence[object]]:
        now, platform = self.values, self.platform
        if not all(map(listed.has_ports_name, listed.masters(now))):
            return {}
        ports = combinations(usual_ports(platform), len(now["ports"]))
        found: dict[str, Sequence[object]] = {
            "ports": [list(each) for each in ports],
            "burst_bytes": usual_bursts(platform),
            "outstanding_read": LIMITS,
            "outstanding_write": LIMITS,
        }
        if now["master"] == "convolution":
            found["fill"] = keys_qos.FILLS
        return found

    def _classes(self) -> Iterator[Change]:
        """Classes of traffic of all ports, and of each, beside those that the point has."""
        now = {
            f"{port}.{way}": level
            for port, of in (self.values["qos"] or {}).items()
            for way, level in of.items()
        }
        ports = self.values["ports"]
        if not all(self.platform.has(f"qos.{port}.mode") for port in ports):
            return
        for level in keys_qos.CLASSES:
            for those in dict.fromkeys((tuple(ports), *((port,) for port in ports))):
                for ways in (keys_qos.DIRECTIONS, ("read",), ("write",)):
                    new = {f"{port}.{way}": level for port in those for way in ways}
                    if any(now.get(end) != level for end in new):
                        every = "+".join(f"{end}={of}" for end, of in {**now, **new}.items())
                        yield Change({"qos": every}, "qos", f"{level} for {', '.join(new)}")
