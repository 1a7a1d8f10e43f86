"""The bottleneck of a point in plain words, and what to change.

`analysis/bottlenecks.py` ranks the causes; `cause_text.py` and `processor_text.py` have what is
said of each. `expect` simulates the advice where the advice is a change that it can make.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from axiometer.answer.analysis import starved
from axiometer.answer.analysis.bottlenecks import NOTHING, strongest, sure
from axiometer.answer.analysis.starved import Starved
from axiometer.answer.analysis.time_shares import Evidence
from axiometer.answer.relax.gains import TIE, Found
from axiometer.experiment import master_keys
from axiometer.present import (
    cause_text,
    labels,
    limit_text,
    processor_text,
    starved_text,
    text,
)
from axiometer.present.cause_text import Advice
from axiometer.present.text import percent


@dataclass(frozen=True)
class Verdict:
    """The named bottleneck of a point: `cause` is its key, `name` its short name for people,
    `score` the share of time (0–1) that it explains; `found`: what relaxing it and the others gave,
    None where time classes alone named it; `sure`: whether these suffice to tell; `starved`: the
    masters that get as good as nothing."""

    cause: str
    name: str
    score: float
    sentence: str
    advice: Advice
    found: Found | None = None
    sure: bool = True
    starved: Sequence[Starved] = ()

    @property
    def called(self) -> str:
        """The name, marked where time classes alone name a cause of which they are not sure."""
        return self.name if self.sure else f"likely {self.name}"

    @property
    def said(self) -> str:
        """The sentence, marked where time classes alone name a cause of which they are not sure,
        after the masters that are starved."""
        sentence = self.sentence if self.sure else f"Likely: {self.sentence}"
        return " ".join([*starved_text.sentences(self.starved), sentence])


def _fixed(words: str) -> Callable[[Evidence], Advice]:
    return lambda e: Advice(words)


# Causes by the keys of `analysis.bottlenecks`: how to say it, what to change.
_WORDS: Mapping[str, tuple[Callable[[Evidence], str], Callable[[Evidence], Advice]]] = {
    "port": (cause_text.say_port, cause_text.advise_port),
    "asked": (
        cause_text.say_asked,
        _fixed(
            "The memory has more: ask for it. Of a design, a wider or faster link between master "
            "and port, or a port that it does not share."
        ),
    ),
    "dram_saturated": (
        cause_text.say_saturated,
        _fixed("Fewer bytes for the same work help; the point’s command tries what else does."),
    ),
    "in_turn": (
        cause_text.say_in_turn,
        _fixed(
            "A master that does not wait for responses (lite_improved, full_improved), or longer "
            "bursts, would use that time."
        ),
    ),
    "jobs": (cause_text.say_jobs, cause_text.advise_jobs),
    "launch": (cause_text.say_launch, cause_text.advise_launch),
    "path": (cause_text.say_path, cause_text.advise_path),
    "rows": (cause_text.say_rows, cause_text.advise_rows),
    "burst": (
        cause_text.say_burst,
        _fixed("Longer bursts move more for each row that is opened."),
    ),
    "turnaround": (
        cause_text.say_turnaround,
        _fixed("Move larger blocks in one direction at a time, where the application allows it."),
    ),
    "refresh": (
        cause_text.say_refresh,
        _fixed("Deeper buffers smooth it; the point’s command tries what else helps."),
    ),
    "uneven": (
        cause_text.say_uneven,
        _fixed("Share the data out by rate: a port that finishes first can take more of it."),
    ),
    "master": (
        cause_text.say_master,
        _fixed("Let the master keep more bursts outstanding, or make its bursts longer."),
    ),
    "partner": (
        cause_text.say_partner,
        _fixed("A deeper FIFO between the halves, or separate masters, would uncouple them."),
    ),
}


def verdict(e: Evidence, found: Found | None = None) -> Verdict:
    """The strongest bottleneck in words: of `found`, where its relaxations were simulated, or else
    as the time classes rank them."""
    return replace(_named(e, found), starved=starved.of(e))


def _named(e: Evidence, found: Found | None) -> Verdict:
    if e.streams and not any(stream.share("data") for stream in e.streams):
        words = "No burst ended in the time that was measured, so there is no rate to explain."
        return Verdict(
            NOTHING, "nothing moved", 0.0, words, Advice("Give a longer duration, or ask for more.")
        )
    if found is not None:
        return _relaxed(e, found)
    cause, score = strongest(e)
    if e.stacks.of_processor:
        sentence, advice = processor_text.of(cause, score, e)
        return Verdict(cause, cause.replace("_", " "), score, sentence, advice)
    if cause == NOTHING and e.served:
        advice = Advice("There is little to gain here.")
        cause, words = cause_text.served(e)
        words += "; no cause stands out besides."
        return Verdict(cause, limit_text.NAMES[cause], score, words, advice, sure=sure(e))
    if cause == NOTHING:
        busiest = max((s.share("data") for s in e.streams), default=0.0)
        words = (
            f"No cause stands out; the busiest port carries data {percent(busiest)} of the time."
        )
        advice = Advice("What helps, the point’s command tries.")
        return Verdict(cause, cause, score, words, advice, sure=sure(e))
    say, advise = _WORDS[cause]
    name, advice = limit_text.NAMES[cause], _for_all(e, advise(e))
    return Verdict(cause, name, score, say(e), advice, sure=sure(e))


def _relaxed(e: Evidence, found: Found) -> Verdict:
    cause = found.named(strongest(e)[0])
    gain = max(found.of(cause), 0.0)
    advice = _for_all(e, limit_text.advice(found, cause) or _WORDS[cause][1](e))
    words = limit_text.sentence(found, cause)
    if cause == NOTHING and e.served:
        cause, words = cause_text.served(e)
        words += f". Nothing that was tried gives more than {percent(TIE)} (simulated)."
    return Verdict(cause, limit_text.NAMES[cause], gain / (1 + gain), words, advice, found)


def _for_all(e: Evidence, advice: Advice) -> Advice:
    """The advice; of masters with keys of their own only with a change that is the point's."""
    change = advice.change or {}
    if master_keys.of(e.values) and any("." not in k and k not in _OF_A_POINT for k in change):
        return Advice(advice.text)
    return advice


_OF_A_POINT = ("placement", "mapping")


def describe(values: Mapping[str, object]) -> str:
    """A point in words: `HP0+HP2, duplex, 64 bit at 100 MHz`."""
    if master_keys.of(values):
        return ", ".join(f"{m['name']} at {m['way']}" for m in master_keys.of(values))
    parts = ["+".join(values.get("ports") or ["no port"])]  # type: ignore[arg-type]
    if values.get("masters_per_port", 1) != 1:
        parts.append(f"{values['masters_per_port']} masters a port")
    if values.get("background"):
        parts.append(f"beside {values['background']} MB/s")
    if values.get("mode"):
        parts.append(labels.value_label("mode", values["mode"]))
    if values.get("width_bits") and values.get("pl_mhz"):
        parts.append(f"{values['width_bits']} bit at {values['pl_mhz']:g} MHz")
    if isinstance(values.get("transfer_bytes"), int):
        parts.append(f"{text.size(values['transfer_bytes'])} a transfer")
    return ", ".join(parts)
