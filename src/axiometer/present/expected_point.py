"""The answer of `expect` in plain words, and as JSON: one point with its bottleneck and advice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from axiometer.answer.analysis import burst_latency, pl_clocks
from axiometer.answer.analysis.results import MEASURED, Row, how
from axiometer.answer.analysis.stats import error_pct
from axiometer.answer.relax.choices import CHIPS
from axiometer.answer.relax.gains import TIE
from axiometer.base.errors import AxiometerError
from axiometer.base.units import short_rate
from axiometer.experiment import master_keys
from axiometer.experiment.keys_processor import AT_MEMORY, ONE_WAY
from axiometer.platform import Platform
from axiometer.present import (
    band_text,
    clock_text,
    labels,
    latency_text,
    limit_text,
    masters,
    sampling_text,
    starved_text,
    steady,
    text,
)
from axiometer.present.bottleneck_text import Verdict, describe
from axiometer.present.latency_text import Small
from axiometer.present.sampling_text import Sampled
from axiometer.published.bands import Band


@dataclass(frozen=True)
class Published:
    """A published row of the same point, and the paper that prints it."""

    figures: Mapping[str, float | None]
    source: str


@dataclass(frozen=True)
class Answer:
    """A simulated point; `tried` is the point with the advice followed, where it could be;
    `more` are sentences about other masters or buffers; `sampling`: why so many starts, None where
    that is not known; `starved`: the masters that get as good as nothing; `small`: what it costs
    beside its start, where that is the larger part."""

    platform: Platform
    row: Row
    verdict: Verdict
    tried: Row | None
    published: Sequence[Published]
    backend: str
    more: Sequence[str] = ()
    sampling: Sampled | None = None
    starved: Sequence[starved_text.Told] = ()
    small: Small | None = None


def lines(a: Answer) -> list[str]:
    """The answer in plain words."""
    total, ceiling = a.row.total, a.row.ceiling
    if total is None:
        raise AxiometerError("the backend gave no record")
    came = how(a.backend)
    spread = (
        f"{short_rate(total['min'])}–{short_rate(total['max'])} over {total['n']} random starts"
    )
    out = [
        headline(a),
        "",
        f"{a.platform.title}: {describe(a.row.values)}.",
        *_one_way(a.row),
        clock_text.line(_clock(a)),
        *labels.target(a.platform.target),
        "",
        f"You will get about {short_rate(total['mean'])} MB/s ({came}; {spread})"
        + (f", {_share(a.row)}." if ceiling.value else "."),
        *latency_text.lines(burst_latency.of_row(a.row), a.small),
        *filter(None, [steady.sentence(a.row.stats), sampling_text.sentence(a.sampling)]),
        *_bands(a),
        *starved_text.lines(a.starved),
        a.verdict.sentence,
        f"→ {a.verdict.advice.text}",
    ]
    for name, where, total_, *rest in masters.cells(a.row.values, a.row.stats or {}):
        read, write, mean, slowest = rest
        out.append(
            f"  {name} ({where}): {total_} MB/s, {read} read and {write} written; latency {mean} "
            f"ns, 99 % within {slowest}."
        )
    out += masters.demand_lines(a.row.values, a.row.stats or {})
    if a.tried is not None and a.tried.mean is not None and a.verdict.advice.change:
        change = labels.change_label(a.verdict.advice.change)
        gain = a.tried.mean / total["mean"] - 1
        verdict = "" if gain > 0 else ": no remedy here"
        out.append(
            f"  Tried ({came}): {change} gives about {short_rate(a.tried.mean)} MB/s "
            f"({gain * 100:+.0f} %){verdict}."
        )
    unvalidated = a.platform.unvalidated_in(a.row.values)
    if unvalidated:
        out.append(labels.unvalidated(unvalidated))
    out += _plain_start(a.platform, a.row.values)
    out += a.more
    for p in a.published:
        mean = p.figures.get("mean")
        if mean is None:
            continue
        span = (
            f" ({p.figures['min']:g}–{p.figures['max']:g})"
            if p.figures.get("min") is not None and p.figures.get("max") is not None
            else ""
        )
        error = text.number(error_pct(total["mean"], mean), 1, signed=True)
        out.append(
            f"Published for this point: {mean:g} MB/s{span}, {p.source}; "
            f"the {came} rate is {error} % off."
        )
    return out


def _plain_start(platform: Platform, values: Mapping[str, object]) -> list[str]:
    """A sentence where a transfer's start is a plain one, as no program of the board is known."""
    at_memory = values["master"] in AT_MEMORY and values["transfer_bytes"] is not None
    launch = platform.leaf("host.launch_us")
    if not at_memory or launch.guess is None or launch.overridden:
        return []
    end = platform.value("host.completion_us")
    return [
        f"Of this board no program is measured: a plain start is taken, {launch.value:g} us an "
        f"engine and {end:g} us to see the end; --set host.launch_us and host.completion_us are "
        "yours."
    ]


