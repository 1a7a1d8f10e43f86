"""Advice compared with measured rows: refuted choices are not advised, and the gains of the others
are limited by the measurements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from axiometer.answer.relax.gains import Gain
from axiometer.answer.verdicts.remedy import Change, Kind, Remedy
from axiometer.base.errors import AxiometerError
from axiometer.experiment import changes
from axiometer.experiment.values import Values
from axiometer.platform import Platform
from axiometer.published import claims, measured
from axiometer.published.claims import Claim
from axiometer.published.measured import Measurement


@dataclass(frozen=True)
class Refuted:
    """A choice with a simulated gain, and the measurements that refute it."""

    gain: Gain
    claim: Claim


def measured_with(platform: Platform, values: Values, change: Change) -> Sequence[Measurement]:
    """The measurements of the point with a change."""
    try:
        return measured.of_point(*changes.made(platform, values, change))
    except AxiometerError:
        return ()


def left(
    remedy: Remedy,
    rate: float,
    now: Sequence[Measurement],
    then: Callable[[Change], Sequence[Measurement]] = lambda _: (),
) -> tuple[Remedy, tuple[Refuted, ...]]:
    """The remedy of a point of `rate` MB/s without the choices that measured rows refute, and the
    refuted choices. now: rows of the point; then: rows of the point with a change."""
    kept, out = [], []
    for gain in remedy.choices:
        rows = then(gain.change) if gain.change else ()
        claim = claims.claim(rate, rate * (1 + gain.gain), now, rows)
        if claim.is_refuted:
            out.append(Refuted(gain, claim))
        else:
            kept.append(by(gain, claim))
    if not out and kept == list(remedy.choices):
        return remedy, ()
    if not kept:
        return Remedy(Kind.LITTLE_TO_GAIN), tuple(out)
    kept.sort(key=lambda gain: -gain.gain)
    first = next((gain.change for gain in kept if gain.change), None)
    return replace(remedy, choices=tuple(kept), change=first), tuple(out)


def by(gain: Gain, claim: Claim) -> Gain:
    """The choice with the gain that its claim leaves."""
    if claim.is_other:
        return replace(gain, gain=claim.gain, simulated=claim.simulated)
    return gain
