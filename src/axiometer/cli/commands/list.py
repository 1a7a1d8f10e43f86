"""`axiometer list`: what boards, platforms, experiments and runs there are."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from axiometer.cli.commands import console

if TYPE_CHECKING:
    from axiometer.present.text import Style

Rows = Sequence[Mapping[str, object]]

HELP = "list boards, platforms, experiments and stored runs"
_USUAL = ("platforms", "experiments", "runs")
_KINDS = ("boards", *_USUAL)


class Options(Protocol):
    """What the command line says."""

    kind: str | None
    store: str | None
    json: bool


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "kind", nargs="?", choices=_KINDS, help="only these (default: all but boards)"
    )
    parser.add_argument("--store", metavar="PATH", help="the file with the runs")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(args: Options) -> int:
    return show([args.kind] if args.kind else _USUAL, args.store, args.json)


def show(kinds: Sequence[str], store: str | None, as_json: bool) -> int:
    """Lists these kinds."""
    found = {kind: _FINDERS[kind](store) for kind in kinds}
    if as_json:
        import json

        print(json.dumps(found, indent=1))
    else:
        from axiometer.present.text import Style

        style = Style.of_stdout()
        parts = [_text(kind, rows, style) for kind, rows in found.items()]
        console.show_lines([line for part in parts for line in (*part, "")][:-1], style)
    return 0


def _boards(_: str | None) -> Rows:
    from axiometer.present import boards
    from axiometer.published import catalogue

    return boards.documents(catalogue.chips())


def _platforms(_: str | None) -> Rows:
    from axiometer.published.catalogue import listed

    return listed.platforms()


def _experiments(_: str | None) -> Rows:
    from axiometer.published.catalogue import listed

    return listed.experiments()


def _runs(store: str | None) -> Rows:
    from axiometer.records.store import opened

    path = store or None
    return [
        {
            "run": info.id,
            "name": info.label.name,
            "platform": info.platform,
            "backend": info.backend,
            "points": f"{info.points_done}/{info.points_total}",
            "started (UTC)": info.started_at.removesuffix("+00:00"),
            "wall_s": round(info.wall_s, 1),
            "settings": " ".join(info.settings),
            "note": info.label.note,
        }
        for info in (opened.listed(path) if opened.is_there(path) else ())
    ]


_SHOWN = {
    "experiments": (("name", "platform", "points", "title"), {"source": ""}),
    "runs": (
        ("run", "platform", "backend", "points", "started (UTC)", "wall_s"),
        {key: f"{key}: " for key in ("name", "settings", "note")},
    ),
}
"""What stands in the table of a list, and what in lines below each row, with a word before."""
_FINDERS = {"boards": _boards, "platforms": _platforms, "experiments": _experiments, "runs": _runs}


def _text(kind: str, rows: Rows, style: Style) -> list[str]:
    from axiometer.present.grid import Column, grid

    if not rows:
        return [f"{kind}: none yet"]
    if kind == "boards":
        from axiometer.present import boards
        from axiometer.published import catalogue

        return boards.lines(boards.documents(catalogue.chips()), style)
    shown, below = _SHOWN.get(kind, (tuple(rows[0]), {}))
    columns = [Column(name, isinstance(rows[0][name], int | float)) for name in shown]
    found = grid(columns, [[str(row[name]) for name in shown] for row in rows], style)
    out = [style.paint(kind, "bold"), *found.head]
    for row, lines in zip(rows, found.rows, strict=True):
        out += lines
        out += [f"    {word}{row[key]}" for key, word in below.items() if row[key]]
    return out
