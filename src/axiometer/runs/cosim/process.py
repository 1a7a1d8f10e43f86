"""A running co-simulation: the agent's line and the simulation's commands on one pair of pipes."""

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

# Longer than any of the simulation's own commands.
ANSWER_S = 600.0
# The trace of a long run: bytes.
LONGEST_ANSWER = 2**30


def flat(spec: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, str]]:
    """The keys and values of a nested specification in the program's form."""
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
    """Vendors' engines beside a design: accesses by port and direction (read, write), and the
    number of objections of the engines' models."""

    objections: int
    ports: list[dict[str, Asked]]


class Cosim:
    """The program `executable` on the chip that `spec` describes (`Scenario.document`).

    pl_mhz: the PL clock. watchdog_clocks: after so long without an expected event the simulation
    ends with an error (cosim/src/watchdog.hpp has the default limits). `transport` is for an
    agent's client; the other methods send commands to the simulation. A context manager: leaving it
    ends the process.
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
        """Start a new chip in the state `start`. arrivals: (register address, PL cycle) of the
        writes that start the engines."""
        words = {
            key: ",".join(map(str, value)) if isinstance(value, list) else value
            for key, value in start.document().items()
            if key != "stop" or start.stop >= 0
        }
        words["arrivals"] = ",".join(f"{address}@{cycle}" for address, cycle in arrivals)
        self._ask("start " + " ".join(f"{key}={value}" for key, value in words.items()))

    def result(self) -> Outcome:
        """The chip's time accounting of the run, in the form of the model's binding."""
        outcome: Outcome = json.loads(self._ask("result"))
        return outcome

    def trace(self) -> list[tuple[int, str, int, int, int]]:
        """The DRAM commands of the latest result, in the form of the model's binding."""
        return [tuple(command) for command in json.loads(self._ask("trace"))]

    def fault(self, **what: object) -> None:
        """Plan a fault of the bus: port, channel, kind, burst, clocks (cosim/src/fault.hpp)."""
        self._ask("fault " + " ".join(f"{key}={value}" for key, value in what.items()))

    def clear_faults(self) -> None:
        self._ask("clear")

    def fill(self, seed: int) -> None:
        """Write as much of a slave's memory as a transfer moves."""
        self._ask(f"fill seed={seed}")

    def check(self, seed: int) -> None:
        """Read that memory. AxiometerError if a word differs from the value of `fill`."""
        self._ask(f"check seed={seed}")

    def transfer(self, seed: int, **phases: int) -> TransferOutcome:
        """A transfer of the processor at a slave; the outcome has the form of the model's
        binding."""
        words = {"seed": seed} | phases
        text = " ".join(f"{key}={value}" for key, value in words.items())
        answer = json.loads(self._ask(f"transfer {text}"))
        outcome: TransferOutcome = answer | {"between": dict(answer["between"])}
        return outcome

    def fabric(self) -> Fabric:
        """Accesses of vendors' engines beside the design since the start."""
        found: Fabric = json.loads(self._ask("fabric"))
        return found

    def idle(self, clocks: int) -> None:
        """Let PL clocks pass."""
        self._ask(f"idle {clocks}")

    def violation(self) -> str:
        """The design's first violation of AXI rules; "" if there is none."""
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
