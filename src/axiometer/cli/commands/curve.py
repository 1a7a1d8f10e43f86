"""`axiometer curve`: latency against bandwidth, by the gap between bursts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiometer.base.errors import AxiometerError
from axiometer.cli.commands import console, subject
from axiometer.cli.options import names, option

if TYPE_CHECKING:
    from axiometer.answer.analysis.load_sweep import Load

HELP = "draw latency against bandwidth, of a board or of your design"

_RATIOS = {"read": "1:0", "write": "0:1", "pair": "1:1", "both": "1:1"}


class Keys(subject.OfPoint):
    """Options that are keys of an experiment."""

    ports: str | None = option("ports, joined by +: HP0+HP2")
    pl_mhz: str | None = option("clock of the PL: 150MHz; a number is MHz")
    width_bits: str | None = option("width of the ports in bits")
    burst_bytes: str | None = option("size of a burst: 128 or 4K")
    pattern: str | None = option("sequential (default), random or stride:<bytes>")
    outstanding_read: str | None = option("most outstanding reads")
    outstanding_write: str | None = option("most outstanding writes")
    duration: str | None = option(
        "simulated time of each gap (default 2ms; less if the rate settles earlier)"
    )


class Options(Keys, console.Changed, console.Drawn, console.Printed):
    """The values of the command line."""

    mode: str | None = option("read (default), write or both: ratios 1:0, 0:1 and 1:1")
    ratio: list[str] = option(
        "reads to writes, such as 2:1; repeat it for further curves", metavar="R:W"
    )
    gaps: str | None = option(
        "PL clocks between bursts (default: 18, from 0 to 2048)", metavar="N,N,..."
    )
    set: list[str] = option(
        "another key of an experiment, a figure of the board, or MASTER.KEY of a design",
        metavar="KEY=VALUE",
    )


def run(args: Options) -> int:
    from axiometer.answer.analysis import load_sweep
    from axiometer.api.curves import laid_over, swept
    from axiometer.platform import Platform
    from axiometer.present import load_curves as present

    subject.settle_point(args)
    path = console.picture_path(args)
    gaps = load_sweep.gaps(args.gaps) if args.gaps is not None else load_sweep.GAPS
    if args.design is not None:
        loads = _of_design(args.design, args)
    else:
        board = Platform.load(subject.board_named(args))
        platform, given = laid_over(board, console.asked(args, names(Keys)))
        ratios = _ratios(args.mode, args.ratio)
        loads = [("", load_sweep.Load(platform, given, ratio)) for ratio in ratios]
    found = [swept(load, gaps, label) for label, load in loads]
    if path is not None:
        from axiometer.present import pictures

        pictures.write(present.chart(found), path)
        console.say_written(path)
    if args.json:
        console.show_json(present.document(found))
    elif path is None:
        from axiometer.present.text import Style

        style = Style.of_stdout(args.plain)
        console.show_lines(present.lines(found, style), style)
    return 0


def _of_design(file: str, args: Options) -> list[tuple[str, Load]]:
    """The loads of a design with their names: all its masters at once, and, unless they are the
    same at each port, each port and each master."""
    from axiometer.answer.analysis import load_sweep
    from axiometer.api import design_answers
    from axiometer.simulate.scenario import Scenario

    console.without(args, [key for key in names(Keys) if key not in ("ports", "duration")])
    if args.ratio or args.mode is not None:
        raise AxiometerError(
            f"--{'ratio' if args.ratio else 'mode'} is for a board: masters of a design have their "
            "own directions",
            remedy="leave it out, or ask the board: axiometer curve BOARD PORTS --ratio 2:1",
        )
    design, placed = design_answers.opened(file, args.board, args.set)
    platform = placed.platform
    found = design_answers.lists(design_answers.behind(design, args.ports), platform)
    loads = []
    for name, own in found:
        duration = args.duration or load_sweep.usual_duration(platform)
        scenario = Scenario.of(platform, own.point({"duration": duration}).values)
        ways = {stream.direction for stream in scenario.streams}
        both = int("read" in ways), int("write" in ways)
        label = name or ("all at once" if len(found) > 1 else "")
        loads.append((label, load_sweep.Load(platform, {}, both, scenario)))
    return loads


def _ratios(mode: str | None, given: list[str]) -> list[tuple[int, int]]:
    """The requested ratios, each once; AxiometerError if mode and ratio contradict."""
    from axiometer.answer.analysis import load_sweep
    from axiometer.base.errors import did_you_mean
    from axiometer.experiment import directions

    way = "read" if mode is None else directions.normal_direction(mode)
    if way is None:
        raise AxiometerError(
            f"--mode is {mode!r}", remedy=did_you_mean(str(mode), _RATIOS, "modes")
        )
    found = [load_sweep.ratio(text) for text in given] or [load_sweep.ratio(_RATIOS[way])]
    if given and mode is not None and way in directions.ONE_WAY:
        raise AxiometerError(
            f"--mode {mode} and --ratio exclude each other", remedy="give one of them"
        )
    return list(dict.fromkeys(found))
