"""`--need`: whether a point or a design carries the needed rates.

`axiometer --help` imports this file; so imports are in the functions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from axiometer.cli.options import last, option

if TYPE_CHECKING:
    from axiometer.answer.verdicts.needs import Met, Need
    from axiometer.platform import Platform
    from axiometer.present.text import Style


@last
class Options:
    """The values of the command line."""

    need: str | None = option(
        "does it fit? MB/s or frames (4K30, 1080p60x2; 4 bytes a pixel, or x2) in total, of read "
        "or write, or of a port or master: vin=373,HP1.write=2x1080p60; exit status 1 if not",
        metavar="[NAME=]RATE,...",
    )


def ports(args: Options, platform: Platform) -> str | None:
    """The ports that the needs name, joined by +; None if they name no port."""
    from axiometer.answer.verdicts import needs

    aliases = {name.lower(): port for name, port in platform.port_aliases().items()}
    asked = [] if args.need is None else needs.parse(args.need)
    found = [aliases[need.name.lower()] for need in asked if need.name.lower() in aliases]
    return "+".join(dict.fromkeys(found)) or None


def judged(args: Options, fit: Callable[[Sequence[Need]], list[Met]]) -> list[Met]:
    """The needs with the carried rates; none without `--need`."""
    from axiometer.answer.verdicts import needs

    return [] if args.need is None else fit(needs.parse(args.need))


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
