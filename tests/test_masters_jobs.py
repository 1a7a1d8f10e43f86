"""Accelerators and rings of packets as masters: their traffic and their rates alone."""

import pytest

import kit
from axiometer import _model
from axiometer.experiment import keys_processor
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.present import master_rows as rows
from axiometer.records import laws
from axiometer.runs.backends import model
from axiometer.simulate import jobs
from validate import mixes

ZED = Platform.load("zedboard")
CHIPS = ("zedboard", "de1-soc", "zcu102", "ultra96")


def _alone(platform, master, duration="1ms", **settings):
    """The record's part of one master that is alone at the memory; laws hold."""
    point = single(
        platform,
        {
            "masters": [{"name": "own", **master}],
            "repeats": 1,
            "skew_us": 0,
            "placement": "random",
            **(settings or {"duration": duration}),
        },
    )
    records = model.run_repeats(platform, point, 0, 0, 1)
    laws.check(platform, point, records)
    return point, records[0]


def _accelerator(platform, **keys):
    port = next(p for p in platform.ports if platform.has(f"port.{p}.path"))
    return {"kind": "accelerator", "port": port, "pl_mhz": 100, **keys}


@pytest.mark.parametrize("board", CHIPS)
def test_an_accelerator_that_computes_for_long_is_as_fast_as_that(board):
    """With buffers enough reading and writing hide behind it: a job every so many cycles."""
    platform = Platform.load(board)
    sizes = {"bytes_in": 2048, "bytes_out": 512}
    keys = {**sizes, "compute_cycles": 5000, "buffers": 3}
    _, record = _alone(platform, _accelerator(platform, **keys), duration="5ms")
    own = record["by_master"]["own"]
    # Three more are read than are written when the run ends.
    assert own["read_MBps"] == pytest.approx(2048 / 50, rel=0.04)
    assert own["write_MBps"] == pytest.approx(512 / 50, rel=0.02)


@pytest.mark.parametrize("board", CHIPS)
def test_more_buffers_hide_what_one_cannot(board):
    """One buffer: read, compute and write are one after another; the time of a job is their sum."""
    platform = Platform.load(board)
    rates = []
    for buffers in (1, 2, 3):
        keys = {"bytes_in": 4096, "bytes_out": 4096, "compute_cycles": 600, "buffers": buffers}
        _, record = _alone(platform, _accelerator(platform, **keys))
        rates.append(record["by_master"]["own"]["write_MBps"])
    width = max(platform.value(f"port.{_accelerator(platform)['port']}.widths")) // 8
    beats = 4096 // width
    assert rates[0] < 4096 / (2 * beats + 600) * 100
    assert rates[0] < rates[1] <= rates[2] * 1.001  # where two hide it all
    assert rates[2] <= 4096 / max(beats, 600) * 100 * 1.01


def test_a_given_number_of_bytes_is_moved_in_whole_jobs():
    keys = {"bytes_in": 3072, "bytes_out": 1024, "compute_cycles": 10}
    _, record = _alone(ZED, _accelerator(ZED, **keys), transfer_bytes=100_000)
    moved = {s["direction"]: s["bytes"] for s in record["streams"]}
    assert moved == {"read": 33 * 3072, "write": 33 * 1024}


def test_a_rate_is_that_of_the_direction_of_more_bytes():
    keys = {"bytes_in": 1024, "bytes_out": 4096, "rate_mbs": 100, "buffers": 4}
    _, record = _alone(ZED, _accelerator(ZED, **keys), duration="2ms")
    own = record["by_master"]["own"]
    assert own["write_MBps"] == pytest.approx(100, rel=0.03)
    assert own["read_MBps"] == pytest.approx(25, rel=0.03)


def _ring(**keys):
    return {"kind": "ring", "port": "HP0", **keys}


def _beside(point, platform=ZED):
    """MB/s each way of the same ring on the processor's side, but for the first packets."""
    (master,) = point.values["masters"]
    transfer = jobs.beside(platform, master)
    document, times = transfer.document(), []
    for packets in (32, 64):
        given = {**document, "ring": {**document["ring"], "packets": packets}}
        times.append(_model.run_processor(given)["elapsed"])
    return 32 * master["packet_bytes"] / float((times[1] - times[0]) * transfer.unit) * 1e-6


