"""A repeat of a scenario on the model: start, run, record. The one way to simulate a scenario."""

from __future__ import annotations

import threading

from axiometer import _model
from axiometer.base import progress
from axiometer.base.errors import AxiometerError
from axiometer.base.record import Record
from axiometer.simulate import machine, records, remembered
from axiometer.simulate.model_errors import told
from axiometer.simulate.outcome import BeatTimes, Outcome
from axiometer.simulate.scenario import Scenario
from axiometer.simulate.start import Start
from axiometer.simulate.table import Document

Documents = tuple[Document, list[Document]]


class _Kept(threading.local):
    """One simulator of each thread for the scenario at hand, with what it was told: it remembers
    between repeats what recurs."""

    current: tuple[Scenario, Documents, _model.Simulator] | None = None


_kept = _Kept()


def simulator(scenario: Scenario) -> _model.Simulator:
    """The simulator for a scenario; the latest one of this thread is kept.

    AxiometerError names the value that cannot be simulated.
    """
    current = _kept.current
    if current is not None and current[0] is scenario:
        return current[2]
    return _made(scenario, (scenario.document(), scenario.source_documents()))


def _made(scenario: Scenario, document: Documents) -> _model.Simulator:
    """The simulator that is told `document`, which is the scenario's."""
    current = _kept.current
    if current is not None and current[1] == document:
        made = current[2]
    else:
        # Two memories at once would take twice the space.
        current = _kept.current = None
        with told(scenario):
            made = _model.Simulator(*document)
    _kept.current = (scenario, document, made)
    return made


def forget() -> None:
    """Drops the simulator that this thread keeps, with all that it remembers."""
    _kept.current = None


def result(scenario: Scenario, start: Start) -> Outcome:
    """What the model gives, as its binding says: DRAM clocks and PL cycles. For a record and what
    is not in one; AxiometerError if the run cannot be."""
    kept = remembered.outcomes()
    if kept is None:
        return _run(scenario, simulator(scenario), start.document())
    document, begins = (scenario.document(), scenario.source_documents()), start.document()
    key = remembered.key(*document, begins)
    if key not in kept:
        kept[key] = _run(scenario, _made(scenario, document), begins)
    return kept[key]


def _run(scenario: Scenario, model: _model.Simulator, begins: Document) -> Outcome:
    with told(scenario):
        found = model.run(begins)
    progress.simulated()
    return found


def beats(scenario: Scenario, start: Start) -> list[BeatTimes]:
    """When the beats of each stream move, as a counter beside its master sees it, in cycles of its
    port: `count`, `first`, `last`, and `between`, how often so many cycles lie from one beat to the
    next (1: one after the other).

    Nothing that recurs is skipped. AxiometerError of a chip whose model keeps none.
    """
    if not machine.of(scenario.platform).remembers:
        raise AxiometerError(
            f"the model of {scenario.platform.name} keeps no times of beats",
            remedy="take a board with a Zynq-7000, Cyclone V or Arria V",
        )
    model = simulator(scenario)
    with told(scenario):
        return [found["beats"] for found in model.run(start.document(), beats=True)["streams"]]


def repeat(scenario: Scenario, seed: int, number: int) -> Record:
    """The record of one repeat."""
    found = result(scenario, scenario.start(seed, number))
    return records.record(scenario, number, found, seed)
