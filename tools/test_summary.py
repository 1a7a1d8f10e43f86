"""Summarises all pytest runs of `make test`: counts, skipped tests and their reasons.

Usage: python tools/test_summary.py FILE (one JSON document a line, see conftest.py)
"""

import json
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def lines(text: str) -> list[str]:
    """The summary of the runs in `text`."""
    runs = [json.loads(line) for line in text.splitlines()]
    total: Counter[str] = Counter()
    skipped: Counter[str] = Counter()
    shown = ["", "All tests of Python, hardware and proofs:"]
    for run in runs:
        total.update(run["counts"])
        skipped.update(run["skipped"])
        words = ", ".join(f"{n} {kind}" for kind, n in run["counts"].items() if n)
        name = run["what"].replace(f"{ROOT}/", "")
        shown.append(f"  {name}: {words}, {sum(run['skipped'].values())} skipped")
    left_out = sum(skipped.values())
    words = ", ".join(f"{n} {kind}" for kind, n in total.items() if n)
    shown.append(f"  together: {words or 'nothing ran'}, {left_out} skipped")
    if skipped:
        shown.append("Skipped:")
        shown += [f"  {count} x {why}" for why, count in _reasons(skipped).most_common()]
    return shown


def _reasons(skipped: Counter[str]) -> Counter[str]:
    """Reasons, where files that are not here for the same one are counted together."""
    found: Counter[str] = Counter()
    for why, count in skipped.items():
        missing, mark, rest = " ".join(why.split()).partition(" is not here: ")
        found[f"a data file is not here: {rest}" if mark else missing] += count
    return found


if __name__ == "__main__":
    file = Path(sys.argv[1])
    print("\n".join(lines(file.read_text() if file.exists() else "")))
