"""`axiometer run`: run an experiment and store its records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiometer.api import file_kinds
from axiometer.base import standard_streams
from axiometer.cli.commands import console, measure
from axiometer.cli.options import flag, option

if TYPE_CHECKING:
    from axiometer.present.run_document import Document
    from axiometer.present.text import Style
    from axiometer.records.store import RunData
    from axiometer.runs.runner import Session

HELP = "run an experiment and store its records"


class Options(measure.OnBoard, console.Json):
    """The values of the command line."""

    backend: str = option("model (default), rtl or board", default="model")
    target: str | None = option("for --backend board: as in axiometer measure", metavar="TARGET")
    jobs: str | None = option("number of processes (default: all cores)", metavar="N")
    dask: str | None = option(
        "run on the Dask cluster of this scheduler", metavar="ADDRESS", alone="elsewhere"
    )
    dask_jobqueue: str | None = option(
        "run on the job queue of a cluster that this TOML file describes",
        metavar="CONFIG",
        alone="elsewhere",
    )


def run(args: Options) -> int:
    from contextlib import ExitStack

    from axiometer.base.errors import AxiometerError
    from axiometer.base.record import BOARD
    from axiometer.experiment import Experiment
    from axiometer.records.store import opened
    from axiometer.runs import backends
    from axiometer.runs.runner import Session

    file_kinds.must_be(file_kinds.EXPERIMENT, args.experiment)
    experiment = Experiment.load(args.experiment, measure.overlay(args))
    if args.backend == BOARD and args.target is not None:
        finished = measure.measured(args, args.target, experiment)
        _print(finished, args.json)
        return 0
    if args.target is not None:
        raise AxiometerError(
            "only a board has a target", remedy="add --backend board, or leave out --target"
        )
    jobs = _jobs(args.jobs)
    # Errors in backend or points come before a store is created.
    backends.prepare(args.backend, experiment.platform, experiment.points())
    with ExitStack() as stack:
        cluster = None
        if args.dask is not None or args.dask_jobqueue is not None:
            from axiometer.runs.runner.cluster import Cluster

            cluster = stack.enter_context(Cluster(args.dask, args.dask_jobqueue))
        store = stack.enter_context(opened.to_keep(args.store))
        session = Session(store, experiment, args.backend, jobs, args.resume, cluster)
        if not args.quiet:
            for line in (_beginning(session, args.resume), *_clocks(session)):
                standard_streams.tell(line)
        try:
            finished = session.execute(args.quiet)
        except KeyboardInterrupt:
            kept = len(store.finished(session.run))
            raise KeyboardInterrupt(
                f"{kept} of {len(session.points)} points are stored in {session.run}\n"
                f"  continue with: {_command(args)}"
            ) from None
        _print(finished, args.json)
    return 0


def _jobs(text: str | None) -> int:
    from axiometer.base import processors
    from axiometer.base.errors import AxiometerError
    from axiometer.base.units import whole

    if text is None:
        return processors.usable()
    jobs = whole(text)
    if jobs is None or not 1 <= jobs <= 1024:
        raise AxiometerError(f"--jobs is {text!r}", remedy="give a whole number from 1 to 1024")
    return jobs


def _beginning(session: Session, resume: bool) -> str:
    left = f"{len(session.todo)} of {len(session.points)} points to run"
    if session.resumed:
        return f"{session.run} continues: {left}"
    if resume:
        return f"no unfinished run fits; {session.run} is new: {left}"
    return f"{session.run}: {left}"


def _clocks(session: Session) -> list[str]:
    """A sentence for each PL clock that differs from the given one, or that the PLL cannot make."""
    from axiometer.answer.analysis import pl_clocks
    from axiometer.present import clock_text

    found = pl_clocks.of_points(session.experiment.platform, session.points)
    return clock_text.notes(found)


def _command(args: Options) -> str:
    import shlex

    words = ["axiometer", "run", args.experiment]
    words += [word for setting in measure.overlay(args) for word in ("--set", setting)]
    if args.backend != "model":
        words += ["--backend", args.backend]
    for name in ("store", "dask", "dask_jobqueue"):
        value = getattr(args, name)
        words += [flag(name), value] if value is not None else []
    return shlex.join([*words, "--resume"])


def _print(finished: RunData, as_json: bool) -> None:
    from axiometer.present.run_document import document
    from axiometer.present.text import Style

    whole = document(finished)
    if as_json:
        import json

        print(json.dumps(whole, indent=1, allow_nan=False))
        return
    style = Style.of_stdout()
    print(style.fit(_table(finished, whole, style)))


def _table(finished: RunData, whole: Document, style: Style) -> list[str]:
    """The means beside the published means, if there are any."""
    from axiometer.answer.analysis.results import how
    from axiometer.answer.analysis.stats import error_pct
    from axiometer.base.record import EMULATED
    from axiometer.present import labels, master_rows, tables
    from axiometer.present.grid import Column, table
    from axiometer.present.text import number
    from axiometer.published import reference

    came = how(finished.backend)
    compared = whole["summary"]["compared"]
    keys = list(dict.fromkeys(name for point in finished.points for name in point.key))
    columns = [Column(labels.heading(name), name not in ("ports", "mode")) for name in keys]
    columns += [Column(title) for title in (f"{came} MB/s", "min", "max", "σ")]
    theirs = [_theirs(point) for point in whole["points"]]
    beside = finished.backend != EMULATED and any(rate is not None for rate in theirs)
    columns += [Column(tables.theirs(finished.backend)), Column("error %")] if beside else []
    rows = []
    each = zip(finished.points, whole["points"], theirs, strict=True)
    for stored, point, rate in each:
        total = point["total_MBps"]
        row = [
            labels.value_label(name, stored.key[name]) if name in stored.key else ""
            for name in keys
        ]
        row += [number(total[name]) for name in ("mean", "min", "max")] + [number(total["std"], 4)]
        if beside:
            row += [number(rate), number(error_pct(total["mean"], rate), 2, signed=True)]
        rows.append(row)
    both = zip(finished.points, whole["points"], strict=True)
    met = master_rows.lines([(stored.key, stored.values, stats) for stored, stats in both], style)
    experiment = finished.experiment
    title = f"{experiment.title} ({came}, {finished.platform.title})"
    lines = [style.paint(title, "bold"), "", *table(columns, rows, style), ""]
    lines += [*met, ""] if met else []
    if compared:
        whose = experiment.source or "; ".join(whole["summary"]["measured_by"])
        lines += _summary(whole["summary"], whose)
    elif (why := reference.for_experiment(experiment)[1]) and experiment.external_reference:
        lines.append(f"Not compared: {why}.")
    lines.append(f"Stored as {finished.id}: axiometer show, compare, explain, report, export")
    return lines


def _theirs(point: Document) -> float | None:
    """Measured MB/s: the compared row of the point, else its first measured row."""
    first: float | None = (point["published"] or {}).get("mean")
    totals = (row["total_MBps"] for row in point["measured"] if "total_MBps" in row)
    return first if first is not None else next(totals, None)


def _summary(summary: Document, source: str) -> list[str]:
    """The comparison: mean error by role, and the row with the largest error."""
    from axiometer.present import labels

    parts = [
        f"{role} {group['compared']}: {group['mean_abs_error_pct']:.2f} %"
        for role, group in summary["by_role"].items()
        if group["compared"]
    ]
    worst = dict(summary["worst"])
    error = worst.pop("error_pct")
    return [
        f"Mean absolute error against {source or 'published figures'} over "
        f"{summary['compared']} of {summary['points']} rows: "
        f"{summary['mean_abs_error_pct']:.2f} % ({'; '.join(parts)}).",
        f"Largest error: {labels.key_label(worst) or 'the only point'}, {error:+.2f} %.",
    ]
