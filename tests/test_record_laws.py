"""The laws of records (`axiometer.records.laws`): every kind of record obeys them, each fails on a
damaged record, and records that break one are neither saved nor shown."""

import dataclasses
from copy import deepcopy

import pytest

import kit
from axiometer.__main__ import main
from axiometer.base.errors import AxiometerError
from axiometer.experiment import Experiment, points
from axiometer.platform import Platform
from axiometer.records import laws
from axiometer.records.store import Store
from axiometer.runs import runner
from axiometer.runs.backends import model
from axiometer.simulate.scenario import Scenario

KINDS = {
    "ports": ("zybo", {"ports": "HP0+HP1", "transfer_bytes": "64KiB"}),
    "narrow": ("zybo", {"ports": "HP2", "width_bits": 32, "mode": "read", "transfer_bytes": 1000}),
    "duration": ("de1-soc", {"ports": "F2S", "mode": "write", "duration": "40us"}),
    "usp": ("zcu102", {"ports": "HP0+HP3", "mode": "mixed", "duration": "40us"}),
    "usp write": ("zcu102", {"ports": "HP1+HP2", "mode": "write", "duration": "20us"}),
    "coherent": ("ultra96", {"ports": "HPC0+ACP", "mode": "mixed", "duration": "40us"}),
    "multiplexer": ("zcu102", {"ports": "HP0", "masters_per_port": 3, "duration": "40us"}),
    "convolution": ("ultra96", {"ports": "HP0+HP1", "master": "convolution", "duration": "60us"}),
    "background": (
        "zcu102",
        {"ports": "HP3", "background": "DisplayPort=1000", "duration": "60us", "pl_mhz": 300},
    ),
    "overlap": (
        "ultra96",
        {"ports": "HPC1", "pattern": "stride:64", "pl_mhz": 150, "duration": "300us"},
    ),
    "memcpy": ("zedboard", {"ports": "GP1", "mode": "read", "master": "memcpy"}),
    "cached": (
        "zedboard",
        {
            **{"ports": "GP1", "mode": "read", "master": "memcpy", "transfer_bytes": 64},
            **{"memory_type": "cached", "os": "linux"},
        },
    ),
    "gpio": (
        "zedboard",
        {"ports": "EMIO", "mode": "write", "master": "gpio_driver", "transfer_bytes": 400},
    ),
    "axi_dma": (
        "zedboard",
        {"ports": "HP0", "mode": "write", "master": "axi_dma", "transfer_bytes": 4096},
    ),
    "ring": ("zedboard", {"ports": "HP0", "master": "ring", "os": "linux"}),
    "loop": ("zedboard", {"ports": "GP1", "mode": "read", "master": "loop", "os": "linux"}),
    "ps_dma": ("zedboard", {"ports": "GP1", "mode": "read", "master": "ps_dma", "os": "linux"}),
    "register": ("zedboard", {"ports": "EMIO", "mode": "write", "master": "register"}),
    "in the fabric": ("zedboard", {"ports": "ACP", "mode": "read", "master": "full_improved"}),
}


def made(kind):
    """Platform, point and record of a kind; one without a length has a transfer that all take."""
    name, keys = KINDS[kind]
    if keys.keys().isdisjoint({"transfer_bytes", "duration"}):
        keys = keys | {"transfer_bytes": 2048}
    platform = Platform.load(name)
    point = points.single(platform, keys)
    return platform, point, model.run_repeats(platform, point, 0, 0, 1)[0]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_record_keeps_the_laws(kind):
    assert laws.broken(*made(kind)) == []


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("board", ["zcu102", "ultra96"])
def test_littles_law_holds_of_short_windows(board, seed):
    """Bursts that cross the edges of the window once counted with all of their latency."""
    platform = Platform.load(board)
    burst, us = [(4096, 20), (256, 33), (128, 10), (1024, 50)][seed % 4]
    ports = ["HP0", "HP0+HP3", "HP1+HP2"][seed % 3]
    keys = {"ports": ports, "mode": "mixed", "burst_bytes": burst, "duration": f"{us}us"}
    point = points.single(platform, keys)
    assert laws.broken(platform, point, model.run_repeats(platform, point, seed, 0, 1)[0]) == []


