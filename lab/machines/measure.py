"""Measurements on emulated boards: the agent as built for ARM and AArch64, Linux and bare metal,
behind each kind of line, against the verilated design.

Each must have the counts of `--backend rtl` for `zybo-hp-bandwidth` at a small size, with 0.1 % of
all bytes damaged or lost on lines that may.
"""

from __future__ import annotations

import re
import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests import bad_lines

from axiometer.base.errors import AxiometerError
from axiometer.base.record import EMULATED, Record
from axiometer.base.standard_streams import tell
from axiometer.experiment import Experiment
from axiometer.records.store import RunData, Store
from axiometer.runs.agent import Client
from axiometer.runs.agent.conversation import Transport
from axiometer.runs.agent.lines import open_line
from axiometer.runs.backends import rtl
from axiometer.runs.board.session import Measurement, Target
from axiometer.runs.cosim.rtl_design import RtlDesign
from machines import agents, bare

CARRIERS = ("pipe", "TCP", "serial")
STARTS_S = 30.0
SETTINGS = ("transfer_bytes=1KiB", "width_bits=64", "mode=duplex", "repeats=2")
PORTS = "ports=HP0,HP0+HP2,HP0+HP1+HP2+HP3"
NOISE = 0.001
ANSWER_S = 600.0


@contextmanager
def emulator(kind: str, carrier: str, design: RtlDesign) -> Iterator[Transport]:
    """A line of CARRIERS to an emulated board of `agents`, until the block ends."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = int(free.getsockname()[1])
    tcp = f"tcp:127.0.0.1:{port},server=on,wait=off"
    uart = {"pipe": "stdio", "TCP": tcp, "serial": "pty"}[carrier]
    with agents.running(kind, design, uart) as process:
        if carrier == "pipe":
            yield process
            return
        name = f"tcp:127.0.0.1:{port}"
        if carrier == "serial":
            found = re.search(r"/dev/pts/\d+", (process.receive(STARTS_S) or b"").decode())
            assert found, "QEMU names its terminal first"
            name = f"serial:{found[0]}@115200"
        line = _patient(name)
        try:
            yield line
        finally:
            line.close()


def _patient(name: str) -> Transport:
    """A line to an emulator that is starting."""
    until = time.monotonic() + STARTS_S
    while True:
        try:
            return open_line(name)
        except AxiometerError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)


def experiment() -> Experiment:
    return Experiment.load("zybo-hp-bandwidth", [*SETTINGS, PORTS])


def measured(line: Transport, made: Experiment) -> tuple[RunData, Measurement]:
    """A run on the agent behind `line`, in a store that is thrown away."""
    client = Client(line, ANSWER_S)
    with (
        tempfile.TemporaryDirectory(prefix="axm-measure-") as work,
        Store(Path(work) / "runs.db", create=True) as store,
    ):
        session = Measurement(store, made, Target(client, "proof"), say=tell)
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


def lines_of(kind: str) -> Iterator[str]:
    """Each kind of line at one board of each architecture; a pipe at the others."""
    usual = kind in (bare.chips()[0], "linux", "zynq-ultrascale-plus")
    yield from CARRIERS if usual else CARRIERS[:1]


def tried(
    kind: str, carrier: str, wanted: dict[int, dict[tuple[str, str], tuple[int, int]]]
) -> tuple[str, bool]:
    """A row of the table, and whether it is as it should be."""
    made, begin = experiment(), time.monotonic()
    (design,) = agents.designs(made)
    try:
        with emulator(kind, carrier, design) as board:
            noisy = bad_lines.Noisy(board, bad_lines.noise(NOISE, 7))
            line: Transport = board if carrier == "pipe" else noisy
            agents.wait(kind, board if kind in agents.KERNELS else line)
            run, session = measured(line, made)
    except AxiometerError as error:
        return f"| {kind} | {carrier} | failed: {error.message} | | |", False
    wrong = differences(run, wanted) + (run.backend != EMULATED)
    repeats = sum(len(point.records) for point in run.points)
    agent = str(session.agent["target"])
    damaged = session.target.client.damaged
    tell(f"{kind} by {carrier}: {time.monotonic() - begin:.0f} s")
    counted = f"{repeats - wrong} of {repeats} repeats"
    return f"| {kind} | {carrier} | {agent} | {counted} | {damaged} |", not wrong


def prove(names: tuple[str, ...], _number: int) -> tuple[str, list[str]]:
    """The table, and its rows that are wrong. names: beginnings of kinds of boards."""
    wanted = by_rtl(experiment())
    rtl.close()
    rows = ["| emulated | line | agent | counts as `--backend rtl` | damaged answers |",
            "|---|---|---|---|---|"]  # fmt: skip
    wrong = []
    for kind in (kind for kind in agents.kinds() if kind.startswith(names or "")):
        for carrier in lines_of(kind):
            row, right = tried(kind, carrier, wanted)
            rows.append(row)
            wrong += [] if right else [row]
    return "\n".join(rows), wrong
