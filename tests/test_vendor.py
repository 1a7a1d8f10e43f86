"""Vendors' engines by name, alone and beside others on a board of each chip."""

import csv

import pytest

import kit
from axiometer import expect
from axiometer.answer.verdicts.demands import demands
from axiometer.base import data
from axiometer.base.errors import AxiometerError
from axiometer.experiment import turns, vendor
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.present import master_rows as present
from axiometer.records import laws
from axiometer.runs.backends import model
from axiometer.simulate import vendor as streams
from axiometer.simulate.scenario import Scenario

BOARDS = ("zedboard", "zcu102", "de10-nano", "arria5-socdk")
ENGINES = [
    (board, port, kind, direction)
    for board in BOARDS
    for port in vendor.ports(Platform.load(board))
    if not port.endswith(("1", "2", "3"))  # the others are as the first
    for kind in vendor.KINDS
    for direction in vendor.directions(kind)
]


def _table(kind, port, direction, **keys):
    return {"kind": kind, "name": "own", "port": port, "direction": direction, **keys}


def _run(board, tables, **keys):
    """A record of one repeat that keeps the laws, and its point."""
    platform = Platform.load(board)
    length = {} if "transfer_bytes" in keys else {"duration": "300us"}
    point = single(platform, {**length, **keys, "masters": tables})
    records = model.run_repeats(platform, point, 0, 0, 1)
    laws.check(platform, point, records)
    return records[0], point


@pytest.mark.parametrize(("board", "port", "kind", "direction"), ENGINES)
def test_each_engine_moves_what_it_says_alone(board, port, kind, direction):
    record, point = _run(board, [_table(kind, port, direction)])
    (own,) = point.values["masters"]
    link = own["width_bits"] / 8 * own["link_mhz"]
    rates = [record["by_master"]["own"][f"{way}_MBps"] for way in ("read", "write")]
    moves = [direction in ("read", "both", "pair"), direction in ("write", "both", "pair")]
    assert [rate > 0 for rate in rates] == moves
    assert all(rate <= link * (1 + 1e-9) for rate in rates)
    if direction == "pair":  # what is read is written
        assert rates[0] == pytest.approx(rates[1], rel=0.05)


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("kind", vendor.KINDS)
def test_each_engine_beside_another_at_its_port_shares_it(board, kind):
    """Of another kind, behind one interconnect: together they move no more than the port carries,
    and neither is left out."""
    port = vendor.ports(Platform.load(board))[0]
    direction = vendor.directions(kind)[0]
    width = {"width_bits": 64}
    other = {
        "kind": "engine",
        "name": "other",
        "port": port,
        "direction": "read",
        "outstanding": 4,
        **width,
    }
    record, point = _run(board, [_table(kind, port, direction, **width), other])
    rates = [of["read_MBps"] for of in record["by_master"].values()]
    own = point.values["masters"][0]
    assert sum(rates) <= own["width_bits"] / 8 * own["link_mhz"] * (1 + 1e-9)
    assert min(rates) > 0.1 * max(rates)


def test_turns_leave_to_the_others_what_one_does_not_want():
    """Two of equal bursts share what a modest one leaves; with half of the burst, half of it."""
    each = turns.bursts_of_each([(128, 100.0), (128, 800.0), (64, 800.0)], 800.0)
    assert each * (128 + 64) == pytest.approx(700)
    assert turns.bursts_of_each([(128, 100.0), (128, 200.0)], 800.0) == float("inf")


# ---- the rates and delays that data sheets print ------------------------------------------------


def _printed():
    path = data.find_external("others/measured_by_others.csv")
    if path is None:
        pytest.skip("the published rows are not here")
    with path.open(encoding="utf-8", newline="") as file:
        return {row["id"]: row for row in csv.DictReader(file) if row["id"].startswith("PG")}


