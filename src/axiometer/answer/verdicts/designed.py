"""A design with its verdicts: its masters alone, by port, and all together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from axiometer.answer.analysis.results import Row
from axiometer.answer.verdicts import expected
from axiometer.answer.verdicts.verdict import Verdict
from axiometer.designs import Design
from axiometer.designs.outcome import Outcome
from axiometer.designs.platform import Placed
from axiometer.published.bands import Band

LEAST_LOSS = 0.1
"""A master that loses a smaller share of its rate to the others is not named."""


@dataclass(frozen=True)
class Part:
    """A part of a design, simulated: a master alone, a port with its masters, or all together. Its
    point's `row`, and the same by master of the design (`outcome`). `judge` returns its limit, and
    finds it once: that takes as long as the simulation."""

    kind: str
    name: str
    row: Row
    outcome: Outcome
    judge: Callable[[], Verdict]

    @property
    def verdict(self) -> Verdict:
        return self.judge()

    @property
    def masters(self) -> list[str]:
        """The names of its masters."""
        return list(dict.fromkeys(share.load.master for share in self.outcome.shares))


@dataclass(frozen=True)
class Loss:
    """The rates of a master alone and with all others, MB/s; `name`: its short name."""

    name: str
    alone: float
    together: float

    @property
    def share(self) -> float:
        """The lost share of its rate alone."""
        return 1 - self.together / self.alone


@dataclass(frozen=True)
class Answer:
    """`point`: the answer for the list of all masters, as for a board; `together`: the same by
    master of the design; `names`: the masters' short names, by their names; `left_out`: sentences
    on masters that cannot be simulated."""

    design: Design
    placed: Placed
    point: expected.Answer
    alone: Sequence[Part]
    simulate_ports: Callable[[], Sequence[Part]]
    together: Part
    names: Mapping[str, str]
    left_out: Sequence[str] = ()

    @cached_property
    def by_port(self) -> Sequence[Part]:
        """Each port with more than one master, simulated at first access."""
        return self.simulate_ports()

    @property
    def parts(self) -> list[Part]:
        """All parts; all masters together last."""
        return [*self.alone, *self.by_port, self.together]

    @property
    def largest_loss(self) -> Loss | None:
        """The master that loses most to the others; None where none loses `LEAST_LOSS`."""
        losses = []
        for part in self.alone:
            ways = {share.load.direction for share in part.outcome.shares}
            way = next(iter(ways)) if len(ways) == 1 else None
            alone = part.outcome.rate()
            if alone > 0:
                together = self.together.outcome.rate(way, part.masters[0])
                losses.append(Loss(part.name, alone, together))
        most = max(losses, key=lambda loss: (loss.share, loss.name), default=None)
        return most if most is not None and most.share >= LEAST_LOSS else None

    @property
    def band(self) -> Band | None:
        """The band of all masters together."""
        return self.point.band
