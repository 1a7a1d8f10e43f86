"""A running co-simulation: the agent's line and the simulation's own, on one pair of pipes."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypedDict

from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.runs.agent.pipe import Pipe
from axiometer.simulate.outcome import Outcome, TransferOutcome
from axiometer.simulate.start import Start

# Longer than any of the simulation's own commands takes.
ANSWER_S = 600.0
# The trace of a long run: bytes.
LONGEST_ANSWER = 2**30


def flat(spec: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, str]]:
    """The keys and values of a nested specification as the program reads them."""
    for key, value in spec.items():
        yield from _flat_value(f"{prefix}{key}", value)


def _flat_value(name: str, value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        yield from flat(value, f"{name}.")
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for index, item in enumerate(value):
            yield from _flat_value(f"{name}[{index}]", item)
    elif isinstance(value, bool):
        yield name, "true" if value else "false"
    else:
        yield name, str(value)


class Asked(TypedDict):
    """Accesses of an engine in one direction."""

    bursts: int
    beats: int
    bytes: int


class Fabric(TypedDict):
    """What stands beside a design: accesses by port and direction (read, write), and how many
    objections the models of the engines had."""

    objections: int
    ports: list[dict[str, Asked]]


class Cosim:
    """The program `executable` on the chip that `spec` describes (`Scenario.document`).

    pl_mhz: the PL clock. watchdog_clocks: after so long without what somebody waits for, the
    simulation ends with an error (cosim/src/watchdog.hpp has the usual limits). `transport` is
    what an agent client talks over; the other methods talk to the simulation itself. A context
    manager: leaving it ends the process.
    """

    def __init__(
        self,
        executable: Path,
        spec: Mapping[str, object],
        pl_mhz: float,
        watchdog_clocks: int | None = None,
    ) -> None:
        lines = [f"{key} {value}" for key, value in flat(spec)]
        lines.append(f"pl_period_ps {round(1e6 / pl_mhz)}")
        if watchdog_clocks is not None:
            lines.append(f"watchdog_clocks {watchdog_clocks}")
        with tempfile.NamedTemporaryFile("w", suffix=".chip", delete=False) as file:
            file.write("\n".join(lines) + "\n")
        self._configuration = Path(file.name)
        self.transport = Pipe(
            [executable, file.name],
            name="the co-simulation",
            line_max=LONGEST_ANSWER,
            remedy="this is a fault of Axiometer; please report it with the experiment file",
        )

    def __enter__(self) -> Cosim:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        self._configuration.unlink(missing_ok=True)
        self.transport.close()

    def start(self, start: Start, arrivals: Sequence[tuple[int, int]]) -> None:
        """A new chip in the state `start`. arrivals: (register address, PL cycle) of the writes
        that start the engines."""
        words = {
            key: ",".join(map(str, value)) if isinstance(value, list) else value
            for key, value in start.document().items()
            if key != "stop" or start.stop >= 0
        }
        words["arrivals"] = ",".join(f"{address}@{cycle}" for address, cycle in arrivals)
        self._ask("start " + " ".join(f"{key}={value}" for key, value in words.items()))

    def result(self) -> Outcome:
        """The chip's books of the run, in the form that the model's binding gives them."""
        outcome: Outcome = json.loads(self._ask("result"))
        return outcome

    def trace(self) -> list[tuple[int, str, int, int, int]]:
        """The DRAM commands of the latest result, as the model's binding gives them."""
        return [tuple(command) for command in json.loads(self._ask("trace"))]

    def fault(self, **what: object) -> None:
        """Plans a fault of the bus: port, channel, kind, burst, clocks (cosim/src/fault.hpp)."""
        self._ask("fault " + " ".join(f"{key}={value}" for key, value in what.items()))

    def clear_faults(self) -> None:
        self._ask("clear")

    def fill(self, seed: int) -> None:
        """Writes as much of a slave's memory as a transfer moves."""
        self._ask(f"fill seed={seed}")

    def check(self, seed: int) -> None:
        """Reads it. AxiometerError if a word is not what it was filled with."""
        self._ask(f"check seed={seed}")

    def transfer(self, seed: int, **phases: int) -> TransferOutcome:
        """A transfer of the processor at a slave; what the model's binding would give."""
        words = {"seed": seed} | phases
        text = " ".join(f"{key}={value}" for key, value in words.items())
        told = json.loads(self._ask(f"transfer {text}"))
        outcome: TransferOutcome = told | {"between": dict(told["between"])}
        return outcome

    def fabric(self) -> Fabric:
        """What vendors' engines beside the design have asked for since it began."""
        told: Fabric = json.loads(self._ask("fabric"))
        return told

    def idle(self, clocks: int) -> None:
        """Lets PL clocks pass."""
        self._ask(f"idle {clocks}")

    def violation(self) -> str:
        """What the design did against the AXI rules, the first case; empty if nothing."""
        return self._ask("time").partition(" ")[2]

    def _ask(self, command: str) -> str:
        self.transport.send(f"!{command}\n".encode())
        line = self.transport.receive(ANSWER_S)
        answer = "no answer" if line is None else line.decode()
        if not answer.startswith("!ok"):
            raise AxiometerError(
                f"the co-simulation refused {command.split()[0]}: {answer.removeprefix('!error ')}",
                remedy="this is a fault of Axiometer; please report it",
                status=RUN_FAILED,
            )
        return answer.removeprefix("!ok").strip()
