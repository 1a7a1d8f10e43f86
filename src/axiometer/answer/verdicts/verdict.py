"""The limit of a point, as one value: the cause, how it was found, and the change to make.

Every command and page that names a cause calls `judged`. `analysis/bottlenecks.py` estimates it
from time classes, and `relax/race.py` finds it by simulating the point without each cause. The
words are in `present/bottleneck_text.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum, auto

from axiometer.answer.analysis import collect, starved
from axiometer.answer.analysis.bottlenecks import NOTHING, strongest, sure
from axiometer.answer.analysis.results import MEASURED
from axiometer.answer.analysis.starved import Starved
from axiometer.answer.analysis.time_shares import Evidence
from axiometer.answer.relax.gains import Found
from axiometer.answer.relax.race import limits
from axiometer.answer.verdicts import remedy
from axiometer.answer.verdicts.remedy import Change, Kind, Remedy
from axiometer.base.record import Record
from axiometer.experiment import listed
from axiometer.simulate.scenario import Scenario


class Basis(StrEnum):
    """The basis of a named cause, in order: no data moved; the largest time class of a transfer of
    the processor's side; all masters get their rates; no cause stands out; time classes;
    simulation."""

    STILL = auto()
    PROCESSOR = auto()
    SERVED = auto()
    QUIET = auto()
    CLASSES = auto()
    SIMULATED = auto()


@dataclass(frozen=True)
class Verdict:
    """The named bottleneck of a point: `cause` is its key, `score` the share of time (0–1) that it
    explains; `found`: the gains of all relaxations, None where time classes alone named it; `sure`:
    whether these are sure; `starved`: the masters that get almost nothing."""

    evidence: Evidence
    basis: Basis
    cause: str
    score: float
    remedy: Remedy
    found: Found | None = None
    sure: bool = True
    starved: Sequence[Starved] = ()

    @property
    def change(self) -> Change | None:
        """Keys of the point that follow the advice; None where there are none, or where nothing was
        simulated and masters have names and keys of their own."""
        own = self.found is None and not all(map(listed.has_ports_name, self.evidence.masters))
        return None if own else self.remedy.change


def judged(
    e: Evidence, scenario: Scenario | None, records: Sequence[Record], backend: str = "model"
) -> Verdict:
    """The limit of the point of `e` with these records of a backend: found by simulating its
    `scenario` without each cause, or by time classes alone if that is None. Changes that measured
    rows refute are not advised."""
    if scenario is None:
        return verdict(e)
    # A board's rate does not show whether a simulation is long enough.
    first = None if backend == MEASURED else records[0]["total_MBps"]
    return verdict(e, limits(scenario, first, _taken(e, scenario)))


def _taken(e: Evidence, scenario: Scenario) -> frozenset[str]:
    """Ports that advice may not name because other masters of the design use them."""
    every = collect.facts(scenario.platform).advised
    return frozenset(every) - frozenset(e.facts.advised) - frozenset(e.ports)


def verdict(e: Evidence, found: Found | None = None) -> Verdict:
    """The strongest bottleneck: from the simulated relaxations `found`, or else from the ranking of
    the time classes."""
    those = starved.of(e)
    # A processor's stores have no beats at the memory's port.
    if e.streams and not any(stream.share("data") for stream in e.streams) and not e.dram_data:
        more = Remedy(Kind.LITTLE_TO_GAIN if e.in_caches else Kind.ASK_FOR_MORE)
        return Verdict(e, Basis.STILL, NOTHING, 0.0, more, starved=those)
    cause, score = strongest(e)
    if found is not None:
        # Among equally right causes, prefer the estimate of the time classes where it is sure.
        cause = found.named(cause if sure(e) else NOTHING)
        gain = max(found.of(cause), 0.0)
        what = remedy.of_relaxed(found, cause)
        basis, score = Basis.SIMULATED, gain / (1 + gain)
        if cause == NOTHING and e.served:
            basis, cause = Basis.SERVED, _served(e)
        return Verdict(e, basis, cause, score, what, found, starved=those)
    if e.stacks.of_processor:
        what = remedy.of_processor(e, cause)
        return Verdict(e, Basis.PROCESSOR, cause, score, what, starved=those)
    if cause != NOTHING:
        basis, what = Basis.CLASSES, remedy.of_classes(e, cause)
    elif e.served:
        basis, cause, what = Basis.SERVED, _served(e), Remedy(Kind.LITTLE_TO_GAIN)
    else:
        basis, what = Basis.QUIET, Remedy(Kind.UNKNOWN)
    return Verdict(e, basis, cause, score, what, sure=sure(e), starved=those)


def _served(e: Evidence) -> str:
    """The cause that limits masters which get their requested rates."""
    return "port" if e.full else "asked"
