"""`axiometer measure` on emulated boards: the agent as built for ARM and AArch64, Linux and
bare metal, behind each kind of line, against the verilated design.

Usage: python -m validate.measure [--faults] [--write] [NAME...]
Each must have the counts of `--backend rtl` for `zybo-hp-bandwidth` at a small size, with 0.1 % of
all bytes damaged or lost on lines that may. --faults: other faults of line and board, on one of
them. NAME: only kinds of boards whose names begin with it. --write: docs/measure.md. Exit status 1
if one fails; boards without their tools are left out with a message.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests import bad_lines

from axiometer.base import standard_streams
from axiometer.base.errors import AxiometerError
from axiometer.base.record import EMULATED, Record
from axiometer.bringup import targets
from axiometer.bringup.vm import bare
from axiometer.experiment import Experiment
from axiometer.records.store import RunData, Store
from axiometer.runs.agent import Client
from axiometer.runs.agent.conversation import Transport
from axiometer.runs.backends import rtl
from axiometer.runs.board.session import Measurement, Target
from validate import marks
from validate.measure import faults
from validate.measure.boards import CARRIERS, Kind, emulator, kinds

PAGE = Path("docs/measure.md")
COMMAND = "python -m validate.measure --write"
SETTINGS = ("transfer_bytes=1KiB", "width_bits=64", "mode=duplex", "repeats=2")
PORTS = "ports=HP0,HP0+HP2,HP0+HP1+HP2+HP3"
NOISE = 0.001
ANSWER_S = 600.0


def experiment() -> Experiment:
    return Experiment.load("zybo-hp-bandwidth", [*SETTINGS, PORTS])


def measured(line: Transport, made: Experiment) -> tuple[RunData, Measurement]:
    """A run on the agent behind `line`, in a store that is thrown away."""
    client = Client(line, ANSWER_S)
    with (
        tempfile.TemporaryDirectory(prefix="axm-measure-") as work,
        Store(Path(work) / "runs.db", create=True) as store,
    ):
        session = Measurement(store, made, Target(client, "proof"), say=standard_streams.tell)
        return session.execute(), session


def counts(record: Record) -> dict[tuple[str, str], tuple[int, int]]:
    """Bytes and bursts of each stream."""
    if "board" in record:
        return {
            (s["port"], s["direction"]): (s["bytes"], s["bursts"])
            for s in record["board"]["streams"]
        }
    found = {}
    for s in record["streams"]:
        latency = s["latency_cycles"]
        found[s["port"], s["direction"]] = (s["bytes"], latency["n"] if latency else 0)
    return found


def by_rtl(made: Experiment) -> dict[int, dict[tuple[str, str], tuple[int, int]]]:
    """What the RTL backend counts, by point."""
    rtl.prepare(made.platform, made.points())
    return {
        point.index: counts(rtl.run_repeats(made.platform, point, 0, 0, 1)[0])
        for point in made.points()
    }


def differences(run: RunData, wanted: dict[int, dict[tuple[str, str], tuple[int, int]]]) -> int:
    """Repeats that counted something else, or that are not there."""
    wrong = abs(run.points_total - len(run.points))
    for point in run.points:
        wrong += sum(counts(record) != wanted[point.index] for record in point.records)
    return wrong


def lines_of(kind: Kind) -> Iterator[str]:
    """Each kind of line at one board of each architecture; a pipe at the others."""
    usual = kind.name in (bare.chips()[0], "linux") or kind.name == "zynq-ultrascale-plus"
    yield from CARRIERS if usual else CARRIERS[:1]


def tried(
    kind: Kind, carrier: str, wanted: dict[int, dict[tuple[str, str], tuple[int, int]]]
) -> tuple[str, bool]:
    """A row of the table, and whether it is as it should be."""
    made, begin = experiment(), time.monotonic()
    (design,) = targets.designs(made)
    try:
        kind.ready()
        with emulator(kind, carrier, design) as board:
            lossy = carrier != "pipe"
            line: Transport = board.line
            if lossy:
                line = bad_lines.Noisy(line, bad_lines.noise(NOISE, 7))
            if not kind.linux:
                bare.wait(Client(line))
            run, session = measured(line, made)
    except AxiometerError as error:
        return f"| {kind.name} | {carrier} | failed: {error.message} | | |", False
    wrong = differences(run, wanted) + (run.backend != EMULATED)
    repeats = sum(len(point.records) for point in run.points)
    agent = str(session.agent["target"])
    damaged = session.target.client.damaged
    standard_streams.tell(f"{kind.name} by {carrier}: {time.monotonic() - begin:.0f} s")
    counted = f"{repeats - wrong} of {repeats} repeats"
    return f"| {kind.name} | {carrier} | {agent} | {counted} | {damaged} |", not wrong


def main(arguments: Sequence[str]) -> int:
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--faults", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args(arguments)
    wanted = by_rtl(experiment())
    rtl.close()
    rows = ["| emulated | line | agent | counts as `--backend rtl` | damaged answers |",
            "|---|---|---|---|---|"]  # fmt: skip
    good = True
    for kind in kinds():
        if args.names and not kind.name.startswith(tuple(args.names)):
            continue
        for carrier in lines_of(kind):
            row, right = tried(kind, carrier, wanted)
            good = good and right
            rows.append(row)
            print(row, flush=True)
    if args.faults:
        rows += ["", "| fault | result |", "|---|---|"]
        for fault in faults.all_of(experiment()):
            rows.append(fault.row)
            good = good and fault.right
            print(fault.row, flush=True)
    if args.write:
        marks.write(PAGE, COMMAND, "\n".join(rows))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
