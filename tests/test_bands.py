"""Bands of answers: they hold what they say, and say when nobody has seen such a point."""

import csv
import json
import math
import random

import pytest

import kit
from axiometer.__main__ import main
from axiometer.bands import band, features, of_point
from axiometer.bands.likeness import FEW
from axiometer.bands.validated import KEPT, Row, classes, read, shipped, write
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.present import band_text

POINT = {
    **{"chip": "c", "rate": "total", "master": "dma", "direction": "read", "interface": "HP"},
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
