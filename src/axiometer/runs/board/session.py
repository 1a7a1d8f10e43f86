"""Runs an experiment on a board to its end, across faults of the line and restarts of the board.

Points take turns: repeat 0 of each, then repeat 1 of each, so that drift affects all alike. Each
repeat is saved immediately. After a start of the agent everything is set up again, and each point
runs once without being saved. `Target` has the line; `say` prints messages.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.base.record import BOARD, EMULATED, Record
from axiometer.experiment import Experiment
from axiometer.experiment.points import Point
from axiometer.records import laws
from axiometer.records.store import RunData, Store
from axiometer.runs.agent.client import Client
from axiometer.runs.agent.conversation import LineLostError, RestartedError, SilentAgentError
from axiometer.runs.agent.replies import AgentError, Line
from axiometer.runs.board import design
from axiometer.runs.board.bench import Bench, surroundings
from axiometer.runs.board.design import Loaded
from axiometer.runs.runner import cost, provenance, spec_of
from axiometer.runs.runner.progress import Progress

ASK_S = 5.0  # for an answer of an agent that may be starting
PAUSE_S = 1.0  # between two attempts to reach it
_TRIES = 5  # of one repeat that the board interrupts


@dataclass(frozen=True)
class Target:
    """The board. ports: of the design, in its order, from the user. patience_s: for a board that
    restarts, or a line that returns. bitstream: a hash of its file, if known. name: of the line."""

    client: Client
    name: str
    ports: Sequence[str] = ()
    patience_s: float = 120.0
    bitstream: str = ""


class Measurement:
    """A run: `run` is its id, `points` all of the experiment, `todo` the unfinished points that the
    loaded design can run; `others` has the reason for each point that it cannot run."""

    def __init__(
        self,
        store: Store,
        experiment: Experiment,
        target: Target,
        resume: bool = False,
        say: Callable[[str], None] = lambda text: None,
    ) -> None:
        """Begin a run, or with `resume` continue the latest unfinished one. AxiometerError if the
        board does not answer, or if it can run no point."""
        self.store, self.experiment, self.target, self.say = store, experiment, target, say
        self.platform = experiment.platform
        self.points = experiment.points()
        self.bench, self.loaded, self.agent = self._begin()
        self._since = time.monotonic()
        self.backend = EMULATED if self.agent["emulated"] else BOARD
        reasons = {
            point.index: design.lacks(self.loaded, self.platform, point.values)
            for point in self.points
        }
        self.others = {index: why for index, why in reasons.items() if why is not None}
        if len(self.others) == len(self.points):
            raise AxiometerError(
                f"the loaded design can run no point: {next(iter(self.others.values()))}",
                remedy="write the project of another design with axiometer build",
                status=RUN_FAILED,
            )
        self._warm: set[int] = set()
        made_by = self._made_by()
        spec = spec_of(experiment, self.points, made_by)
        unfinished = store.go_on(experiment.name, spec) if resume else None
        self.resumed = unfinished is not None
        count = len(self.points)
        self.run = unfinished or store.begin(experiment, self.backend, spec, count, made_by)
        done = store.finished(self.run)
        self.todo = [p for p in self.points if p.index not in done and p.index not in self.others]

    def execute(self, quiet: bool = True) -> RunData:
        """Run the missing repeats; returns the whole run. AxiometerError if the board fails for
        good, or the store cannot be written; saved repeats stay, and `resume` continues with
        them."""
        kept = self.store.repeats(self.run)
        total = sum(cost(point) * point.values["repeats"] for point in self.todo)
        done = len(self.points) - len(self.todo) - len(self.others)
        progress = Progress(len(self.points) - len(self.others), done, total, quiet)
        try:
            for repeat in range(max((p.values["repeats"] for p in self.todo), default=0)):
                for point in self.todo:
                    mine = kept.setdefault(point.index, {})
                    if repeat < point.values["repeats"] and repeat not in mine:
                        mine[repeat] = self._repeat(point, repeat)
                    last = repeat == point.values["repeats"] - 1
                    if last:
                        self._finish(point, [mine[n] for n in sorted(mine)])
                    progress.add(cost(point), 0.0, int(last))
        except BaseException:
            with suppress(AxiometerError):
                self.target.client.stop()
            raise
        finally:
            progress.close()
            self.store.end(self.run)
        return self.store.load(self.run)

    def _made_by(self) -> dict[str, object]:
        seed = self.points[0].values["seed"]
        made_by = provenance.collect(self.experiment, self.backend, seed, 1)
        around = surroundings(self.target.client)
        words = {"target": self.target.name, "agent": str(self.agent["target"])}
        words |= {"design": self.loaded.name, "bitstream": self.target.bitstream}
        words |= {name: str(around[name]) for name in ("model", "kernel") if name in around}
        return made_by | {name: word for name, word in words.items() if word}

    def _begin(self) -> tuple[Bench, Loaded, dict[str, object]]:
        """Everything that is read from the agent after its start."""
        client = self.target.client
        greeting = dict(self._greeted())
        client.reset()
        about = client.capabilities()
        found = design.loaded(about, self.platform, self.target.ports)
        emulated = bool(greeting.get("emulated"))
        return Bench(client, found, self.platform, emulated), found, dict(greeting)

    def _greeted(self) -> Line:
        """The answer to hello. Stops a run that a vanished host has left."""
        client, until = self.target.client, time.monotonic() + self.target.patience_s
        while True:
            try:
                return client.hello()
            except AgentError as error:
                if error.code != "busy" or time.monotonic() > until:
                    raise
                client.stop()
                time.sleep(0.1)

    def _repeat(self, point: Point, repeat: int) -> Record:
        for left in reversed(range(_TRIES)):
            try:
                if point.index not in self._warm:
                    self.bench.run(point, repeat)
                    self._warm.add(point.index)
                record = self.bench.run(point, repeat)
                kept = laws.LAWS if self.backend == BOARD else laws.OF_NO_CHIP
                laws.check(self.platform, point, [record], kept=kept)
                self.store.keep_repeat(self.run, point, record)
                return record
            except AxiometerError as error:
                if not left or not self._recovered(error):
                    error.status = RUN_FAILED
                    raise
        raise AssertionError

    def _recovered(self, error: AxiometerError) -> bool:
        """Whether the board was at fault, and answers again."""
        client = self.target.client
        if not isinstance(error, LineLostError | RestartedError | SilentAgentError):
            try:
                client.check_session()
            except (LineLostError, RestartedError, SilentAgentError):
                pass
            else:
                return False  # the agent has not restarted: its answer is final
        self.say(f"{error.message}; waiting for the board")
        before = self.loaded.name
        self._wait(error)
        self.bench, self.loaded, greeting = self._begin()
        self._warm.clear()
        if self.loaded.name != before:
            raise AxiometerError(
                "the board returned with another design",
                remedy="load the previous bitstream, and continue with --resume",
                status=RUN_FAILED,
            )
        if bool(greeting.get("emulated")) != (self.backend == EMULATED):
            raise AxiometerError("another target answers now", status=RUN_FAILED)
        self.say("the agent answers again; everything is set up again")
        return True

    def _wait(self, error: AxiometerError) -> None:
        """Wait until the agent answers hello. Raises `error` after `patience_s`."""
        client = self.target.client
        until = time.monotonic() + self.target.patience_s
        usual, client.timeout_s = client.timeout_s, ASK_S
        try:
            while True:
                try:
                    client.hello()
                    return
                except AxiometerError:
                    if time.monotonic() > until:
                        error.status = RUN_FAILED
                        raise error from None
                    time.sleep(PAUSE_S)
        finally:
            client.timeout_s = usual

    def _finish(self, point: Point, records: list[Record]) -> None:
        now = time.monotonic()
        self.store.save(self.run, point, records, now - self._since)
        self._since = now
