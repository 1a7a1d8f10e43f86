"""Which lines, branches and signals of the hand-written RTL the tests reach.

`make coverage` runs the rooms' tests on designs that count (AXIOMETER_COVERAGE=1), then this.
There is one file a simulation; what any of them reached is reached.

    python rtl/flow/coverage.py [--write] [DIRECTORY]

A line counts if Verilator has a point there (statements; not declarations, instances, or
assignments outside of processes), and is reached if all of its points are, so that `if (a) b <= c;`
needs both. A toggle is one bit of a signal going up, or down. --write: docs/rtl-results.md.
Exit status 1: less than 95 % of the lines are reached, or a file was in no simulation; 2: no data.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

RTL = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(RTL.parent))
from validate import marks  # noqa: E402

COMMAND = "make coverage"
LEAST = 95.0
# A point: fields as \x01key\x02value, then how often it was reached.
_POINT = re.compile(r"^C '(?P<fields>.*)' (?P<count>\d+)$", re.M)
KINDS = ("lines", "branches", "toggles")
# A file that only binds assertions of another has nothing to reach.
HAND_WRITTEN = {
    path
    for path in RTL.rglob("*.sv")
    if "tests" not in path.parts and re.search(r"^module ", path.read_text(), re.M)
}
Reached = dict[str, dict[tuple[object, ...], bool]]
"""Of each of KINDS: places (a line first), and whether they were reached."""


def by_file(texts: Iterable[str]) -> dict[Path, Reached]:
    """What was reached in each hand-written file that was in a simulation, over all coverage files.

    The hierarchy is left out: a module's lines are reached if they are in any instance.
    """
    points: Counter[tuple[str, ...]] = Counter()
    for found in (found for text in texts for found in _POINT.finditer(text)):
        fields = dict(f.split("\x02", 1) for f in found["fields"].split("\x01") if "\x02" in f)
        fields["page"] = fields.get("page", "").split("/")[0]
        key = tuple(fields.get(name, "") for name in ("f", "page", "l", "n", "o", "S"))
        points[key] += int(found["count"])
    files: dict[Path, Reached] = defaultdict(lambda: {kind: {} for kind in KINDS})
    for (name, kind, line, column, what, ranges), count in points.items():
        path = Path(name).resolve()
        if path not in HAND_WRITTEN:
            continue
        if kind in ("v_line", "v_branch"):
            lines = files[path]["lines"]
            for number in _numbers(ranges):
                lines[number,] = lines.get((number,), True) and count > 0
        if kind in ("v_branch", "v_toggle"):
            places = files[path]["branches" if kind == "v_branch" else "toggles"]
            places[int(line), column, what] = count > 0
    return files


def _numbers(ranges: str) -> Iterator[int]:
    """The lines of a list as Verilator writes it: 61-63,66."""
    for part in filter(None, ranges.split(",")):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def counted(files: Iterable[Reached]) -> list[tuple[int, int]]:
    """(reached, all) of lines, branches and toggles."""
    files = list(files)
    states = [[state for file in files for state in file[kind].values()] for kind in KINDS]
    return [(sum(each), len(each)) for each in states]


def _cells(files: Iterable[Reached]) -> str:
    shares = (
        f"{100 * n / whole:.1f} % of {whole}" if whole else "–" for n, whole in counted(files)
    )
    return " | ".join(shares)


def unreached(file: Reached) -> str:
    """The lines of what no test reaches."""
    places = (place for kind in ("lines", "branches") for place in file[kind].items())
    return ", ".join(map(str, sorted({place[0] for place, state in places if not state})))


def page(files: dict[Path, Reached], absent: list[Path]) -> str:
    """The section of docs/rtl-results.md."""
    names = {path: str(path.relative_to(RTL)) for path in sorted(files)}
    rooms: dict[str, list[Reached]] = defaultdict(list)
    for path, name in names.items():
        rooms[name.partition("/")[0]].append(files[path])
    missed = {name: unreached(files[path]) for path, name in names.items()}
    head = "| {} | lines | branches | toggles |\n|---|---|---|---|".format
    lines = [
        head("room"),
        *(f"| `{room}/` | {_cells(each)} |" for room, each in rooms.items()),
        f"| all | {_cells(files.values())} |",
        "\n### Files\n",
        head("file"),
        *(f"| `{name}` | {_cells([files[path]])} |" for path, name in names.items()),
        "\n### Lines with something that no test reaches\n",
        *([f"- `{name}`: {which}" for name, which in missed.items() if which] or ["None."]),
    ]
    if absent:
        lines += ["", "In no simulation: " + ", ".join(f"`{p.relative_to(RTL)}`" for p in absent)]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("directory", nargs="?", type=Path, default=RTL.parent / "build/coverage")
    parser.add_argument("--write", action="store_true", help="into docs/rtl-results.md")
    options = parser.parse_args()
    data = options.directory.rglob("coverage-*.dat")
    files = by_file(path.read_text(errors="replace") for path in data)
    if not files:
        print(f"no coverage files below {options.directory}: run make coverage", file=sys.stderr)
        return 2
    absent = sorted(HAND_WRITTEN - files.keys())
    text = page(files, absent)
    if options.write:
        marks.write(marks.DOCS / "rtl-results.md", COMMAND, text)
    print(text)
    (reached, whole), *_ = counted(files.values())
    print(f"lines: {100 * reached / whole:.1f} % (bar {LEAST:g} %)")
    return int(100 * reached < LEAST * whole or bool(absent))


if __name__ == "__main__":
    sys.exit(main())
