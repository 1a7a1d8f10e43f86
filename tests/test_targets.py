"""The on-chip memory of Zynq-7000 as a target of masters: rates of its RAM and paths; other chips,
ports and masters are refused."""

import pytest

import kit
from axiometer.base.errors import AxiometerError
from axiometer.experiment import Experiment
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.records import laws
from axiometer.runs.backends.model import run_repeats
from axiometer.simulate.scenario import Scenario

RAM_MHZ = 1000 / 3  # half of the processor's clock
PORT, RAM = 8 * RAM_MHZ, 16 * RAM_MHZ
"""MB/s of an interface of the OCM in a direction, and of its RAM, on the Zedboard."""
EXPERIMENT = """\
name = "ocm"
title = "The on-chip memory"
platform = "zedboard"

[defaults]
mode = "read"
ports = "HP0"
repeats = 1
"""


def ocm(name="zedboard", **figures):
    own = {path.replace("__", "."): value for path, value in figures.items()}
    return Platform.load(name).with_overrides({"memory.target": "ocm"}).with_overrides(own)


def record(platform, **keys):
    return kit.record(platform, **{"ports": "HP0", "duration": "400us", **keys})


def masters(*tables, duration="400us"):
    named = [{"name": f"m{n}", **table} for n, table in enumerate(tables)]
    return {"masters": named, "duration": duration}


def met(platform, *tables):
    return kit.record(platform, **masters(*tables))


@pytest.mark.parametrize("mode", ["read", "write"])
def test_two_ports_get_what_the_switchs_port_carries_and_no_more(mode):
    keys = {"ports": "HP0+HP2", "mode": mode, "pl_mhz": 250}
    found = record(ocm(), **keys)[f"{mode}_MBps"]
    assert 0.95 * PORT < found <= PORT * (1 + 1e-3)
    wide = ocm(path__ocm__width_bits=128)  # the mutant that this is for
    assert record(wide, **keys)[f"{mode}_MBps"] > 1.1 * PORT


def test_both_directions_of_four_ports_fill_the_ram_and_no_more():
    found = record(ocm(), ports="HP0+HP1+HP2+HP3", mode="duplex", pl_mhz=200)
    assert 0.96 * RAM < found["total_MBps"] <= RAM
    assert max(found["read_MBps"], found["write_MBps"]) <= PORT


def test_a_record_that_is_faster_than_the_ocms_port_breaks_a_law():
    fast, chip = ocm(path__ocm__width_bits=128), ocm()
    point = single(fast, {"ports": "HP0+HP2", "mode": "read", "pl_mhz": 250, "duration": "400us"})
    found = run_repeats(fast, point, 0, 0, 1)[0]
    assert not list(laws.broken(fast, point, found))
    assert any("no faster than the path" in law for law in laws.broken(chip, point, found))


@pytest.mark.parametrize(
    "table",
    [
        {"kind": "engine", "port": "HP0", "direction": "read", "outstanding": 1},
        {"kind": "engine", "port": "HP0", "direction": "write", "outstanding": 1},
        {"kind": "full", "port": "SGP0", "direction": "read"},
        {"kind": "full", "port": "ACP", "direction": "read"},
    ],
    ids=["HP0", "HP0 write", "SGP0", "ACP"],
)
def test_each_way_answers_reads_sooner_than_from_the_dram(table):
    near, far = (met(p, table)["latency_cycles"] for p in (ocm(), Platform.load("zedboard")))
    if table["direction"] == "write":
        # It is answered before it is in either memory; the switch's clock is the slower one.
        assert near["mean"] <= far["mean"] + 1
    else:
        assert near["mean"] < far["mean"]
    assert near["max"] - near["min"] <= far["max"] - far["min"]  # no rows, no refresh


def test_the_order_of_addresses_is_indifferent_to_a_static_ram():
    rates = [
        record(ocm(), mode="read", pl_mhz=250, pattern=pattern)["read_MBps"]
        for pattern in ("sequential", "random", "stride:4096")
    ]
    assert max(rates) < 1.001 * min(rates)


def test_the_coherent_port_has_a_way_of_its_own():
    hp = {"kind": "engine", "port": "HP0", "direction": "read", "pl_mhz": 250}
    other = {**hp, "port": "HP2"}
    acp = {"kind": "axi_dma", "port": "ACP", "direction": "read"}
    alone = met(ocm(), acp)["read_MBps"]
    found = met(ocm(), hp, other, acp)["by_port"]
    assert found["ACP"]["read_MBps"] == pytest.approx(alone, rel=0.02)
    assert sum(found[p]["read_MBps"] for p in ("HP0", "HP2")) > 0.95 * PORT


