"""Advice in a sentence for each kind of remedy (`answer/verdicts/remedy.py`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from axiometer.answer.analysis.time_shares import Evidence
from axiometer.answer.relax.gains import TIE
from axiometer.answer.verdicts.remedy import Kind, Remedy
from axiometer.present import cause_text, labels, text, trial_text


def advice(remedy: Remedy, e: Evidence, options: bool = False) -> str:
    """The change to make at the point of `e`; with `options`, as options of the command."""
    if options and remedy.kind is Kind.TRIALS:
        return _trials(remedy, e, options)
    words = WORDS[remedy.kind]
    sentence = words if isinstance(words, str) else words(remedy, e)
    if not options or not remedy.change:
        return sentence
    return f"{sentence.removesuffix('.')} ({labels.change_words(remedy.change)})."


def _wider_port(of: Remedy, e: Evidence) -> str:
    bits = (of.change or {})["width_bits"]
    return f"Use the ports at {bits} bit instead of {e.values.get('width_bits')} bit."


def _free_port(of: Remedy, e: Evidence) -> str:
    free = _ports(of)[-1]
    return f"Use a faster PL clock, or also {free}, which is free."


def _more_paths(of: Remedy, e: Evidence) -> str:
    return (
        f"Use {'+'.join(_ports(of))} rather than {'+'.join(e.ports)}: they reach the controller "
        "by more paths."
    )


def _ports(of: Remedy) -> Sequence[str]:
    ports = (of.change or {})["ports"]
    return [str(port) for port in ports] if isinstance(ports, Sequence) else []


def _rows_apart(of: Remedy, e: Evidence) -> str:
    row = f"{text.size(e.facts.row_bytes)} (one row)" if e.facts.row_bytes else "one row"
    return (
        f"Move the buffers apart by {row} or a few, so that streams of equal rate stay in "
        "different banks."
    )


def _transfers_from(of: Remedy, e: Evidence) -> str:
    size = labels.value_label("transfer_bytes", (of.change or {})["transfer_bytes"])
    return f"Use transfers of at least {size}: from there the start-up costs less than 1 %."


def _trials(of: Remedy, e: Evidence, options: bool = False) -> str:
    return f"Try: {trial_text.listed(of.trials, options)} (simulated)."


def _tried(of: Remedy, e: Evidence) -> str:
    tried = text.listing([cause_text.name(cause) for cause in of.tried])
    words = f"Tried without gain (at most {text.percent(TIE)}): {tried}." if tried else ""
    return f"{words} {_LEFT.get(of.cause, '')}".strip() or "The chip itself is the limit."


_LEFT: Mapping[str, str] = {
    "dram_saturated": "Fewer bytes for the same work, or a faster DRAM, would help.",
    "fifo": "A port of its own for each master shares it less.",
}
"""Advice against causes that none of the tried changes relieves."""

WORDS: Mapping[Kind, str | Callable[[Remedy, Evidence], str]] = {
    Kind.ASKED: "The memory can give more: raise the masters' rates. In a design, use a wider or "
    "faster link between master and port, or a port of its own.",
    Kind.DRAM_SATURATED: "Move fewer bytes for the same work; the point’s command tries other "
    "changes.",
    Kind.IN_TURN: "Use a master that does not wait for responses (lite_improved, full_improved), "
    "or longer bursts.",
    Kind.BURST: "Use longer bursts.",
    Kind.TURNAROUND: "Move larger blocks in one direction at a time, where the application allows "
    "it.",
    Kind.REFRESH: "Use deeper buffers; the point’s command tries other changes.",
    Kind.UNEVEN: "Share the data out by rate: a port that finishes first can take more of it.",
    Kind.MASTER: "Allow more outstanding bursts, or use longer ones.",
    Kind.PARTNER: "Uncouple the halves: a deeper FIFO between them, or separate masters.",
    Kind.WIDER_PORT: _wider_port,
    Kind.FREE_PORT: _free_port,
    Kind.FASTER_PL: "Use a faster PL clock; all ports are in use.",
    Kind.MORE_PATHS: _more_paths,
    Kind.FULLER_BURSTS: "Use longer bursts: they carry more for each outstanding slot.",
    Kind.ONE_DIRECTION: "The ports already use every path; move one direction at a time to avoid "
    "turnarounds on it.",
    Kind.EVERY_PATH: "The ports already use every path.",
    Kind.ONE_STREAM: "Use a sequential pattern or longer bursts: more bytes of each open row.",
    Kind.ROWS_APART: _rows_apart,
    Kind.LARGER_TRANSFERS: "Use larger transfers: the start-up is paid once for each.",
    Kind.TRANSFERS_FROM: _transfers_from,
    Kind.JOBS: "Use fewer cycles a job, or buffers for more jobs at once.",
    Kind.RING: "Use larger packets, a deeper ring, or the coherent port.",
    Kind.PORT_WITH_BURSTS: "Use a port with bursts: GP with memcpy or the DMA, or a master at HP.",
    Kind.FABRIC_CARRIES: "Use a master in the fabric: its bursts share one round trip.",
    Kind.DMA_CARRIES: "Use the DMA: its bursts share one round trip.",
    Kind.NEXT_BURST: "Issue the next burst before the last response arrives.",
    Kind.SHARE_THE_WAY: "Use longer and more outstanding bursts: they share one round trip.",
    Kind.CACHES_ON: "Turn the processor's caches on.",
    Kind.MORE_AT_A_TIME: "Move more at a time: this cost is paid once for each transfer.",
    Kind.COHERENT_PORT: "Use the coherent port: no cache line has to be cleaned or invalidated.",
    Kind.FASTER_PORT: "Use a faster PL clock or a wider port.",
    Kind.ZERO_COPY: "Hand the buffers over in place of copying (zero-copy).",
    Kind.BUFFERS_APART: "Move the buffers apart by whole rows.",
    Kind.DMA_ENGINE: "Use a DMA engine in place of the processor.",
    Kind.OTHER_PORT: "Use a port on another path.",
    Kind.ONE_CLASS: "Give all ports one class (`qos`), unless one needs its own.",
    Kind.WIDER_LINK: "Use a wider or faster link between master and port, or a port of its own.",
    Kind.LOWER_THRESHOLDS: "Lower the thresholds of the DDR QoS controller.",
    Kind.TRIALS: _trials,
    Kind.TRIED: _tried,
    Kind.ASK_FOR_MORE: "Run longer, or ask for more.",
    Kind.LITTLE_TO_GAIN: "There is little to gain here.",
    Kind.UNKNOWN: "The point’s command tries what helps.",
}
