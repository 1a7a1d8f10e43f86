"""Random mixes of masters (lab/validate/mixes.py tries many more): laws, and the plain model."""

import pytest

from axiometer import _model
from axiometer.experiment import master_keys, vendor
from axiometer.simulate.scenario import Scenario
from validate import mixes

SEEDS = range(40)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_mix_keeps_the_laws_and_the_plain_model_agrees(seed):
    wrong, _ = mixes.tried(seed)
    assert wrong is None


def test_the_mixes_meet():
    """Among so few seeds all kinds meet others."""
    met = [mixes.tried(seed)[1] for seed in SEEDS]
    assert {kind for kinds in met for kind in kinds} >= {
        "engine",
        "processor",
        "ps_dma",
        "axi_dma",
        *master_keys.SIMPLE,
        *master_keys.JOBS,
        *vendor.KINDS,
    }
    assert sum(len(set(kinds)) > 1 for kinds in met) > 5


def test_a_wrong_clock_of_one_master_is_noticed(monkeypatch):
    """What the comparison is worth: plain and fast are given different clocks of one port."""
    platform, point = mixes.drawn(next(s for s in SEEDS if _has_own_clock(s)))
    assert mixes.agree(platform, point)

    simulator = _model.Simulator

    class Wrong:
        def __init__(self, document, sources):
            self.right = simulator(document, sources)
            # Sources reach their ports at the DRAM's clock, and at no other.
            outside = {s["port"] for s in document["streams"] if s.get("outside")}
            for number, port in enumerate(document["ports"]):
                if "period" in port and number not in outside:
                    port["period"] *= 2
            self.wrong = simulator(document, sources)

        def plain(self, start):
            return self.right.plain(start)

        def trace(self, start, skip):
            return self.wrong.trace(start, skip=skip)

    monkeypatch.setattr(mixes._model, "Simulator", Wrong)
    assert not mixes.agree(platform, point)


def _has_own_clock(seed):
    scenario = Scenario.of(*_of(mixes.drawn(seed)))
    own = {n for n, port in enumerate(scenario.ports) if port.period}
    start = scenario.start(0, 0)
    return any(
        stream.port in own and launch == 0
        for stream, launch in zip(scenario.streams, start.launch, strict=True)
    )


def _of(drawn):
    platform, point = drawn
    return platform, point.values
