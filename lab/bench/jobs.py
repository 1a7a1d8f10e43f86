"""The jobs that `before.py` times: `python lab/bench/jobs.py NAME COMMAND...` prints the seconds of
processor time of one, in a line of JSON, or why it is skipped.

They use only what earlier commits have, too: the command `axiometer`, the compiled model, and
`simulate` of lab/validate/usp.py. The tree that is timed is the working directory.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

EVERY = 8
"""Of the grid's lengths of bursts this one is simulated."""
FOUR_PORTS = ("ports=HP0+HP1+HP2+HP3", "mode=duplex")


def main() -> int:
    name, *command = sys.argv[1:]
    try:
        print(json.dumps({"s": _JOBS[name](command)}))
    except FileNotFoundError as error:
        print(json.dumps({"skipped": str(error)}))
    return 0


def rtl(command: list[str]) -> float:
    """What 768 KiB more in each of eight directions take, so that the start does not count."""
    _run(command, "16KiB")  # builds the design
    return _run(command, "1MiB") - _run(command, "256KiB")


def _run(command: list[str], size: str) -> float:
    settings = [f"transfer_bytes={size}", "width_bits=64", *FOUR_PORTS]
    sets = [word for setting in settings for word in ("--set", setting)]
    words = ["run", "zybo-hp-bandwidth", "--backend", "rtl", "--repeats", "1", "--quiet", *sets]
    return _children([*command, *words])


def campaign(command: list[str]) -> float:
    return _children([*command, "run", "zybo-hp-bandwidth", "--jobs", "2", "--quiet"])


def report(command: list[str]) -> float:
    with tempfile.TemporaryDirectory() as directory:
        page = str(Path(directory) / "page.html")
        return _children([*command, "report", "zcu102", "--output", page])


def _children(words: list[str]) -> float:
    """Processor time of a command whose store is new: the user's own has runs, perhaps."""
    with tempfile.TemporaryDirectory() as directory, _Processor() as spent:
        env = {**os.environ, "AXIOMETER_STORE": str(Path(directory) / "runs.db")}
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL, env=env)
    return spent.s


def duplex(width: int) -> float:
    """A start of four duplex ports with 32 MiB each way, nothing skipped."""
    from axiometer import _model
    from axiometer.experiment import Experiment
    from axiometer.simulate.scenario import Scenario

    experiment = Experiment.load("zybo-hp-bandwidth", [*FOUR_PORTS, f"width_bits={width}"])
    (point,) = experiment.points()
    scenario = Scenario.of(experiment.platform, point.values)
    model, start = _model.Simulator(scenario.document()), scenario.start(0, 0).document()
    with _Processor() as spent:
        model.run(start, skip=False)
    return spent.s


def grid(command: list[str]) -> float:
    """Published configurations of Zynq UltraScale+, each until it has settled."""
    sys.path.insert(0, str(Path.cwd() / "lab"))
    from validate import usp

    every = usp.every()
    # All sets of ports with some of the bursts, as alike ones are simulated once.
    bursts = sorted({of.conditions["burst_bytes"] for of in every})[::EVERY]
    some = [of for of in every if of.conditions["burst_bytes"] in bursts]
    with _Processor() as spent:
        usp.run_all(some, 1)
    return spent.s


class _Processor:
    """Processor time of the block, `s`, with that of its ended processes."""

    def __enter__(self) -> _Processor:
        self.s = -self._now()
        return self

    def __exit__(self, *_: object) -> None:
        self.s += self._now()

    @staticmethod
    def _now() -> float:
        whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
        used = [resource.getrusage(who) for who in whose]
        return sum(each.ru_utime + each.ru_stime for each in used)


_JOBS: dict[str, Callable[[list[str]], float]] = {
    "rtl": rtl,
    "campaign": campaign,
    "duplex64": lambda command: duplex(64),
    "duplex32": lambda command: duplex(32),
    "grid": grid,
    "report": report,
}

if __name__ == "__main__":
    sys.exit(main())
