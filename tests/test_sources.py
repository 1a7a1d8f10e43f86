"""Masters of the processor's side alone at the memory, against the processor's own model. A `base`
or a `duration` makes a lone master one of the shared memory."""

import csv
import json
from pathlib import Path

import pytest

import kit
from axiometer import _model
from axiometer.base.errors import AxiometerError
from axiometer.experiment import master_keys
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.simulate import run
from axiometer.simulate.scenario import Scenario
from axiometer.simulate.transfer import Transfer

ROOT = Path(__file__).parents[1]
BOARDS = ("zedboard", "zynq7000-650")
# How far a master alone at the memory may be from what the processor's side gives, as a share.
# There the DRAM is a time and a bus; here it has rows, banks and refresh, and times are whole
# cycles of each clock.
TOLERANCE = 0.04
# Lines that the processor writes come beat by beat and meet refresh and rows that are closed.
WRITE_TOLERANCE = 0.06
# A copy turns the DRAM's bus around every few lines, and its buffers may be in one bank; the
# processor's side models neither. With the buffers in different banks, 16 to 18 % are lost.
COPY_TOLERANCE = 0.18
# Of simple masters and DMAs in the fabric: times are whole cycles of the fabric, of which a plain
# master's burst has a few dozen; and where a port's acceptance is the limit, so are the bursts
# beside it.
FABRIC_TOLERANCE = 0.05
# Of a frame as it was measured, its first and last burst included: those are on their way, and no
# others with them.
FRAME_TOLERANCE = 0.05
# Clocks of the fabric that the board's PLL makes: the processor's side runs at the nearest.
CLOCKS = {"zedboard": (50, 100, 200), "zynq7000-650": (50, 105, 150)}


def _at_memory(platform, master):
    """MB/s of one master alone, from the memory model."""
    keys = {"duration": "500us", "repeats": 1, "skew_us": 0, "placement": "random"}
    record = kit.record(platform, masters=[master], **keys)
    # A copy's bytes are read and written; the processor's side counts them once.
    return record["total_MBps"] / (2 if master.get("operation") == "copy" else 1)


def _beside(platform, keys, **changes):
    """MB/s of the processor's side, without what starting costs."""
    times = []
    for size in (8192, 16384):
        values = single(platform, {**keys, "transfer_bytes": size}).values
        transfer = Transfer.of(platform, values)
        document = {**transfer.document(), **changes}
        times.append(float(_model.run_processor(document)["elapsed"] * transfer.unit))
    return 8192 / (times[1] - times[0]) * 1e-6


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("operation", ["read", "write", "copy"])
def test_the_processor(board, operation):
    platform = Platform.load(board)
    expected = _beside(
        platform, {"ports": "GP0", "master": "memcpy", "mode": "read"}, master=f"memory_{operation}"
    )
    found = _at_memory(platform, {"kind": "processor", "operation": operation})
    print(board, operation, expected, found)
    tolerances = {"copy": COPY_TOLERANCE, "write": WRITE_TOLERANCE}
    tolerance = tolerances.get(operation, TOLERANCE)
    assert found == pytest.approx(expected, rel=tolerance)


def _same_on_both(board, kind, port, direction, tolerance):
    """Asserts that a master at a port has, at each clock, the rate of the processor's side."""
    platform = Platform.load(board)
    mode = {"read": "ps_to_pl", "write": "pl_to_ps"}[direction]
    for mhz in CLOCKS[board]:
        keys = {"ports": port, "master": kind, "mode": mode, "pl_mhz": mhz}
        expected = _beside(platform, keys)
        master = {"kind": kind, "port": port, "direction": direction, "pl_mhz": mhz}
        found = _at_memory(platform, master)
        print("rate", board, kind, port, direction, mhz, expected, found, found / expected - 1)
        assert found == pytest.approx(expected, rel=tolerance)


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("kind", [*master_keys.SIMPLE, "axi_dma"])
@pytest.mark.parametrize("port", ["HP0", "HP3", "ACP", "SGP0"])
@pytest.mark.parametrize("direction", ["read", "write"])
def test_masters_in_the_fabric(board, kind, port, direction):
    _same_on_both(board, kind, port, direction, FABRIC_TOLERANCE)


@pytest.mark.parametrize("kind", [*master_keys.SIMPLE, "axi_dma"])
@pytest.mark.parametrize("port", ["SGP0", "HP0", "ACP"])
def test_a_published_frame_takes_the_same_on_either_way(kind, port):
    """From its launch to its last response; what the processor does before and after left out."""
    platform = Platform.load("zynq7000-650")
    given = {"pl_mhz": 150, "transfer_bytes": 4096, "repeats": 1}
    master = {"kind": kind, "port": port, "direction": "write", "pl_mhz": 150, "base": 0}
    scenario = Scenario.of(platform, single(platform, {**given, "masters": [master]}).values)
    (stream,) = run.result(scenario, scenario.start(0, 0))["streams"]
    found = (stream["end"] - stream["launch"]) * 150 / platform.value("clocks.ddr_mhz")
    keys = {**given, "ports": port, "master": kind, "mode": "pl_to_ps"}
    transfer = Transfer.of(platform, single(platform, keys).values)
    outcome = _model.run_processor(transfer.start(0, 0).document())
    frame = outcome["frame_ends"] - outcome["frame_begins"]
    expected = frame / transfer.tables.clocks.pl
    print(kind, port, expected, found)
    assert found == pytest.approx(expected, rel=FRAME_TOLERANCE)


