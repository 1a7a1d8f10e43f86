"""Advice beside measured rows: what they contradict is not advised, and that is said."""

from types import SimpleNamespace

import pytest

from axiometer.answer.relax.gains import Gain
from axiometer.answer.verdicts.remedy import Kind, Remedy
from axiometer.answer.verdicts.verdict import Basis, Verdict
from axiometer.api import changed
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.present import measured_text
from axiometer.published import claims, measured

ULTRA96 = Platform.load("ultra96")
# Three ports, 144 B: 2438 MB/s were simulated where 2853 were measured, and one class of traffic
# for all was simulated to give 11 % more.
POINT = {"ports": "HP0+HP1+HP3", "burst_bytes": 144, "pl_mhz": 100, "mode": "mixed"}
SIMULATED = 2438
QOS = Gain("qos", "all best effort", 0.111)
LONGER = Gain("burst", "", 0.058, {"burst_bytes": 288})


def advised(*gains, settings=POINT):
    """The choices that are advised of the real case, and those that are not."""
    point = single(ULTRA96, settings)
    rows = measured.of_point(ULTRA96, point.values)
    remedy = Remedy(Kind.CHOICES, choices=tuple((gain, gain.change) for gain in gains))
    verdict = Verdict(None, Basis.SIMULATED, "dram", 0.3, remedy)
    row = SimpleNamespace(mean=SIMULATED, measured=rows)
    found, out = changed.not_refuted(verdict, ULTRA96, point, row)
    return found.remedy, out


def qos_is_not_advised():
    remedy, out = advised(QOS, LONGER)
    assert [gain for gain, _ in remedy.choices] == [LONGER]
    assert remedy.change == LONGER.change
    assert [of.gain for of in out] == [QOS]
    return out


def test_classes_are_not_advised_where_the_rate_was_measured_without():
    (of,) = qos_is_not_advised()
    said = measured_text.claim(of.claim)
    assert said.startswith("Measured: 2853 MB/s as it is (Manev 2019")
    assert said.endswith("so the simulated +11 % does not hold.")


def test_a_judge_that_lets_all_pass_is_noticed(monkeypatch):
    monkeypatch.setattr(claims.Claim, "is_refuted", property(lambda _: False))
    with pytest.raises(AssertionError):
        qos_is_not_advised()


def test_where_nothing_is_left_nothing_is_advised():
    remedy, out = advised(QOS)
    assert (remedy.kind, len(out)) == (Kind.LITTLE_TO_GAIN, 1)


def test_where_nobody_measured_the_model_s_advice_stands():
    remedy, out = advised(QOS, settings={**POINT, "burst_bytes": 160, "gap_cycles": 3})
    assert ([gain for gain, _ in remedy.choices], out) == ([QOS], [])
