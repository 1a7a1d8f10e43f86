"""Convolution accelerators in the model: laws for any DRAM, and the keys."""

import pytest

import kit
from axiometer.answer.analysis import accelerators, stats
from axiometer.experiment import Experiment, keys_qos
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.simulate.traffic import traffic_class

ULTRA = Platform.load("ultra96")
USUAL = {"ports": "HP0+HP3", "master": "convolution", "duration": "1ms"}
STEP = 26  # PL clocks of a convolution in one accelerator: axm_convolution_lane.sv


def record(platform=ULTRA, **settings):
    return kit.record(platform, **{**USUAL, **settings})


def convolutions(found, port=None):
    """Million a second."""
    rates = found["by_port"][port] if port else found
    return rates["write_MBps"] / keys_qos.MATRIX_BYTES


@pytest.mark.parametrize("fill", keys_qos.FILLS)
@pytest.mark.parametrize("burst", [64, 128, 4096])
def test_two_matrices_are_read_for_each_result(fill, burst):
    """Reads are ahead of writes by no more than all buffers hold."""
    found = record(fill=fill, burst_bytes=burst, duration="10ms")  # HP3 has little of the bus
    held = 3 * 4 * keys_qos.BUFFER_BYTES
    for port in ("HP0", "HP3"):
        moved = {s["direction"]: s["bytes"] for s in found["streams"] if s["port"] == port}
        assert moved["write"] > 2 * held
        assert abs(moved["read"] - 2 * moved["write"]) <= 2 * held
    assert sum(found["dram"]["classes_s"].values()) == pytest.approx(found["elapsed_s"])
    for s in found["streams"]:
        assert sum(s["classes_s"].values()) == pytest.approx(found["elapsed_s"])


@pytest.mark.parametrize("pl_mhz", [50, 100])
def test_one_accelerator_does_what_its_arithmetic_does(pl_mhz):
    found = record(ports="HP1", accelerators=1, pl_mhz=pl_mhz, qos="best_effort")
    assert convolutions(found) == pytest.approx(pl_mhz / STEP, rel=0.01)


def test_a_port_reads_eight_beats_for_each_convolution():
    found = record(ports="HP1", accelerators=8, pl_mhz=50, fill="buffer")
    assert convolutions(found) == pytest.approx(50 / 8, rel=0.01)


def test_a_filled_buffer_meets_fewer_closed_rows():
    by_burst = record(fill="burst", burst_bytes=128)["dram"]["counts"]
    by_buffer = record(fill="buffer", burst_bytes=128)["dram"]["counts"]
    per_column = [c["activates"] / (c["reads"] + c["writes"]) for c in (by_burst, by_buffer)]
    assert per_column[1] < 0.7 * per_column[0]


def test_a_turn_of_a_buffer_is_one_burst_of_it():
    both = [record(fill=fill, burst_bytes=4096) for fill in keys_qos.FILLS]
    assert both[0] == both[1]


def test_equal_classes_balance_the_ports():
    def imbalance(qos):
        summary = stats.summarise([record(fill="buffer", burst_bytes=128, qos=qos)])
        return accelerators.figures(summary, None)["imbalance"]

    assert imbalance("best_effort") < 1.1
    assert imbalance("platform") > 1.1


def test_the_seed_alone_decides():
    settings = {"fill": "buffer", "burst_bytes": 256}
    assert record(**settings) == record(**settings)


def test_what_qos_means():
    def classes(qos):
        values = single(ULTRA, {**USUAL, "qos": qos}).values
        return [
            traffic_class(ULTRA, port, d, values["qos"])
            for port in ("HP0", "HP3")
            for d in ("read", "write")
        ]

    assert classes("platform") == ["video", "video", "best_effort", "best_effort"]
    assert classes("best_effort") == ["best_effort"] * 4
    assert classes("HP3=video") == ["video"] * 4
    assert classes("HP0.read=3+HP3.write=4") == ["best_effort", "video", "best_effort", "video"]
    assert classes("low_latency") == ["low_latency", "best_effort"] * 2


def test_show_has_the_published_figures_beside_ours(tmp_path):
    arguments = ["run", "ultra96-convolution", "--repeats", "1", "--set", "duration=1ms"]
    env = {"AXIOMETER_STORE": str(tmp_path / "runs.sqlite")}
    done = kit.command(*arguments, env=env)
    assert done.returncode == 0, done.stderr
    shown = kit.command("show", "ultra96-convolution", env=env).stdout
    table = shown[shown.index("MC/s") :]
    for printed in ("13.77", "17.00", "20.10", "62.00", "76.00", "83.00", "90.50", "4.50"):
        assert printed in table


def test_the_experiment_has_the_papers_four_steps():
    points = Experiment.load("ultra96-convolution").points()
    steps = [(p.values["fill"], p.values["burst_bytes"], bool(p.values["qos"])) for p in points]
    assert steps == [
        ("burst", 128, False),
        ("buffer", 128, False),
        ("buffer", 128, True),
        ("buffer", 4096, True),
    ]