@pytest.mark.parametrize("kind", master_keys.SIMPLE)
@pytest.mark.parametrize("port", ["SGP0", "HP0", "ACP"])
def test_beats_of_a_published_frame_are_where_they_are_on_the_other_way(kind, port):
    """For a write, the cycles from beat to beat within a burst are equal on both paths, those
    between bursts equal in the mean over the frame."""
    platform = Platform.load("zynq7000-650")
    given = {"pl_mhz": 150, "transfer_bytes": 4096, "repeats": 1}
    master = {"kind": kind, "port": port, "direction": "write", "pl_mhz": 150, "base": 0}
    scenario = Scenario.of(platform, single(platform, {**given, "masters": [master]}).values)
    start = scenario.start(0, 0)
    (found,) = run.beats(scenario, start)
    keys = {**given, "ports": port, "master": kind, "mode": "pl_to_ps"}
    transfer = Transfer.of(platform, single(platform, keys).values)
    side = _model.run_processor(transfer.start(0, 0).document())
    period = transfer.tables.clocks.pl
    assert found["count"] == side["beats"] == 1024
    # From the master's first address on.
    first = (side["first_beat"] - side["frame_begins"]) / period
    launch = start.launch[0] * 150 / platform.value("clocks.ddr_mhz")
    assert found["first"] - launch == pytest.approx(first, abs=1)
    if kind.startswith("full"):
        held = 1 + platform.value("fabric.master.hold_cycles")
        for cycles, times in ((1, 64 * 14), (held, 64)):
            assert found["between"][cycles] == side["between"][cycles] == times
    span = (side["last_beat"] - side["first_beat"]) / period
    assert found["last"] - found["first"] == pytest.approx(span, rel=FRAME_TOLERANCE)


def test_published_counters_in_the_fabric():
    """Of simple masters alone at their ports: the least cycles between data as printed, the typical
    ones within 1, as the paper rounds, and MB/s from the first beat to the last."""
    platform = Platform.load("zynq7000-650")
    lines = (ROOT / "reference" / "melo2018.csv").read_text(encoding="utf-8").splitlines()
    rows = [
        row
        for row in csv.DictReader(line for line in lines if not line.startswith("#"))
        if row["master"] in master_keys.SIMPLE
    ]
    assert len(rows) == 12
    errors = []
    for row in rows:
        mhz, size = float(row["pl_mhz"]), int(row["transfer_bytes"])
        master = {"kind": row["master"], "port": row["ports"], "direction": "write", "base": 0}
        keys = {"transfer_bytes": size, "pl_mhz": mhz, "repeats": 1, "masters": [master]}
        scenario = Scenario.of(platform, single(platform, keys).values)
        (beats,) = run.beats(scenario, scenario.start(0, 0))
        times = beats["between"]
        assert min(times) == pytest.approx(int(row["between_min"]), abs=1)
        typical = sum(n * k for n, k in times.items()) // sum(times.values())
        assert typical == pytest.approx(int(row["between_typ"]), abs=1)
        rate = size / (beats["last"] - beats["first"] + 1) * mhz
        errors.append(abs(rate / float(row["fabric_MBps"]) - 1))
    assert max(errors) < 0.08
    assert sum(errors) / len(errors) < 0.02


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("kind", ["ps_dma", "axi_dma"])
@pytest.mark.parametrize("direction", ["read", "write"])
def test_the_engines(board, kind, direction):
    port = {"ps_dma": "GP0", "axi_dma": "ACP"}[kind]
    _same_on_both(board, kind, port, direction, TOLERANCE)


@pytest.mark.parametrize("board", ["zcu106", "zcu208", "ac550soc"])
def test_an_axi_dma_without_its_own_port_is_refused_with_the_existing_ports(board):
    with pytest.raises(AxiometerError, match="master axi_dma1 has no port") as said:
        single(Platform.load(board), {"masters": [{"kind": "axi_dma"}]})
    port = said.value.remedy.split("; ports: ")[1].split(", ")[0]
    single(Platform.load(board), {"masters": [{"kind": "axi_dma", "port": port}]})


def test_masters_of_a_port_are_of_one_kind():
    full = {"kind": "full", "port": "HP0", "direction": "read"}
    other = {"kind": "engine", "port": "HP0", "direction": "write", "width_bits": 32}
    with pytest.raises(AxiometerError, match="of kind engine, but full1 at HP0 is of kind full"):
        single(Platform.load("zedboard"), {"masters": [full, other]})
    single(Platform.load("zedboard"), {"masters": [full, {**full, "direction": "write"}]})