@pytest.mark.parametrize(("board", "port"), [("zybo", "HP0"), ("de1-soc", "F2S")])
@pytest.mark.parametrize("mode", ["read", "write"])
def test_a_run_by_duration_awaits_what_it_began_and_begins_no_more(board, port, mode):
    """Bytes are whole bursts, time goes to the last of them, and a burst's time more or less of the
    duration is no more than a burst more or less."""
    platform = Platform.load(board)
    bursts = []
    for us in (200, 201, 400):
        point = points.single(platform, {"ports": port, "mode": mode, "duration": f"{us}us"})
        (r,) = model.run_repeats(platform, point, 0, 0, 1)
        assert laws.broken(platform, point, r) == []
        (stream,) = r["streams"]
        n = stream["latency_cycles"]["n"]
        assert stream["bytes"] == n * point.values["burst_bytes"]
        longest = stream["latency_cycles"]["max"] / point.values["pl_mhz"]
        assert us - longest <= stream["end_s"] * 1e6 <= us + longest + 1
        bursts.append(n)
    each = (400 - 200) / (bursts[2] - bursts[0])  # us
    assert abs(bursts[1] - bursts[0] - 1 / each) <= 2


@pytest.mark.parametrize("size", [16384, 32768, 65536, 131072])
def test_a_run_may_end_within_a_clock_of_the_dram_that_was_never_idle(size):
    figures = ("launch", "launch_jitter", "completion")
    without_processor = {f"program.{name}_us": 0 for name in figures}
    platform = Platform.load("zybo").with_overrides(without_processor)
    asked = {"ports": "HP0+HP1+HP2+HP3", "mode": "duplex", "pl_mhz": 150, "transfer_bytes": size}
    point = points.single(platform, asked)
    (record,) = model.run_repeats(platform, point, 0, 0, 1)
    laws.check(platform, point, [record])
    assert sum(record["dram"]["classes_s"].values()) == pytest.approx(record["elapsed_s"], 1e-12)


def test_a_run_that_is_over_before_it_begins_is_refused():
    platform = Platform.load("de1-soc").with_overrides({"program.launch_us": 3})
    point = points.single(platform, {"ports": "F2S", "mode": "read", "duration": "2us"})
    with kit.refuses(match="before the processor has started", remedy="longer duration"):
        model.run_repeats(platform, point, 0, 0, 1)


def damage(record, place, change):
    copy = deepcopy(record)
    table = copy
    for key in place[:-1]:
        table = table[key]
    table[place[-1]] = change(table[place[-1]])
    return copy


def scaled(record, by):
    """All rates and bytes higher, in keeping with each other; the time is the same."""
    copy = deepcopy(record)

    def rates(table):
        for name in ("total_MBps", "read_MBps", "write_MBps"):
            table[name] *= by

    rates(copy)
    copy["bytes"] *= by
    for group in ("by_port", "by_master", "background"):
        for table in copy.get(group, {}).values():
            rates(table)
    for stream in copy["streams"]:
        stream["bytes"] *= by
    return copy


def more(by):
    return lambda value: value + by


def to(value):
    return lambda _: value


