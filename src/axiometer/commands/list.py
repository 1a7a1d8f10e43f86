"""`axiometer list`: what boards, platforms, experiments and runs there are."""

from __future__ import annotations

import argparse
from typing import Any

HELP = "list boards, platforms, experiments and stored runs"
_USUAL = ("platforms", "experiments", "runs")
_KINDS = ("boards", *_USUAL)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "kind", nargs="?", choices=_KINDS, help="only these (default: all but boards)"
    )
    parser.add_argument("--store", metavar="PATH", help="the file with the runs")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(args: argparse.Namespace) -> int:
    kinds = [args.kind] if args.kind else list(_USUAL)
    found = {kind: _FINDERS[kind](args) for kind in kinds}
    if args.json:
        import json

        print(json.dumps(found, indent=1))
    else:
        print("\n\n".join(_text(kind, rows) for kind, rows in found.items()))
    return 0


def _boards(args: argparse.Namespace) -> list[dict[str, Any]]:
    from axiometer import catalogue
    from axiometer.present import boards

    return boards.documents(catalogue.chips())


def _platforms(args: argparse.Namespace) -> list[dict[str, Any]]:
    from axiometer import data
    from axiometer.platform import Platform

    platforms = [Platform.load(name) for name in data.names("platforms")]
    return [
        {
            "name": platform.name,
            "ports": "+".join(p for p in platform.ports if p not in platform.unvalidated()),
            "not validated": "+".join(platform.unvalidated()),
            "fitted": origins["fitted"],
            "selected": origins["selected"],
            "title": platform.title,
        }
        for platform in platforms
        for origins in [platform.origins()]
    ]


def _experiments(args: argparse.Namespace) -> list[dict[str, Any]]:
    from axiometer import data
    from axiometer.experiment import Experiment

    experiments = [Experiment.load(name) for name in data.names("experiments")]
    return [
        {
            "name": experiment.name,
            "platform": experiment.platform_name,
            "points": experiment.how_many(),
            "title": experiment.title,
            "source": experiment.source,
        }
        for experiment in experiments
    ]


def _runs(args: argparse.Namespace) -> list[dict[str, Any]]:
    from pathlib import Path

    from axiometer.store import Store, default_path

    path = Path(args.store) if args.store else default_path()
    if not args.store and not path.exists():
        return []
    with Store(path) as store:
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
            for info in store.runs()
        ]


_FINDERS = {"boards": _boards, "platforms": _platforms, "experiments": _experiments, "runs": _runs}


def _text(kind: str, rows: list[dict[str, Any]]) -> str:
    from axiometer.present.text import Column, Style, table

    if not rows:
        return f"{kind}: none yet"
    style = Style.of_stdout()
    if kind == "boards":
        from axiometer.present import boards

        return style.finish("\n".join(boards.lines(rows, style)))
    if kind == "runs":
        return style.finish("\n".join(_run_lines(rows, style)))
    columns = [Column(name, isinstance(value, int | float)) for name, value in rows[0].items()]
    cells = [[str(value) for value in row.values()] for row in rows]
    lines = [style.paint(kind, "bold"), *table(columns, cells, style)]
    return style.finish("\n".join(lines))


def _run_lines(rows: list[dict[str, Any]], style: Any) -> list[str]:
    """A table, with a run's name, settings that are not the experiment's, and note below it."""
    from axiometer.present.text import Column, table

    shown = ("run", "platform", "backend", "points", "started (UTC)", "wall_s")
    columns = [Column(name, isinstance(rows[0][name], int | float)) for name in shown]
    head, *lines = table(columns, [[str(row[name]) for name in shown] for row in rows], style)
    rules = lines[: len(lines) - len(rows)]
    found = [style.paint("runs", "bold"), head, *rules]
    for row, line in zip(rows, lines[len(rules) :], strict=True):
        found.append(line)
        found += [f"    {key}: {row[key]}" for key in ("name", "settings", "note") if row[key]]
    return found
