"""Measures speed and memory of a whole experiment, run by the command.

As a program (`python campaign.py ARGUMENTS`) it runs `axiometer ARGUMENTS` and prints on stderr,
in a line of JSON, the greatest resident memory of that process and of its workers.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from figures import Figure

EXPERIMENT = "zybo-hp-bandwidth"
JOBS = 2


def measure(repeats: int | None = None) -> list[Figure]:
    """Run the experiment with 2 processes and `repeats` repeats (None: its own number)."""
    with tempfile.TemporaryDirectory() as directory:
        store = Path(directory) / "runs.db"
        fewer = [] if repeats is None else ["--repeats", str(repeats)]
        command = [
            *(sys.executable, __file__, "run", EXPERIMENT, "--jobs", str(JOBS)),
            *("--store", store, "--quiet", "--json", *fewer),
        ]
        begin = time.perf_counter()
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        wall = time.perf_counter() - begin
    whole = json.loads(done.stdout)
    memory = json.loads(done.stderr.splitlines()[-1])
    count = whole["points"][0]["total_MBps"]["n"]
    what = f"{len(whole['points'])} rows x {count} repeats x 32 MiB"
    if repeats is not None:
        what += " (--quick: fewer repeats than published)"
    simulated = whole["summary"]["simulated_s"]
    pace = f"{what}, {JOBS} processes: {simulated:.0f} s simulated in {wall:.1f} s"
    name = f"campaign: {EXPERIMENT}"
    return [
        Figure(name, simulated / wall, "simulated s / wall s", 2, aim=10, how=pace),
        Figure("memory: a worker", memory["workers"] / 1e6, "MB", 50, True, how=f"peak, {what}"),
        Figure("memory: the runner", memory["runner"] / 1e6, "MB", 50, True, how=f"peak, {what}"),
    ]


def _peak_bytes(who: int) -> int:
    peak = resource.getrusage(who).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _main() -> int:
    from axiometer.__main__ import main

    status = main(sys.argv[1:])
    peaks = {
        "runner": _peak_bytes(resource.RUSAGE_SELF),
        "workers": _peak_bytes(resource.RUSAGE_CHILDREN),
    }
    print(json.dumps(peaks), file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(_main())
