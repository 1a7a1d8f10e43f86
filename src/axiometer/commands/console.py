"""What the commands that show a run have in common: arguments, opening, printing, writing.

Every `axiometer --help` imports this, so functions import what they need themselves.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from axiometer import streams
from axiometer.errors import AxiometerError

if TYPE_CHECKING:
    from pathlib import Path

    from axiometer.analysis.results import View
    from axiometer.present.text import Style


def add_run(parser: argparse.ArgumentParser) -> None:
    """The arguments that name a run and its store."""
    parser.add_argument(
        "run_ref",
        metavar="RUN",
        nargs="?",
        default="latest",
        help="id of a run, name of an experiment, or latest (default)",
    )
    parser.add_argument("--store", metavar="PATH", help="the file that keeps the runs")


def path(text: str) -> Path:
    """The file that an argument names."""
    from pathlib import Path

    return Path(text)


def add_plain(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--plain", action="store_true", help="ASCII only, no colours")


def add_pictures(parser: argparse.ArgumentParser) -> None:
    """`--svg FILE` and `--png FILE`, of which one may be given."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--svg", metavar="FILE", type=path, help="write the picture as SVG")
    group.add_argument("--png", metavar="FILE", type=path, help="write the picture as PNG")


def picture_path(args: argparse.Namespace) -> Path | None:
    """Where to write the picture, if one is wanted; its suffix must be its format's."""
    for suffix in ("svg", "png"):
        given = getattr(args, suffix)
        if given is not None:
            if given.suffix.lower() != f".{suffix}":
                raise AxiometerError(
                    f"--{suffix} {given}: the name does not end in .{suffix}",
                    remedy=f"write --{suffix} {given.with_suffix('.' + suffix)}",
                )
            return given
    return None


def load_view(ref: str, store: str | None, with_file: str | None = None) -> View:
    """The view of a stored run."""
    from axiometer.analysis import collect

    return collect.view(collect.load(ref, store), with_file)


def show_lines(lines: list[str], style: Style) -> None:
    print(style.finish("\n".join(lines)))


def show_json(document: object) -> None:
    import json

    print(json.dumps(document, indent=1, allow_nan=False))


def say_written(path: Path) -> None:
    """Tell on stderr which file was written: stdout is for results."""
    streams.tell(f"wrote {path}")
