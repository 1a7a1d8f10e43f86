"""Whether the drawing library can work here, asked in a process of its own: vl-convert carries a
JavaScript engine that reserves some 65 GB of address space, without using it, and where a shell
allows less ends the whole process by a signal, without a word."""

from __future__ import annotations

import resource
import signal
import subprocess
import sys
from functools import cache

from axiometer.base.errors import RUN_FAILED, AxiometerError

_TRIAL = "import vl_convert; vl_convert.javascript_bundle()"


@cache
def check() -> None:
    """AxiometerError if the library cannot run. Without a memory limit nothing is tried."""
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
