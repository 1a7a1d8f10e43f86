"""Bands of answers: they hold what they say, and say when nobody has seen such a point."""

import csv
import json
import math
import random

import pytest

import kit
from axiometer import expect
from axiometer.__main__ import main
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.present import band_text
from axiometer.published.bands import band, bounds, features, of_point
from axiometer.published.bands.likeness import FEW
from axiometer.published.bands.validated import KEPT, Row, classes, others, read, shipped, write
from validate import others as bench_rows

POINT = {
    **{"chip": "c", "rate": "total", "master": "dma", "direction": "read", "interface": "HP"},
    **{"sharing": "one", "slave": "", "program": ""},
    **{"load": "full", "pattern": "sequential", "mapping": "rbc", "qos": "", "system": ""},
    **{"cache": "", "size": "long", "memory": "DDR3, 32 bit", "pl_mhz": 100.0},
    **{"ports": "2", "burst": "medium"},
}


def rows(errors, of="set", **other):
    return [Row(of, POINT | other, error) for error in errors]


def inside(found, error):
    return found.low <= math.exp(-error) <= found.high


@pytest.mark.parametrize("count", [20, 39, 100, 400])
def test_the_next_row_is_inside_nine_times_of_ten(count):
    draw = random.Random(count)
    hits = []
    for _ in range(300):
        known = classes(rows(draw.gauss(0.02, 0.05) for _ in range(count)))
        hits.append(inside(band(POINT, known), draw.gauss(0.02, 0.05)))
    # Three standard errors of 300 draws; summaries of many rows cost little.
    assert sum(hits) / len(hits) > 0.9 - 3 * math.sqrt(0.09 / 300)
    assert sum(hits) / len(hits) < 0.9 + 2 / count + 3 * math.sqrt(0.09 / 300)


def test_a_band_is_about_what_is_published_not_about_what_is_simulated():
    too_high = band(POINT, classes(rows([0.1] * 30)))
    assert too_high.low == too_high.high == pytest.approx(math.exp(-0.1))


def test_rows_of_as_many_ports_count_where_there_are_enough():
    four = rows([0.3] * 60, ports="4")
    known = classes([*rows([0.0] * 60), *four])
    assert band(POINT, known).high == 1
    assert band(POINT | {"ports": "4"}, known).low == pytest.approx(math.exp(-0.3))
    few = classes([*rows([0.0] * 60), *four[:5]])
    assert band(POINT | {"ports": "4"}, few).rows == 65


@pytest.mark.parametrize(
    ("feature", "value", "told"),
    [
        ("pattern", "stride", "order of addresses"),
        ("mapping", "brc", "address mapping"),
        ("memory", "DDR4, 64 bit", "memory"),
        ("pl_mhz", 250.0, "PL clock"),
        ("direction", "both", "direction"),
        ("sharing", "several", "masters at one port"),
        ("slave", "ram64", "slave"),
        ("program", "included", "program"),
    ],
)
def test_what_no_row_has_is_told(feature, value, told):
    known = classes([*rows([0.0] * 30), *rows([0.2] * 30, "other", direction="write")])
    assert not band(POINT, known).extrapolated
    found = band(POINT | {feature: value}, known)
    assert found.extrapolated == (told,)
    assert set(found.sets) == {"set", "other"}
    assert found.low <= math.exp(-0.2) < 1 <= found.high


def test_few_rows_are_no_evidence():
    lone = rows([0.0] * (FEW - 1))
    other = rows([0.1] * 30, "other", direction="write")
    assert band(POINT, classes([*lone, *other])).extrapolated == ("too few rows",)
    assert band(POINT, classes(lone)) is None
    assert band(POINT | {"chip": "another"}, classes(other)) is None


def test_sets_count_alike_however_many_rows_they_have():
    large = rows([0.0] * 900, "large", direction="write")
    small = rows([0.5] * 20, "small", direction="both")
    assert band(POINT, classes([*large, *small])).low == pytest.approx(math.exp(-0.5))


