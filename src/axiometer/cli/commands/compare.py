"""`axiometer compare`: a run beside published figures or beside another run."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from axiometer.base import standard_streams
from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.cli.commands import console
from axiometer.cli.options import option, word

if TYPE_CHECKING:
    from axiometer.answer.analysis.results import View

HELP = "compare a run with published figures or another run"


class Options(console.OfRun, console.Printed):
    """The values of the command line."""

    other: str = word("another run, or published (default)", metavar="RUN2", default="published")
    with_file: str | None = option("your own published figures", "--with", metavar="FILE.csv")
    max_error: str | None = option(
        "exit with status 1 if the mean absolute error over all compared rows exceeds PCT %%",
        metavar="PCT",
    )


def run(args: Options) -> int:
    from axiometer.answer.analysis import collect, comparison, differences
    from axiometer.present import run_document, tables
    from axiometer.present.text import Style
    from axiometer.records.store import opened

    limit = _limit(args.max_error)
    if args.with_file and args.other != "published":
        raise AxiometerError("--with and RUN2 exclude each other", remedy="give one of them")
    data = opened.load(args.run_ref, args.store)
    unlike: list[str] = []
    view = collect.view(data, args.with_file)
    name = "published"
    if args.other != "published":
        beside = opened.load(args.other, args.store)
        other = collect.view(beside)
        view = collect.beside(view, other)
        found = differences.differences(data, beside)
        unlike = ["", *tables.differences(found, data.id, beside.id, Style.of_stdout(args.plain))]
        name = other.run_id
    if not view.compared:
        raise AxiometerError(
            f"nothing to compare run {view.run_id} with{_why(view, name)}",
            remedy="name another run, or give published figures: --with FILE.csv",
            status=RUN_FAILED,
        )
    if args.json:
        console.show_json(run_document.compared(view, data))
    else:
        _print(view, name, args.plain, unlike)
    every = comparison.group(view.rows)
    error = every.mean_abs_error_pct
    if limit is not None and error is not None and error > limit:
        standard_streams.tell_error(
            f"axiometer: the mean absolute error over all {every.compared} compared rows, "
            f"{error:.2f} %, exceeds {limit:g} %"
        )
        return RUN_FAILED
    return 0


def _why(view: View, name: str) -> str:
    if not view.done:
        return ": no point of it has finished"
    if name != "published":
        return f": {name} has none of its points"
    return f": {view.no_reference}" if view.no_reference else ": no published row has its points"


def _limit(text: str | None) -> float | None:
    if text is None:
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise AxiometerError(f"--max-error is {text!r}", remedy="give a percentage, such as 5")
    return value


def _print(view: View, name: str, plain: bool, unlike: list[str]) -> None:
    from axiometer.present import tables
    from axiometer.present.text import Style

    style = Style.of_stdout(plain)
    lines = [*tables.title(view, style)]
    if view.citation:
        lines.append(style.paint(f"compared with: {view.citation}", "dim"))
    lines += [
        "",
        *tables.compared(view, name, style),
        "",
        *tables.summary(view, name, style),
        *unlike,
    ]
    console.show_lines(lines, style)
