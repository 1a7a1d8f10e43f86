"""Trials of changes (`answer/trials/`) in words and as JSON: one form for all views."""

from __future__ import annotations

from collections.abc import Iterable

from axiometer.answer.trials.trial import Change, Trial
from axiometer.base.units import short_rate
from axiometer.present import anchored_text, cause_text, labels, measured_text, text
from axiometer.present.text import gain


def change(of: Change, options: bool = False) -> str:
    """A change in words, or by the keys that make it; with `options`, as options of the command."""
    if of.words or not of.keys:
        return of.words or cause_text.name(of.cause)
    return (labels.change_words if options else labels.change_label)(of.keys)


def words(trial: Trial, options: bool = False) -> str:
    """All changes of a trial."""
    return "; ".join(change(of, options) for of in trial.changes)


def further(before: Trial, after: Trial) -> str:
    """What the changes of a step have beside those of the step before."""
    new = [change(of) for of in after.changes if of not in before.changes]
    kinds = {of.kind for of in after.changes}
    gone = [f"without {change(of)}" for of in before.changes if of.kind not in kinds]
    return "; ".join([*new, *gone])


def listed(trials: Iterable[Trial], options: bool = False) -> str:
    """Trials, each with its gain, of which one is to be made."""
    return text.listing([f"{words(of, options)} ({_gain(of)})" for of in trials], "or")


def _gain(of: Trial) -> str:
    if not of.claim.is_other:
        return gain(of.gain)
    return f"{gain(of.gain)} by what was measured, not {gain(of.simulated)}"


def line(trial: Trial, options: bool = True) -> str:
    """The simulated rate with the changes, and what measurements leave of the gain."""
    return (
        f"Tried (simulated): {words(trial, options)} gives "
        f"{short_rate(trial.after.total)} MB/s ({gain(trial.claim.simulated, 0)}"
        f"{anchored_text.beside(trial.after.anchored)}). {measured_text.claim(trial.claim)}"
    ).rstrip()


def not_advised(refuted: Iterable[Trial]) -> list[str]:
    """A sentence for each trial that measurements refute."""
    return [f"Not advised: {words(of)}. {measured_text.claim(of.claim)}" for of in refuted]


def document(of: Trial) -> dict[str, object]:
    """A trial for JSON. Rates in MB/s."""
    return {
        "changes": [
            {"change": change(one), "keys": dict(one.keys), "how": one.how, "cause": one.cause}
            for one in of.changes
        ],
        "gain_pct": of.gain * 100,
        "before_MBps": of.before.total,
        "after_MBps": of.after.total,
        "anchored": anchored_text.document(of.after.anchored),
        **measured_text.claim_document(of.claim),
    }


def documents(trials: Iterable[Trial]) -> list[dict[str, object]]:
    """Several of them."""
    return [document(trial) for trial in trials]