@pytest.mark.parametrize(
    ("name", "direction", "most"), [("PG-mm2s", "read", 0.03), ("PG-s2mm", "write", 0.02)]
)
def test_rates_of_pg021(name, direction, most):
    """As printed: 10,000 bytes, 32 bit at 100 MHz, from the first address (reads) or the first data
    (writes) on. Ours has a board's memory; the guide does not name its memory."""
    row = _printed()[name]
    keys = {"width_bits": int(row["width_bits"]), "pl_mhz": float(row["pl_mhz"])}
    table = _table("axi_dma", "HP0", direction, scatter_gather=True, **keys)
    size = int(row["transfer_bytes"])
    record, point = _run("zedboard", [table], transfer_bytes=size)
    (stream,) = record["streams"]
    starts = streams.start_cycles(point.values["masters"][0], direction)
    begun = stream["start_s"] - (0 if direction == "read" else starts / keys["pl_mhz"] * 1e-6)
    rate = size / (stream["end_s"] - begun) * 1e-6
    error = rate / float(row["value"]) - 1
    print(f"{name}: {row['value']} MB/s printed, {rate:.2f} simulated, {error:+.2%}")
    assert abs(error) < most


def test_delays_of_pg021_are_those_of_the_table():
    printed = {name: int(row["value"]) for name, row in _printed().items() if "lat" in name}
    read = printed["PG-lat-sg_arvalid-10"] + printed["PG-lat-mm2s_arvalid-28"]
    assert vendor.figure("axi_dma", "start_read", True) == read
    assert vendor.figure("axi_dma", "start_write", True) == printed["PG-lat-awvalid-39"]


