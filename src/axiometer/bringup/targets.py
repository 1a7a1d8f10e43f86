"""Targets of a measurement by name: a line to an agent, or an emulated board.

    emulated[:CHIP]   a chip's processor without an operating system, in QEMU
    emulated:linux    Linux on a 64-bit processor; linux-arm: on a 32-bit one
    the names of runs/agent/lines/

An emulated processor is connected to the verilated design that a point needs, and to a memory that
models no chip.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager

from axiometer.base.errors import AxiometerError, did_you_mean
from axiometer.experiment import Experiment
from axiometer.runs.agent import Client
from axiometer.runs.agent.lines import open_line
from axiometer.runs.backends import rtl_tops
from axiometer.runs.board.session import Target
from axiometer.runs.cosim.rtl_design import RtlDesign

EMULATED = "emulated"
_LATENCY = 20  # clocks, of the emulated memory as seen by the design
_ANSWER_S = 60.0  # a board fills much memory before it answers
_EMULATED_S = 600.0  # an emulated board is a thousand times slower


@contextmanager
def at_line(
    name: str, ports: Sequence[str] = (), patience_s: float = 120.0, bitstream: str = ""
) -> Iterator[Target]:
    """The agent at the line `name`, until the block ends."""
    with Client(open_line(name), _ANSWER_S) as client:
        yield Target(client, name, ports, patience_s, bitstream)


def emulated(
    name: str, experiment: Experiment, say: Callable[[str], None]
) -> list[AbstractContextManager[Target]]:
    """Emulated boards, one for each design, that together run the experiment's possible points.
    Each is built and started when its block begins. AxiometerError if no point can run, or if
    `name` is unknown."""
    from axiometer.bringup.vm import bare, linux_agent

    kind = name.partition(":")[2] or bare.chips()[0]
    known = [*bare.chips(), *linux_agent.KERNELS]
    if name.partition(":")[0] != EMULATED or kind not in known:
        raise AxiometerError(
            f"there is no emulated board {name!r}",
            remedy=did_you_mean(name, [f"{EMULATED}:{each}" for each in known]),
        )
    return [_emulated(name, kind, design, say) for design in designs(experiment)]


@contextmanager
def _emulated(
    name: str, kind: str, design: RtlDesign, say: Callable[[str], None]
) -> Iterator[Target]:
    from axiometer.bringup.vm import bare, linux_agent

    if kind in linux_agent.KERNELS:
        board = linux_agent.board(kind, design, _LATENCY, say)
    else:
        board = bare.board(design, _LATENCY, say, kind)
    with board as client:
        client.timeout_s = _EMULATED_S
        yield Target(client, name)


def designs(experiment: Experiment) -> list[RtlDesign]:
    """The designs that the points of an experiment need, each once. AxiometerError if no point has
    a design."""
    found: dict[RtlDesign, None] = {}
    why = None
    for point in experiment.points():
        try:
            found[rtl_tops.choose(experiment.platform, point.values)] = None
        except AxiometerError as error:
            why = why or error
    if why is not None and not found:
        raise why
    return list(found)