@pytest.mark.parametrize("mode", ["read", "write", "duplex"])
def test_the_plain_model_agrees_to_the_bit(mode):
    keys = {"ports": "HP0+HP2", "mode": mode, "transfer_bytes": 2048, "pl_mhz": 200}
    kit.assert_plain_agrees(ocm(), **keys)


def test_buffers_are_side_by_side_in_the_memory():
    values = single(ocm(), {"ports": "HP0+HP1+HP2", "mode": "duplex"}).values
    streams = Scenario.of(ocm(), values).streams
    ends = [s.base + (s.region or s.bytes) for s in streams]
    assert max(ends) <= 256 * 1024
    assert all(end <= s.base for end, s in zip(ends, streams[1:], strict=False))


def test_the_dram_is_the_target_where_nothing_else_is_said():
    usual = Platform.load("zedboard")
    same = usual.with_overrides({"memory.target": "dram"})
    assert [(path, leaf.value) for path, leaf in same.leaves()] == [
        (path, leaf.value) for path, leaf in usual.leaves()
    ]
    assert (usual.target, ocm().target) == ("dram", "ocm")


def test_an_experiment_names_its_target_once(tmp_path):
    made = Experiment(EXPERIMENT + 'target = "ocm"\n', tmp_path / "ocm.toml")
    assert made.platform.target == "ocm"
    assert Experiment(EXPERIMENT, "ocm.toml", ["target=ocm"]).platform.target == "ocm"
    assert Experiment(EXPERIMENT, "ocm.toml").platform.target == "dram"
    swept = EXPERIMENT + '\n[sweep]\ntarget = ["dram", "ocm"]\n'
    with kit.refuses(match="target is not allowed here", remedy="whole experiment"):
        Experiment(swept, "ocm.toml")
    unknown = Experiment(EXPERIMENT + 'target = "ocn"\n', tmp_path / "ocm.toml")
    with pytest.raises(AxiometerError, match="has no memory 'ocn'") as refused:
        unknown.points()
    assert refused.value.line == 9


def test_every_view_says_that_it_is_not_validated(tmp_path, cli, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ocm.toml").write_text(EXPERIMENT + 'target = "ocm"\n', encoding="utf-8")
    of = ["--board", "zedboard", "--ports", "HP0", "--mode", "read", "--set", "target=ocm"]
    answer = cli.json("expect", *of, "--repeats", "1")
    assert (answer["unvalidated"], answer["target"]) == (["ocm"], "ocm")
    said = cli("expect", *of, "--repeats", "1")
    assert "The memory is OCM" in said
    assert "no measurement of ocm is published" in said
    kept = ["--store", "s.axm"]
    cli("run ocm.toml", *kept, "--quiet")
    head, line = cli("export latest", *kept).splitlines()
    assert dict(zip(head.split(","), line.split(","), strict=True))["validated"] == "False"
    for command in ("show", "explain"):
        assert cli.json(command, "latest", *kept)["unvalidated"] == ["ocm"]


def test_words_through_the_coherent_port_take_a_clock_of_the_ram_each():
    """Not as long as a change of a line in the second-level cache, where the DRAM is the target."""
    words = {"kind": "lite_improved", "port": "ACP", "direction": "write"}
    near, far = (met(p, words)["write_MBps"] for p in (ocm(), Platform.load("zedboard")))
    assert near > 1.15 * far
    assert near <= 4 * RAM_MHZ  # 32 of the RAM's 128 bits a clock


def test_the_processor_reaches_it_past_the_second_level():
    """A fill of more than the first level pushes lines out into the on-chip memory; of the DRAM the
    second level keeps them. A load of 8 bytes is a round trip of at least 25 clocks of 1.5 ns."""

    def at(platform, operation, memory_type):
        master = {"kind": "processor", "operation": operation, "memory_type": memory_type}
        return kit.record(platform, masters=[master], transfer_bytes="64KiB", repeats=1)

    def written(platform):
        return at(platform, "fill", "cached")["streams"][-1]["memory_bytes"]

    assert written(ocm()) >= 2**15 and written(Platform.load("zedboard")) == 0
    assert 0.8 * 8e3 / 37.5 < at(ocm(), "read", "noncacheable")["total_MBps"] <= 8e3 / 37.5
