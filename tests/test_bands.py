"""Bands of answers: they hold the stated share, and answers report points without measurements
nearby."""

import csv
import json
import math
import random
from dataclasses import replace

import pytest

import kit
from axiometer import expect
from axiometer.__main__ import main
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.present import band_text
from axiometer.published.bands import Band, benches, bounds, features, of_rate, of_total, spread
from axiometer.published.bands.spread import KINDS, Cell, Spread
from validate import bands, spreads
from validate import others as bench_rows

USUAL = (0.0,) * len(KINDS)


def kind(*names):
    return tuple(float(name in names) for name in KINDS)


def cells(source, width, of=USUAL, sets=2):
    return [Cell(source, f"{source} {n}", of, width, 50) for n in range(sets)]


def test_a_new_bench_is_less_sure_than_one_that_is_there():
    known = Spread([*cells("a", 0.05), *cells("b", 0.1), *cells("c", 0.2)])
    new, own = known.at(USUAL), known.at(USUAL, "a")
    assert own[1] < new[1]
    assert own[0] < new[0] < known.at(USUAL, "c")[0]


def test_a_source_counts_once_however_many_rows_it_has():
    few = Spread([*cells("a", 0.05, sets=1), *cells("b", 0.2, sets=1)])
    many = Spread([*cells("a", 0.05, sets=30), *cells("b", 0.2, sets=1)])
    assert many.at(USUAL)[0] == pytest.approx(few.at(USUAL)[0], abs=0.3)


def test_what_no_source_has_is_as_it_was_assumed():
    low, wide = (Spread(cells("a", width)) for width in (0.05, 0.2))
    for of in (low, wide):
        assert of.at(kind("part"))[0] > of.at(USUAL)[0] > of.at(kind("full"))[0]
        assert of.at(kind("part"))[1] > of.at(USUAL)[1]


def seen(source, scale, count=60, of=USUAL, name="", chip="a"):
    draw = random.Random(source)
    return [
        spreads.Seen(source, chip, name or source, "total", of, draw.gauss(0, scale), math.inf)
        for _ in range(count)
    ]


def test_left_out_sources_are_inside_nine_times_of_ten():
    rows = [r for n, s in enumerate((0.02, 0.03, 0.05, 0.08)) for r in seen(str(n), s)]
    known = spreads.cells(rows, set())
    level = spreads.levels(rows, known)
    held = list(spreads.left_out(rows, known, level, whole=True))
    assert spreads.share(held) >= spreads.SHARE
    assert all(h.inside / h.rows >= spreads.WORST for h in held)
    # One that is far off widens what is said of the next.
    hostile = [*rows, *seen("far", 0.6)]
    wider = spreads.levels(hostile, spreads.cells(hostile, set()))
    assert wider["bench"] > level["bench"]
    # Mutant: without the widening the checker trips.
    narrow = list(spreads.left_out(rows, known, {"bench": -1.0}, whole=True))
    assert spreads.share(narrow) < spreads.SHARE


def test_a_chip_with_one_bench_has_bands_without_its_others():
    rows = [r for source, chip in (("a", "x"), ("b", "x"), ("c", "x"), ("d", "y"), ("e", "y"))
            for r in seen(source, 0.03, chip=chip)]  # fmt: skip
    known, level = spreads.cells(rows, set()), {"bench": 1.0}
    found = list(spreads.of_chips(rows, known, level))
    assert [(of.chip, of.there) for of in found] == [
        ("x", ("a",)), ("x", ("b",)), ("x", ("c",)), ("y", ("d",)), ("y", ("e",))
    ]  # fmt: skip
    assert [of.held.rows for of in found] == [120, 120, 120, 60, 60]
    # What the sources that are left out showed changes no band; that of the one there does.
    far = [replace(cell, width=9 * cell.width) for cell in known if cell.source in "bc"]
    kept = [cell for cell in known if cell.source not in "bc"]
    other = list(spreads.of_chips(rows, [*kept, *far], level))
    assert other[0].held == found[0].held
    assert other[1].held.width > found[1].held.width
    assert len(bands.of_chips(found)) == len(found) + 2


def test_a_file_gives_back_the_written_bands(tmp_path):
    found = [*cells("a", 0.05, kind("odd", "lone")), *cells("b, c", 0.123)]
    spread.write(tmp_path / "c.csv", found)
    assert spread.read(tmp_path / "c.csv") == found
    shipped = list(benches.shipped())
    benches.write(tmp_path / "b.csv", shipped)
    assert benches.read(tmp_path / "b.csv") == shipped


