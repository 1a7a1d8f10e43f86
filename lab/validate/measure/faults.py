"""Faults of line, board and user on an emulated Zynq-7000, each survived or reported."""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests import bad_lines

from axiometer.base import standard_streams
from axiometer.base.errors import AxiometerError
from axiometer.bringup import targets
from axiometer.bringup.vm import bare
from axiometer.experiment import Experiment
from axiometer.records.store import Store
from axiometer.runs.agent import Client
from axiometer.runs.agent.conversation import Transport
from axiometer.runs.board.session import Measurement, Target
from validate.measure.boards import Emulator, Kind, emulator

AT_LINE = 110  # that the host sends: repeats are kept, and one is under way
LONG_S, SHORT_S = 300.0, 60.0


@dataclass(frozen=True)
class Fault:
    """row: of the table. right: it was survived, or reported with nothing lost."""

    row: str
    right: bool


class At:
    """A line on which something happens after AT_LINE commands."""

    def __init__(self, board: Emulator, happens: Callable[[Emulator], None]) -> None:
        self.board, self.happens, self.sent = board, happens, 0
        self.lossy = board.line.lossy

    def send(self, line: bytes) -> None:
        self.sent += 1
        if self.sent == AT_LINE:
            self.happens(self.board)
        self.board.line.send(line)

    def receive(self, timeout_s: float) -> bytes | None:
        return self.board.line.receive(timeout_s)

    def close(self) -> None:
        self.board.line.close()

    def reopen(self) -> None:
        self.board.line.reopen()  # type: ignore[attr-defined]


def all_of(made: Experiment) -> Iterator[Fault]:
    """All of them, on one emulated board after the other."""
    kind = Kind(bare.chips()[0])
    yield _one(made, kind, "the line is cut and comes back", _cut, survived=True)
    yield _one(made, kind, "the board restarts", Emulator.restart, survived=True)
    yield _one(made, kind, "the board hangs", _hang, survived=False)
    yield _one(made, kind, "the board is switched off", Emulator.stop, survived=False)
    what = "0.1 % of all bytes are damaged or lost"
    yield _one(made, kind, what, _nothing, survived=True, noise=0.001)
    yield _wrong(made, kind)


def _nothing(board: Emulator) -> None:
    pass


def _cut(board: Emulator) -> None:
    board.line.close()


def _hang(board: Emulator) -> None:
    os.kill(board.process._process.pid, signal.SIGSTOP)


def _one(
    made: Experiment,
    kind: Kind,
    what: str,
    happens: Callable[[Emulator], None],
    survived: bool,
    noise: float = 0.0,
) -> Fault:
    standard_streams.tell(what)
    (design,) = targets.designs(made)
    with emulator(kind, "TCP", design) as board, tempfile.TemporaryDirectory() as work:
        line: Transport = At(board, happens)
        bare.wait(Client(board.line))
        if noise:
            line = bad_lines.Noisy(line, bad_lines.noise(noise, 5))
        with Store(Path(work) / "runs.db", create=True) as store:
            client = Client(line, LONG_S if survived else SHORT_S)
            patience = LONG_S if survived else 5.0
            target = Target(client, "proof", patience_s=patience)
            session = Measurement(store, made, target, say=standard_streams.tell)
            try:
                run = session.execute()
            except AxiometerError as error:
                kept = sum(map(len, store.repeats(session.run).values()))
                row = f"| {what} | reported: {error.message}; {kept} repeats are saved |"
                return Fault(row, not survived and kept > 0)
            repeats = sum(len(point.records) for point in run.points)
            again = "; ".join(session_words(session))
            return Fault(f"| {what} | survived: {repeats} repeats{again} |", survived)


def session_words(session: Measurement) -> list[str]:
    damaged = session.target.client.damaged
    return [f", {damaged} damaged answers were requested again"] if damaged else []


def _wrong(made: Experiment, kind: Kind) -> Fault:
    """A bitstream of another clock."""
    (design,) = targets.designs(made)
    what = "the bitstream is of another design"
    other = Experiment.load(made.name, ["transfer_bytes=1KiB", "mode=ps_to_pl", "ports=HP0"])
    with emulator(kind, "TCP", design) as board, tempfile.TemporaryDirectory() as work:
        bare.wait(Client(board.line))
        with Store(Path(work) / "runs.db", create=True) as store:
            try:
                Measurement(store, other, Target(Client(board.line, LONG_S), "proof"))
            except AxiometerError as error:
                return Fault(f"| {what} | reported: {error.message} |", "MODE=1" in error.message)
    return Fault(f"| {what} | taken for the right one |", False)