def _one_way(row: Row) -> list[str]:
    """Which direction an answer is of, where its master has one at a time and nobody chose."""
    if row.values["master"] not in ONE_WAY or "mode" in row.key:
        return []
    way = labels.value_label("mode", row.values["mode"])
    return [
        f"A {row.values['master']} moves one direction at a time; this is {way}, the usual one. "
        "The other: --mode pl_to_ps."
    ]


def headline(a: Answer) -> str:
    """The answer in one sentence: rate, read and written, band, bottleneck, what gives most; of a
    small transfer before it how long an access takes."""
    stats = a.row.stats or {}
    total = stats["total_MBps"]["mean"]
    ways = [
        f"{short_rate(stats[f'{way}_MBps']['mean'])} {word}"
        for way, word in (("read", "read"), ("write", "written"))
        if stats[f"{way}_MBps"]["mean"]
    ]
    band = _band(a)
    apart = [how(a.backend)]
    if len(ways) > 1:
        apart.append(" and ".join(ways))
    elif ways:
        apart.append(f"all {ways[0].split()[1]}")
    if band is not None:
        of = "extrapolated" if band.extrapolated else "nine of ten published rows like it"
        ends = f"{short_rate(band.low * total)} to {short_rate(band.high * total)}"
        apart.append(f"{of}: {ends}")
    starved = f"{starved_text.name([t.of for t in a.starved])}; " if a.starved else ""
    return (
        f"{latency_text.opening(a.small)}About {short_rate(total)} MB/s"
        f"{latency_text.beside(a.small)} ({'; '.join(apart)}); {starved}what limits: "
        f"{a.verdict.name}; {_most(a, total)}."
    )


def _most(a: Answer, total: float) -> str:
    """What gives most: a change that was tried (of what the chip itself limits, whatever else
    would), or the cause whose relaxation was."""
    found = a.verdict.found
    best = max(found.gains, key=lambda g: g.gain, default=None) if found is not None else None
    change = a.verdict.advice.change
    tried = a.tried.mean / total - 1 if a.tried is not None and a.tried.mean and change else 0.0
    relaxed = best.gain if best is not None and best.gain > TIE else 0.0
    if change and tried > TIE and (tried >= relaxed - TIE or a.verdict.cause in CHIPS):
        return f"best change: {labels.change_label(change)}, {tried * 100:+.0f} %"
    if best is not None and relaxed:
        what = f"{limit_text.NAMES[best.cause]} ({best.name})"
        return f"gives most if relaxed: {what}, {relaxed * 100:+.0f} %"
    return "nothing that was tried gives more"


def _bands(a: Answer) -> list[str]:
    """How far off the rate may be, and each port's; nothing of what was measured."""
    if a.backend == MEASURED:
        return []
    told = band_text.sentence(_band(a), a.row.total["mean"])
    if master_keys.of(a.row.values):
        return [told]
    return [told, *band_text.ports(a.row.each)]


def _band(a: Answer) -> Band | None:
    """Of the total; None where nothing is known, and for what was measured."""
    return None if a.backend == MEASURED else a.row.band


def _clock(a: Answer) -> pl_clocks.Clock:
    return pl_clocks.of_point(a.platform, a.row.key, a.row.values)


def _share(row: Row) -> str:
    c = row.ceiling
    part = f"{text.number(row.efficiency_pct, 1)} % of the {c.value:g} MB/s"
    rated = [bool(m["rate_mbs"]) for m in master_keys.of(row.values)]
    could = "the ports could carry"
    if any(rated):
        could = "the masters ask for" + ("" if all(rated) else ", or their ports could carry")
    if c.dram_limits:
        return f"{part} of the DRAM's peak ({could} {c.ports:g})"
    return f"{part} that {could}"


def document(a: Answer) -> dict[str, object]:
    """The answer as one JSON document. Rates in MB/s."""
    advice = a.verdict.advice
    return {
        "platform": a.platform.name,
        "backend": a.backend,
        "values": dict(a.row.values),
        **(a.row.stats or {}),
        "latency": burst_latency.of_row(a.row),
        "small": latency_text.document(a.small),
        "band": band_text.document(_band(a), a.row.total["mean"]),
        "rates": band_text.documents(a.row.each),
        "demands": masters.demands(a.row.values, a.row.stats or {}),
        "starved": starved_text.documents(a.starved),
        "sampling": sampling_text.document(a.sampling),
        "expected_MBps": a.row.ceiling.value,
        "efficiency_pct": a.row.efficiency_pct,
        "bottleneck": a.verdict.cause,
        **limit_text.document(a.verdict.found),
        "headline": headline(a),
        "sentence": a.verdict.sentence,
        "clock": clock_text.note(_clock(a)),
        "pl_clock": clock_text.document(_clock(a)),
        "advice": advice.text,
        "tried": None
        if a.tried is None
        else {"change": advice.change, "total_MBps": a.tried.total},
        "more": list(a.more),
        "unvalidated": a.platform.unvalidated_in(a.row.values),
        "plain_start": bool(_plain_start(a.platform, a.row.values)),
        "target": a.platform.target,
        "published": [{"source": p.source, **p.figures} for p in a.published],
    }
