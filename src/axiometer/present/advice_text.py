"""What to change, in a sentence for each kind of remedy (`answer/verdicts/remedy.py`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from axiometer.answer.analysis.time_shares import Evidence
from axiometer.answer.relax.gains import TIE, Gain
from axiometer.answer.verdicts.remedy import Kind, Remedy
from axiometer.present import cause_text, labels, text


def advice(remedy: Remedy, e: Evidence) -> str:
    """What to change at the point of `e`."""
    words = WORDS[remedy.kind]
    return words if isinstance(words, str) else words(remedy, e)


def _wider_port(of: Remedy, e: Evidence) -> str:
    bits = (of.change or {})["width_bits"]
    return f"Use the ports at {bits} bit instead of {e.values.get('width_bits')} bit."


def _free_port(of: Remedy, e: Evidence) -> str:
    free = _ports(of)[-1]
    return f"A faster PL clock or another port ({free} is free) moves more."


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
    return f"Larger transfers: from about {size} that costs less than 1 %."


def _choices(of: Remedy, e: Evidence) -> str:
    each = [f"{choice(gain)} ({_given(gain)})" for gain in of.choices]
    return f"Try {text.listing(each, 'or')} (simulated)."


def _given(gain: Gain) -> str:
    if gain.simulated is None:
        return text.gain(gain.gain)
    return f"{text.gain(gain.gain)} by what was measured, not {text.gain(gain.simulated)}"


def choice(gain: Gain) -> str:
    """A choice as the change that makes it, where there is one."""
    if gain.change:
        return labels.change_label(gain.change)
    return cause_text.name(gain.cause) if gain.name == gain.cause else gain.name


def _tried(of: Remedy, e: Evidence) -> str:
    tried = text.listing([cause_text.name(cause) for cause in of.tried])
    words = f"Tried, with no more than {text.percent(TIE)}: {tried}." if tried else ""
    return f"{words} {_LEFT.get(of.cause, '')}".strip() or "What limits is the chip itself."


_LEFT: Mapping[str, str] = {
    "dram_saturated": "Fewer bytes for the same work, or a faster DRAM, would help.",
    "fifo": "A port of its own for each master shares it less.",
}
"""What could still help, beside what was tried."""

WORDS: Mapping[Kind, str | Callable[[Remedy, Evidence], str]] = {
    Kind.ASKED: "The memory has more: ask for it. Of a design, a wider or faster link between "
    "master and port, or a port that it does not share.",
    Kind.DRAM_SATURATED: "Fewer bytes for the same work help; the point’s command tries what else "
    "does.",
    Kind.IN_TURN: "A master that does not wait for responses (lite_improved, full_improved), or "
    "longer bursts, would use that time.",
    Kind.BURST: "Longer bursts move more.",
    Kind.TURNAROUND: "Move larger blocks in one direction at a time, where the application allows "
    "it.",
    Kind.REFRESH: "Deeper buffers smooth it; the point’s command tries what else helps.",
    Kind.UNEVEN: "Share the data out by rate: a port that finishes first can take more of it.",
    Kind.MASTER: "Let the master keep more bursts outstanding, or make its bursts longer.",
    Kind.PARTNER: "A deeper FIFO between the halves, or separate masters, would uncouple them.",
    Kind.WIDER_PORT: _wider_port,
    Kind.FREE_PORT: _free_port,
    Kind.FASTER_PL: "A faster PL clock moves more; all ports are in use.",
    Kind.MORE_PATHS: _more_paths,
    Kind.FULLER_BURSTS: "Longer bursts carry more for each place in flight.",
    Kind.ONE_DIRECTION: "The ports already use every path that they can; moving one direction at a "
    "time spares the path the turnarounds.",
    Kind.EVERY_PATH: "The ports already use every path that they can.",
    Kind.ONE_STREAM: "A sequential pattern or longer bursts use more of each opened row.",
    Kind.ROWS_APART: _rows_apart,
    Kind.LARGER_TRANSFERS: "Larger transfers spread the cost of a launch over more bytes.",
    Kind.TRANSFERS_FROM: _transfers_from,
    Kind.JOBS: "Fewer cycles a job, or buffers for more jobs at once, would use that time.",
    Kind.RING: "Larger packets, a deeper ring, or the coherent port would use that time.",
    Kind.PORT_WITH_BURSTS: "Use a port that has bursts: GP with memcpy or the DMA, or a master in "
    "HP.",
    Kind.FABRIC_CARRIES: "Let a master in the fabric carry it: its bursts share one way.",
    Kind.DMA_CARRIES: "Let the DMA carry it: its bursts share one way there and back.",
    Kind.NEXT_BURST: "Issue the next burst before the response to the last has come.",
    Kind.SHARE_THE_WAY: "Longer bursts, and more of them outstanding, share the way there and "
    "back.",
    Kind.CACHES_ON: "Turn the processor's caches on.",
    Kind.MORE_AT_A_TIME: "Move more at a time: this is paid once for each transfer.",
    Kind.COHERENT_PORT: "Use the coherent port: no line has to be cleaned or invalidated.",
    Kind.FASTER_PORT: "A faster PL clock or a wider port moves more.",
    Kind.ZERO_COPY: "Hand the buffers over instead.",
    Kind.BUFFERS_APART: "Move the buffers apart by whole rows.",
    Kind.DMA_ENGINE: "A DMA engine moves more than the processor.",
    Kind.OTHER_PORT: "Use a port whose path they do not share.",
    Kind.ONE_CLASS: "Give the ports one class (`qos`), if none of them needs its own.",
    Kind.WIDER_LINK: "A wider or faster link between master and port, or a port that it does not "
    "share, carries more.",
    Kind.LOWER_THRESHOLDS: "Set the thresholds of the DDR QoS controller lower.",
    Kind.CHOICES: _choices,
    Kind.TRIED: _tried,
    Kind.ASK_FOR_MORE: "Give a longer duration, or ask for more.",
    Kind.LITTLE_TO_GAIN: "There is little to gain here.",
    Kind.UNKNOWN: "What helps, the point’s command tries.",
}
