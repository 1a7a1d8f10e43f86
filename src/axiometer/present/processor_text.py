"""What limits a transfer of the processor's side, in a sentence, and what to change.

Each class of its time has a sentence and an advice. Shares are of the elapsed time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from axiometer.answer.analysis.time_shares import Evidence
from axiometer.present.cause_text import Advice
from axiometer.present.text import percent

_CARRIED = ("memcpy", "loop", "register", "gpio_driver")


def _carries(e: Evidence) -> bool:
    return e.values.get("master") in _CARRIED


def _in_bursts(e: Evidence) -> Advice:
    """What a master that moves little at a time should become."""
    master = e.values.get("master")
    if "EMIO" in e.values.get("ports", ()):
        return Advice("Use a port that has bursts: GP with memcpy or the DMA, or a master in HP.")
    if _carries(e) and not e.facts.ps_dma:
        return Advice("Let a master in the fabric carry it: its bursts share one way.")
    if _carries(e):
        return Advice(
            "Let the DMA carry it: its bursts share one way there and back.",
            {"master": "ps_dma"} if e.values.get("master") in ("memcpy", "loop") else None,
        )
    if master in ("lite", "full"):
        return Advice(
            "Issue the next burst before the response to the last has come.",
            {"master": f"{master}_improved"},
        )
    return Advice("Longer bursts, and more of them outstanding, share the way there and back.")


def _caches_on(e: Evidence) -> Advice:
    return Advice("Turn the processor's caches on.", {"cache": "on"})


def _larger(e: Evidence) -> Advice:
    return Advice("Move more at a time: this is paid once for each transfer.", None)


def _coherency(e: Evidence) -> Advice:
    return Advice("Use the coherent port: no line has to be cleaned or invalidated.")


def _faster_clock(e: Evidence) -> Advice:
    return Advice("A faster PL clock or a wider port moves more.", None)


# Class of time: what is said of it, and what to change.
_SAID: Mapping[str, tuple[str, Callable[[Evidence], Advice]]] = {
    "data": ("The fabric's end carries data {} of the time.", _faster_clock),
    "fabric": (
        "{} of the time goes to what is in the fabric, before and between beats.",
        _in_bursts,
    ),
    "crossing": ("{} of the time waits for an edge of the other side's clock.", _in_bursts),
    "interconnect": ("{} of the time goes to the way through the interconnect.", _in_bursts),
    "memory": ("{} of the time goes to the DRAM.", _in_bursts),
    "queue": ("{} of the time a transfer waits behind earlier ones.", _faster_clock),
    "software": ("The processor's instructions take {} of the time.", _in_bursts),
    "fetch": ("The processor waits {} of the time for instructions.", _caches_on),
    "engine": ("The DMA engine's own program takes {} of the time.", _larger),
    "setup": ("Setting up the transfer takes {} of the time.", _larger),
    "cache_control": ("Cache control in software takes {} of the time.", _coherency),
    "system": ("The operating system takes {} of the time.", _larger),
    "copy": (
        "The operating system's copies take {} of the time.",
        lambda e: Advice("Hand the buffers over instead.", {"io": "zero_copy"}),
    ),
}


def of(key: str, share: float, e: Evidence) -> tuple[str, Advice]:
    """A sentence and an advice for the class `key`, which takes `share` (0 to 1) of the time."""
    say, advise = _SAID[key]
    return say.format(percent(share)), advise(e)
