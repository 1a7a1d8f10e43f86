"""`axiometer sweep`: the rate along keys, and the smallest setting that suffices."""

from __future__ import annotations

from axiometer.cli.commands import console
from axiometer.cli.options import option, word

HELP = "predict rates along any keys, and the smallest setting that suffices"


class Options(console.Changed, console.Printed):
    """The values of the command line."""

    words: list[str] = word(
        "a board, its ports and mode, and keys with lists: zybo HP0+HP2 read burst_beats=4,8,16 "
        "pl_mhz=50:300:25",
        nargs="*",
        metavar="BOARD [PORTS [MODE]] KEY=VALUES",
    )
    at_least: str | None = option(
        "the smallest setting with this share of the best rate (90%%) or rate (1500, MB/s)",
        metavar="SHARE|RATE",
    )
    set: list[str] = option("one more key, with a value or a list", metavar="KEY=VALUES")


def run(args: Options) -> int:
    from axiometer.api.sweeps import swept
    from axiometer.base.errors import AxiometerError
    from axiometer.experiment import settings
    from axiometer.platform import Platform
    from axiometer.present.text import Style

    named = [text for text in args.words if "=" not in text]
    if not 1 <= len(named) <= 3:  # noqa: PLR2004 - the words of the help
        raise AxiometerError(
            "no board is given" if not named else f"{named[3]!r} is one word too many",
            remedy="axiometer sweep BOARD [PORTS [MODE]] KEY=VALUES, as in sweep zybo HP0 read "
            "burst_beats=4,8,16",
        )
    asked: list[tuple[str, object, str]] = [
        (key, text, text) for key, text in zip(("ports", "mode"), named[1:], strict=False)
    ]
    for text in (*(text for text in args.words if "=" in text), *args.set):
        name, value = settings.split(text)
        asked.append((name, value, f"--set {text}"))
    found = swept(Platform.load(named[0]), asked, args.at_least)
    if args.json:
        console.show_json(found.to_dict())
    else:
        style = Style.of_stdout(args.plain)
        console.show_lines(found.lines(style), style)
    return 0
