"""`--need`: whether a point or a design carries the needed rates.

`axiometer --help` imports this file; so imports are in the functions.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from axiometer.answer.verdicts.designed import Answer as OfDesign
    from axiometer.answer.verdicts.expected import Answer as OfPoint
    from axiometer.answer.verdicts.needs import Carried, Met, Rate
    from axiometer.present.text import Style


class Options(Protocol):
    """The values of the command line."""

    need: str | None


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--need",
        metavar="[NAME=]RATE,...",
        help="does it fit? MB/s or frames (1080p60, 4 bytes a pixel) in total, of read or write, "
        "or of a port or master: vin=373,HP1.write=2x1080p60; exit status 1 if not",
    )


def judged(args: Options, carried: Callable[[], Carried]) -> list[Met]:
    """The needs with the carried rates; none without `--need`."""
    from axiometer.answer.verdicts import needs

    return [] if args.need is None else needs.judged(needs.parse(args.need), carried())


def of_point(found: OfPoint) -> Carried:
    """The rates of a point: total, its ports and its masters."""
    from axiometer.answer.analysis.stats import RateStats, rate_of
    from axiometer.answer.verdicts.needs import ALL
    from axiometer.experiment.values import known

    stats = known(found.row.stats)
    bands = {(of.name, of.direction): of.band for of in found.row.each}

    measured: dict[str, float] = {of.way: of.rate for of in found.measured}

    def of(name: str, rates: RateStats) -> Callable[[str | None], Rate]:
        def rate(way: str | None) -> Rate:
            if name == ALL and (way or ALL) in measured:
                return measured[way or ALL], None, True
            mean = rate_of(rates, way or "total")["mean"]
            band = found.band if name == ALL and way is None else bands.get((name, way or ""))
            return mean, None if band is None else band.low * mean, False

        return rate

    named: dict[str, RateStats] = {ALL: stats, **stats["by_port"], **stats.get("by_master", {})}
    return {name: of(name, rates) for name, rates in named.items()}


def of_design(found: OfDesign) -> Carried:
    """The rates of a design with all masters together: total, ports and masters."""
    from axiometer.answer.verdicts.needs import ALL

    outcome, band = found.together.outcome, found.band

    def all_of(way: str | None) -> Rate:
        rate = outcome.rate(way)
        return rate, None if band is None or way is not None else band.low * rate, False

    def of_master(name: str) -> Callable[[str | None], Rate]:
        return lambda way: (outcome.rate(way, name), None, False)

    def of_port(port: str) -> Callable[[str | None], Rate]:
        return lambda way: (
            sum(
                share.MBps
                for share in outcome.shares
                if share.load.port == port and way in (None, share.load.direction)
            ),
            None,
            False,
        )

    ports = dict.fromkeys(share.load.port for share in outcome.shares)
    masters = {key: name for name, short in found.names.items() for key in (name, short)}
    return {
        ALL: all_of,
        **{port: of_port(port) for port in ports},
        **{key: of_master(name) for key, name in masters.items()},
    }


def lines(met: Sequence[Met], style: Style) -> list[str]:
    from axiometer.present import needs_text

    return [*needs_text.lines(met, style), ""] if met else []


def document(args: Options, met: Sequence[Met]) -> Mapping[str, object]:
    """For JSON; empty without `--need`."""
    from axiometer.present import needs_text

    return {} if args.need is None else {"needs": needs_text.document(met)}


def status(met: Sequence[Met]) -> int:
    """The exit status: 1 if a need is not met."""
    from axiometer.base.errors import RUN_FAILED

    return 0 if all(of.is_met for of in met) else RUN_FAILED
