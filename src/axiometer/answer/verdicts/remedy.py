"""The remedy of a cause: the kind of advice, and the keys of an experiment that follow it.

From simulations (`of_relaxed`), for a transfer of the processor's side (`of_processor`), and from
time classes (`of_classes`) where nothing was simulated. The words of each kind are in
`present/advice_text.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum, auto

from axiometer.answer.analysis.bottlenecks import NOTHING
from axiometer.answer.analysis.time_shares import Evidence
from axiometer.answer.relax.gains import TIE, Found
from axiometer.answer.trials.of_point import LEAST_LAUNCH
from axiometer.answer.trials.trial import Trial, ranked

SHOWN = 3
"""Trials that advice names."""
AXI3_BEATS = 16
_CARRIED = ("memcpy", "loop", "register", "gpio_driver")

Change = Mapping[str, object]


class Kind(StrEnum):
    """The kind of advice. A kind with the name of a cause is the only advice on that cause from
    time classes."""

    ASKED = auto()
    DRAM_SATURATED = auto()
    IN_TURN = auto()
    BURST = auto()
    TURNAROUND = auto()
    REFRESH = auto()
    UNEVEN = auto()
    MASTER = auto()
    PARTNER = auto()
    WIDER_PORT = auto()
    FREE_PORT = auto()
    FASTER_PL = auto()
    MORE_PATHS = auto()
    FULLER_BURSTS = auto()
    ONE_DIRECTION = auto()
    EVERY_PATH = auto()
    ONE_STREAM = auto()
    ROWS_APART = auto()
    LARGER_TRANSFERS = auto()
    TRANSFERS_FROM = auto()
    JOBS = auto()
    RING = auto()
    PORT_WITH_BURSTS = auto()
    FABRIC_CARRIES = auto()
    DMA_CARRIES = auto()
    NEXT_BURST = auto()
    SHARE_THE_WAY = auto()
    CACHES_ON = auto()
    MORE_AT_A_TIME = auto()
    COHERENT_PORT = auto()
    FASTER_PORT = auto()
    ZERO_COPY = auto()
    BUFFERS_APART = auto()
    DMA_ENGINE = auto()
    OTHER_PORT = auto()
    ONE_CLASS = auto()
    WIDER_LINK = auto()
    LOWER_THRESHOLDS = auto()
    TRIALS = auto()
    TRIED = auto()
    ASK_FOR_MORE = auto()
    LITTLE_TO_GAIN = auto()
    UNKNOWN = auto()


@dataclass(frozen=True)
class Remedy:
    """change: keys of an experiment that follow the advice, if any. With `TRIALS`, trials: those
    that help, the best first. With `TRIED`, tried: the causes of trials without gain, and cause:
    the remaining limit. refuted: trials with a simulated gain that measured rows contradict."""

    kind: Kind
    change: Change | None = None
    trials: tuple[Trial, ...] = ()
    tried: tuple[str, ...] = ()
    cause: str = NOTHING
    refuted: tuple[Trial, ...] = ()


def of_classes(e: Evidence, cause: str) -> Remedy:
    """Against a cause that time classes name."""
    decide = _BY_CAUSE.get(cause)
    return Remedy(Kind(cause)) if decide is None else decide(e)


def _port(e: Evidence) -> Remedy:
    width = e.values.get("width_bits")
    wider = [
        w
        for p in e.ports
        for w in e.facts.port_widths.get(p, ())
        if isinstance(width, int) and w > width
    ]
    if wider:
        return Remedy(Kind.WIDER_PORT, {"width_bits": max(wider)})
    free = [p for p in e.facts.advised if p not in e.ports]
    used = {e.facts.port_paths.get(p) for p in e.ports}
    free.sort(key=lambda p: e.facts.port_paths[p] in used)
    if free:
        return Remedy(Kind.FREE_PORT, {"ports": [*e.ports, free[0]]})
    return Remedy(Kind.FASTER_PL)


def _path(e: Evidence) -> Remedy:
    other = e.facts.spread(e.ports)
    if other:
        return Remedy(Kind.MORE_PATHS, {"ports": other})
    beats = e.values.get("burst_beats")
    if isinstance(beats, int) and beats < AXI3_BEATS:
        return Remedy(Kind.FULLER_BURSTS, {"burst_beats": AXI3_BEATS})
    return Remedy(Kind.ONE_DIRECTION if len(e.directions) > 1 else Kind.EVERY_PATH)


def _rows(e: Evidence) -> Remedy:
    if len(e.streams) < 2:  # noqa: PLR2004 - one has no other to meet
        return Remedy(Kind.ONE_STREAM)
    # The placement `random` moves each buffer by a few whole rows.
    aligned = e.values.get("placement") == "aligned"
    return Remedy(Kind.ROWS_APART, {"placement": "random"} if aligned else None)


def _launch(e: Evidence) -> Remedy:
    size, launch = e.values.get("transfer_bytes"), e.launching
    if not isinstance(size, int) or launch >= 1:
        return Remedy(Kind.LARGER_TRANSFERS)
    # A launch that takes a hundredth of the time: 99 times as long moving as launching.
    wanted = size * launch / (1 - launch) * (1 / LEAST_LAUNCH - 1)
    power = 1 << max(0, (int(wanted) - 1).bit_length())
    return Remedy(Kind.TRANSFERS_FROM, {"transfer_bytes": power})


def _jobs(e: Evidence) -> Remedy:
    ring = any(m["kind"] == "ring" for m in e.masters)
    return Remedy(Kind.RING if ring else Kind.JOBS)


_BY_CAUSE: Mapping[str, Callable[[Evidence], Remedy]] = {
    "port": _port,
    "path": _path,
    "rows": _rows,
    "launch": _launch,
    "jobs": _jobs,
}
"""Causes whose advice depends on the point."""


def of_processor(e: Evidence, key: str) -> Remedy:
    """The remedy for a transfer of the processor's side, whose time class `key` is the largest."""
    found = _BY_CLASS[key]
    return found if isinstance(found, Remedy) else found(e)


