"""The answer of `expect` in plain words, and as JSON: one point with its bottleneck and advice."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import asdict

from axiometer.answer.analysis import burst_latency, pl_clocks
from axiometer.answer.analysis.results import MEASURED, Row, how
from axiometer.answer.analysis.stats import error_pct, rate_of
from axiometer.answer.verdicts.demands import demands
from axiometer.answer.verdicts.expected import Answer
from axiometer.answer.verdicts.remedy import Kind
from axiometer.base.units import short_rate
from axiometer.experiment import listed
from axiometer.experiment.values import known
from axiometer.present import (
    advice_text,
    anchored_text,
    band_text,
    bottleneck_text,
    cause_text,
    clock_text,
    emphasis,
    labels,
    latency_text,
    master_rows,
    measured_text,
    program_text,
    sampling_text,
    starved_text,
    steady,
    text,
    trial_text,
)
from axiometer.present.bottleneck_text import describe
from axiometer.published import measured

SCHEMA_VERSION = 2
"""Of the JSON documents of answers. 2: `board` and `peak_MBps`, which were `platform` and
`expected_MBps`."""


def lines(a: Answer, style: text.Style, detailed: bool = False) -> list[str]:
    """The question, the answer in three lines, and warnings; with `detailed`, all other results."""
    *figures, limit = answer(a)
    out = [style.paint(question(a), "dim"), *(emphasis.answer(line, style) for line in figures)]
    out += [emphasis.limit(limit, bottleneck_text.name(a.verdict), style)]
    out += [emphasis.warning(line, style) for line in warnings(a)]
    if detailed:
        return [*out, "", *(emphasis.notes(line, style) for line in details(a))]
    return [*out, style.paint("-v: how sure, each port, why, what else was tried.", "dim")]


def question(a: Answer) -> str:
    """Board, ports, directions, widths, clocks, bursts, and which of them were assumed."""
    words = f"{a.platform.name} {describe(a.row.values, bursts=True)}"
    said = [word for word in a.assumed if word != "burst" or listed.masters(a.row.values)]
    return words + (f"; assumed: {', '.join(said)}." if said else ".")


def answer(a: Answer, options: bool = True) -> list[str]:
    """Rate; latency; limit and best change, with `options` as options of the command. Of a transfer
    below 4 KiB the latency comes first."""
    rate, latency = _rate(a), latency_text.line(burst_latency.of_row(a.row), a.small, a.started)
    first = [latency, rate] if a.small is not None else [rate, latency]
    return [*filter(None, first), f"Limit: {bottleneck_text.name(a.verdict)}. {_most(a, options)}."]


def warnings(a: Answer, met: bool = True, of: Container[str] | None = None) -> list[str]:
    """Clock, direction, memory, starved masters, demands (those that are met unless not `met`),
    missing measurements. of: the masters whose rates were asked for, of a design, whose clocks are
    its own (None: all of a board)."""
    clock = clock_text.note(_clock(a)) if of is None else ""
    out = [*filter(None, [clock, steady.sentence(a.row.stats)])]
    out += _one_way(a)
    out += labels.target(a.platform.target)
    if a.starved:
        out.append(f"STARVED: {starved_text.who([t.of for t in a.starved])}. -v: why.")
    asked = demands(a.row.values, a.row.stats)
    wanted = [d for d in asked if of is None or d.master in of]
    out += master_rows.demand_lines([d for d in wanted if met or not d.met])
    if a.band is None and a.backend != MEASURED:
        out.append(band_text.UNKNOWN)
    unvalidated = a.platform.unvalidated_in(a.row.values)
    if unvalidated:
        out.append(labels.unvalidated(unvalidated))
    return out


def details(a: Answer, options: bool = True) -> list[str]:
    """The lines of -v: how the answer was found, each port, changes tried (with `options` as
    options of the command), measurements."""
    total, came = a.total, how(a.backend)
    over = sampling_text.starts(total["n"])
    spread = f"{short_rate(total['min'])}–{short_rate(total['max'])} over {over}"
    out = [
        clock_text.line(_clock(a)),
        f"Rate: {short_rate(total['mean'])} MB/s ({came}; {spread})"
        + (f", {_share(a.row)}." if a.row.ceiling.value else "."),
        *measured_text.lines(a.measured, lambda way: rate_of(known(a.row.stats), way)["mean"]),
        *anchored_text.lines(a.anchored),
        *filter(None, [latency_text.whole(a.small), sampling_text.sentence(a.sampling)]),
        *_bands(a),
        *_before_port(a),
        *starved_text.lines(a.starved),
        bottleneck_text.sentence(a.verdict),
        *_arrow(a, options),
    ]
    if a.best is not None and a.best.keys:
        out.append(f"  {trial_text.line(a.best, options)}")
    out += [f"  {words}" for words in trial_text.not_advised(a.remedy.refuted)]
    out += program_text.sentences(a.started)
    out += a.more
    out += measured_text.nearest(a.nearest_measured)
    return out


def _arrow(a: Answer, options: bool) -> list[str]:
    """The change to make; what was tried where none of it gives more."""
    if a.best is not None or a.most is not None or not a.has_trials:
        return [f"→ {advice(a, options)}"]
    return [advice(a, options)] if a.remedy.kind is Kind.TRIED else []


def advice(a: Answer, options: bool = True) -> str:
    """The change to make; with `options`, as options of the command."""
    return advice_text.advice(a.remedy, a.verdict.evidence, options)


def _before_port(a: Answer) -> list[str]:
    """The blocks before the ports, where they cost something."""
    of = a.before_port
    if of is None:
        return []
    part = f"{of.gain + 1:.1f} times" if of.is_multiple else text.gain(of.gain, 0)
    return [
        f"Before the port: {of.words}; without it {short_rate(of.without_MBps)} MB/s "
        f"({part}; simulated)."
    ]


def _one_way(a: Answer) -> list[str]:
    """The direction of the answer, where the master moves one at a time and none was given."""
    if not a.one_way:
        return []
    way = labels.value_label("mode", a.row.values["mode"])
    return [
        f"A {a.row.values['master']} moves one direction at a time; this is {way}, the usual one. "
        "The other: --mode pl_to_ps."
    ]


def headline(a: Answer, options: bool = True) -> str:
    """The answer's lines in one."""
    return " ".join(answer(a, options))


