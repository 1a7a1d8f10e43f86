"""The model's errors on all sets of published rows: one table, for README, the site, `list boards`
and docs/boards.md.

Reads the sections of docs/accuracy.md and docs/findings.md that the other programs of this folder
wrote, without running them; `board_errors.toml` names the sets. Makes README's section, and
src/axiometer/published/catalogue/accuracy.toml, which the others read.
"""

import json
import re
import statistics
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from axiometer.answer.analysis.stats import ninetieth
from axiometer.experiment import Experiment
from axiometer.present import boards
from axiometer.published import catalogue
from validate import compared, marks
from validate.compared import ROOT, Outcome
from validate.usp import AT_WIRES, BELOW_WIRES

SETS = Path(__file__).with_name("board_errors.toml")
TABLE = ROOT / "src" / "axiometer" / "published" / "catalogue" / "accuracy.toml"
README = ROOT / "README.md"
PAGE = "docs/accuracy.md"
_LINE = re.compile(
    r"^(?P<name>\S.*?) +(?P<rows>\d+) configurations: totals +(?P<mean>[\d.]+) % "
    r"\(90 %: +(?P<most>[\d.]+) %, bias .*?\), ports' rates +(?P<ports>[\d.]+) %",
    re.M,
)
HEAD = """\
# Errors of the model on sets of published rows, in percent of the published rate. Made by
# `python -m validate board_errors --write` from the pages named; do not edit it.
"""


@dataclass(frozen=True)
class Row:
    """A published row: its error in percent, without its sign; whether a figure was fitted on it;
    whether it has the rate of its ports' wires."""

    error: float
    fitted: bool
    at_wires: bool


@dataclass(frozen=True)
class Line:
    """A line of the section of `validate.usp`: errors of totals, and of ports' rates (`ports`)."""

    rows: int
    mean: float
    most: float
    ports: float


def entries() -> list[catalogue.Error]:
    """The errors of all sets."""
    return [_entry(each) for each in sets()]


def sets() -> list[dict[str, Any]]:
    """The sets of board_errors.toml."""
    found: list[dict[str, Any]] = tomllib.loads(SETS.read_text(encoding="utf-8"))["set"]
    return found


def _entry(each: Mapping[str, Any]) -> catalogue.Error:
    if "experiments" in each:
        return of_rows(each, published(each))
    if "dataset" in each:
        return of_dataset(each, dataset())
    if "processor" in each:
        part = _section("processor").partition("### Fitted and predicted rows")[2]
        cells = next(c for c in table(part) if c["rows"] == each["processor"])
        return _summed(each, cells["all"], cells["fitted"], cells, "#the-processors-side")
    cells = next(c for c in table(_section("others")) if c["bench"] == "all")
    each = {**each, "boards": cells["boards"].split(", ")}
    return _summed(each, cells["rows"], cells["chosen on"], cells, "#other-benches")


def _summed(
    each: Mapping[str, Any], count: str, fitted: str, cells: Mapping[str, str], anchor: str
) -> catalogue.Error:
    """A set whose errors a line of the page sums up."""
    errors = (float(cells[of].rstrip(" %")) for of in ("mean error", "nine of ten within"))
    return catalogue.Error(*_names(each), int(count), int(fitted), *errors, PAGE + anchor)


def _names(each: Mapping[str, Any]) -> tuple[str, tuple[str, ...], str]:
    return each["measured_on"], tuple(each["boards"]), each["what"]


def published(each: Mapping[str, Any]) -> list[Row]:
    """The rows of a set of experiments."""
    text = _section("tables")
    return [row for name in each["experiments"] for row in rows(text, name)]


def of_rows(each: Mapping[str, Any], found: Sequence[Row]) -> catalogue.Error:
    """The errors of a set of these rows."""
    errors = [row.error for row in found]
    at, below = ([row.error for row in found if row.at_wires is it] for it in (True, False))
    return catalogue.Error(
        *_names(each),
        len(found),
        sum(row.fitted for row in found),
        _mean(errors),
        ninetieth(errors),
        f"{PAGE}#published-tables",
        len(at),
        *(_mean(part) if part else None for part in (at, below)),
    )


def _mean(errors: Sequence[float]) -> float:
    """As the pages round it, so that all that is made of it shows the same."""
    return round(statistics.fmean(errors), 2)


