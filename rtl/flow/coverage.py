"""Which lines and signals of the hand-written RTL the tests reach.

`make coverage` runs the rooms' tests on designs that count (AXIOMETER_COVERAGE=1), then this.
There is one file a simulation; a point counts as reached if any of them reached it.

    python rtl/flow/coverage.py [DIRECTORY]      status 1 if less than 95 % of the lines are reached
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from pathlib import Path

RTL = Path(__file__).resolve().parents[1]
LEAST = 95.0
# A point: fields as \x01key\x02value, then how often it was reached.
_POINT = re.compile(r"^C '(?P<fields>.*)' (?P<count>\d+)$")


def points(directory: Path) -> dict[tuple[str, str, str, str], int]:
    """(file, kind, line, what) -> how often reached, over all coverage files below `directory`."""
    found: dict[tuple[str, str, str, str], int] = defaultdict(int)
    for data in directory.rglob("coverage-*.dat"):
        for text in data.read_text(errors="replace").splitlines():
            match = _POINT.match(text)
            if not match:
                continue
            fields = dict(f.split("\x02", 1) for f in match["fields"].split("\x01") if "\x02" in f)
            kind = fields.get("page", "").split("/")[0]
            # The hierarchy is left out: a module's lines are reached if they are in any instance.
            key = (fields.get("f", ""), kind, fields.get("l", ""), fields.get("o", ""))
            found[key] += int(match["count"])
    return found


def by_file(found: dict[tuple[str, str, str, str], int]) -> dict[Path, dict[str, tuple[int, int]]]:
    """For each hand-written file, kind -> (reached, all)."""
    out: dict[Path, dict[str, tuple[int, int]]] = defaultdict(lambda: defaultdict(lambda: (0, 0)))
    for (name, kind, _, _), count in found.items():
        file = Path(name).resolve()
        if not file.is_relative_to(RTL) or "tests" in file.parts or file.suffix != ".sv":
            continue
        reached, total = out[file][kind]
        out[file][kind] = (reached + (count > 0), total + 1)
    return out


def share(counts: tuple[int, int]) -> str:
    reached, total = counts
    return f"{100 * reached / total:5.1f} % of {total}" if total else "     –"


def main() -> int:
    directory = Path(sys.argv[1]) if len(sys.argv) > 1 else RTL.parent / "build" / "coverage"
    files = by_file(points(directory))
    if not files:
        print(f"no coverage files below {directory}: run make coverage", file=sys.stderr)
        return 2
    sums = {"v_line": [0, 0], "v_branch": [0, 0], "v_toggle": [0, 0]}
    for file in sorted(files):
        kinds = files[file]
        for kind, total in sums.items():
            total[0] += kinds[kind][0]
            total[1] += kinds[kind][1]
        line, branch, toggle = (share(kinds[k]) for k in ("v_line", "v_branch", "v_toggle"))
        print(f"{file.relative_to(RTL)!s:40} lines {line:18} branches {branch:18} toggles {toggle}")
    totals = {kind: (total[0], total[1]) for kind, total in sums.items()}
    line, branch, toggle = (share(totals[k]) for k in ("v_line", "v_branch", "v_toggle"))
    print(f"{'all':40} lines {line:18} branches {branch:18} toggles {toggle}")
    # Verilator counts a branch's two sides as points of their own: both are lines of code.
    reached = totals["v_line"][0] + totals["v_branch"][0]
    whole = totals["v_line"][1] + totals["v_branch"][1]
    print(f"lines and branches: {100 * reached / whole:.1f} % (bar {LEAST:g} %)")
    return 0 if 100 * reached / whole >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
