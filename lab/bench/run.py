"""Measures the speed of Axiometer and prints each figure with its bar.

Other load hardly affects figures in processor time; the campaign's speed and the start are wall
times, so run this on an idle machine.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable

import campaign
import core
import engines
import figures
import interactive
import model
import page
import start

QUICK_REPEATS = 10

# One line for each group of figures: its name, and its function (with `quick` as argument).
_GROUPS: dict[str, Callable[[bool], list[figures.Figure]]] = {
    "core": lambda quick: core.measure(1 if quick else 3),
    "model": lambda quick: model.bursts(1 if quick else 3),
    "campaign": lambda quick: campaign.measure(QUICK_REPEATS if quick else None),
    "engines": lambda quick: engines.measure(),
    "start": lambda quick: start.measure(),
    "interactive": interactive.measure,
    "page": lambda quick: page.measure(),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--quick", action="store_true", help=f"fewer rounds, {QUICK_REPEATS} repeats a row"
    )
    parser.add_argument("--only", choices=_GROUPS, action="append", help="measure this group only")
    parser.add_argument(
        "--details",
        action="store_true",
        help="also print the share of each row that is taken from memory",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    args = parser.parse_args()
    where = figures.machine()
    measured = []
    for group, measure in _GROUPS.items():
        if args.only is None or group in args.only:
            print(f"measuring: {group}", file=sys.stderr)
            measured += measure(args.quick)
    skipped = list(model.skipped()) if args.details else []
    if args.json:
        document = {
            "machine": where,
            "figures": [figure.document() for figure in measured],
            "skipped": [
                {**key, "intervals": intervals, "skipped": from_memory}
                for key, intervals, from_memory in skipped
            ],
        }
        print(json.dumps(document, indent=1))
        return 0
    print(figures.heading(where), "", *figures.lines(measured), sep="\n")
    if skipped:
        print("\nRecurring refresh intervals are taken from memory, not simulated again:")
        rows = [("width", "mode", "ports", "intervals", "from memory")]
        for key, intervals, from_memory in skipped:
            share = f"{100 * from_memory / intervals:.1f} %"
            cells = (key["width_bits"], key["mode"], key["ports"], intervals, share)
            rows.append(tuple(map(str, cells)))
        print(*figures.table(rows, frozenset({0, 3, 4})), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
