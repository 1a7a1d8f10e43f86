"""`axiometer selftest`: check the laws at many points of one board or of all."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from axiometer.base import progress, standard_streams
from axiometer.cli.commands import console
from axiometer.cli.options import option, word

if TYPE_CHECKING:
    from axiometer.answer.selftest import Outcome

HELP = "check the model of a board against the laws at random points"
USUAL_POINTS = 1000
OF_EACH = 50  # of each board, with all boards
MOST_SHOWN = 10
_SAY_EVERY_S = 2.0


class Options(console.Printed):
    """The values of the command line."""

    board: str = word(
        "a board's name or TOML file, or all (default)", metavar="BOARD", default="all"
    )
    points: str | None = option(
        f"points of each board (default {USUAL_POINTS}; {OF_EACH} with all boards)", metavar="N"
    )
    seed: str | None = option("another seed draws other points (default 0)", metavar="S")


def run(args: Options) -> int:
    from axiometer.answer import selftest
    from axiometer.base import data
    from axiometer.platform import Platform
    from axiometer.present.text import Style

    names = data.names("platforms") if args.board == "all" else [args.board]
    usual = OF_EACH if args.board == "all" else USUAL_POINTS
    points = _number("--points", args.points, usual, 1)
    seed = _number("--seed", args.seed, 0, 0)
    found = []
    for platform in [Platform.load(name) for name in names]:
        say = _Progress(platform.name, points)
        with progress.heard(None):
            found.append(selftest.run(platform, points, seed, say))
        say.close()
    broken = sum(len(outcome.broken) for outcome in found)
    if args.json:
        whole = {"seed": seed, "platforms": [outcome.document() for outcome in found]}
        console.show_json(whole | {"broken": broken})
    else:
        console.show_lines(_lines(found), Style.of_stdout(args.plain))
    return 1 if broken else 0


def _number(option: str, text: str | None, usual: int, least: int) -> int:
    from axiometer.base.errors import AxiometerError

    if text is None:
        return usual
    if not (text.isascii() and text.isdecimal() and least <= int(text[:9]) and len(text) < 9):
        raise AxiometerError(
            f"{option} is {text!r}", remedy=f"give a whole number from {least} to 99999999"
        )
    return int(text)


class _Progress:
    """Points done and laws broken, on stderr: one line on a terminal, some lines elsewhere."""

    def __init__(self, platform: str, points: int) -> None:
        self.platform, self.points = platform, points
        self.terminal = sys.stderr.isatty()
        self.last = time.monotonic()

    def __call__(self, done: int, broken: int) -> None:
        now = time.monotonic()
        if now - self.last < (0.1 if self.terminal else _SAY_EVERY_S):
            return
        self.last = now
        end = "\r" if self.terminal else "\n"
        words = f"{self.platform}: {done} of {self.points} points, {broken} broken"
        self._write(words.ljust(60) + end)

    def close(self) -> None:
        if self.terminal:
            self._write(" " * 60 + "\r")

    def _write(self, text: str) -> None:
        """Write, and ignore a stderr that nobody reads."""
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except (OSError, ValueError):
            standard_streams.silence(sys.stderr)


def _lines(found: list[Outcome]) -> list[str]:
    from axiometer.present.grid import Column, table
    from axiometer.present.text import Style

    rows = [
        [
            outcome.platform,
            str(sum(outcome.points.values())),
            ", ".join(f"{count} {kind}" for kind, count in sorted(outcome.points.items())),
            str(sum(outcome.checked.values())),
            str(len(outcome.broken)),
        ]
        for outcome in found
    ]
    columns = [
        *(Column("board", False), Column("points"), Column("of them", False)),
        *(Column("relations"), Column("broken")),
    ]
    lines = table(columns, rows, Style(False))
    worst: dict[str, float] = {}
    for outcome in found:
        for name, share in outcome.worst.items():
            worst[name] = max(worst.get(name, 0.0), share)
    slower = [f"{name} {share:.1%}" for name, share in worst.items() if share]
    if slower:
        lines += ["", f"Within the tolerance, the rate was lower by: {', '.join(slower)}."]
    broken = [(o.platform, breach) for o in found for breach in o.broken]
    # One breach of each law on each board.
    first = {(platform, breach.law): breach for platform, breach in reversed(broken)}
    shown = list(reversed(first.items()))[:MOST_SHOWN]
    for (platform, _), breach in shown:
        lines += ["", f"{platform}: {breach.sentence}", f"  {breach.command}"]
    if len(broken) > len(shown):
        lines += ["", f"and {len(broken) - len(shown)} more (--json has all)"]
    verdict = f"{len(broken)} broken" if broken else "All laws hold."
    return [*lines, "", verdict]