def test_the_page_is_of_the_run_that_made_what_ships():
    page = (kit.ROOT / "docs" / "how-sure.md").read_text(encoding="utf-8")
    words = ", ".join(f"{name} {value:.2f}" for name, value in spread.levels().items())
    assert f"Widening, in standard deviations: {words}." in page
    for source in {cell.source for cell in spread.shipped().cells}:
        assert f"| {source} |" in page


HP0 = {"ports": "HP0", "mode": "read"}


@pytest.mark.parametrize(
    ("board", "keys", "lacks"),
    [
        ("zcu102", {**HP0, "pl_mhz": 300, "pattern": "stride:8192"}, "order of addresses"),
        ("zcu102", {**HP0, "pl_mhz": 40}, "PL clock"),
        ("zcu102", {**HP0, "pl_mhz": 300, "masters_per_port": 3}, "masters at one port"),
        ("zcu102", {**HP0, "pl_mhz": 300, "gap_cycles": 64}, "load"),
        ("zybo-z7", {**HP0, "transfer_bytes": "1MiB"}, "board"),
    ],
)
def test_what_no_bench_of_the_board_has_is_said(board, keys, lacks):
    platform = Platform.load(board)
    values = single(platform, keys).values
    found = of_rate(platform, values, None, None)
    assert lacks in found.extrapolated
    assert len(found.sources) > 1
    if board == "zcu102":
        own = of_rate(platform, single(platform, {**HP0, "pl_mhz": 300}).values, None, None)
        assert own.extrapolated == () and own.sources == ("manev-2019",)
        assert math.log(own.high) < math.log(found.high)


def test_one_burst_in_flight_and_processors_are_less_sure_than_full_wires():
    zcu = Platform.load("zcu102")
    lone = single(zcu, {**HP0, "outstanding_read": 1}).values
    usual = single(zcu, HP0).values
    of = [of_rate(zcu, v, rate, 1600.0) for v, rate in ((lone, 800), (usual, 800), (usual, 1600))]
    assert of[0].low < of[1].low < of[2].low


def test_figures_set_by_hand_are_no_longer_validated():
    platform = Platform.load("zybo")
    values = single(platform, {"ports": "HP0+HP1"}).values
    assert not of_total(platform, values, 1000).extrapolated
    changed = platform.with_overrides({"dram.timing.tRP": 9})
    assert of_total(changed, values, 1000).extrapolated == ("figures set by hand",)


def test_features_of_masters_of_several_kinds():
    platform = Platform.load("zedboard")
    masters = [{"kind": "engine", "port": "HP0"}, {"kind": "processor", "operation": "copy"}]
    found = features.of(platform, single(platform, {"masters": masters, "duration": "1ms"}).values)
    assert (found["master"], found["interface"]) == ("engine+processor", "CPU+HP")
    assert features.sides(found) == {"fabric", "processor"}


def test_no_band_is_above_the_peak_of_the_wires():
    found = Band(0.9, 1.5, 30, ("a",))
    assert found.below(90, 100).high == pytest.approx(100 / 90)
    assert found.below(90, None) is found
    # A rounding, or a burst, above it: never beyond the rate itself.
    assert found.below(100 + 1e-9, 100).high == found.below(101, 100).high == 1
    assert found.below(101, 100).low <= 1


@pytest.mark.parametrize(
    ("board", "keys", "most"),
    [
        ("zcu102", {"ports": "HP0", "mode": "read", "width_bits": 64, "pl_mhz": 225}, 1800),
        ("zcu102", {"ports": "HP0", "mode": "read", "masters_per_port": 3}, 4800),
        ("zybo", {"ports": "HP0+HP2", "mode": "read", "gap_cycles": 16, "width_bits": 64}, 800),
        ("zybo", {"ports": "HP0+HP1+HP2+HP3", "mode": "duplex", "pl_mhz": 200}, 4200),
        ("de1-soc", {"ports": "F2S", "mode": "duplex", "width_bits": 64, "pl_mhz": 200}, 3200),
    ],
)
def test_every_band_ends_at_what_can_be(board, keys, most):
    """Ports, gaps, the memory's bus; each port in each direction, and all together."""
    size = {} if board == "zcu102" else {"transfer_bytes": "64KiB"}
    found = expect(board, **keys, **size, repeats=1)
    assert bounds.total(found.platform, found.row.values) == pytest.approx(most)
    room = max(most, found.total) * (1 + 1e-9)
    assert found.band[1] <= room
    for rate in found.row.each:
        top = bounds.each(found.row.values)[rate.name, rate.direction]
        assert rate.band is None or rate.band.high * rate.rate <= max(top, rate.rate) * (1 + 1e-9)