def test_between_clocks_is_no_extrapolation():
    known = classes([*rows([0.0] * 30), *rows([0.1] * 30, "other", pl_mhz=300.0)])
    assert not band(POINT | {"pl_mhz": 200.0}, known).extrapolated
    assert band(POINT | {"pl_mhz": 40.0}, known).extrapolated == ("PL clock",)


def test_a_file_gives_back_what_was_written(tmp_path):
    draw = random.Random(1)
    found = classes([*rows([0.01, -0.02]), *rows((draw.random() for _ in range(99)), "many")])
    write(tmp_path / "v.csv", found)
    again = read(tmp_path / "v.csv")
    assert [(c.set, c.features, c.rows) for c in again] == [
        (c.set, c.features, c.rows) for c in found
    ]
    assert again[1].errors == pytest.approx(found[1].errors, abs=1e-4)
    assert len(found[0].errors) == KEPT


def test_the_page_says_of_which_rows_the_bands_are():
    """The page and the bands that ship are of one run."""
    page = (kit.ROOT / "docs" / "bands.md").read_text(encoding="utf-8")
    for rate in (features.TOTAL, features.EACH):
        counts = {}
        for each in shipped():
            if each.features["rate"] == rate:
                counts[each.set] = counts.get(each.set, 0) + each.rows
        assert counts
        for name, count in counts.items():
            assert f"| {name} | {count} |" in page


def test_figures_set_by_hand_are_no_longer_validated():
    platform = Platform.load("zybo")
    values = single(platform, {"ports": "HP0+HP1"}).values
    assert not of_point(platform, values).extrapolated
    changed = platform.with_overrides({"dram.timing.tRP": 9})
    assert of_point(changed, values).extrapolated == ("figures set by hand",)


def test_features_of_masters_of_several_kinds():
    platform = Platform.load("zedboard")
    masters = [{"kind": "engine", "port": "HP0"}, {"kind": "processor", "operation": "copy"}]
    found = features.of(platform, single(platform, {"masters": masters, "duration": "1ms"}).values)
    assert (found["master"], found["interface"]) == ("engine+processor", "CPU+HP")
    assert features.sides(found) == {"fabric", "processor"}


def test_no_band_is_above_what_the_wires_carry():
    found = band(POINT, classes(rows([-0.5] * 30)))
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


def test_several_masters_another_slave_and_another_program_are_unlike():
    zcu, zed = Platform.load("zcu102"), Platform.load("zedboard")
    read = {"ports": "HP0", "mode": "read"}
    assert not of_point(zcu, single(zcu, read).values).extrapolated
    shared = of_point(zcu, single(zcu, {**read, "masters_per_port": 2}).values)
    assert "masters at one port" in shared.extrapolated
    copy = {"ports": "GP1", "master": "memcpy", "mode": "ps_to_pl", "transfer_bytes": "4KiB"}
    usual = features.of(zed, single(zed, copy).values)
    for key, value, feature in (
        ("slave", zed.slaves[-1], "slave"),
        ("dma_program", "included", "program"),
        ("io", "copy", "program"),
        ("os", "linux", "system"),
    ):
        other = features.of(zed, single(zed, {**copy, key: value}).values)
        assert other[feature] != usual[feature], key
    # A start shows in short transfers only.
    nano = Platform.load("de10-nano")
    for size, like in (("4KiB", False), ("1MiB", True)):
        told = {"ports": "F2S", "mode": "read", "transfer_bytes": size}
        starts = [
            features.of(nano, single(nano, told | {"program": name}).values)["program"]
            for name in ("ring", "linux-polling")
        ]
        assert (starts[0] == starts[1]) is like