def of_dataset(each: Mapping[str, Any], found: Mapping[str, Line]) -> catalogue.Error:
    """The errors of a board of the dataset of Zynq UltraScale+."""
    board = each["dataset"]
    every, at, below = (found[" ".join((board, *of))] for of in ((), (AT_WIRES,), (BELOW_WIRES,)))
    return catalogue.Error(
        *_names(each),
        every.rows,
        found[f"{board} fitted"].rows,
        every.mean,
        every.most,
        f"{PAGE}#zynq-ultrascale",
        at.rows,
        at.mean,
        below.mean,
    )


def rows(text: str, name: str) -> Iterator[Row]:
    """The published rows of an experiment in the section of `validate.tables`."""
    (part,) = (part for part in text.split("\n### ")[1:] if f"\n`{name}`, " in part)
    experiment = Experiment.load(name)
    points = {tuple(map(str, p.key.values())): p.values for p in experiment.points()}
    swept = list(experiment.points()[0].key)
    for cells in table(part):
        values, rate = points[tuple(cells[key] for key in swept)], float(cells["published"])
        at_wires = compared.at_wires(rate, experiment.platform, values)
        yield Row(abs(float(cells["error %"])), cells[""] == "fitted", at_wires)


def table(text: str) -> list[dict[str, str]]:
    """The rows of a text's first table, each by the headings."""
    first = re.search(r"^(\|.*\n)+", text + "\n", re.M).group()
    lines = [line.strip("|") for line in first.splitlines()]
    heads, _, *found = [[cell.strip() for cell in line.split("|")] for line in lines]
    return [dict(zip(heads, cells, strict=True)) for cells in found]


def dataset() -> dict[str, Line]:
    """The lines of the section of `validate.usp`, by their names."""
    found = _LINE.finditer(_section("usp"))
    return {
        m["name"]: Line(int(m["rows"]), *(float(m[of]) for of in ("mean", "most", "ports")))
        for m in found
    }


def _section(name: str) -> str:
    return marks.claimed(name, "accuracy.md")


def text() -> str:
    """accuracy.toml."""
    return HEAD + "".join(map(_block, entries()))


def _block(error: catalogue.Error) -> str:
    lines = ["", "[[error]]"]
    for name, value in vars(error).items():
        if value is not None:
            shown = list(value) if isinstance(value, tuple) else value
            lines.append(f"{name} = {json.dumps(shown, ensure_ascii=False)}")
    return "\n".join(lines) + "\n"


def readme() -> str:
    """README's section: the errors, and what they do not say."""
    body = []
    for error in entries():
        cells = boards.error_cells(boards.error_document(error))
        cells[4] = f"[{cells[4]} %]({error.page})"
        body.append(cells)
    return "\n".join([*compared.table(boards.ERROR_HEADS, body), "", *_said()])


def _said() -> Iterator[str]:
    """What the table does not say, as a list."""
    of_zybo = sets()[0]
    zybo, apart = _entry(of_zybo), [row for row in published(of_zybo) if not row.at_wires]
    yield f"- {boards.ERROR_NOTE}"
    yield (
        f"- The Zybo's {zybo.mean:.1f} % is {zybo.at_wires} rows at the rate of their wires, "
        f"{zybo.at_wires_mean:.1f} % off, and {len(apart)} where ports compete, "
        f"{zybo.below_wires_mean:.1f} % off ({sum(row.fitted for row in apart)} of "
        "these are fitted)."
    )
    every = next(c for c in table(_section("others")) if c["bench"] == "all")
    first, _, count = every["first comparison"].partition(" % of ")
    yield (
        "- Figures were chosen with the rows of the five other benches in sight: at the first "
        f"comparison {count} of them were {float(first):.0f} % off (mean)."
    )
    yield (
        "- On Zynq UltraScale+, rates of single ports that share the DRAM are "
        f"{dataset()['all'].ports:.0f} % off: totals are better than their division."
    )
    confirmed, of = re.search(
        r"^(\d+) of (\d+) are confirmed", marks.claimed("findings", "findings.md"), re.M
    ).groups()
    yield (
        f"- The model does not confirm {int(of) - int(confirmed)} of {of} published conclusions "
        "([which](docs/findings.md))."
    )


def run() -> Outcome:
    """README's section, and accuracy.toml."""
    return Outcome(f"{len(sets())} sets", sections={"": readme()}, files={TABLE: text()})
