"""The bottleneck of a point in plain words, from its time classes and the platform's facts.

Each cause gets a score, the share of the streams' time (0–1) that it explains; the highest score
of at least `LIMITS["least"]` is named. `evidence.py` says how waiting is charged to causes.

Not for: proof. It is a ranking of where time went, not a what-if; `expect` simulates the advice
where the advice is a change that it can make.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from axiometer.present import labels, processor_words, text, wording
from axiometer.present.evidence import Evidence
from axiometer.present.text import percent
from axiometer.present.wording import Advice

LIMITS = {
    "port_full": 0.98,  # a stream's data channel is busy this share of its own time
    "launched": 0.95,  # a full port is the cause only if launching leaves it this share
    "dram_full": 0.90,  # DRAM bus carries data for this share
    "least": 0.01,  # below this no cause is named
}


@dataclass(frozen=True)
class Verdict:
    """The named bottleneck of a point: `cause` is its key, `name` its short name for people,
    `score` the share of time (0–1) that it explains."""

    cause: str
    name: str
    score: float
    sentence: str
    advice: Advice


@dataclass(frozen=True)
class Cause:
    """A possible bottleneck: how much it explains, how to say it, what to change."""

    key: str
    name: str
    score: Callable[[Evidence], float]
    say: Callable[[Evidence], str]
    advise: Callable[[Evidence], Advice]


def _fixed(words: str) -> Callable[[Evidence], Advice]:
    return lambda e: Advice(words)


def _port_score(e: Evidence) -> float:
    started = 1 - e.launching >= LIMITS["launched"]
    return 2.0 if started and e.port_busy >= LIMITS["port_full"] else 0.0


def _path_score(e: Evidence) -> float:
    if not e.path_limits:
        return e.charged("idle_path")
    return e.charged("idle_path", "activate_precharge", "read_to_write", "write_to_read")


CAUSES = (
    # The first two explain everything where they hold, so they score above any share.
    Cause(
        "port",
        "port full",
        _port_score,
        wording.say_port,
        wording.advise_port,
    ),
    Cause(
        "dram_saturated",
        "DRAM full",
        lambda e: 1.0 if e.dram_data >= LIMITS["dram_full"] else 0.0,
        wording.say_saturated,
        _fixed("Only fewer bytes help: the DRAM cannot carry more than its bus does."),
    ),
    Cause(
        "launch", "launch cost", lambda e: e.launching, wording.say_launch, wording.advise_launch
    ),
    Cause("path", "shared path", _path_score, wording.say_path, wording.advise_path),
    Cause(
        "rows",
        "DRAM row changes",
        lambda e: 0.0 if e.path_limits else e.charged("activate_precharge"),
        wording.say_rows,
        wording.advise_rows,
    ),
    Cause(
        "turnaround",
        "bus turnarounds",
        lambda e: 0.0 if e.path_limits else e.charged("read_to_write", "write_to_read"),
        wording.say_turnaround,
        _fixed("Move larger blocks in one direction at a time, where the application allows it."),
    ),
    Cause(
        "refresh",
        "refresh",
        lambda e: e.charged("refresh"),
        wording.say_refresh,
        _fixed("Nothing in the fabric changes that; deeper buffers only smooth it."),
    ),
    Cause(
        "uneven",
        "uneven shares",
        lambda e: e.uneven,
        wording.say_uneven,
        _fixed("Share the data out by rate: a port that finishes first can take more of it."),
    ),
    Cause(
        "master",
        "master’s limit",
        lambda e: e.charged("idle_port"),
        wording.say_master,
        _fixed("Let the master keep more bursts outstanding, or make its bursts longer."),
    ),
    Cause(
        "partner",
        "loop-back partner",
        lambda e: e.uncoupled,
        wording.say_partner,
        _fixed("A deeper FIFO between the halves, or separate masters, would uncouple them."),
    ),
)


def verdict(e: Evidence) -> Verdict:
    """The bottleneck with the highest score; `nothing` if none explains `LIMITS["least"]`."""
    if e.stacks.of_processor:
        name, share, sentence, advice = processor_words.verdict(e)
        return Verdict(name, name.replace("_", " "), share, sentence, advice)
    scored = [(cause.score(e), cause) for cause in CAUSES]
    score, cause = max(scored, key=lambda pair: pair[0])
    if score < LIMITS["least"]:
        busiest = max((s.share("data") for s in e.streams), default=0.0)
        words = (
            f"No cause stands out; the busiest port carries data {percent(busiest)} of the time."
        )
        return Verdict("nothing", "nothing", score, words, Advice("There is little to gain here."))
    return Verdict(cause.key, cause.name, min(score, 1.0), cause.say(e), cause.advise(e))


def describe(values: Mapping[str, object]) -> str:
    """A point in words: `HP0+HP2, duplex, 64 bit at 100 MHz`."""
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
