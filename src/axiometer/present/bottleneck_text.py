"""A verdict (`answer/verdicts/verdict.py`) in plain words, and a point in words.

`cause_text.py` and `processor_text.py` have the words for each cause, `advice_text.py` those for
each change.
"""

from __future__ import annotations

from collections.abc import Iterator

from axiometer.answer.relax.gains import TIE
from axiometer.answer.verdicts.verdict import Basis, Verdict
from axiometer.experiment import directions, listed
from axiometer.experiment.values import Values
from axiometer.present import (
    advice_text,
    cause_text,
    labels,
    master_rows,
    processor_text,
    starved_text,
    text,
    trial_text,
)
from axiometer.present.text import percent


def name(v: Verdict) -> str:
    """The short name of the limit, for people."""
    if v.basis is Basis.STILL:
        return "caches" if v.evidence.in_caches else "nothing moved"
    return v.cause.replace("_", " ") if v.basis is Basis.PROCESSOR else cause_text.name(v.cause)


def sentence(v: Verdict) -> str:
    """The limit with its figures."""
    e = v.evidence
    if v.basis is Basis.STILL and e.in_caches:
        return "The caches hold all of it: the time is that of the loads and stores."
    if v.basis is Basis.STILL:
        return "No burst ended in the measured time, so there is no rate to explain."
    if v.basis is Basis.PROCESSOR:
        return processor_text.sentence(v.cause, v.score)
    if v.basis is Basis.SERVED:
        words = cause_text.served(e, v.cause)
        if v.found is None:
            return f"{words}; no other cause stands out."
        return f"{words}. Nothing that was tried gives more than {percent(TIE)} (simulated)."
    if v.basis is Basis.QUIET:
        busiest = max((s.share("data") for s in e.streams), default=0.0)
        return f"No cause stands out; the busiest port carries data {percent(busiest)} of the time."
    return cause_text.sentence(e, v.cause, v.found)


def advice(v: Verdict, options: bool = False) -> str:
    """The change to make; with `options`, as options of the command."""
    return advice_text.advice(v.remedy, v.evidence, options)


def refuted(v: Verdict) -> list[str]:
    """A sentence for each change that measurements refute."""
    return trial_text.not_advised(v.remedy.refuted)


def called(v: Verdict) -> str:
    """The name, marked "likely" where the time classes alone are not sure."""
    return name(v) if v.sure else f"likely {name(v)}"


def said(v: Verdict) -> str:
    """The sentences on starved masters, then the sentence, marked "Likely" where the time classes
    alone are not sure."""
    words = sentence(v) if v.sure else f"Likely: {sentence(v)}"
    return " ".join([*starved_text.sentences(v.starved), words])


def describe(values: Values, mode: bool = True, bursts: bool = False) -> str:
    """A point in words: `HP0+HP2, duplex, 64 bit at 100 MHz`, or `cam: HP0 write, 64 bit at 100
    MHz; …` where masters have names of their own; without its mode if `mode` is false, with the
    size of bursts if `bursts` is true."""
    masters = listed.masters(values)
    sizes = list(dict.fromkeys(m["burst_bytes"] for m in masters)) if bursts else []
    if all(map(listed.has_ports_name, masters)):
        parts = list(_alike(values, mode))
    else:
        each = (
            f" with bursts of {text.size(m['burst_bytes'])}" * (len(sizes) > 1) for m in masters
        )
        whose = (f"{m['name']}: {master_rows.where(m)}" for m in masters)
        parts = ["; ".join(map("".join, zip(whose, each, strict=True)))]
    if values.get("background"):
        parts.append(f"beside {values['background']} MB/s")
    if len(sizes) == 1:
        parts.append(f"bursts of {text.size(sizes[0])}")
    size = values.get("transfer_bytes")
    if size is not None:
        parts.append(f"{text.size(size)} a transfer")
    return ", ".join(parts)


def _alike(values: Values, mode: bool) -> Iterator[str]:
    """Ports that all have the same masters, and these."""
    yield "+".join(values.get("ports") or ["no port"])
    if values.get("masters_per_port", 1) != 1:
        yield f"{values['masters_per_port']} masters a port"
    if values.get("master", "dma") != "dma":
        yield labels.value_label("master", values["master"])
    if mode and values.get("mode"):
        way = directions.OF_MODE.get(values["mode"], "")
        seen = way in directions.ONE_WAY and listed.masters(values)
        yield way if seen else labels.value_label("mode", values["mode"])
    if values.get("width_bits") and values.get("pl_mhz"):
        yield f"{values['width_bits']} bit at {values['pl_mhz']:g} MHz"
