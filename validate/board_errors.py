"""The model's errors on the measured boards, for answers about boards of the same chip.

Usage: python -m validate.board_errors [--write]

Reads the sections of docs/accuracy.md that `validate.tables` and `validate.usp` wrote, without
running them; writes src/axiometer/published/catalogue/accuracy.toml. Without --write, exit status 1
if that file differs. Streams at ports of the fabric only; the processor's side has its own section
there.
"""

import argparse
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from math import ceil
from pathlib import Path

from axiometer.experiment import Experiment
from axiometer.published import catalogue
from axiometer.published.bands.features import DIRECTIONS
from validate import marks, tables, usp

ROOT = Path(__file__).resolve().parents[1]
PAGE = "docs/accuracy.md"
_DATASETS = {"read_only": "read", "write_only": "write", "base": "both"}
_LINE = re.compile(
    r"^(?P<board>\w+?)__(?P<what>\w+)_\d+mhz +(?P<rows>\d+) configurations: "
    r"totals +(?P<mean>[\d.]+) % \(90 %: +(?P<most>[\d.]+) %",
    re.M,
)
HEAD = """\
# Errors of the model on the boards that are measured, in percent of the published rate. Made by
# `python -m validate.board_errors --write` from the page named; do not edit it.
# `direction` is the memory's; `mean` of the absolute errors of `rows` rows; nine of ten rows are
# within `most`. Rows that figures were fitted on count too.
"""


def of_tables(text: str) -> Iterator[tuple[str, str, list[float]]]:
    """(board, direction, absolute errors) of the rows of the published tables."""
    found: dict[tuple[str, str], list[float]] = defaultdict(list)
    for section in text.split("\n### ")[1:]:
        experiment = Experiment.load(re.search(r"^`([\w-]+)`", section, re.M)[1])
        usual = experiment.points()[0].values["mode"]
        lines = [line.strip("| ") for line in section.splitlines() if line.startswith("| ")]
        heading, *rows = [[cell.strip() for cell in line.split("|")] for line in lines] or [[]]
        for cells in rows:
            row = dict(zip(heading, cells, strict=False))
            direction = DIRECTIONS[row.get("mode", usual)]
            found[experiment.platform_name, direction].append(abs(float(row["error %"])))
    for (board, direction), errors in found.items():
        yield board, direction, errors


def entries() -> list[catalogue.Error]:
    """All, with the page that each is from."""
    found = []
    text = (ROOT / PAGE).read_text(encoding="utf-8")
    for board, direction, errors in of_tables(marks.section(text, tables.COMMAND)):
        most = sorted(errors)[ceil(0.9 * len(errors)) - 1]
        mean = sum(errors) / len(errors)
        found.append(catalogue.Error(board, direction, len(errors), mean, most, PAGE))
    for match in _LINE.finditer(marks.section(text, usp.COMMAND)):
        direction = _DATASETS[match["what"]]
        numbers = int(match["rows"]), float(match["mean"]), float(match["most"])
        found.append(catalogue.Error(match["board"], direction, *numbers, PAGE))
    return found


def text() -> str:
    """The file."""
    blocks = [
        f'\n[[error]]\nboard = "{e.board}"\ndirection = "{e.direction}"\nrows = {e.rows}\n'
        f'mean = {e.mean:.2f}\nmost = {e.most:.2f}\npage = "{e.page}"\n'
        for e in entries()
    ]
    return HEAD + "".join(blocks)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--write", action="store_true")
    path = ROOT / "src" / "axiometer" / "published" / "catalogue" / "accuracy.toml"
    if parser.parse_args().write:
        path.write_text(text(), encoding="utf-8")
    elif path.read_text(encoding="utf-8") != text():
        print(f"{path} differs from the pages: use --write", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
