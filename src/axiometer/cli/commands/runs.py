"""`axiometer runs`: list, name, annotate, remove and compare stored runs."""

from __future__ import annotations

from axiometer.base import standard_streams
from axiometer.base.errors import AxiometerError
from axiometer.cli.commands import console
from axiometer.cli.options import word

HELP = "list, name, annotate or remove stored runs, or compare the settings of two"
_COUNT = {"list": (0, 0), "name": (2, 2), "note": (2, 2), "rm": (1, 10_000), "diff": (2, 2)}
_TAKES = {
    "list": "needs no run",
    "name": "needs a run and a name",
    "note": "needs a run and a line of text in quotes",
    "rm": "needs the ids of runs",
    "diff": "needs two runs",
}


class Options(console.Stored, console.Printed):
    """The values of the command line."""

    what: str = word(
        "list (default), name, note, rm or diff", default="list", choices=tuple(_COUNT)
    )
    refs: list[str] = word(
        "ids of runs, and except for rm also names or latest; for name and note also the text",
        metavar="RUN",
        nargs="*",
    )


def run(args: Options) -> int:
    least, most = _COUNT[args.what]
    if not least <= len(args.refs) <= most:
        given = len(args.refs)
        raise AxiometerError(
            f"axiometer runs {args.what} {_TAKES[args.what]}, and {given or 'none'} "
            f"{'are' if given > 1 else 'is'} given",
            remedy="list the ids with: axiometer list runs",
        )
    do = {"list": _list, "name": _label, "note": _label, "rm": _remove, "diff": _diff}
    return do[args.what](args)


def _list(args: Options) -> int:
    from axiometer.cli.commands.list import show

    return show(["runs"], args.store, args.json)


def _label(args: Options) -> int:
    from axiometer.records.store import opened

    ref, words = args.refs
    give = opened.name if args.what == "name" else opened.note
    run = give(ref, words, args.store)
    if args.json:
        console.show_json({"run": run, args.what: words})
    elif words:
        standard_streams.tell(
            f"run {run} {'is called' if args.what == 'name' else 'has the note'} {words}"
        )
    else:
        standard_streams.tell(f"run {run} has no {args.what}")
    return 0


def _remove(args: Options) -> int:
    from axiometer.records.store import opened

    opened.remove(args.refs, args.store)
    if args.json:
        console.show_json({"removed": args.refs})
    else:
        standard_streams.tell(f"removed {', '.join(args.refs)}")
    return 0


def _diff(args: Options) -> int:
    from axiometer.answer.analysis.differences import differences
    from axiometer.present import tables
    from axiometer.present.text import Style
    from axiometer.records.store import opened

    first, second = (opened.load(ref, args.store) for ref in args.refs)
    found = differences(first, second)
    if args.json:
        console.show_json(
            {"runs": [first.id, second.id], "settings": [each._asdict() for each in found]}
        )
    else:
        style = Style.of_stdout(args.plain)
        console.show_lines(tables.differences(found, first.id, second.id, style), style)
    return 0
