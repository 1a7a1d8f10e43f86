"""Axiometer: how fast data moves between processor and fabric of an FPGA SoC.

`import axiometer as axm`: `axm.expect`, `axm.sweep`, `axm.curve`, `axm.advise`, `axm.check`,
`axm.run`, `axm.measure`, and the objects that they take and return (docs/python.md). Names are
imported when they are first asked for: `import axiometer` and `axiometer --help` stay quick.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from axiometer.api.advice import Advice as Advice
    from axiometer.api.advising import advise as advise
    from axiometer.api.checking import Check as Check
    from axiometer.api.checking import check as check
    from axiometer.api.curves import Curves as Curves
    from axiometer.api.curves import curve as curve
    from axiometer.api.design import Design as Design
    from axiometer.api.design import DesignExpectation as DesignExpectation
    from axiometer.api.expectation import Expectation as Expectation
    from axiometer.api.expectation import expect as expect
    from axiometer.api.measuring import Measured as Measured
    from axiometer.api.measuring import measure as measure
    from axiometer.api.runs import Run as Run
    from axiometer.api.runs import run as run
    from axiometer.api.sweeps import Sweep as Sweep
    from axiometer.api.sweeps import sweep as sweep
    from axiometer.api.typed_keys import PointKeys as PointKeys
    from axiometer.base.errors import AxiometerError as AxiometerError
    from axiometer.experiment import Experiment as Experiment
    from axiometer.platform import Platform as Platform

__version__ = "1.0.0"

_PLACES = {
    "Advice": "axiometer.api.advice",
    "AxiometerError": "axiometer.base.errors",
    "Check": "axiometer.api.checking",
    "Curves": "axiometer.api.curves",
    "Design": "axiometer.api.design",
    "DesignExpectation": "axiometer.api.design",
    "Expectation": "axiometer.api.expectation",
    "Experiment": "axiometer.experiment",
    "Measured": "axiometer.api.measuring",
    "Platform": "axiometer.platform",
    "PointKeys": "axiometer.api.typed_keys",
    "Run": "axiometer.api.runs",
    "Sweep": "axiometer.api.sweeps",
    "advise": "axiometer.api.advising",
    "check": "axiometer.api.checking",
    "curve": "axiometer.api.curves",
    "expect": "axiometer.api.expectation",
    "measure": "axiometer.api.measuring",
    "run": "axiometer.api.runs",
    "sweep": "axiometer.api.sweeps",
}


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module 'axiometer' has no attribute {name!r}")
    from importlib import import_module

    found = getattr(import_module(_PLACES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted([*_PLACES, "__version__"])
