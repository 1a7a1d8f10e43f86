"""Experiments that are measured on a board, beside the model and published figures."""

from __future__ import annotations

import hashlib
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from axiometer.api.runs import Run, laid_over
from axiometer.base import input_bounds
from axiometer.base.errors import AxiometerError
from axiometer.bringup.doctor import expected
from axiometer.experiment import Experiment
from axiometer.present import board_beside
from axiometer.present.text import Style
from axiometer.published import contributed
from axiometer.records.store import RunData, Store, opened
from axiometer.runs.agent import Client
from axiometer.runs.agent.lines import open_line
from axiometer.runs.backends import model
from axiometer.runs.board.session import Measurement, Target

_MODEL_REPEATS = 3
_ANSWER_S = 60.0  # a board fills much memory before it answers
_MOST_PATIENCE_S = 86400
Say = Callable[[str], None]


class Measured(Run):
    """A run on a board or an emulated board. Rates in MB/s (1e6 bytes a second)."""

    @cached_property
    def simulated(self) -> dict[int, float]:
        """The mean rate of the model at each finished point, by its index; simulated at first
        access."""
        wanted = {point.index for point in self.data.points}
        found = {}
        for point in self.data.experiment.points():
            if point.index in wanted:
                count = min(point.values["repeats"], _MODEL_REPEATS)
                seed = point.values["seed"]
                records = model.run_repeats(self.data.platform, point, seed, 0, count)
                found[point.index] = statistics.fmean(record["total_MBps"] for record in records)
        return found

    def rows(self) -> list[dict[str, object]]:
        """One mapping a point, as in `axiometer export`, and the rate of the model."""
        each = zip(super().rows(), self.view.rows, strict=True)
        return [{**row, "model_MBps": self.simulated.get(of.index)} for row, of in each]

    def lines(self, style: Style) -> list[str]:
        """The output of `axiometer measure`, before it is fitted to a width."""
        return [
            *board_beside.lines(self.view, self.simulated, style),
            f"Stored as {self.id}: axiometer show, compare, explain, report, export",
        ]

    @property
    def text(self) -> str:
        """The output of `axiometer measure`."""
        style = Style()
        return style.fit(self.lines(style))

    def to_dict(self) -> dict[str, object]:
        """The output of `axiometer measure --json`."""
        return board_beside.document(self.view, self.simulated)

    def write_rows(self, path: str | Path) -> None:
        """Write the rows for others (contrib/), as `--rows`. AxiometerError if it cannot be
        written, or if rows cannot state the points."""
        contributed.write(Path(path), self.data)


def measure(
    target: str,
    experiment: str | Path | Experiment,
    *,
    set: Mapping[str, object] | None = None,
    ports: str | Sequence[str] | None = None,
    project: str | Path | None = None,
    bitstream: str | Path | None = None,
    patience_s: float = 120.0,
    store: str | Path | None = None,
    resume: bool = False,
    say: Say = lambda _: None,
) -> Measured:
    """Run an experiment on a board that has a design of `axiometer build`, and save its records.

    `target` is the line to the agent: "ssh:USER@HOST", "serial:/dev/ttyUSB1", "tcp:HOST:PORT",
    "pipe:COMMAND", "jtag:COMMAND". `experiment`, `set`, `store` and `resume` are those of
    `axm.run`. `ports` of the processor system are those of the loaded design, in its order
    ("HP0+HP1"; None: those of `project`, a directory of `axiometer build`, else the first). The run
    keeps the hash of `bitstream`, the loaded file. `patience_s`: seconds to wait for a board that
    restarts. `say` is called with lines about the progress.

    AxiometerError if a value is bad, the board does not answer, or the design can run no point;
    after a fault measured points stay stored, and `resume` continues with them.
    """
    named = ports.split("+") if isinstance(ports, str) else ports
    files = [None if file is None else Path(file) for file in (project, bitstream)]
    on = OnBoard(named, files[0], files[1], patience_s)
    return Measured(measured(target, laid_over(experiment, set), on, store, resume, say))


@dataclass(frozen=True)
class OnBoard:
    """The design on a board, and the seconds to wait for the board; see `measure`."""

    ports: Sequence[str] | None = None
    project: Path | None = None
    bitstream: Path | None = None
    patience_s: float = 120.0


def measured(
    name: str,
    experiment: Experiment,
    on: OnBoard,
    store: str | Path | None,
    resume: bool,
    say: Say,
    quiet: bool = True,
) -> RunData:
    """The run of `experiment` on the target `name`: the points that fit its design. Unless `quiet`,
    a progress line is shown."""
    with opened.to_keep(store) as kept, _target(on, name, experiment) as at:
        return _run(kept, experiment, at, resume, quiet, say)


@contextmanager
def _target(on: OnBoard, name: str, experiment: Experiment) -> Iterator[Target]:
    """The agent at the line `name`, until the block ends."""
    if not 0 <= on.patience_s <= _MOST_PATIENCE_S:
        raise AxiometerError(
            f"the patience is {on.patience_s:g} s", remedy=f"give 0 to {_MOST_PATIENCE_S} seconds"
        )
    ports, bitstream = _ports(on, experiment), _hash(on.bitstream)
    with Client(open_line(name), _ANSWER_S) as client:
        yield Target(client, name, ports, on.patience_s, bitstream)


def _ports(on: OnBoard, experiment: Experiment) -> tuple[str, ...]:
    """The ports of the processor system in the order of the design; none if not given."""
    if on.ports is not None:
        return tuple(port.strip() for port in on.ports)
    if on.project is None:
        return ()
    named = expected.of_project(on.project).widths or ()
    return tuple(name for name in named if name in experiment.platform.ports)


def _hash(file: Path | None) -> str:
    if file is None:
        return ""
    return hashlib.sha256(input_bounds.read(file, example="the bitstream")).hexdigest()


def _run(
    kept: Store,
    experiment: Experiment,
    target: Target,
    resume: bool,
    quiet: bool,
    say: Callable[[str], None],
) -> RunData:
    session = Measurement(kept, experiment, target, resume, say)
    for line in _beginning(session):
        say(line)
    try:
        return session.execute(quiet)
    except (KeyboardInterrupt, AxiometerError) as error:
        notes = _kept(kept, session)
        if isinstance(error, KeyboardInterrupt):
            raise KeyboardInterrupt(notes) from None
        error.remedy = "\n  ".join(filter(None, (error.remedy, notes)))
        raise


def _kept(kept: Store, session: Measurement) -> str:
    """What the store has of an unfinished run."""
    try:
        done = len(kept.finished(session.run))
        begun = sum(map(len, kept.repeats(session.run).values()))
        if not done and not begun and kept.discard(session.run):
            return "nothing was stored"
    except AxiometerError:
        return "list the stored runs with: axiometer list runs"
    return (
        f"{done} of {len(session.points)} points and {begun} repeats of others are stored in "
        f"{session.run}: continue with --resume"
    )


def _beginning(session: Measurement) -> list[str]:
    goes = "continues" if session.resumed else "starts"
    lines = [f"{session.run} {goes} on {session.target.name}: {len(session.todo)} points to run"]
    if session.agent["emulated"]:
        lines.append("emulated board: its rates are not figures of any chip")
    reasons: dict[str, int] = {}
    for why in session.others.values():
        reasons[why] = reasons.get(why, 0) + 1
    lines += [
        f"not possible on the loaded design: {count} point{'s' * (count > 1)}; {why}"
        for why, count in reasons.items()
    ]
    if reasons:
        lines.append("load another design (axiometer build) and continue with --resume")
    return lines
