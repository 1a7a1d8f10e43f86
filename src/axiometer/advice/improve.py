"""Improves an experiment's first point step by step.

Each round simulates every single change of the present design (other ports, another burst, another
order of filling, other classes of traffic, other limits, another mapping) and continues with the
best, until no gain reaches `WORTH`. So each step has its own gain. As the best first step is not
always on the best path, a second search continues with several designs (`WIDTHS`). Only the model
decides, unless measured rows contradict it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from axiometer.advice.fabric import usual_bursts, usual_ports
from axiometer.answer.analysis import accelerators, stats
from axiometer.base.errors import AxiometerError, BadValueError
from axiometer.experiment import keys_qos
from axiometer.experiment.keys import KEYS, Given, checked
from axiometer.experiment.keys_processor import AT_MEMORY
from axiometer.experiment.points import Point
from axiometer.experiment.run_length import Length
from axiometer.experiment.values import Values, having
from axiometer.platform import MAPPINGS, Platform
from axiometer.published import anchors, bands, claims, measured
from axiometer.published.anchors import Anchored
from axiometer.published.bands import Band
from axiometer.published.claims import Claim
from axiometer.published.measured import Measurement
from axiometer.records import laws
from axiometer.simulate import run
from axiometer.simulate.scenario import Scenario

OBJECTIVES = ("total", "minimum")
SEARCH_S, FINAL_S = 0.0008, 0.003  # simulated time of a candidate, and of a shown step
FINAL_REPEATS = 3
WIDTHS = (1, 3)  # designs with which a round continues, for each search
WORTH = 0.005  # least gain of the objective for a step
LIMITS = (2, 4, 8, 16, 32, 63)  # outstanding bursts


@dataclass(frozen=True)
class Design:
    """The first point with `changes`: keys of an experiment, and "qos.PORT.DIRECTION"."""

    changes: tuple[tuple[str, object], ...] = ()

    def having(self, change: Mapping[str, object]) -> Design:
        """This design with `change` laid over it."""
        return Design(tuple(sorted({**dict(self.changes), **change}.items())))

    def without(self, name: str) -> Design:
        """This design without the change of `name`; "qos" means all classes."""
        return Design(tuple((k, v) for k, v in self.changes if k.split(".")[0] != name))


@dataclass(frozen=True)
class Outcome:
    """Simulated results: total MB/s and MB/s by port; `work`: figures of accelerators, or {}."""

    design: Design
    total: float
    by_port: Mapping[str, float]
    work: Mapping[str, float | None]

    def score(self, objective: str) -> tuple[float, float]:
        """By the objective, larger is better."""
        least = min(self.by_port.values())
        return (self.total, least) if objective == "total" else (least, self.total)


@dataclass
class Improvement:
    """A search on `platform` from `point`. `also`: values to try by key, instead of the default
    ones; `fixed`: keys that do not change ("qos": all classes). `refuted`: designs that would be
    the best, but that measurements contradict."""

    platform: Platform
    point: Point
    objective: str = "minimum"
    also: Mapping[str, Sequence[object]] = field(default_factory=dict)
    fixed: Sequence[str] = ()
    tried: int = 0
    refuted: dict[Design, Claim] = field(default_factory=dict)
    _known: dict[tuple[Design, float], Outcome] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.point.values["master"] not in AT_MEMORY:
            raise AxiometerError(
                f"master {self.point.values['master']!r} is on the processor's side",
                remedy="give --transfer-bytes or --packets for it",
            )

    def run(self, say: Callable[[str], None] = lambda _: None) -> list[Outcome]:
        """The first design and the design after each step, the best last; leaving out any of its
        changes loses something."""
        found = [self._search(width, say) for width in WIDTHS]
        best = max(found, key=lambda path: self._score(path[-1]))
        steps = [self.outcome(design, FINAL_S, FINAL_REPEATS) for design in best]
        while True:
            without = [outcome for _, outcome in self.reasons(steps[-1])]
            last = steps[-1]
            good = [
                o
                for o in without
                if o.score(self.objective) >= last.score(self.objective)
                or self.claim(o.design, last.design).is_refuted
            ]
            plainer = max(good, key=lambda o: o.score(self.objective), default=None)
            if plainer is None:
                return steps
            steps.append(plainer)

    def _search(self, width: int, say: Callable[[str], None]) -> list[Design]:
        beam = [[Design()]]
        best = beam[0]
        while True:
            reached: dict[Design, list[Design]] = {}
            for path in beam:
                for change in self._moves(path[-1]):
                    design = path[-1].having(change)
                    reached.setdefault(design, [*path, design])
            ranked = sorted(reached.values(), key=lambda path: self._score(path[-1]), reverse=True)
            ranked = self._not_refuted(ranked)
            if not ranked or self._gain(ranked[0][-1], best[-1]) < WORTH:
                return best
            beam = ranked[:width]
            best = beam[0]
            say(f"{changed(best[-1], Design())}: {self._words(best[-1])}")

    def _not_refuted(self, ranked: list[list[Design]]) -> list[list[Design]]:
        """Without designs whose gain over the one before, or over the first, measured rows
        contradict."""
        kept = []
        for path in ranked:
            found = [self.claim(at, path[-1]) for at in dict.fromkeys((path[-2], path[0]))]
            bad = next((claim for claim in found if claim.is_refuted), None)
            if bad is None:
                kept.append(path)
            elif not kept and bad.simulated > WORTH:  # it would have been the best
                self.refuted.setdefault(path[-1], bad)
        return kept

    def measured(self, design: Design) -> list[Measurement]:
        """The measurements of a design."""
        return measured.of_point(self.platform, self.values(design))

    def claim(self, before: Design, after: Design) -> Claim:
        """The claim that `after` is better than `before`."""
        rates = self._score(before)[0], self._score(after)[0]
        figure = claims.total if self.objective == "total" else claims.slowest
        return claims.claim(*rates, self.measured(before), self.measured(after), figure)

    def _score(self, design: Design) -> tuple[float, float]:
        return self.outcome(design).score(self.objective)

    def _gain(self, design: Design, before: Design) -> float:
        return self._score(design)[0] / max(self._score(before)[0], 1e-9) - 1

    def _words(self, design: Design) -> str:
        return f"{self.outcome(design).total:.0f} MB/s ({self.tried} designs simulated)"

    def given(self) -> Outcome:
        """The unchanged point, simulated as long as the results of `run`."""
        return self.outcome(Design(), FINAL_S, FINAL_REPEATS)

    def reasons(self, winner: Outcome) -> list[tuple[str, Outcome]]:
        """The gain of each change of the winner: the winner without it."""
        return [
            (name, self.outcome(winner.design.without(name), FINAL_S, FINAL_REPEATS))
            for name in dict.fromkeys(key.split(".")[0] for key, _ in winner.design.changes)
        ]

    def band(self, outcome: Outcome) -> Band | None:
        """The band of a design's total; None if no rows are like it."""
        return bands.of_total(self.platform, self.values(outcome.design), outcome.total)

    def anchored(self, outcome: Outcome) -> Anchored | None:
        """The total of a design, corrected by measurements near it; None if there are none, and for
        transfers, whose start is not simulated here."""
        values = self.values(outcome.design)
        if values.get("transfer_bytes") is not None:
            return None
        return anchors.of(self.platform, values, outcome.total)

    def values(self, design: Design) -> Values:
        """All keys of `design`, as values of a point."""
        qos = {port: dict(of) for port, of in (self.point.values.get("qos") or {}).items()}
        changes: dict[str, object] = {}
        for name, value in design.changes:
            if name.startswith("qos."):
                _, port, direction = name.split(".")
                qos.setdefault(port, {})[direction] = str(value)
            else:
                changes[name] = list(value) if isinstance(value, tuple) else value
        values = having(self.point.values, changes)
        values["burst_beats"] = values["burst_bytes"] * 8 // values["width_bits"]
        values["qos"] = qos or None
        return values

    def _moves(self, at: Design) -> Iterator[dict[str, object]]:
        """Every single change; classes also change for all ports together."""
        now = self.values(at)
        has: Mapping[str, object] = {**now}
        for name, choices in {**self._choices(now), **self.also}.items():
            for choice in map(_given, choices):
                if choice != _given(has[name]):
                    yield {name: choice}
        has_qos = all(self.platform.has(f"qos.{port}.mode") for port in now["ports"])
        if not has_qos or "qos" in self.fixed:
            return
        for level in keys_qos.CLASSES:
            for ports in (now["ports"], *([port] for port in now["ports"])):
                for directions in (keys_qos.DIRECTIONS, ("read",), ("write",)):
                    yield {f"qos.{p}.{d}": level for p in ports for d in directions}

    def _choices(self, now: Values) -> dict[str, list[object]]:
        ports = usual_ports(self.platform)
        found: dict[str, list[object]] = {
            "ports": [*combinations(ports, len(now["ports"]))],
            "burst_bytes": list(usual_bursts(self.platform)),
            "outstanding_read": list(LIMITS),
            "outstanding_write": list(LIMITS),
            "mapping": list(MAPPINGS),
        }
        if now["master"] == "convolution":
            found["fill"] = list(keys_qos.FILLS)
        return {name: v for name, v in found.items() if name not in (*self.also, *self.fixed)}

    def outcome(self, design: Design, duration_s: float = SEARCH_S, repeats: int = 1) -> Outcome:
        """The design, simulated for `duration_s`, the mean over `repeats`."""
        if (design, duration_s) not in self._known:
            self.tried += 1
            self._known[design, duration_s] = self._simulate(design, duration_s, repeats)
        return self._known[design, duration_s]

    def _simulate(self, design: Design, duration_s: float, repeats: int) -> Outcome:
        length = Length(duration_s, until_settled=True).values()
        values = having(self.values(design), {**length, "transfer_bytes": None})
        scenario = Scenario.of(self.platform, values)
        records = [run.repeat(scenario, 0, repeat) for repeat in range(repeats)]
        laws.check(self.platform, replace(self.point, key={}, values=values), records)
        summary = stats.summarise(records)
        rates = {port: of["total_MBps"]["mean"] for port, of in summary["by_port"].items()}
        work: Mapping[str, float | None] = {}
        if values["master"] == "convolution":
            work = accelerators.figures(summary, accelerators.dram_peak(self.platform))
        return Outcome(design, summary["total_MBps"]["mean"], rates, work)


