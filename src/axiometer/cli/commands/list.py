"""`axiometer list`: the boards, their ports, the experiments and the stored runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from axiometer.cli.commands import console
from axiometer.cli.options import word

if TYPE_CHECKING:
    from axiometer.present.text import Style

Rows = Sequence[Mapping[str, object]]

HELP = "list boards, their ports, experiments and stored runs"
_USUAL = ("boards", "experiments", "runs")
PLATFORMS = "platforms"
"""What JSON calls the list of ports; also accepted as a word for it."""


_KINDS = ("boards", "ports", "experiments", "runs")


def _name(word: str) -> str:
    """The name of the list that `word` means."""
    return "ports" if word == PLATFORMS else word


class Options(console.Stored, console.Json):
    """The values of the command line."""

    kind: str | None = word(
        "one list (default: boards, experiments and runs)", type=_name, choices=_KINDS
    )


def run(args: Options) -> int:
    usual = _KINDS if args.json else _USUAL
    return show([args.kind] if args.kind else usual, args.store, args.json)


def show(kinds: Sequence[str], store: str | None, as_json: bool) -> int:
    """Print the lists of these kinds; return the exit status."""
    found = {kind: _FINDERS[kind](store) for kind in kinds}
    if as_json:
        import json

        named = {PLATFORMS if kind == "ports" else kind: rows for kind, rows in found.items()}
        print(json.dumps(named, indent=1))
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


def _ports(_: str | None) -> Rows:
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
            "board": info.platform,
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
    "ports": (("name", "ports", "not validated", "fitted", "selected"), {"title": ""}),
    "experiments": (("name", "board", "points", "title"), {"source": ""}),
    "runs": (
        ("run", "board", "backend", "points", "started (UTC)", "wall_s"),
        {key: f"{key}: " for key in ("name", "settings", "note")},
    ),
}
"""The columns of a list, and the values in lines below each row with the words before them."""
_FINDERS = {"boards": _boards, "ports": _ports, "experiments": _experiments, "runs": _runs}


def _text(kind: str, rows: Rows, style: Style) -> list[str]:
    from axiometer.present.grid import Column, grid

    if not rows:
        return [f"{kind}: none yet"]
    if kind == "boards":
        from axiometer.present import boards
        from axiometer.published import catalogue

        return boards.lines(boards.documents(catalogue.chips()), style)
    shown, below = _SHOWN[kind]
    columns = [Column(name, isinstance(rows[0][name], int | float)) for name in shown]
    found = grid(columns, [[str(row[name]) for name in shown] for row in rows], style)
    out = [style.paint(kind, "bold"), *found.head]
    for row, lines in zip(rows, found.rows, strict=True):
        out += lines
        out += [f"    {word}{row[key]}" for key, word in below.items() if row[key]]
    return out