def _rate(a: Answer) -> str:
    """The measured or else the anchored rate, where there is one; then the simulated rate."""
    stats = known(a.row.stats)
    total = stats["total_MBps"]["mean"]
    ways = [
        f"{short_rate(mean)} {word}"
        for way, word in (("read", "read"), ("write", "written"))
        if (mean := rate_of(stats, way)["mean"])
    ]
    apart = f" ({' + '.join(ways)})" if len(ways) > 1 else ""
    share = "" if a.row.efficiency_pct is None else f", {a.row.efficiency_pct:.0f} % of peak"
    band = "" if a.band is None else f"; {band_text.short(a.band, total)}"
    row = measured.chosen(a.measured, "total")
    own = f"{short_rate(total)} MB/s{latency_text.start(a.small)}{apart}"
    if row is not None:
        error = f"{error_pct(total, row.rate):+.1f} %"
        whose = f"{measured_text.rate(row, short=True)} measured ({measured_text.source(row)})"
        return (
            f"{whose}{measured_text.contradicting(a.measured, row)}. "
            f"{how(a.backend).capitalize()}: {own}, {error}{share}{band}."
        )
    if a.anchored is not None:
        return (
            f"{anchored_text.short(a.anchored)}. {how(a.backend).capitalize()}: {own}{share}{band}."
        )
    return f"{own} {how(a.backend)}{share}{band}."


def _most(a: Answer, options: bool) -> str:
    """The change, or the relaxation, that gives most."""
    if a.best is None and not a.has_trials:
        return f"Not simulated: {advice(a, options).rstrip('.')}"
    if a.best is not None:
        by = text.gain(a.best.gain, 0)
        return f"Best change: {trial_text.words(a.best, options)}, {by} (simulated)"
    if a.most is not None:
        by = text.gain(a.most.gain, 0)
        return f"Most to gain: {cause_text.named(a.most)}, {by} (simulated)"
    return "Nothing that was tried gives more"


def _bands(a: Answer) -> list[str]:
    """The band of the rate and of each master's; nothing where a board measured them."""
    if a.backend == MEASURED:
        return []
    return [band_text.sentence(a.band, a.total["mean"]), *_masters(a)]


def _masters(a: Answer) -> Iterator[str]:
    """The rates of each master, with its place and latency where it has a name of its own."""
    cells = {name: rest for name, *rest in master_rows.cells(a.row.values, a.row.stats)}
    if not cells and len(a.row.each) < 2:  # noqa: PLR2004 - the one rate is the total
        return
    for name, rates in band_text.rates(a.row.each):
        if name not in cells:
            yield f"  {name}: {rates}"
            continue
        where, *_, mean, slowest = cells[name]
        yield f"  {name} ({where}): {rates}; latency {mean} ns, 99 % within {slowest}."


def _clock(a: Answer) -> pl_clocks.Clock:
    return pl_clocks.of_point(a.platform, a.row.key, a.row.values)


def _share(row: Row) -> str:
    c = row.ceiling
    part = f"{text.number(row.efficiency_pct, 1)} % of the {c.value:g} MB/s"
    rated = [bool(m["rate_mbs"]) for m in listed.masters(row.values)]
    could = "the ports could carry"
    if any(rated):
        could = "the masters ask for" + ("" if all(rated) else ", or their ports could carry")
    if c.dram_limits:
        return f"{part} of the DRAM's peak ({could} {c.ports:g})"
    return f"{part} that {could}"


def document(a: Answer) -> dict[str, object]:
    """The answer as one JSON document, whose keys docs/guide.md lists. Rates in MB/s."""
    return {
        "schema_version": SCHEMA_VERSION,
        "board": a.platform.name,
        "question": question(a),
        "assumed": list(a.assumed),
        "backend": a.backend,
        "values": dict(a.row.values),
        **(a.row.stats or {}),
        "latency": burst_latency.of_row(a.row),
        "small": latency_text.document(a.small),
        "band": band_text.document(a.band, a.total["mean"]),
        "rates": band_text.documents(a.row.each),
        "anchored": anchored_text.document(a.anchored),
        "demands": [asdict(d) for d in demands(a.row.values, a.row.stats)],
        "starved": starved_text.documents(a.starved),
        "sampling": sampling_text.document(a.sampling),
        "peak_MBps": a.row.ceiling.value,
        "efficiency_pct": a.row.efficiency_pct,
        "bottleneck": a.verdict.cause,
        **cause_text.document(a.verdict.found),
        "headline": headline(a),
        "sentence": bottleneck_text.sentence(a.verdict),
        "clock": clock_text.note(_clock(a)),
        "pl_clock": clock_text.document(_clock(a)),
        "advice": advice(a),
        "trials": trial_text.documents(a.remedy.trials),
        "refuted": trial_text.documents(a.remedy.refuted),
        "more": list(a.more),
        "unvalidated": a.platform.unvalidated_in(a.row.values),
        "program": program_text.document(a.started),
        "before_port": None if a.before_port is None else asdict(a.before_port),
        "target": a.platform.target,
        "measured": measured_text.document(a.measured),
        "nearest_measured": measured_text.document(a.nearest_measured),
    }