def test_the_gap_of_writes_follows_from_the_printed_rate():
    row = _printed()["PG-s2mm"]
    size, mhz = int(row["transfer_bytes"]), int(row["pl_mhz"])
    beat = int(row["width_bits"]) // 8
    clocks, beats = size / float(row["value"]) * mhz, size // beat
    length = vendor.figure("axi_dma", "burst_beats")
    left = clocks - beats - vendor.figure("axi_dma", "start_write", True)
    assert round(left / (beats // length)) == vendor.figure("axi_dma", "gap_write", True)


def test_every_figure_has_an_origin():
    engines = [vendor.table()[kind] for kind in vendor.KINDS]
    tables = [*engines, *(e["scatter_gather"] for e in engines if "scatter_gather" in e)]
    for table in tables:
        for name, figure in table.items():
            if isinstance(figure, dict) and name != "scatter_gather":
                assert ("source" in figure) != ("guess" in figure), name


# ---- what was there stays ----------------------------------------------------------------------


def test_the_dma_of_published_rows_is_what_it_was():
    """With words of 32 bits at the ports of its chip; any key of the engine makes it the engine."""
    zedboard = Platform.load("zedboard")
    given = {"kind": "axi_dma", "name": "own", "port": "HP0", "direction": "write"}
    beside = {"kind": "engine", "port": "HP1"}
    old, _ = single(zedboard, {"masters": [given, beside]}).values["masters"]
    assert (old["engine"], old["width_bits"]) == (None, 32)
    narrow = single(zedboard, {"masters": [{**given, "width_bits": 32}, beside]})
    assert narrow.values["masters"][0] == old
    for more in ({"width_bits": 64}, {"outstanding": 4}, {"direction": "both"}):
        new = single(zedboard, {"masters": [{**given, **more}]}).values["masters"][0]
        assert new["engine"] == "axi_dma"
    alone = {"ports": "HP0", "master": "axi_dma", "mode": "write"}
    assert "masters" not in single(zedboard, alone).values
    assert "masters" in single(zedboard, {**alone, "width_bits": 64}).values


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("kind", vendor.KINDS)
def test_a_point_whose_master_is_an_engine_is_a_table_of_it(board, kind):
    platform = Platform.load(board)
    port = vendor.ports(platform)[0]
    keys = {"ports": port, "master": kind, "width_bits": 64, "burst_beats": 8}
    point = single(platform, keys)
    beats = {"burst_bytes": 64}
    if kind == "hls_m_axi":
        beats = {"max_read_burst_length": 8, "max_write_burst_length": 8}
    table = {"kind": kind, "name": kind, "port": port, "width_bits": 64, **beats}
    assert point.values == single(platform, {"masters": [table]}).values
    assert Scenario.of(platform, point.values).document()["streams"]


# ---- frames -------------------------------------------------------------------------------------


def test_a_frame_is_so_many_bytes_a_second():
    assert vendor.demand_mbs("1080p60", 3) == pytest.approx(1920 * 1080 * 3 * 60 / 1e6)
    assert vendor.demand_mbs("640x480@59.94", 2) == pytest.approx(640 * 480 * 2 * 59.94 / 1e6)


@pytest.mark.parametrize(
    ("frame", "met"), [("720p60", True), ("1080p60", True), ("2160p60", False)]
)
def test_the_answer_states_whether_a_frame_demand_is_met(frame, met):
    table = {"kind": "axi_vdma", "name": "video", "port": "HP0", "frame": frame}
    answer = expect("zedboard", masters=[table], repeats=1)
    (demand,) = answer.to_dict()["demands"]
    asks = float(vendor.demand_mbs(frame, 3))
    assert (demand["asks_MBps"], demand["met"]) == (pytest.approx(asks), met)
    assert (demand["carried_MBps"] >= 0.99 * asks) is met
    words = " ".join(answer.text.split())
    assert f"({frame}, carried" in words and ("NOT met" in words) is not met


def test_a_demand_without_a_frame_is_reported_too():
    table = {"kind": "engine", "name": "a", "port": "HP0", "direction": "read", "rate_mbs": 5000}
    record, point = _run("zedboard", [table])
    stats = {"by_master": {"a": {"read_MBps": {"mean": record["read_MBps"]}}}}
    assert "NOT met, 16% of it" in present.demand_lines(demands(point.values, stats))[0]


# ---- bursts -------------------------------------------------------------------------------------


def test_longer_bursts_than_the_port_takes_are_cut_and_stay_in_flight():
    platform = Platform.load("zedboard")
    table = {"kind": "axi_dma", "name": "own", "port": "HP0", "width_bits": 64}
    for beats, pieces in ((16, 1), (64, 4)):
        point = single(platform, {"masters": [{**table, "burst_bytes": beats * 8}]})
        (stream,) = Scenario.of(platform, point.values).streams
        assert stream.burst_bytes == 16 * 8
        assert stream.outstanding == pieces * vendor.figure("axi_dma", "outstanding_read")


def test_a_port_that_takes_certain_bursts_gets_those():
    """The ACP of the UltraScale+ takes 16 and 64 bytes: two beats are two bursts."""
    platform = Platform.load("zcu102")
    table = {"kind": "msgdma", "port": "ACP", "direction": "write", "outstanding": 2}
    for size, burst in ((32, 16), (64, 64), (256, 64)):
        point = single(platform, {"masters": [{**table, "burst_bytes": size}]})
        (stream,) = Scenario.of(platform, point.values).streams
        assert stream.burst_bytes == burst


def test_the_published_dma_shares_no_port_with_streams():
    old = {"kind": "axi_dma", "name": "old", "port": "HP0", "direction": "write"}
    new = {**old, "name": "new", "direction": "read", "width_bits": 32, "outstanding": 2}
    with kit.refuses(match="new is of kind axi_dma, but old", remedy="vendor's engine"):
        single(Platform.load("zedboard"), {"masters": [old, new]})
    single(
        Platform.load("zedboard"), {"masters": [{**old, "outstanding": 2, "width_bits": 32}, new]}
    )


def test_a_wider_engine_than_its_port_is_narrowed():
    table = {"kind": "axi_dma", "port": "HP0", "width_bits": 512}
    point = single(Platform.load("zcu102"), {"masters": [table]})
    assert point.values["masters"][0]["width_bits"] == 128


def test_hls_has_bursts_of_its_own_in_each_direction():
    keys = {"max_read_burst_length": 16, "max_write_burst_length": 4, "num_write_outstanding": 2}
    platform = Platform.load("zcu102")
    point = single(platform, {"masters": [_table("hls_m_axi", "HP0", "both", **keys)]})
    read, write = Scenario.of(platform, point.values).streams
    assert (read.burst_bytes, write.burst_bytes) == (16 * 16, 4 * 16)
    assert (read.outstanding, write.outstanding) == (16, 2)


def test_a_point_of_an_engine_says_what_it_has_not():
    keys = {"ports": "HP0", "master": "axi_vdma", "pattern": "random"}
    with pytest.raises(AxiometerError, match="'axi_vdma' has no pattern"):
        single(Platform.load("zedboard"), keys)
