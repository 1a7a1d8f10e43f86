"""A search of changes from a start: a list of masters on a board, as a point's or a design's.

Each change is simulated alone: all for a short time, the best of them longer, and the best of each
kind in full (`trials`). Then the best is changed further, round by round, while that gains
(`steps`): a round tries the kinds of change from the better half of the last round. As the best
first step is not always on the best path, a round continues from several. Changes that measured
rows refute are no trials and no steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from axiometer.answer.trials.runner import FINAL, SCREEN, SEARCH, Effort, Found, Runner
from axiometer.answer.trials.trial import Change, Outcome, Trial, ranked
from axiometer.base.errors import AxiometerError
from axiometer.platform import Platform
from axiometer.published.claims import WORTH
from axiometer.simulate.scenario import Scenario

SHOWN = 5
"""Changes that are simulated in full."""
LEFT = 12
"""Changes of a round that are simulated longer."""
WIDTH = 2
"""Paths from which a round continues."""

Path = tuple[Change, ...]


class Start(Protocol):
    """What is changed."""

    @property
    def platform(self) -> Platform:
        """The board."""

    def having(self, keys: Mapping[str, object]) -> Start:
        """It with these keys. AxiometerError where it is impossible."""

    def scenario(self) -> Scenario:
        """All its masters. AxiometerError where they cannot be simulated."""

    def changes(self) -> Iterator[Change]:
        """The changes to try."""


@dataclass
class Search:
    """The changes of `start` that raise `objective`. After `run`: `trials`, single changes, the
    best first; `steps`, the best and what it is changed to further, each with all changes so far;
    `refuted`: trials that measured rows contradict."""

    start: Start
    objective: str = "total"
    runner: Runner = field(default_factory=Runner)
    trials: tuple[Trial, ...] = ()
    steps: tuple[Trial, ...] = ()
    refuted: tuple[Trial, ...] = ()
    tried: int = 0
    before: Outcome = field(init=False)

    def run(self, say: Callable[[str], None] = lambda _: None) -> Search:
        """Find them. AxiometerError if the start cannot be simulated."""
        self.before = self.outcome((), FINAL)
        every: list[Path] = [(change,) for change in self.start.changes()]
        say(f"{len(every)} changes to try")
        found = self._better(every, ())
        kinds: dict[tuple[str, ...], Path] = {}
        for path in found:
            kinds.setdefault(path[0].kind, path)
        singles = [self.trial(path) for path in [*kinds.values()][:SHOWN]]
        self.trials = self._kept(singles)
        self.steps = tuple(self._further(say)) if self.trials else ()
        say(f"{self.tried} changes simulated")
        return self

    def _kept(self, trials: Sequence[Trial]) -> tuple[Trial, ...]:
        sure = [trial for trial in trials if trial.is_sure and trial.simulated > WORTH]
        self.refuted += tuple(trial for trial in sure if trial.claim.is_refuted)
        return ranked(trial for trial in sure if trial.helps)

    def _further(self, say: Callable[[str], None]) -> Iterator[Trial]:
        last = self.trials[0]
        yield last
        beam = [trial.changes for trial in self.trials[:WIDTH]]
        kinds: set[tuple[str, ...]] | None = None
        while True:
            say(f"{last.after.total:.0f} MB/s ({self.tried} changes simulated)")
            paths = [
                extended(path, change)
                for path in beam
                for change in self._at(path).changes()
                if (kinds is None or change.kind in kinds) and not _has(path, change)
            ]
            found = self._better(paths, last.changes)
            tops = [path[-1].kind for path in found]
            kinds = set(tops[: max(LEFT, len(tops) // 2)])
            following = next(self._worth(found[:WIDTH], last), None)
            if following is None:
                break
            last = following
            yield last
            beam = [last.changes, *(p for p in found[:WIDTH] if p != last.changes)][:WIDTH]
        yield from self._plainer(last)

    def _worth(self, paths: Sequence[Path], last: Trial) -> Iterator[Trial]:
        """Trials of those paths that gain over the last step, and over the start."""
        for path in paths:
            trial = self.trial(path)
            step = Trial(path, last.after, trial.after, self.objective)
            if step.claim.is_refuted or trial.claim.is_refuted:
                self.refuted += (trial,)
            elif step.simulated > WORTH:
                yield trial

    def _plainer(self, last: Trial) -> Iterator[Trial]:
        """The last step without changes that it does as well without."""
        while True:
            score = last.after.score(self.objective)
            as_good = [t for _, t in self.without(last) if t.after.score(self.objective) >= score]
            if not as_good:
                return
            last = max(as_good, key=lambda trial: trial.after.score(self.objective))
            yield last

    def without(self, last: Trial) -> list[tuple[Change, Trial]]:
        """A trial of several changes without each of them; those that cannot be simulated are left
        out."""
        found = []
        for change in last.changes if len(last.changes) > 1 else ():
            try:
                path = tuple(of for of in last.changes if of is not change)
                found.append((change, self.trial(path)))
            except AxiometerError:
                continue
        return found

    def trial(self, path: Path) -> Trial:
        """These changes in full. AxiometerError where they cannot be simulated."""
        return Trial(path, self.before, self.outcome(path, FINAL), self.objective)

    def outcome(self, path: Path, effort: Effort) -> Outcome:
        """The start with these changes. AxiometerError where it cannot be simulated."""
        (found,) = self._outcomes([path], effort)
        if isinstance(found, AxiometerError):
            raise found
        return found

    def _better(self, paths: Sequence[Path], than: Path) -> list[Path]:
        """Those that gain over the path `than`, the best first."""
        for effort, left, worth in ((SCREEN, LEFT, 0.0), (SEARCH, len(paths), WORTH)):
            least, _ = self.outcome(than, effort).score(self.objective)
            found = [
                (of.score(self.objective), path)
                for path, of in zip(paths, self._outcomes(paths, effort), strict=True)
                if not isinstance(of, AxiometerError)
            ]
            found = [of for of in found if of[0][0] > least * (1 + worth)]
            paths = [path for _, path in sorted(found, key=lambda of: of[0], reverse=True)][:left]
        return list(paths)

    def _at(self, path: Path) -> Start:
        at = self.start
        for change in path:
            at = at.having(change.keys)
        return at

    def _outcomes(self, paths: Sequence[Path], effort: Effort) -> list[Outcome | AxiometerError]:
        self.tried += len(paths)
        made = [self._scenario(path) for path in paths]
        good = [of for of in made if not isinstance(of, AxiometerError)]
        done = iter(self.runner.records(good, effort))
        return [of if isinstance(of, AxiometerError) else _outcome(of, next(done)) for of in made]

    def _scenario(self, path: Path) -> Scenario | AxiometerError:
        try:
            scenario = self._at(path).scenario()
            for change in path:
                acted = change.act(scenario) if change.act is not None else scenario
                if acted is None:
                    return AxiometerError("there is nothing to change")
                scenario = acted
        except AxiometerError as error:
            return error
        return scenario


def _outcome(of: Scenario, records: Found) -> Outcome | AxiometerError:
    if isinstance(records, AxiometerError):
        return records
    totals = tuple(record["total_MBps"] for record in records)
    return Outcome(of.platform, of.values, totals, records)


def _has(path: Path, change: Change) -> bool:
    return any(of.kind == change.kind and of.keys == change.keys for of in path)


def extended(path: Path, change: Change) -> Path:
    """The path with a further change, in place of one of its kind."""
    return (*(of for of in path if of.kind != change.kind), change)