def _beside_engines(kind, count):
    """MB/s of a master at ACP while so many engines go as fast as they can."""
    engines = [{"kind": "engine", "port": f"HP{n}", "pl_mhz": 200} for n in range(count)]
    master = {"kind": kind, "name": "own", "port": "ACP", "direction": "read", "pl_mhz": 200}
    keys = {"duration": "200us", "repeats": 1, "placement": "random"}
    found = kit.record("zedboard", masters=[master, *engines], **keys)
    return found["by_master"]["own"]["total_MBps"]


@pytest.mark.parametrize("kind", ["lite", "full"])
def test_masters_that_wait_for_each_response_lose_more(kind):
    """Others make the memory's latency longer: a master that has one burst in flight pays all of
    it, one that has many hides it."""
    kept = [_beside_engines(own, 4) / _beside_engines(own, 0) for own in (kind, f"{kind}_improved")]
    assert kept[0] < kept[1] - 0.05


@pytest.mark.parametrize(
    ("kind", "cause"), [("lite", "in_turn"), ("full", "in_turn"), ("full_improved", "port")]
)
def test_what_holds_a_simple_master_up_is_said(cli, kind, cause):
    master = ["--set", f"master.m.kind={kind}", "--set", "master.m.port=HP0"]
    master += ["--set", "master.m.base=0", "--json"]
    assert json.loads(cli("expect --board zedboard", *master))["bottleneck"] == cause


@pytest.mark.parametrize("board", ["zedboard", "de10-nano", "zcu102"])
def test_a_processor_goes_on_as_long_as_the_run(board):
    """Beyond the bytes of one transfer, after which it restarts."""
    master = {"kind": "processor", "operation": "copy", "start_us": 0}
    rates = [
        kit.record(board, masters=[master], duration=duration, repeats=1)["read_MBps"]
        for duration in ("1ms", "30ms")
    ]
    assert rates[1] == pytest.approx(rates[0], rel=0.03)


def _mapped(platform, memory_type, operation="copy", **keys):
    """The record of a processor at buffers in the memory, mapped so."""
    master = {"kind": "processor", "operation": operation, "memory_type": memory_type}
    return kit.record(platform, masters=[master], repeats=1, **keys)


def _memory_bytes(record):
    return {s["direction"]: s["memory_bytes"] for s in record["streams"]}


@pytest.mark.parametrize("board", ["zedboard", "zcu102", "de1-soc"])
def test_a_fill_of_cached_memory_writes_each_byte_once_and_reads_none(board):
    """In the long run: what its dirty lines push out goes to the memory."""
    record = _mapped(board, "cached", "write", duration="1ms")
    moved = _memory_bytes(record)
    assert moved["write"] == pytest.approx(record["bytes"], rel=0.01)
    assert moved["read"] == 0


def test_write_backs_of_dirty_lines_are_beside_the_payload():
    record = _mapped("zedboard", "cached", "read", transfer_bytes="1MiB")
    assert [s["bytes"] for s in record["streams"]] == [2**20, 0] and record["bytes"] == 2**20
    assert _memory_bytes(record)["write"] > 2**18


@pytest.mark.parametrize("board", ["zedboard", "zcu102"])
def test_what_the_caches_hold_needs_no_memory(board):
    small, large = (_mapped(board, "cached", transfer_bytes=size) for size in (2**14, 2**21))
    assert not any(_memory_bytes(small).values())
    assert small["total_MBps"] > 1.5 * large["total_MBps"]


@pytest.mark.parametrize("board", ["zedboard", "zcu102"])
def test_an_uncached_load_is_a_round_trip_of_its_width(board):
    """So the bytes of each access are those of the routine, and its time hardly depends on them."""
    platform, times = Platform.load(board), []
    for size in (4, 8, 16):
        master = {"operation": "read", "memory_type": "noncacheable", "copy_bytes": size}
        masters = [{"kind": "processor", **master}]
        record = kit.record(platform, masters=masters, transfer_bytes=4096, repeats=1)
        assert _memory_bytes(record) == {"read": 4096}
        times.append(record["elapsed_s"] * size)
    assert times == pytest.approx([times[0]] * 3, rel=0.06)


@pytest.mark.parametrize(
    ("board", "operation", "figure"),
    [
        ("zedboard", "read", {"processor.cache.l2_prefetch_lines": 0}),
        ("zcu102", "write", {"processor.cache.write_backs": 1}),
        ("pynq-zu", "write", {"path.apu.width_bits": 64}),
        ("zcu102", "copy", {"processor.cache.prefetch_lines": 0}),
    ],
)
def test_figures_of_the_caches_hold_cached_memory_up(board, operation, figure):
    platform = Platform.load(board)
    usual, without = (
        _mapped(p, "cached", operation, duration="200us")["total_MBps"]
        for p in (platform, platform.with_overrides(figure))
    )
    assert without < 0.9 * usual
