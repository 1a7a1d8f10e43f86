"""Backends: where points run. A backend is a module with

    run_repeats(platform, point, seed, first, count) -> list[Record]

that returns the records of repeats `first` to `first + count - 1`. A record depends on platform,
point values, seed and repeat index only. A backend may also have `prepare(platform, points)`,
which is called before any point runs, perhaps more than once. To add a backend, add its file and a
line to `_MODULES`.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Protocol, cast

from axiometer.base.errors import RUN_FAILED, AxiometerError, did_you_mean
from axiometer.base.record import BOARD, Record
from axiometer.experiment.points import Point
from axiometer.platform import Platform

_MODULES = {
    "model": "axiometer.runs.backends.model",
    "rtl": "axiometer.runs.backends.rtl",
}


class Backend(Protocol):
    """The functions of every backend."""

    def run_repeats(
        self, platform: Platform, point: Point, seed: int, first: int, count: int
    ) -> list[Record]: ...


def load(name: str) -> Backend:
    """The backend called `name`, or the module in "module:NAME" (your own backend).

    AxiometerError if it does not exist, or if its compiled part is missing.
    """
    if name == BOARD:
        raise AxiometerError(
            "the board backend runs whole experiments and needs a target",
            remedy="axiometer measure TARGET EXPERIMENT, or run --backend board --target TARGET",
        )
    prefix, _, own = str(name).partition(":")
    module = own if prefix == "module" and own else _MODULES.get(str(name))
    if module is None:
        raise AxiometerError(
            f"no backend is called {name!r}",
            remedy=did_you_mean(name, (*_MODULES, BOARD), "known backends"),
        )
    try:
        backend: object = importlib.import_module(module)
    except ImportError as error:
        raise AxiometerError(
            f"backend {name} cannot be loaded: {error}",
            remedy="build the model: pip install . in a source checkout"
            if name in _MODULES
            else "check PYTHONPATH",
            status=RUN_FAILED,
        ) from None
    if not hasattr(backend, "run_repeats"):
        raise AxiometerError(
            f"module {module} has no run_repeats", remedy="axiometer.runs.backends shows its form"
        )
    return cast("Backend", backend)  # the types of a user's module are not checked


def prepare(name: str, platform: Platform, points: Sequence[Point]) -> None:
    """Prepare the backend called `name` for `points`. AxiometerError if it does not exist, or if it
    cannot run one of them."""
    make_ready = getattr(load(name), "prepare", None)
    if make_ready is not None:
        make_ready(platform, points)
