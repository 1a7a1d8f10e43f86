"""Whether pictures and pages can be made here: their libraries are an extra, and one needs memory.

vl-convert carries a JavaScript engine that reserves some 65 GB of address space, without using it,
and where a shell allows less ends the whole process by a signal, without a word. So it is tried in
a process of its own.
"""

from __future__ import annotations

import importlib.util
import signal
import subprocess
import sys
from functools import cache

from axiometer.base.errors import RUN_FAILED, AxiometerError

_LIBRARIES = ("altair", "jinja2", "vl_convert")
_TRIAL = "import vl_convert; vl_convert.javascript_bundle()"


def installed(*libraries: str) -> None:
    """AxiometerError where one of these libraries of the extra `plot` is missing; of all without
    names."""
    missing = [name for name in libraries or _LIBRARIES if importlib.util.find_spec(name) is None]
    if missing:
        raise AxiometerError(
            f"pictures and reports need {', '.join(missing)}, not installed here",
            remedy="pip install 'axiometer[plot]'",
            status=RUN_FAILED,
        )


@cache
def check() -> None:
    """AxiometerError where pictures and pages cannot be made. vl-convert is tried only where a
    memory limit is set."""
    installed()
    if importlib.util.find_spec("resource") is None:
        return  # Windows has no such limits
    import resource

    kinds = (resource.RLIMIT_AS, resource.RLIMIT_DATA)
    if all(resource.getrlimit(kind)[0] == resource.RLIM_INFINITY for kind in kinds):
        return
    done = subprocess.run(
        [sys.executable, "-c", _TRIAL],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    if done.returncode:
        raise AxiometerError(
            "the drawing library (vl-convert) cannot run within this shell's memory limit: "
            f"{_end(done.returncode)}",
            remedy="it reserves some 65 GB of address space, which it does not use: allow it with "
            "`ulimit -v unlimited` (and `ulimit -d unlimited`); show, explain and export need none",
            status=RUN_FAILED,
        )


def _end(code: int) -> str:
    if code > 0:
        return f"a trial of it failed (exit status {code})"
    try:
        return f"a trial of it was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"a trial of it was ended by signal {-code}"