RINGS = [
    # Cache control is most of the time, and the same here and there.
    ("HP0", "explicit", 1024, 0.05),
    ("HP0", "explicit", 4096, 0.01),
    ("HP0", "explicit", 65536, 0.03),
    # Data are: here they wait for the memory, there they do not.
    ("HP0", "explicit", 128, 0.10),
    ("HP0", "none", 4096, 0.14),
    ("HP0", "none", 65536, 0.03),
    ("ACP", "coherent", 1024, 0.08),
    ("ACP", "coherent", 65536, 0.03),
]


@pytest.mark.parametrize(("port", "control", "size", "tolerance"), RINGS)
@pytest.mark.parametrize("depth", [1, 2, 4])
def test_a_ring_alone_is_that_of_the_processor_s_side(port, control, size, tolerance, depth):
    keys = {"port": port, "cache_control": control, "packet_bytes": size, "depth": depth}
    for mhz in (100, 200):
        point, record = _alone(ZED, _ring(pl_mhz=mhz, **keys), duration="4ms")
        found, expected = record["by_master"]["own"]["write_MBps"], _beside(point)
        print(port, control, size, depth, mhz, expected, found)
        assert expected * (1 - tolerance) <= found <= expected * 1.005


def test_the_ring_s_memory_traffic_meets_that_of_others():
    """Engines cost a ring more if its data take most of its time, not its driver."""
    kept = {}
    for control in ("explicit", "none"):
        rates = []
        for count in (0, 3):
            usual = {"kind": "engine", "pl_mhz": 200}
            engines = [{**usual, "port": f"HP{n + 1}"} for n in range(count)]
            ring = {"name": "own", **_ring(cache_control=control, pl_mhz=200)}
            found = kit.record(ZED, masters=[ring, *engines], duration="1ms", repeats=1)
            rates.append(found["by_master"]["own"]["write_MBps"])
        kept[control] = rates[1] / rates[0]
    assert kept["none"] < kept["explicit"] - 0.05 and kept["explicit"] < 1


# 64 KiB packets, nothing of the software to wait for: what the way to the memory carries. Alone it
# knows the bus, the path's width and what is in flight; rows and turns only beside others.
@pytest.mark.parametrize(
    ("board", "port", "most"),
    [
        *(("zcu102", port, most) for port, most in (("HP0", 1.1), ("HPC1", 1.2), ("ACE", 1.5))),
        *(("zcu102", "ACP", 1.3), ("de1-soc", "F2S", 1.5), ("arria5-socdk", "F2H", 1.5)),
        ("zedboard", "SGP0", 1.02),
    ],
)
def test_a_ring_at_each_chip_s_ports(board, port, most):
    platform = Platform.load(board)
    control = "coherent" if keys_processor.is_coherent(platform, port) else "none"
    ring = {**_ring(packet_bytes=2**16, depth=4, cache_control=control), "port": port}
    times = {"start_us": 0, "stop_us": 900}
    point, record = _alone(platform, ring | times, duration="1ms")
    write = next(s for s in record["streams"] if s["direction"] == "write")
    found, expected = write["bytes"] / 900, _beside(point, platform)
    print(board, port, expected, found)
    assert found * 0.97 <= expected <= found * most
    assert mixes.agree(platform, point)


def test_what_it_is_stands_in_its_row():
    point, _ = _alone(ZED, _accelerator(ZED, bytes_in=4096, bytes_out=1024))
    (master,) = point.values["masters"]
    assert rows.where(master) == "HP0 accelerator, 4 KiB to 1 KiB, 64 bit at 100 MHz"


def test_jobs_that_were_not_read_are_noticed():
    point, record = _alone(ZED, _accelerator(ZED, compute_cycles=50))
    write = next(s for s in record["streams"] if s["direction"] == "write")
    write["bytes"] += 4096 * 4
    assert any("results follow what was read" in said for said in laws.broken(ZED, point, record))
    write["bytes"] -= 4096 * 8
    assert any("results follow what was read" in said for said in laws.broken(ZED, point, record))


def test_what_the_port_waits_for_is_said(cli):
    notes = ["--set", "master.m.kind=accelerator", "--set", "master.m.port=HP0"]
    notes += ["--set", "master.m.compute_cycles=5000"]
    out = cli("expect zybo -v", *notes)
    assert "Work between transfers limits (m’s jobs are computed): m neither" in " ".join(
        out.split()
    )
    ring = ["--set", "master.m.kind=ring", "--set", "master.m.port=HP0"]
    assert "Work between transfers limits (m’s driver prepares packets)" in " ".join(
        cli("expect zedboard -v", *ring).split()
    )
