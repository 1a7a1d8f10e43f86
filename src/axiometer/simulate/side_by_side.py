"""Repeats of scenarios in parallel, on all cores. The model releases Python's lock, so threads of
this process suffice. The results do not depend on the number of cores."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import cache, partial

from axiometer.base import processors
from axiometer.base.errors import AxiometerError
from axiometer.base.record import Record
from axiometer.simulate import run
from axiometer.simulate.scenario import Scenario


def records(
    work: Sequence[tuple[Scenario, int]], seed: int = 0, cores: int | None = None
) -> list[Record | AxiometerError]:
    """The record of each (scenario, repeat) of `work`, in order; the error for one that cannot be
    simulated. cores: 1 uses this thread alone (None: all cores)."""
    most = min(len(work), cores or processors.usable())
    if most <= 1:
        return [_record(seed, *each) for each in work]
    # Each thread has its own context, with this thread's remembered outcomes.
    futures = [
        _threads().submit(copy_context().run, partial(_record, seed, *each)) for each in work
    ]
    try:
        return [future.result() for future in futures]
    except BaseException:  # Ctrl-C: cancel work that has not begun
        for future in futures:
            future.cancel()
        raise


@cache
def _threads() -> ThreadPoolExecutor:
    """Permanent threads, as each keeps its simulator with recurring states."""
    return ThreadPoolExecutor(processors.usable())


def repeats(scenario: Scenario, numbers: Sequence[int], seed: int = 0) -> list[Record]:
    """The records of these repeats of a scenario. AxiometerError if one cannot be simulated."""
    found: list[Record] = []
    for record in records([(scenario, number) for number in numbers], seed):
        if isinstance(record, AxiometerError):
            raise record
        found.append(record)
    return found


def _record(seed: int, scenario: Scenario, number: int) -> Record | AxiometerError:
    try:
        return run.repeat(scenario, seed, number)
    except AxiometerError as error:
        return error
