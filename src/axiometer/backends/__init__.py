"""Where a point is run. A backend is a module with

    run_repeats(platform, point, seed, first, count) -> list[dict]

that gives the records of repeats `first` to `first + count - 1`. A record depends on platform,
point values, seed and repeat index only. A backend may also have `prepare(platform, points)`,
which is called once before any point is run. To add one, add its file and a line to `_MODULES`.
"""

from __future__ import annotations

import importlib
from types import ModuleType

from axiometer.errors import RUN_FAILED, AxiometerError, did_you_mean

_MODULES = {"model": "axiometer.backends.model", "rtl": "axiometer.backends.rtl"}
_LATER = {
    "board": "runs on an FPGA board",
}


def load(name: str) -> ModuleType:
    """The backend called `name`, or the module in "module:NAME" (a backend of your own).

    AxiometerError if there is none, or if its compiled part is missing.
    """
    if name in _LATER:
        raise AxiometerError(
            f"backend {name} ({_LATER[name]}) is not available in this version",
            remedy="use --backend model",
        )
    prefix, _, own = name.partition(":")
    module = own if prefix == "module" and own else _MODULES.get(name)
    if module is None:
        raise AxiometerError(
            f"no backend is called {name!r}",
            remedy=did_you_mean(name, (*_MODULES, *_LATER), "known backends"),
        )
    try:
        backend = importlib.import_module(module)
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
            f"module {module} has no run_repeats", remedy="see axiometer.backends for its form"
        )
    return backend