def _in_bursts(e: Evidence) -> Remedy:
    """The remedy for a master that moves little at a time."""
    master, ports = e.values.get("master"), e.values.get("ports")
    if isinstance(ports, Sequence) and "EMIO" in ports:
        return Remedy(Kind.PORT_WITH_BURSTS)
    if master in _CARRIED and not e.facts.ps_dma:
        return Remedy(Kind.FABRIC_CARRIES)
    if master in _CARRIED:
        blocks = master in ("memcpy", "loop")
        return Remedy(Kind.DMA_CARRIES, {"master": "ps_dma"} if blocks else None)
    if master in ("lite", "full"):
        return Remedy(Kind.NEXT_BURST, {"master": f"{master}_improved"})
    return Remedy(Kind.SHARE_THE_WAY)


_BY_CLASS: Mapping[str, Remedy | Callable[[Evidence], Remedy]] = {
    "data": Remedy(Kind.FASTER_PORT),
    "fabric": _in_bursts,
    "crossing": _in_bursts,
    "interconnect": _in_bursts,
    "memory": _in_bursts,
    "queue": Remedy(Kind.FASTER_PORT),
    "software": _in_bursts,
    "fetch": Remedy(Kind.CACHES_ON, {"cache": "on"}),
    "engine": Remedy(Kind.MORE_AT_A_TIME),
    "setup": Remedy(Kind.MORE_AT_A_TIME),
    "cache_control": Remedy(Kind.COHERENT_PORT),
    "system": Remedy(Kind.MORE_AT_A_TIME),
    "copy": Remedy(Kind.ZERO_COPY, {"io": "zero_copy"}),
}


def of_relaxed(found: Found, cause: str) -> Remedy:
    """The remedy for a simulated cause: the best tried changes. Where none helps: for a cause of
    the chip the list of tried causes, for a cause of the user's advice by other means."""
    good = [trial for trial in found.trials if trial.simulated > TIE][:SHOWN]
    if good:
        return of_trials(good)
    tried = tuple(dict.fromkeys(trial.cause for trial in found.trials))
    kind = None if cause in tried else _BY_OTHER_MEANS.get(cause)
    return Remedy(Kind.TRIED, tried=tried, cause=cause) if kind is None else Remedy(kind)


def of_trials(trials: Iterable[Trial]) -> Remedy:
    """The remedy of trials with a simulated gain: those that measured rows leave."""
    best = ranked(trials)
    kept = tuple(trial for trial in best if trial.helps)
    refuted = tuple(trial for trial in best if trial.claim.is_refuted)
    if not kept:
        return Remedy(Kind.LITTLE_TO_GAIN, refuted=refuted)
    change = next((trial.keys for trial in kept if trial.keys), None)
    return Remedy(Kind.TRIALS, change, kept, refuted=refuted)


_BY_OTHER_MEANS: Mapping[str, Kind] = {
    "asked": Kind.ASKED,
    "burst": Kind.BURST,
    "master": Kind.MASTER,
    "in_turn": Kind.IN_TURN,
    "placement": Kind.BUFFERS_APART,
    "processor": Kind.DMA_ENGINE,
    "neighbours": Kind.OTHER_PORT,
    "qos": Kind.ONE_CLASS,
    "throttling": Kind.LOWER_THRESHOLDS,
    "partner": Kind.PARTNER,
    "uneven": Kind.UNEVEN,
    "launch": Kind.LARGER_TRANSFERS,
    "port": Kind.WIDER_LINK,
}
"""For the user's causes that no key of the point relaxes."""