def test_a_master_s_band_ends_at_what_it_asks_for():
    engine = {"kind": "engine", "port": "HP0", "direction": "read"}
    masters = [{**engine, "name": "a", "rate_mbs": 300}, {**engine, "name": "b", "rate_mbs": 400}]
    found = expect("zcu102", masters=masters, duration="200us", repeats=1)
    most = bounds.each(found.row.values)
    assert most == {("a", "read"): 300, ("b", "read"): 400}
    assert bounds.total(found.platform, found.row.values) == 700
    for rate in found.row.each:
        assert rate.band.high * rate.rate <= max(most[rate.name, "read"], rate.rate) + 1e-6
    assert "masters at one port" in found.row.band.extrapolated


def test_another_slave_and_another_program_are_unlike():
    zed = Platform.load("zedboard")
    keys = {"ports": "GP1", "master": "ps_dma", "mode": "ps_to_pl", "transfer_bytes": "4KiB"}
    linux = {**keys, "os": "linux"}
    for base, key, value, feature in (
        (keys, "slave", zed.slaves[-1], "slave"),
        (keys, "dma_program", "included", "program"),
        (linux, "io", "copy", "program"),
        (keys, "os", "linux", "system"),
    ):
        usual, other = (
            features.of(zed, single(zed, given).values) for given in (base, {**base, key: value})
        )
        assert other[feature] != usual[feature], key
    # A start shows in short transfers only.
    nano = Platform.load("de10-nano")
    for size, like in (("4KiB", False), ("1MiB", True)):
        given = {"ports": "F2S", "mode": "read", "transfer_bytes": size}
        starts = [
            features.of(nano, single(nano, given | {"program": name}).values)["program"]
            for name in ("ring", "linux-polling")
        ]
        assert (starts[0] == starts[1]) is like


def test_rows_of_others_are_read_as_they_are_printed(tmp_path):
    """Made by a tool: direction, clock, width, bytes, in MB/s."""
    path = tmp_path / "measured.csv"
    head = "id,grade,source,mode,width_bits,pl_mhz,burst_bytes,transfer_bytes,value,unit"
    path.write_text(
        f"{head}\nTRU-ACP-256B,A,truhy,pl_to_ps write,128,200,256,256,243.53,MiB/s\n"
        "TRU-ACP-512B,B,truhy,pl_to_ps write,128,200,256,512,1,MiB/s\n"
        "TRU-ACP-32M,A,truhy,pl_to_ps write,128,200,256,33554432,1,MiB/s\n",
        encoding="utf-8",
    )
    (asked,) = bench_rows.rows(path)
    assert asked.name == "TRU-ACP-256B"
    assert asked.printed == pytest.approx(243.53 * 1.048576)
    assert asked.error == pytest.approx(100 * (asked.simulated / asked.printed - 1))


def test_expect_says_the_band(cli):
    assert "90 % band: " in cli("expect zybo HP0 --repeats 2 -v")
    asked = ["expect", "--board", "zybo", "--ports", "HP0", "--repeats", "2", "--json"]
    answer = json.loads(cli(*asked))
    assert answer["band"]["low_MBps"] <= answer["total_MBps"]["mean"] * 1.001
    assert answer["band"]["high_MBps"] <= answer["peak_MBps"]
    assert [rate["direction"] for rate in answer["rates"]] == ["read", "write"]


def test_expect_says_when_nothing_is_known(cli):
    assert band_text.UNKNOWN in " ".join(
        cli("expect --board arria5-socdk --ports F2S --repeats 1").split()
    )
    strange = ["expect", "zybo", "HP0", "-v", "--set", "gap_cycles=9"]
    assert "EXTRAPOLATED (load)" in cli(*strange)


def test_a_run_says_its_bands_in_table_json_and_csv(tmp_path, capsys, cli):
    store = ["--store", str(tmp_path / "runs.db")]
    point = ["--set", "ports=HP0+HP1", "--set", "mode=duplex", "--set", "width_bits=32,64"]
    cli("run zybo-hp-bandwidth", *point, "--repeats", "2", *store)
    shown = cli("show", *store)
    assert "band: nine of ten measurements" in shown
    assert "of 2 points" in shown
    assert main(["show", "--json", *store]) == 0
    for point in json.loads(capsys.readouterr().out)["points"]:
        mean = point["total_MBps"]["mean"]
        assert 0.8 * mean < point["band"]["low_MBps"] < point["band"]["high_MBps"] < 1.2 * mean
    assert main(["export", "-o", str(tmp_path / "p.csv"), *store]) == 0
    line = next(csv.DictReader((tmp_path / "p.csv").open()))
    assert float(line["band_low_MBps"]) < float(line["band_high_MBps"])
    assert line["extrapolated"] == "False"
