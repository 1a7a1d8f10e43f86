"""Every system call that a run makes on its store fails once, with each error."""

import tempfile
from pathlib import Path

from faults import check
from validate.compared import Outcome


def run(every: int) -> Outcome | None:
    """Every so many places."""
    if lacking := check.needs():
        print(f"skipped: {lacking}")
        return None
    with tempfile.TemporaryDirectory() as folder:
        faults = check.Faults(Path(folder))
        places = list(faults.places())[::every]
        problems = [p for place in places if (p := faults.problem(place))]
    figure = f"{len(places)} places ({len(faults.calls)} calls, {len(check.ERRORS)} errors)"
    return Outcome(f"{figure}: {len(problems)} problems", not problems, problems)