STREAM = ("streams", 0)
# kind, what is damaged, how, and the law that must say so.
MUTANTS = [
    ("ports", ("total_MBps",), to(float("nan")), "finite figures"),
    ("usp", (*STREAM, "latency_cycles", "mean"), to(float("inf")), "finite figures"),
    ("memcpy", ("processor", "beats", "MBps"), to(float("inf")), "finite figures"),
    ("ports", ("read_MBps",), to(-1.0), "figures not negative"),
    ("usp", ("dram", "classes_s", "idle_port"), to(-1e-6), "figures not negative"),
    ("usp", ("dram", "counts", "refreshes"), to(-1), "figures not negative"),
    ("ports", ("elapsed_s",), to(0.0), "elapsed time"),
    ("ports", ("dram", "classes_s", "refresh"), more(1e-6), "classes of time add up"),
    ("usp", (*STREAM, "classes_s", "path"), more(1e-6), "classes of time add up"),
    ("axi_dma", ("processor", "classes_s", "data"), more(1e-6), "classes of time add up"),
    ("usp", ("dram", "counts", "reads"), lambda n: n - 2, "data take their clocks"),
    ("ports", (*STREAM, "end_s"), to(1.0), "streams end within the run"),
    ("ports", ("bytes",), more(1), "rate is bytes over time"),
    ("ports", ("read_MBps",), more(1.0), "reads and writes are the total"),
    ("usp", ("by_port", "HP3", "total_MBps"), more(1.0), "reads and writes are the total"),
    ("multiplexer", ("by_master", "HP0.1", "read_MBps"), more(1.0), "masters add up"),
    ("background", ("background", "DisplayPort", "read_MBps"), more(1.0), "reads and writes"),
    ("usp", (*STREAM, "bytes"), more(16), "bytes in are bytes out"),
    ("ports", (*STREAM, "bytes"), more(64), "bytes in are bytes out"),
    ("ports", (*STREAM, "classes_s", "data"), lambda s: s * 0.9, "a beat moves no more"),
    ("ports", ("dram", "counts", "reads"), lambda n: n - 1, "bytes in are bytes out"),
    ("usp", ("dram", "counts", "reads"), lambda n: n // 100, "bytes in are bytes out"),
    ("usp write", ("dram", "counts", "writes"), lambda n: n // 100, "bytes in are bytes out"),
    ("ports", ("latency_cycles", "p50"), to(1), "latencies in order"),
    ("usp", (*STREAM, "latency_cycles", "mean"), to(1.0), "latencies in order"),
    ("usp", ("latency_cycles", "n"), more(1), "each burst is in one bin"),
    ("usp", (*STREAM, "latency_cycles", "n"), more(1), "bursts of streams add up"),
    ("usp", (*STREAM, "latency_cycles", "n"), lambda n: 20 * n, "Little's law"),
    ("convolution", (*STREAM, "latency_cycles", "n"), lambda n: 30 * n, "Little's law"),
    ("background", ("background", "DisplayPort", "read_MBps"), to(9000.0), "faster than the port"),
    ("axi_dma", ("processor", "beats", "MBps"), to(401.0), "faster than the port"),
    ("usp", ("dram", "classes_s"), lambda c: c | {"lost": 0.0}, "classes of time are known"),
    ("usp", (*STREAM, "classes_s"), to(None), "form of a record"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "place", "change", "law"), MUTANTS)
def test_a_damaged_record_trips_its_law(kind, place, change, law):
    platform, point, record = made(kind)
    found = laws.broken(platform, point, damage(record, place, change))
    assert any(law in sentence for sentence in found), found


@pytest.mark.parametrize(("kind", "by", "law"), [
    ("ports", 3, "faster than the port"), ("ports", 3, "faster than the DRAM"),
    ("usp write", 8, "faster than the path"), ("memcpy", 300, "faster than the port"),
    ("ring", 9, "faster than the port"), ("ring", 300, "faster than the DRAM"),
    ("convolution", 9, "faster than the DRAM"),
])  # fmt: skip
def test_rates_above_a_peak_trip_its_law(kind, by, law):
    platform, point, record = made(kind)
    found = laws.broken(platform, point, scaled(record, by))
    assert any(law in sentence for sentence in found), found


def test_streams_that_are_not_the_points_bring_their_own_limits():
    platform, point, record = made("usp")
    streams = Scenario.of(platform, point.values).streams
    notes = [dataclasses.replace(stream, outstanding=1) for stream in streams]
    assert any("Little" in sentence for sentence in laws.broken(platform, point, record, notes))


def test_every_law_has_a_mutant():
    given = {law for *_, law in MUTANTS} | {"faster than the path", "faster than the DRAM"}
    assert len(given) >= len(laws.FIRST) + len(laws.LAWS) - 1  # bytes in, bytes out: two laws


@pytest.fixture
def unlawful(monkeypatch):
    """The fake backend, of which the points with two ports break a law."""
    import fake_backend

    usual = fake_backend._record

    def record(platform, point, seed, repeat):
        r = usual(platform, point, seed, repeat)
        return r | {"elapsed_s": -1.0} if len(point.values["ports"]) == 2 and repeat == 1 else r

    monkeypatch.setattr(fake_backend, "_record", record)


def test_a_point_that_breaks_a_law_is_not_kept_and_the_others_are(tmp_path, unlawful):
    experiment = Experiment.load(str(kit.write(tmp_path)))
    with Store(tmp_path / "runs.db", create=True) as store:
        session = runner.Session(store, experiment, kit.FAKE)
        with pytest.raises(AxiometerError) as refused:
            session.execute()
        kept = store.load(session.run).points
        assert len(kept) == len(session.points) - 2
        assert all(len(point.values["ports"]) != 2 for point in kept)
    words = str(refused.value)
    assert refused.value.status == 1
    assert "repeat 1 of tiny" in words and "elapsed_s is -1" in words
    assert "P0+P1" in words and "1 other point" in words
    assert "please report it" in words and "tiny.toml P0+P1 duplex" in words


def test_an_answer_that_breaks_a_law_is_not_shown(unlawful, capsys):
    point = ["--ports", "HP0+HP1", "--repeats", "2", "--backend", kit.FAKE]
    status = main(["expect", "--board", "zybo", *point])
    out, err = capsys.readouterr()
    assert status == 1 and out == ""
    assert "breaks a law" in err and "Traceback" not in err
