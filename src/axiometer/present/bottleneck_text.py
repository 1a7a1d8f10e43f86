"""The bottleneck of a point in plain words, and what to change.

`analysis/bottlenecks.py` ranks the causes; `cause_text.py` and `processor_text.py` have what is
said of each. `expect` simulates the advice where the advice is a change that it can make.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from axiometer.analysis.bottlenecks import NOTHING, strongest, sure
from axiometer.analysis.time_shares import Evidence
from axiometer.experiment import master_keys
from axiometer.present import cause_text, labels, limit_text, processor_text, text
from axiometer.present.cause_text import Advice
from axiometer.present.text import percent
from axiometer.relax.gains import Found


@dataclass(frozen=True)
class Verdict:
    """The named bottleneck of a point: `cause` is its key, `name` its short name for people,
    `score` the share of time (0–1) that it explains; `found`: what relaxing it and the others gave,
    None where time classes alone named it; `sure`: whether these suffice to tell."""

    cause: str
    name: str
    score: float
    sentence: str
    advice: Advice
    found: Found | None = None
    sure: bool = True

    @property
    def said(self) -> str:
        """The sentence, marked where time classes alone name a cause of which they are not sure."""
        return self.sentence if self.sure else f"Likely: {self.sentence}"


def _fixed(words: str) -> Callable[[Evidence], Advice]:
    return lambda e: Advice(words)


# Causes by the keys of `analysis.bottlenecks.SCORES`: name, how to say it, what to change.
_WORDS: Mapping[str, tuple[str, Callable[[Evidence], str], Callable[[Evidence], Advice]]] = {
    "port": ("port full", cause_text.say_port, cause_text.advise_port),
    "asked": (
        "asks for no more",
        cause_text.say_asked,
        _fixed(
            "The memory has more: ask for it. Of a design, a wider or faster link between master "
            "and port, or a port that it does not share."
        ),
    ),
    "dram_saturated": (
        "DRAM full",
        cause_text.say_saturated,
        _fixed("Only fewer bytes help: the DRAM cannot carry more than its bus does."),
    ),
    "in_turn": (
        "one burst at a time",
        cause_text.say_in_turn,
        _fixed(
            "A master that does not wait for responses (lite_improved, full_improved), or longer "
            "bursts, would use that time."
        ),
    ),
    "jobs": ("work on jobs", cause_text.say_jobs, cause_text.advise_jobs),
    "launch": ("launch cost", cause_text.say_launch, cause_text.advise_launch),
    "path": ("shared path", cause_text.say_path, cause_text.advise_path),
    "rows": ("DRAM row changes", cause_text.say_rows, cause_text.advise_rows),
    "burst": (
        "burst length",
        cause_text.say_burst,
        _fixed("Longer bursts move more for each row that is opened."),
    ),
    "turnaround": (
        "bus turnarounds",
        cause_text.say_turnaround,
        _fixed("Move larger blocks in one direction at a time, where the application allows it."),
    ),
    "refresh": (
        "refresh",
        cause_text.say_refresh,
        _fixed("Nothing in the fabric changes that; deeper buffers only smooth it."),
    ),
    "uneven": (
        "uneven shares",
        cause_text.say_uneven,
        _fixed("Share the data out by rate: a port that finishes first can take more of it."),
    ),
    "master": (
        "master’s limit",
        cause_text.say_master,
        _fixed("Let the master keep more bursts outstanding, or make its bursts longer."),
    ),
    "partner": (
        "loop-back partner",
        cause_text.say_partner,
        _fixed("A deeper FIFO between the halves, or separate masters, would uncouple them."),
    ),
}


def verdict(e: Evidence, found: Found | None = None) -> Verdict:
    """The strongest bottleneck in words: of `found`, where its relaxations were simulated, or else
    as the time classes rank them."""
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
    if cause == NOTHING:
        busiest = max((s.share("data") for s in e.streams), default=0.0)
        words = (
            f"No cause stands out; the busiest port carries data {percent(busiest)} of the time."
        )
        advice = Advice("There is little to gain here.")
        return Verdict(cause, cause, score, words, advice, sure=sure(e))
    name, say, advise = _WORDS[cause]
    known = sure(e)
    advice = advise(e)
    if master_keys.of(e.values):  # each has its own keys, so no one change is meant for all
        advice = Advice(advice.text)
    return Verdict(cause, name, score, say(e), advice, sure=known)


def _relaxed(e: Evidence, found: Found) -> Verdict:
    cause = found.named(strongest(e)[0])
    gain = max(found.of(cause), 0.0)
    advice = limit_text.advice(found, cause) or _WORDS[cause][2](e)
    if master_keys.of(e.values):
        advice = Advice(advice.text)
    words = limit_text.sentence(found, cause)
    return Verdict(cause, limit_text.NAMES[cause], gain / (1 + gain), words, advice, found)


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
