"""The co-simulation as a target: the RTL and the agent, on the model of a board."""

from __future__ import annotations

from collections.abc import Callable

from axiometer.bringup.doctor.machine import greeted
from axiometer.bringup.doctor.target import NotThere
from axiometer.runs.agent import Client
from axiometer.runs.cosim.process import Cosim

EXPERIMENT = "zybo-hp-bandwidth"
SETTINGS = ("mode=duplex", "width_bits=64", "ports=HP0+HP1+HP2+HP3", "pl_mhz=100")
_WHY = "not available in a simulation"


def start(say: Callable[[str], None]) -> Simulation:
    """axm_dma_top on the model of a Zybo, at 100 MHz. Builds it if necessary, after a message to
    `say`. AxiometerError if a tool is missing."""
    from axiometer.experiment import Experiment
    from axiometer.runs.backends import rtl_tops
    from axiometer.runs.cosim import build
    from axiometer.simulate.scenario import Scenario

    loaded = Experiment.load(EXPERIMENT, SETTINGS)
    values = next(iter(loaded.points())).values
    program = build.executable(rtl_tops.choose(loaded.platform, values), say)
    document = Scenario.of(loaded.platform, values).document()
    return Simulation(Cosim(program, document, float(values["pl_mhz"])))


class Simulation:
    """A running co-simulation."""

    simulated = True
    recorded = False

    def __init__(self, cosim: Cosim) -> None:
        self.name = "the co-simulation"
        self.cosim = cosim
        self._client: Client | None = None

    def read(self, path: str) -> str:
        raise NotThere(_WHY)

    def list(self, path: str) -> list[str]:
        raise NotThere(_WHY)

    def read32(self, address: int) -> int:
        raise NotThere(_WHY)

    def agent(self) -> Client:
        if self._client is None:
            self._client = greeted(Client(self.cosim.transport))
        return self._client

    def close(self) -> None:
        self.cosim.close()
