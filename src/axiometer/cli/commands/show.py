"""`axiometer show`: the table, curve and picture of a run; the reports of a project."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from axiometer.cli.commands import console

if TYPE_CHECKING:
    from axiometer.answer.analysis.results import View

HELP = "show the table (and curve) of a run, or area and timing of a built project's directory"


class Options(console.OfRun, console.Drawn, console.Printed):
    """The values of the command line."""


def run(args: Options) -> int:
    from axiometer.answer.analysis import collect
    from axiometer.base.input_bounds import is_file
    from axiometer.records.store import opened

    path = console.picture_path(args)
    project = Path(args.run_ref)
    if is_file(project / "plan.json"):
        return _project(project, args, path)
    data = opened.load(args.run_ref, args.store)
    if path is not None:
        from axiometer.present import pictures

        pictures.write(pictures.of_run(collect.view(data)), path)
        console.say_written(path)
    if args.json:
        from axiometer.present.run_document import document

        console.show_json(document(data))
    elif path is None:
        _print(collect.view(data), args.plain)
    return 0


def _project(project: Path, args: Options, picture: Path | None) -> int:
    """The reports of Vivado for a project of `build`."""
    from dataclasses import asdict

    from axiometer.base.errors import AxiometerError
    from axiometer.bringup.projects.vivado import reports
    from axiometer.present.text import Style

    if picture is not None:
        raise AxiometerError("a project has no picture", remedy="leave out --svg and --png")
    if args.json:
        used, slack = reports.read(project)
        console.show_json({"area": [asdict(each) for each in used], "timing": asdict(slack)})
    else:
        console.show_lines(reports.lines(project), Style.of_stdout(args.plain))
    return 0


def _print(view: View, plain: bool) -> None:
    from axiometer.present import convolutions, curves, master_rows, tables
    from axiometer.present.layout import layout
    from axiometer.present.text import Style

    style = Style.of_stdout(plain)
    lines = [*tables.title(view, style), "", *tables.results(view, style)]
    if accelerated := convolutions.lines(view, style):
        lines += ["", *accelerated]
    if met := master_rows.lines([(row.key, row.values, row.stats) for row in view.rows], style):
        lines += ["", *met]
    shape = layout(view)
    if shape.curve:
        for panel in shape.panels:
            drawn = curves.of(view.how, shape, panel, style)
            lines += ["", *([panel.title] if panel.title else []), *drawn]
    console.show_lines(lines, style)
