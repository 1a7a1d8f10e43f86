"""`axiometer explain`: the time accounting and the limit of each point of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiometer.api import file_kinds
from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.cli.commands import console
from axiometer.cli.options import option, word

if TYPE_CHECKING:
    from axiometer.answer.analysis.results import Row, View
    from axiometer.answer.verdicts.explained import Explained

HELP = "explain where the time of a run, or of your design, goes"


class Options(console.OfRun, console.Changes, console.Drawn, console.Printed):
    """The values of the command line."""

    point: str | None = word(
        "number of a point (from 0), or values of its keys: HP0+HP1,duplex,64; for a design: "
        "axi_dma_0 alone",
        metavar="POINT",
    )
    all: bool = option("every point in full")
    brief: bool = option("each cause once, with the number of points that it limits")
    verbose: bool = option("each point with a bar of its time classes", "-v", "--verbose")


def run(args: Options) -> int:
    from axiometer.answer.verdicts.explained import explained
    from axiometer.present.explanation import document, label

    if args.all and args.point is not None:
        raise AxiometerError("--all and POINT exclude each other", remedy="give one of them")
    if args.brief and (args.all or args.point is not None):
        raise AxiometerError("--brief covers all points", remedy="give neither --all nor POINT")
    path = console.picture_path(args)
    view = _view(args)
    if not view.done:
        raise AxiometerError(
            f"no point of run {view.run_id} has finished",
            remedy="finish it with: axiometer run EXPERIMENT --resume",
            status=RUN_FAILED,
        )
    rows = view.done if args.point is None else select(view, args.point)
    found = explained(view, rows, label)
    if path is not None:
        from axiometer.present import pictures

        pictures.write(pictures.of_stacks(view, [(e.label, e.stacks) for e in found]), path)
        console.say_written(path)
    if args.json:
        console.show_json(document(view, found))
    elif path is None:
        _print(view, found, args)
    return 0


def _print(view: View, found: list[Explained], args: Options) -> None:
    from axiometer.present import explained_text
    from axiometer.present.text import Style

    style = Style.of_stdout(args.plain)
    if args.brief:
        lines = explained_text.brief(found, style)
    elif args.all or (args.verbose and len(found) == 1):
        lines = explained_text.full(view, found, style)
    elif args.verbose:
        lines = explained_text.whole(view, found, style)
    else:
        # The last point of a design has all masters at work.
        together = args.point is None and file_kinds.is_design(args.run_ref)
        lines = explained_text.short(view, found[-1:] if together else found, style)
    console.show_lines(lines, style)


def _view(args: Options) -> View:
    """The view of the run or design in `args`."""
    if file_kinds.is_design(args.run_ref):
        from axiometer.api import design_answers

        return design_answers.opened_view(args.run_ref, args.board, args.set)
    console.no_settings(args)
    return console.load_view(args.run_ref, args.store)


def select(view: View, wanted: str) -> list[Row]:
    """The finished rows of `wanted`: the number of a point, or values of its keys.

    AxiometerError if there is none.
    """
    from axiometer.base.units import whole
    from axiometer.present import labels

    number = whole(wanted)
    if number is not None and any(row.index == number for row in view.rows):
        rows = [row for row in view.done if row.index == number]
        if not rows:
            raise AxiometerError(
                f"point {wanted} of run {view.run_id} has not finished",
                remedy="finish it with: axiometer run EXPERIMENT --resume",
                status=RUN_FAILED,
            )
        return rows
    words = [word.strip().lower() for word in wanted.split(",") if word.strip()]

    def texts(row: Row) -> set[str]:
        shown = {labels.value_label(k, v).lower() for k, v in row.key.items()}
        return shown | {str(v).lower() for v in row.key.values()}

    swept = set().union(*map(texts, view.done))

    def has(row: Row, word: str) -> bool:
        """Words of no swept key are compared with the constant values of the point."""
        return word in (texts(row) if word in swept else _constant(row))

    rows = [row for row in view.done if words and all(has(row, word) for word in words)]
    if not rows:
        listed = "; ".join(f"{r.index}: {labels.key_label(r.key)}" for r in view.done[:12])
        more = f"; and {len(view.done) - 12} more" if len(view.done) > 12 else ""
        raise AxiometerError(
            f"run {view.run_id} has no finished point {wanted!r}", remedy=f"{listed}{more}"
        )
    return rows


def _constant(row: Row) -> set[str]:
    """The texts among the values of a point, as written and as shown."""
    from axiometer.experiment.directions import MODE_ALIASES
    from axiometer.present import labels

    values = {k: v for k, v in row.values.items() if isinstance(v, str)}
    ports = row.values.get("ports")
    if isinstance(ports, list):
        values["ports"] = "+".join(ports)
    shown = {labels.value_label(k, v).lower() for k, v in values.items()}
    other = {word for word, mode in MODE_ALIASES.items() if mode == values.get("mode")}
    return shown | other | {v.lower() for v in values.values()}
