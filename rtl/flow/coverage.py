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
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

RTL = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(RTL.parent))
from validate import marks  # noqa: E402

COMMAND = "make coverage"
LEAST = 95.0
# A point: fields as \x01key\x02value, then how often it was reached.
_POINT = re.compile(r"^C '(?P<fields>.*)' (?P<count>\d+)$")


@dataclass
class File:
    """What is known of a source: each line, branch and toggle, and whether it was reached."""

    lines: dict[int, bool] = field(default_factory=dict)
    branches: dict[tuple, bool] = field(default_factory=dict)
    toggles: dict[tuple, bool] = field(default_factory=dict)


def points(texts: Iterable[str]) -> dict[tuple[str, str, int, str, str, str], int]:
    """(file, kind, line, column, what, lines) -> how often reached, over all coverage files."""
    found: dict[tuple[str, str, int, str, str, str], int] = defaultdict(int)
    for text in texts:
        for line in text.splitlines():
            if not (match := _POINT.match(line)):
                continue
            fields = dict(f.split("\x02", 1) for f in match["fields"].split("\x01") if "\x02" in f)
            get = fields.get
            # The hierarchy is left out: a module's lines are reached if they are in any instance.
            key = (
                get("f", ""),
                get("page", "").split("/")[0],
                int(get("l", 0)),
                get("n", ""),
                get("o", ""),
                get("S", ""),
            )
            found[key] += int(match["count"])
    return found


def _numbers(ranges: str) -> Iterator[int]:
    """The lines of a list as Verilator writes it: 61-63,66."""
    for part in filter(None, ranges.split(",")):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def by_file(found: dict[tuple[str, str, int, str, str, str], int]) -> dict[Path, File]:
    """What was reached in each hand-written file that was in a simulation."""
    out: dict[Path, File] = defaultdict(File)
    for (name, kind, line, column, what, lines), count in found.items():
        path = Path(name).resolve()
        if path not in HAND_WRITTEN:
            continue
        file = out[path]
        if kind in ("v_line", "v_branch"):
            for number in _numbers(lines):
                file.lines[number] = file.lines.get(number, True) and count > 0
        if kind == "v_branch":
            file.branches[line, column, what] = count > 0
        elif kind == "v_toggle":
            file.toggles[line, column, what] = count > 0
    return out


def hand_written() -> set[Path]:
    """All sources that are not generated and not a bench."""
    return {path for path in RTL.rglob("*.sv") if "tests" not in path.parts}


HAND_WRITTEN = hand_written()


@dataclass
class Sums:
    """(reached, all) of lines, branches and toggles."""

    lines: tuple[int, int]
    branches: tuple[int, int]
    toggles: tuple[int, int]

    @classmethod
    def of(cls, files: Iterable[File]) -> Sums:
        files = list(files)
        sums = []
        for kind in ("lines", "branches", "toggles"):
            states = [state for file in files for state in getattr(file, kind).values()]
            sums.append((sum(states), len(states)))
        return cls(*sums)

    def cells(self) -> list[str]:
        return [_share(*pair) for pair in (self.lines, self.branches, self.toggles)]


def _share(reached: int, whole: int) -> str:
    return f"{100 * reached / whole:.1f} % of {whole}" if whole else "–"


def rooms(files: dict[Path, File]) -> dict[str, Sums]:
    """Room -> what is reached of its files."""
    names = sorted({path.relative_to(RTL).parts[0] for path in files})
    return {
        name: Sums.of(f for path, f in files.items() if path.relative_to(RTL).parts[0] == name)
        for name in names
    }


def unreached(files: dict[Path, File]) -> list[str]:
    """File and line of what no test reaches."""
    out = []
    for path in sorted(files):
        file = files[path]
        missed = sorted(
            {n for n, state in file.lines.items() if not state}
            | {key[0] for key, state in file.branches.items() if not state}
        )
        if missed:
            out.append(f"{path.relative_to(RTL)}: {', '.join(map(str, missed))}")
    return out


def page(files: dict[Path, File], absent: list[Path]) -> str:
    """The section of docs/rtl-results.md."""
    total = Sums.of(files.values())
    lines = [
        "| room | lines | branches | toggles |",
        "|---|---|---|---|",
        *(f"| `{name}/` | {' | '.join(sums.cells())} |" for name, sums in rooms(files).items()),
        f"| all | {' | '.join(total.cells())} |",
        "",
        "### Files",
        "",
        "| file | lines | branches | toggles |",
        "|---|---|---|---|",
    ]
    for path in sorted(files):
        cells = " | ".join(Sums.of([files[path]]).cells())
        lines.append(f"| `{path.relative_to(RTL)}` | {cells} |")
    lines += ["", "### Lines with something that no test reaches", ""]
    lines += [f"- `{item.partition(':')[0]}`:{item.partition(':')[2]}" for item in unreached(files)]
    if not unreached(files):
        lines.append("None.")
    if absent:
        lines += ["", "In no simulation: " + ", ".join(f"`{p.relative_to(RTL)}`" for p in absent)]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("directory", nargs="?", type=Path, default=RTL.parent / "build/coverage")
    parser.add_argument("--write", action="store_true", help="into docs/rtl-results.md")
    options = parser.parse_args()
    data = options.directory.rglob("coverage-*.dat")
    files = by_file(points(path.read_text(errors="replace") for path in data))
    if not files:
        print(f"no coverage files below {options.directory}: run make coverage", file=sys.stderr)
        return 2
    absent = sorted(HAND_WRITTEN - files.keys())
    if options.write:
        marks.write(marks.DOCS / "rtl-results.md", COMMAND, page(files, absent))
    for item in unreached(files):
        print(f"not reached: {item}")
    total = Sums.of(files.values())
    for name, sums in {**rooms(files), "all": total}.items():
        line, branch, toggle = sums.cells()
        print(f"{name:10} lines {line:18} branches {branch:18} toggles {toggle}")
    for path in absent:
        print(f"in no simulation: {path.relative_to(RTL)}", file=sys.stderr)
    reached = 100 * total.lines[0] / total.lines[1]
    print(f"lines: {reached:.1f} % (bar {LEAST:g} %)")
    return int(reached < LEAST or bool(absent))


if __name__ == "__main__":
    sys.exit(main())