def changed_point(platform: Platform, point: Point, settings: Mapping[str, object]) -> Point:
    """`point` with keys of an experiment, values as in a file; AxiometerError for bad values."""
    values = point.values
    for name, value in settings.items():
        given = checked(name, Given(value, f"--set {name}={value}"))
        if name not in values:
            raise given.error(f"{name} is not a property of a design", f"remove {name}")
        try:
            values = having(values, {name: KEYS[name].parse(given.value, platform, values)})
        except BadValueError as bad:
            raise given.error(bad.message, bad.remedy) from None
    return replace(point, values=values)


def _given(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def changed(design: Design, before: Design) -> str:
    """The differences of `design` from `before`, in words; equal classes are joined."""
    old = dict(before.changes)
    new = {k: v for k, v in design.changes if k not in old or old[k] != v}
    words = []
    for name, value in new.items():
        if not name.startswith("qos."):
            words.append(f"{name} = {'+'.join(value) if isinstance(value, tuple) else value}")
    for level in dict.fromkeys(v for k, v in new.items() if k.startswith("qos.")):
        of = [k.removeprefix("qos.") for k, v in new.items() if k.startswith("qos.") and v == level]
        words.append(f"{level} for {', '.join(of)}")
    kept = dict(design.changes)
    words += [f"without {name}" for name in dict.fromkeys(k.split(".")[0] for k in old)
              if not any(k.split(".")[0] == name for k in kept)]  # fmt: skip
    return "; ".join(words)
