"""Runs a repeat of a scenario on the model: start, run, record."""

from __future__ import annotations

import threading

from axiometer import _model
from axiometer.base import progress
from axiometer.base.errors import AxiometerError
from axiometer.base.record import Record
from axiometer.simulate import machine, records, remembered
from axiometer.simulate.model_errors import reported
from axiometer.simulate.outcome import BeatTimes, Outcome
from axiometer.simulate.scenario import Scenario
from axiometer.simulate.start import Start
from axiometer.simulate.table import Document

Documents = tuple[Document, list[Document]]


class _Kept(threading.local):
    """The simulator of each thread, with its scenario and documents: it remembers recurring states
    between repeats."""

    current: tuple[Scenario, Documents, _model.Simulator] | None = None


_kept = _Kept()


def simulator(scenario: Scenario) -> _model.Simulator:
    """The simulator for a scenario; each thread caches its latest.

    AxiometerError names a value that cannot be simulated.
    """
    current = _kept.current
    if current is not None and current[0] is scenario:
        return current[2]
    return _made(scenario, (scenario.document(), scenario.source_documents()))


def _made(scenario: Scenario, document: Documents) -> _model.Simulator:
    """The simulator for `document`, which is the scenario's."""
    current = _kept.current
    if current is not None and current[1] == document:
        made = current[2]
    else:
        # Two memories at a time would need twice the space.
        current = _kept.current = None
        with reported(scenario):
            made = _model.Simulator(*document)
    _kept.current = (scenario, document, made)
    return made


def forget() -> None:
    """Drop this thread's simulator, with all that it remembers."""
    _kept.current = None


def result(scenario: Scenario, start: Start) -> Outcome:
    """The model's result, in DRAM clocks and PL cycles, with more than a record has. AxiometerError
    if the run is not possible."""
    if remembered.outcomes() is None:
        return _run(scenario, simulator(scenario), start.document())
    document, begins = (scenario.document(), scenario.source_documents()), start.document()
    key = remembered.key(*document, begins)
    return remembered.once(key, lambda: _run(scenario, _made(scenario, document), begins))


def _run(scenario: Scenario, model: _model.Simulator, begins: Document) -> Outcome:
    with reported(scenario):
        found = model.run(begins)
    progress.simulated()
    return found


def beats(scenario: Scenario, start: Start) -> list[BeatTimes]:
    """The beats of each stream, as a counter beside its master sees them, in cycles of its port:
    `count`, `first`, `last`, and `between`, counts by the number of cycles from one beat to the
    next (1: consecutive).

    Skips nothing that recurs. AxiometerError for a chip whose model has no times of beats.
    """
    if not machine.of(scenario.platform).remembers:
        raise AxiometerError(
            f"the model of {scenario.platform.name} has no times of beats",
            remedy="use a board with a Zynq-7000, Cyclone V or Arria V",
        )
    model = simulator(scenario)
    with reported(scenario):
        return [found["beats"] for found in model.run(start.document(), beats=True)["streams"]]


def repeat(scenario: Scenario, seed: int, number: int) -> Record:
    """The record of one repeat."""
    found = result(scenario, scenario.start(seed, number))
    return records.record(scenario, number, found, seed)
