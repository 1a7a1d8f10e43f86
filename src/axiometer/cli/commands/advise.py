"""`axiometer advise`: search for a better setting and give the gain of each choice."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from axiometer.base import standard_streams
from axiometer.cli.commands import console, subject

if TYPE_CHECKING:
    from axiometer.advice.candidates import Candidate, Outcome
    from axiometer.advice.fabric import Search
    from axiometer.advice.wanted_masters import Master
    from axiometer.answer.verdicts.verdict import Verdict
    from axiometer.platform import Platform

    Reasons = Sequence[tuple[str, Outcome]]

HELP = "search for the best ports, bursts and settings for masters, or for your design"

MOST_SAME = 4  # equal sets of ports that the answer lists for each candidate


class Options(subject.Subject, console.Printed, Protocol):
    """The values of the command line."""

    start: str | None
    master: list[str]
    objective: str | None
    transfer_bytes: str | None
    mode: str | None
    packets: bool
    set: list[str]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    subject.add(parser)
    parser.add_argument(
        "--from",
        dest="start",
        metavar="EXPERIMENT",
        help="improve an experiment's first point step by step",
    )
    parser.add_argument(
        "--master",
        action="append",
        default=[],
        metavar="MASTER",
        help="a master in the fabric, once for each: "
        "NAME=DIRECTION[,rate=MB/s][,burst=BYTES+BYTES...][,pattern=PATTERN][,outstanding=N]",
    )
    parser.add_argument(
        "--objective",
        help="total, minimum (the slowest master), guarantee (the requested rates; default if a "
        "master has one) or latency (the longest mean); default: minimum",
    )
    parser.add_argument(
        "--transfer-bytes",
        metavar="BYTES",
        help="processor's side: size of a transfer or packet, 4K",
    )
    parser.add_argument("--mode", help="processor's side: ps_to_pl (default) or pl_to_ps")
    parser.add_argument("--packets", action="store_true", help="processor's side: rings of packets")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a key of an experiment for all candidates; values with commas are tried (also of a "
        "figure of the board: qos.HP0.mode=video,best_effort); for a design, a change before the "
        "search",
    )
    console.add_plain(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(args: Options) -> int:
    from axiometer.base.errors import AxiometerError
    from axiometer.platform import Platform

    subject.settle(args)
    if args.start is not None and (args.board or args.design):
        raise AxiometerError(
            "--from has its own board", remedy="leave out --board, BOARD and DESIGN"
        )
    if args.design is not None:
        from axiometer.cli.commands import advise_design

        if args.master or args.transfer_bytes is not None or args.packets or args.mode is not None:
            raise AxiometerError(
                "a design has its own masters",
                remedy="leave out --master, --transfer-bytes, --packets and --mode",
            )
        return advise_design.run(args.design, args)
    if args.start is not None:
        from axiometer.cli.commands import advise_from

        if args.master or args.transfer_bytes is not None or args.packets or args.mode is not None:
            raise AxiometerError(
                "--from has its own masters",
                remedy="leave out --master, --transfer-bytes, --packets and --mode",
            )
        return advise_from.run(args.start, args, _settings(args))
    platform = Platform.load(subject.board_named(args))
    if args.master:
        if args.transfer_bytes is not None or args.packets or args.mode is not None:
            raise AxiometerError(
                "--transfer-bytes, --packets and --mode are for the processor's side, --master is "
                "for the fabric",
                remedy="use one of the two; --master contains its direction: NAME=read",
            )
        return _fabric(args, platform)
    if args.transfer_bytes is None and not args.packets:
        raise AxiometerError(
            "nothing to advise on",
            remedy="give masters in the fabric (--master), or for the processor's side "
            "--transfer-bytes or --packets",
        )
    return _processor(args, platform)


def _settings(args: Options) -> dict[str, list[object]]:
    from axiometer.experiment import settings
    from axiometer.experiment.keys import Given, checked

    found = {}
    for setting in args.set:
        name, value = settings.split(setting)
        words = [settings.literal(word.strip()) for word in value.split(",")]
        given = [Given(word, f"--set {setting}") for word in words]
        if settings.is_platform_path(name):
            name = settings.platform_path(name)
        else:
            given = [checked(name, one) for one in given]
        found[name] = [one.value for one in given]
    return found


def _processor(args: Options, platform: Platform) -> int:
    from axiometer.advice import processor
    from axiometer.base.errors import AxiometerError
    from axiometer.base.units import parse_bytes
    from axiometer.experiment.keys import normal_mode
    from axiometer.present.text import Style

    given = {name: values[0] for name, values in _settings(args).items()}
    size, mode = None, args.mode or "ps_to_pl"
    if args.transfer_bytes is not None:
        try:
            size = parse_bytes(args.transfer_bytes)
        except ValueError:
            raise AxiometerError(
                f"--transfer-bytes is {args.transfer_bytes!r}", remedy="give bytes: 2KiB"
            ) from None
    if args.packets or size is None:
        # Of an experiment's keys, none is called "share".
        lines = processor.ring_words(platform, size=size, **given)  # type: ignore[arg-type]
    else:
        lines = processor.words(platform, size, normal_mode(mode) or mode, **given)
    if args.json:
        console.show_json({"platform": platform.name, "simulated": True, "says": lines})
    else:
        console.show_lines(
            [f"{platform.title} (simulated)", "", *lines], Style.of_stdout(args.plain)
        )
    return 0


def _fabric(args: Options, platform: Platform) -> int:
    from axiometer.advice import fabric, wanted_masters
    from axiometer.base.errors import AxiometerError, did_you_mean
    from axiometer.present.text import Style

    usual = fabric.usual_bursts(platform)
    wanted = [wanted_masters.parse(text, usual) for text in args.master]
    names = [m.name for m in wanted]
    if len(set(names)) < len(names):
        raise AxiometerError("two masters have the same name", remedy="rename one of them")
    objective = args.objective or ("guarantee" if any(m.rate for m in wanted) else "minimum")
    if objective not in fabric.OBJECTIVES:
        raise AxiometerError(
            f"--objective is {objective!r}", remedy=did_you_mean(objective, fabric.OBJECTIVES)
        )
    if objective == "guarantee" and not any(m.rate for m in wanted):
        first = args.master[0]
        raise AxiometerError(
            "no master has a rate to guarantee", remedy=f"add a rate: --master {first},rate=100"
        )
    choices = fabric.usual_choices(platform)
    fixed = {}
    for name, values in _settings(args).items():
        choices.pop(name, None)
        if len(values) > 1:
            choices[name] = [None, *values]
        elif "." in name:
            platform = platform.with_overrides({name: values[0]})
        else:
            fixed[name] = values[0]
    search = fabric.Search(platform, wanted, objective, choices, fixed)
    say = (lambda _: None) if args.json else standard_streams.tell
    ranking = search.run(say)
    reasons, limit = search.reasons(ranking[0]), search.limit(ranking[0].candidate)
    if args.json:
        console.show_json(_document(search, ranking, reasons, limit))
    else:
        lines = _lines(search, ranking, reasons, limit)
        console.show_lines(lines, Style.of_stdout(args.plain))
    return 0


def _fairness(outcome: Outcome) -> float:
    """The largest rate over the smallest: 1 is fair."""
    return max(outcome.rates) / max(min(outcome.rates), 1e-9)


def _margin(master: Master, rate: float) -> float | None:
    """What a master gets above its requested rate, as a share of it; None without such a rate."""
    return None if master.rate is None else rate / master.rate - 1


def _choice(wanted: Sequence[Master], candidate: Candidate) -> str:
    places = zip(wanted, candidate.ports, candidate.bursts, strict=True)
    ends = Counter((m.direction, port) for m, port in zip(wanted, candidate.ports, strict=True))
    words = [
        f"{m.name} on {port}{' (multiplexed)' if ends[m.direction, port] > 1 else ''}"
        f" with {burst} B"
        for m, port, burst in places
    ]
    return ", ".join(words + [f"{name} = {value}" for name, value in candidate.settings])


def _lines(
    search: Search, ranking: Sequence[Outcome], reasons: Reasons, limit: Verdict
) -> list[str]:
    from axiometer.advice import likely
    from axiometer.present import anchored_text, band_text, bottleneck_text, labels, measured_text

    platform, wanted, bands = search.platform, search.masters, []
    many = "1 master" if len(wanted) == 1 else f"{len(wanted)} masters"
    lines = [
        f"{platform.title}: {many}, objective {search.objective} (simulated)",
        "",
    ]
    for place, outcome in enumerate(ranking, 1):
        lines.append(f"{place}. {_choice(wanted, outcome.candidate)}")
        own = likely.of(platform, wanted, outcome.candidate, search.fixed)
        for master, rate, latency in zip(wanted, outcome.rates, outcome.latency_ns, strict=True):
            margin = _margin(master, rate)
            more = "" if margin is None else f", {margin:+.0%} of {master.rate:g} requested"
            band = own.of_master(master, rate)
            span = band_text.cell(band, rate)
            lines.append(
                f"     {master.name}: {rate:.0f} MB/s ({span}), {latency:.0f} ns a burst{more}"
            )
            bands.append(band)
        whole = own.of_total(outcome.total)
        fair, span = _fairness(outcome), band_text.cell(whole, outcome.total)
        lines.append(
            f"     together {outcome.total:.0f} MB/s ({span}); largest over smallest {fair:.2f}"
        )
        bands.append(whole)
        lines += [f"     {said}" for said in anchored_text.lines(search.anchored(outcome))]
        for row in search.measured(outcome.candidate):
            lines.append(f"     measured: {measured_text.rate(row)} ({measured_text.source(row)})")
        lines += _same(wanted, search.same.get(outcome.candidate.ports, []))
    lines += ["", f"Limit of the first: {bottleneck_text.name(limit)}."]
    lines += ["", band_text.note(bands, "in brackets")]
    never = _unvalidated(search, ranking)
    if never:
        lines.append(labels.unvalidated(never))
    if reasons:
        lines += ["", "Without one of its choices the first gives"]
    for what, without in reasons:
        rates = ", ".join(f"{m.name} {r:.0f}" for m, r in zip(wanted, without.rates, strict=True))
        lines.append(f"  with {what}: {without.total:.0f} MB/s ({rates})")
    for candidate, _, claim in search.refuted:
        lines.append(f"Not advised: {_choice(wanted, candidate)}. {measured_text.claim(claim)}")
    return lines


def _same(wanted: Sequence[Master], ports: Sequence[Sequence[str]]) -> list[str]:
    """A line with other ports that give the same rates; no line without such ports."""
    if not ports:
        return []
    equal = [" and ".join(f"{m.name} on {p}" for m, p in zip(wanted, of, strict=True))
            for of in ports[:MOST_SAME]]  # fmt: skip
    more = f"; and {len(ports) - MOST_SAME} more" if len(ports) > MOST_SAME else ""
    return [f"     the same: {'; '.join(equal)}{more}"]


def _unvalidated(search: Search, ranking: Sequence[Outcome]) -> list[str]:
    """The ports, or the memory, of the ranking without a published measurement."""
    ports = dict.fromkeys(port for outcome in ranking for port in outcome.candidate.ports)
    return list(search.platform.unvalidated_in({"ports": list(ports), "background": None}))


def _document(
    search: Search, ranking: Sequence[Outcome], reasons: Reasons, limit: Verdict
) -> dict[str, object]:
    from axiometer.advice import likely
    from axiometer.present import anchored_text, band_text, measured_text

    platform, wanted = search.platform, search.masters

    def one(outcome: Outcome) -> dict[str, object]:
        c = outcome.candidate
        bands = likely.of(platform, wanted, c, search.fixed)
        each = zip(wanted, c.ports, c.bursts, outcome.rates, outcome.latency_ns, strict=True)
        return {
            "masters": {
                m.name: {
                    "port": port,
                    "burst_bytes": burst,
                    "MBps": rate,
                    "band": band_text.document(bands.of_master(m, rate), rate),
                    "latency_ns": latency,
                    "margin": _margin(m, rate),
                }
                for m, port, burst, rate, latency in each
            },
            "same_ports": search.same.get(c.ports, []),
            "settings": dict(c.settings),
            "total_MBps": outcome.total,
            "band": band_text.document(bands.of_total(outcome.total), outcome.total),
            "anchored": anchored_text.document(search.anchored(outcome)),
            "fairness": _fairness(outcome),
            "measured": measured_text.document(search.measured(c)),
        }

    return {
        "platform": platform.name,
        "simulated": True,
        "objective": search.objective,
        "bottleneck": limit.cause,
        "unvalidated": _unvalidated(search, ranking),
        "ranking": [one(o) for o in ranking],
        "without": {what: one(o) for what, o in reasons},
        "refuted": [
            {
                "choice": _choice(wanted, candidate),
                "beside": what,
                **measured_text.claim_document(claim),
            }
            for candidate, what, claim in search.refuted
        ],
    }
