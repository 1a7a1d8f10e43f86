"""A verdict (`answer/verdicts/verdict.py`) in plain words, and a point in words.

`cause_text.py`, `limit_text.py` and `processor_text.py` have what is said of each cause,
`advice_text.py` of what to change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from axiometer.answer.analysis.time_shares import Evidence
from axiometer.answer.relax.gains import TIE
from axiometer.answer.verdicts.verdict import Basis, Verdict
from axiometer.experiment import master_keys
from axiometer.experiment.values import Values
from axiometer.present import (
    advice_text,
    cause_text,
    labels,
    limit_text,
    processor_text,
    starved_text,
    text,
)
from axiometer.present.text import percent

_SAID: Mapping[str, Callable[[Evidence], str]] = {
    "port": cause_text.say_port,
    "asked": cause_text.say_asked,
    "dram_saturated": cause_text.say_saturated,
    "in_turn": cause_text.say_in_turn,
    "jobs": cause_text.say_jobs,
    "launch": cause_text.say_launch,
    "path": cause_text.say_path,
    "rows": cause_text.say_rows,
    "burst": cause_text.say_burst,
    "turnaround": cause_text.say_turnaround,
    "refresh": cause_text.say_refresh,
    "uneven": cause_text.say_uneven,
    "master": cause_text.say_master,
    "partner": cause_text.say_partner,
}
"""Causes by the keys of `analysis.bottlenecks`."""


def name(v: Verdict) -> str:
    """The short name of what limits, for people."""
    if v.basis is Basis.STILL:
        return "nothing moved"
    return v.cause.replace("_", " ") if v.basis is Basis.PROCESSOR else limit_text.NAMES[v.cause]


def sentence(v: Verdict) -> str:
    """What limits, with its figures."""
    e = v.evidence
    if v.basis is Basis.STILL:
        return "No burst ended in the time that was measured, so there is no rate to explain."
    if v.basis is Basis.PROCESSOR:
        return processor_text.sentence(v.cause, v.score)
    if v.basis is Basis.SERVED:
        words = cause_text.served(e, v.cause)
        if v.found is None:
            return f"{words}; no cause stands out besides."
        return f"{words}. Nothing that was tried gives more than {percent(TIE)} (simulated)."
    if v.basis is Basis.QUIET:
        busiest = max((s.share("data") for s in e.streams), default=0.0)
        return f"No cause stands out; the busiest port carries data {percent(busiest)} of the time."
    return _SAID[v.cause](e) if v.found is None else limit_text.sentence(v.found, v.cause)


def advice(v: Verdict) -> str:
    """What to change."""
    return advice_text.advice(v.remedy, v.evidence)


def called(v: Verdict) -> str:
    """The name, marked where time classes alone name a cause of which they are not sure."""
    return name(v) if v.sure else f"likely {name(v)}"


def said(v: Verdict) -> str:
    """The sentence, marked where time classes alone name a cause of which they are not sure, after
    the masters that are starved."""
    words = sentence(v) if v.sure else f"Likely: {sentence(v)}"
    return " ".join([*starved_text.sentences(v.starved), words])


def describe(values: Values, mode: bool = True) -> str:
    """A point in words: `HP0+HP2, duplex, 64 bit at 100 MHz`; without its mode if that is said
    elsewhere."""
    if master_keys.of(values):
        return ", ".join(f"{m['name']} at {m['way']}" for m in master_keys.of(values))
    parts = ["+".join(values.get("ports") or ["no port"])]
    if values.get("masters_per_port", 1) != 1:
        parts.append(f"{values['masters_per_port']} masters a port")
    if values.get("background"):
        parts.append(f"beside {values['background']} MB/s")
    if mode and values.get("mode"):
        parts.append(labels.value_label("mode", values["mode"]))
    if values.get("width_bits") and values.get("pl_mhz"):
        parts.append(f"{values['width_bits']} bit at {values['pl_mhz']:g} MHz")
    size = values.get("transfer_bytes")
    if size is not None:
        parts.append(f"{text.size(size)} a transfer")
    return ", ".join(parts)
