"""`axiometer runs`: what is kept: list it, name, note and remove runs, say where two differ."""

from __future__ import annotations

import argparse
from typing import Protocol

from axiometer.base import standard_streams
from axiometer.base.errors import AxiometerError
from axiometer.cli.commands import console

HELP = "list stored runs, name or remove some, or say in which settings two differ"
_COUNT = {"list": (0, 0), "name": (2, 2), "note": (2, 2), "rm": (1, 10_000), "diff": (2, 2)}
_TAKES = {
    "list": "takes no run",
    "name": "takes a run and a name",
    "note": "takes a run and a line of text, in quotes",
    "rm": "takes the ids of runs",
    "diff": "takes two runs",
}


class Options(console.Printed, Protocol):
    """What the command line says."""

    what: str
    refs: list[str]
    store: str | None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what",
        nargs="?",
        default="list",
        choices=_COUNT,
        help="list (default), name, note, rm or diff",
    )
    parser.add_argument(
        "refs",
        metavar="RUN",
        nargs="*",
        help="ids of runs; but for rm also names, or latest; of name and note also the words",
    )
    parser.add_argument("--store", metavar="PATH", help="the file that keeps the runs")
    console.add_plain(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(args: Options) -> int:
    least, most = _COUNT[args.what]
    if not least <= len(args.refs) <= most:
        given = len(args.refs)
        raise AxiometerError(
            f"axiometer runs {args.what} {_TAKES[args.what]}; {given or 'none'} "
            f"{'are' if given > 1 else 'is'} given",
            remedy="axiometer list runs has the ids",
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
