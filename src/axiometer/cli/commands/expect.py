"""`axiometer expect`: the rate and limit of one point or of a design."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from axiometer.cli.commands import console, needs, subject
from axiometer.cli.options import names, option

if TYPE_CHECKING:
    from collections.abc import Iterator

    from axiometer.experiment.points import Point
    from axiometer.platform import Platform
    from axiometer.present.sampling_text import SoFar
    from axiometer.present.text import Style

HELP = "predict the rate and limit of one setting or of your design"


class Keys(subject.OfPoint):
    """Options that are keys of an experiment."""

    ports: str | None = option("ports, joined by +: HP0+HP2")
    mode: str | None = option(
        "both (default of DMA engines), read (default of masters with one direction) or write"
    )
    pl_mhz: str | None = option("clock of the PL: 150MHz; a number is MHz")
    width_bits: str | None = option("width of the ports in bits")
    transfer_bytes: str | None = option(
        "size of a transfer: 4K or 4KiB (1K is 1024), 32MB; a number is bytes"
    )
    burst_beats: str | None = option("beats of a burst")
    repeats: str | None = option(
        "random starts (default: as many as the answer needs, at most 20; for a design 5)"
    )


class Options(Keys, console.Changed, needs.Options, console.Printed):
    """The values of the command line."""

    set: list[str] = option(
        "another key of an experiment or master (master.video.port=HP0), a figure of the "
        "board, or MASTER.KEY, PORT.KEY, CLOCK.mhz of a design: axi_dma_0.burst_beats=64",
        metavar="KEY=VALUE",
    )
    master: list[str] = option(
        "a master, once for each: NAME=DIRECTION,port=PORT and further keys: "
        "cam=write,port=HP0,rate=400,burst=256; of another kind: cpu=read,kind=processor",
        metavar="MASTER",
    )
    backend: str = option("model (default), rtl or board", default="model")
    verbose: bool = option("the whole answer instead of three lines", "-v", "--verbose")


def run(args: Options) -> int:
    subject.settle_point(args)
    if args.design is not None:
        return _design(args.design, args)
    from axiometer.api import fit
    from axiometer.api.expectation import Expectation, point_of
    from axiometer.platform import Platform
    from axiometer.present import expected_point
    from axiometer.present.text import Style

    platform = Platform.load(subject.board_named(args))
    args.ports = args.ports or needs.ports(args, platform)
    asked = point_of(platform, _asked(args))
    style = Style.of_stdout(args.plain)
    so_far = _so_far(asked, args, style if style.colour and not args.json else None)
    try:
        found = Expectation(*asked, args.backend, so_far.starts).answer
    finally:
        so_far.clear()
    met = needs.judged(args, partial(fit.of_point, found))
    if args.json:
        console.show_json({**expected_point.document(found), **needs.document(args, met)})
    else:
        lines = expected_point.lines(found, style, args.verbose)
        console.show_lines([*needs.lines(met, style), *lines], style)
    return needs.status(met)


def _so_far(asked: tuple[Platform, Point], args: Options, style: Style | None) -> SoFar:
    """The progress line with the rate so far, beginning with a first estimate; empty without the
    style of a terminal that can replace it."""
    from axiometer.api.sampling import first_look
    from axiometer.present.sampling_text import SoFar
    from axiometer.published import bands

    platform, point = asked
    line = SoFar(partial(bands.of_total, platform, point.values), style)
    look = first_look(platform, point) if style and args.backend == "model" else None
    if look is not None:
        line.short(*look)
    return line


def _asked(args: Options) -> list[tuple[str, object, str]]:
    """Keys and figures with their values, and the option of each."""
    found = [*console.asked(args, names(Keys)), *_masters(args.master)]
    for key, value, written in found:
        _one_point(key, str(value), written)
    return found


def _masters(asked: list[str]) -> Iterator[tuple[str, object, str]]:
    """The masters of `--master` as settings of tables."""
    from axiometer.base.errors import AxiometerError
    from axiometer.experiment import settings
    from axiometer.experiment.master_keys import KINDS, SHORT
    from axiometer.experiment.master_tables import of_line

    for text in asked:
        name, direction, more = of_line(text)
        if not (name and direction and all(equals for _, equals, _ in more)):
            raise AxiometerError(
                f"--master {text}: this is no master",
                remedy="write NAME=DIRECTION,port=PORT and more KEY=VALUE: cam=write,port=HP0,"
                "rate=400",
            )
        kind = next((value for key, _, value in more if key == "kind"), "")
        moves = "operation" if "operation" in KINDS.get(kind, ()) else "direction"
        yield f"master.{name}.{moves}", direction, f"--master {text}"
        for key, _, value in more:
            literal = settings.literal(value)
            yield f"master.{name}.{SHORT.get(key, key)}", literal, f"--master {text}"


def _design(file: str, args: Options) -> int:
    from axiometer.api import design_answers, fit
    from axiometer.base.errors import AxiometerError
    from axiometer.present import design_answer
    from axiometer.present.text import Style

    console.without(args, [key for key in names(Keys) if key not in ("ports", "repeats")])
    if args.master:
        raise AxiometerError(
            "--master is for a board: a design has its own masters",
            remedy="leave it out, or change one: --set MASTER.KEY=VALUE",
        )
    if args.backend != "model":
        raise AxiometerError(
            f"--backend {args.backend}: designs run on the model", remedy="leave it out"
        )
    design, placed = design_answers.opened(file, args.board, args.set)
    design = design_answers.behind(design, args.ports)
    found = design_answers.answer(
        design, placed, None if args.repeats is None else console.repeats(args.repeats, 1)
    )
    met = needs.judged(args, partial(fit.of_design, found))
    if args.json:
        console.show_json({**design_answer.document(found), **needs.document(args, met)})
    else:
        style = Style.of_stdout(args.plain)
        lines = design_answer.lines(found, style, args.verbose)
        console.show_lines([*needs.lines(met, style), *lines], style)
    return needs.status(met)


def _one_point(key: str, value: str, option: str) -> None:
    """AxiometerError if `value` lists several sets of ports, which only `run --set` sweeps."""
    from axiometer.base.errors import AxiometerError
    from axiometer.experiment import settings

    if key == "ports" and len(settings.choices(key, value)) > 1:
        raise AxiometerError(
            f"{option}: a comma separates points, and expect answers one",
            remedy="for these ports together write "
            f"{'+'.join(part.strip() for part in value.split(','))}; for one after another: "
            f"axiometer run EXPERIMENT --set ports={value}",
        )
