"""Shared by commands: arguments, opening a run, printing, writing.

Every `axiometer --help` imports this file; so imports are in the functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiometer.base import atomic_file, standard_streams
from axiometer.base.errors import AxiometerError
from axiometer.cli.options import flag, last, option, path, word

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction
    from pathlib import Path

    from axiometer.answer.analysis.results import View
    from axiometer.cli.commands.subject import Subject
    from axiometer.present.text import Style


@last
class Stored:
    """The file of the runs."""

    store: str | None = option("the file with the stored runs", metavar="PATH")


class OfRun(Stored):
    """A run."""

    run_ref: str = word(
        "id of a run, name of an experiment, or latest (default)", metavar="RUN", default="latest"
    )


class Changed:
    """Keys and figures in the form KEY=VALUE."""

    set: list[str]


class Changes(Changed):
    """The board of a design, and its changes, of commands that take a run as well."""

    board: str | None = option("the board of a design (default: its own)", metavar="BOARD")
    set: list[str] = option(
        "for a design: a change of the design or of a figure of its board", metavar="KEY=VALUE"
    )


@last
class Drawn:
    """The file of a picture."""

    svg: Path | None = option("write the picture as SVG", metavar="FILE", alone="picture")
    png: Path | None = option("write the picture as PNG", metavar="FILE", alone="picture")


@last
class Json:
    """The answer for programs."""

    json: bool = option("print one JSON document")


@last
class Printed(Json):
    """The form of the answer."""

    plain: bool = option("ASCII only, no colours")


def no_settings(args: Changes) -> None:
    """AxiometerError if `--board` or `--set` is given for a run, which has its own."""
    if args.board is not None or args.set:
        raise AxiometerError(
            "--board and --set are for a design, not for a stored run",
            remedy="give the file of a design, or run the experiment again with --set",
        )


def asked(args: Changed, keys: Iterable[str]) -> list[tuple[str, object, str]]:
    """The given options of `keys`, then those of `--set`, each with its value and as written."""
    from axiometer.experiment import settings

    found: list[tuple[str, object, str]] = []
    for key in keys:
        value = getattr(args, key)
        if value is not None:
            literal = value if key == "ports" else settings.literal(value)
            found.append((key, literal, f"{flag(key)} {value}"))
    for setting in args.set:
        name, value = settings.split(setting)
        found.append((name, settings.literal(value), f"--set {setting}"))
    return found


def without(args: Subject, keys: list[str]) -> None:
    """AxiometerError if one of the options `keys` is given, which a design contains itself."""
    for key in keys:
        if getattr(args, key) is not None:
            raise AxiometerError(
                f"the design contains {flag(key)} itself",
                remedy=f"leave it out, or change the design: --set MASTER.KEY=VALUE "
                f"(it is in {args.design})",
            )


def repeats(asked: str | None, usual: int) -> int:
    """The random starts of `--repeats`, or `usual`."""
    from axiometer.base.units import whole
    from axiometer.platform import limits

    if asked is None:
        return usual
    found, limit = whole(asked), limits.of_key("repeats")
    least, most = limit.least or 0, limit.most or 0
    if found is None or not least <= found <= most:
        raise AxiometerError(
            f"--repeats is {asked!r}",
            remedy=f"give a whole number from {least:g} to {most:g}",
        )
    return found


def quantity(option: str, text: str, unit: str) -> Fraction:
    """The number of `unit` in the value of an option: 150 of "150MHz" or "150" in MHz.
    AxiometerError names the right units where it is none."""
    from axiometer.base import units

    try:
        return units.needed(text, unit)
    except ValueError as error:
        raise AxiometerError(f"{option} is {text!r}", remedy=str(error)) from None


def picture_path(args: Drawn) -> Path | None:
    """The file of the requested picture, None without one; its suffix must fit its format."""
    for suffix, given in (("svg", args.svg), ("png", args.png)):
        if given is not None:
            if given.suffix.lower() != f".{suffix}":
                right = given / "picture" if given.is_dir() else given
                # An empty name accepts no suffix.
                right = right.with_suffix(f".{suffix}") if right.name else path(f"picture.{suffix}")
                raise AxiometerError(
                    f"--{suffix} {given}: the name does not end in .{suffix}",
                    remedy=f"write --{suffix} {right}",
                )
            atomic_file.check(given)
            from axiometer.present import drawing

            drawing.check()
            return given
    return None


def load_view(ref: str, store: str | None, with_file: str | None = None) -> View:
    """The view of a stored run."""
    from axiometer.answer.analysis import collect
    from axiometer.records.store import opened

    return collect.view(opened.load(ref, store), with_file)


def show_lines(lines: list[str], style: Style) -> None:
    standard_streams.clear()
    print(style.fit(lines))


def show_json(document: object) -> None:
    import json

    standard_streams.clear()
    print(json.dumps(document, indent=1, allow_nan=False))


def say_written(path: Path) -> None:
    """Print the written file on stderr: stdout is for results."""
    standard_streams.tell(f"wrote {path}")