def test_an_extrapolated_band_is_as_wide_as_what_other_benches_have_shown():
    known = classes([*rows([0.0] * 30), *rows([0.01] * 30, "other", direction="write")])
    elsewhere = classes([*rows([0.3], "bench"), *rows([-0.2], "bench", direction="write")])
    far = POINT | {"pattern": "stride"}
    found = band(far, known, elsewhere)
    assert found.low == pytest.approx(math.exp(-0.3)) and found.high == 1
    assert "bench" in found.sets and found.rows == 61
    assert band(POINT, known, elsewhere) == band(POINT, known)
    both = band(far | {"direction": "both"}, known, elsewhere)
    assert (both.low, both.high) == pytest.approx((math.exp(-0.3), math.exp(0.2)))
    assert band(far | {"chip": "another"}, known, elsewhere) is None


@pytest.mark.parametrize("board", ["de10-nano", "zcu106"])
def test_what_ships_holds_what_other_benches_printed(board):
    """Of the chip's side and direction, for every point that no row is like."""
    platform = Platform.load(board)
    told = {"ports": "F2S" if board == "de10-nano" else "HP0+HPC0", "mode": "write"}
    found = of_point(platform, single(platform, {**told, "pl_mhz": 60}).values)
    assert found.extrapolated
    shown = [e for each in others() if each.features["chip"] == platform.family
             and each.features["master"] == "dma"
             and each.features["direction"] == "write" for e in each.errors]  # fmt: skip
    assert shown
    for error in shown:
        assert found.low <= math.exp(-error) <= found.high


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
    row, each = asked.rows
    assert asked.name == "TRU-ACP-256B"
    assert asked.printed == pytest.approx(243.53 * 1.048576)
    error = math.log(asked.simulated / asked.printed)
    assert row.error == each.error == asked.error == pytest.approx(error)
    assert (row.features["direction"], row.features["interface"]) == ("write", "F2H")


def test_expect_says_the_band(capsys):
    assert main(["expect", "--platform", "zybo", "--ports", "HP0", "--repeats", "2"]) == 0
    assert "Of published rows like this (" in capsys.readouterr().out
    asked = ["expect", "--platform", "zybo", "--ports", "HP0", "--repeats", "2", "--json"]
    assert main(asked) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["band"]["low_MBps"] <= told["total_MBps"]["mean"] * 1.001
    assert told["band"]["high_MBps"] <= told["expected_MBps"]
    assert [rate["direction"] for rate in told["rates"]] == ["read", "write"]


def test_expect_says_when_nothing_is_known(capsys):
    assert main(["expect", "--platform", "arria5-socdk", "--ports", "F2S", "--repeats", "1"]) == 0
    assert band_text.UNKNOWN in " ".join(capsys.readouterr().out.split())
    strange = ["expect", "--platform", "zybo", "--ports", "HP0", "--set", "gap_cycles=9"]
    assert main(strange) == 0
    assert "EXTRAPOLATED (load)" in capsys.readouterr().out


def test_a_run_says_its_bands_in_table_json_and_csv(tmp_path, capsys):
    store = ["--store", str(tmp_path / "runs.db")]
    point = ["--set", "ports=HP0+HP1", "--set", "mode=duplex", "--set", "width_bits=32,64"]
    assert main(["run", "zybo-hp-bandwidth", *point, "--repeats", "2", *store]) == 0
    capsys.readouterr()
    assert main(["show", *store]) == 0
    shown = capsys.readouterr().out
    assert "nine of ten published rows like a point are within" in shown
    assert "of 2 points" in shown
    assert main(["show", "--json", *store]) == 0
    for point in json.loads(capsys.readouterr().out)["points"]:
        mean = point["total_MBps"]["mean"]
        assert 0.8 * mean < point["band"]["low_MBps"] < point["band"]["high_MBps"] < 1.2 * mean
    assert main(["export", "-o", str(tmp_path / "p.csv"), *store]) == 0
    line = next(csv.DictReader((tmp_path / "p.csv").open()))
    assert float(line["band_low_MBps"]) < float(line["band_high_MBps"])
    assert line["extrapolated"] == "False"
