"""Workbooks of the ZCU102 and Ultra96 dataset into reference tables, from several layouts."""

import csv
import math

import pytest

import speedtest_workbooks as books
from axiometer.__main__ import main
from axiometer.base.errors import AxiometerError
from axiometer.experiment.points import single
from axiometer.imports import usp_headings as headings
from axiometer.platform import Platform
from axiometer.published.reference import Reference

pytest.importorskip("openpyxl")
NAME = "zynq-usp-axi-speedtest"
SETS = [("HP0",), ("HP0", "HP3"), ("HP0", "HP1", "HP3")]
BURSTS = [16, 128, 512]


def imported(directory, target):
    out = directory / "out"
    assert main(["import", NAME, str(directory), "-o", str(out)]) == 0
    with (out / target).open(newline="") as file:
        return list(csv.DictReader(file))


def written(layout, directory, board="ultra96"):
    name = {"ultra96": "AXI_Ultra96_Base", "zcu102": "AXI_ZCU102_Base_300MHZ"}[board]
    path = directory / "set" / f"{name}.xlsx"
    if layout in ("counters", "terminal"):
        getattr(books, layout)(path, SETS, BURSTS, books.PL_HZ[board])
    else:
        getattr(books, layout)(path, SETS, BURSTS)
    return {"ultra96": "ultra96__base_100mhz.csv", "zcu102": "zcu102__base_300mhz.csv"}[board]


LAYOUTS = ["long_table", "sheets", "counters", "terminal", "wide", "matrix"]


@pytest.mark.parametrize("board", ["ultra96", "zcu102"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_gives_the_rates_that_are_in_it(tmp_path, layout, board):
    rows = imported(tmp_path, written(layout, tmp_path, board))
    with_ports = [used for used in SETS if layout != "matrix" or len(used) == 1]
    assert len(rows) == len(BURSTS) * (len(SETS) + sum(map(len, with_ports)))
    found = {(r["ports"], int(r["burst_bytes"]), r["port"]): r for r in rows}
    runs = range(1, books.REPEATS + 1)
    for used in SETS:
        for burst in BURSTS:
            for port in ("", *(used if used in with_ports else ())):
                row = found["+".join(used), burst, port]
                for way in ("read", "write"):
                    sums = [
                        sum(
                            books.rate(way, used, burst, p, run) for p in ([port] if port else used)
                        )
                        for run in runs
                    ]
                    assert float(row[f"{way}_MBps"]) == pytest.approx(sum(sums) / 3, abs=1e-4)
                    assert float(row[f"{way}_MBps_min"]) == pytest.approx(min(sums), abs=1e-4)
                    assert float(row[f"{way}_MBps_max"]) == pytest.approx(max(sums), abs=1e-4)
                    spread = math.sqrt(sum((s - sums[1]) ** 2 for s in sums) / 2)
                    assert float(row[f"{way}_MBps_std"]) == pytest.approx(spread, abs=1e-4)
                assert (row["platform"], row["mode"], row["repeats"]) == (board, "duplex", "3")
                assert float(row["pl_mhz"]) == books.PL_HZ[board] / 1e6
                assert float(row["total_MBps"]) == pytest.approx(
                    float(row["read_MBps"]) + float(row["write_MBps"]), abs=2e-4
                )


@pytest.mark.parametrize("layout", ["long_table", "terminal"])
def test_latency_is_a_mean_over_bursts_and_littles_law_gives_those_in_flight(tmp_path, layout):
    rows = imported(tmp_path, written(layout, tmp_path))
    found = {(r["ports"], r["burst_bytes"], r["port"]): r for r in rows}
    whole, *parts = (found["HP0+HP3", "128", port] for port in ("", "HP0", "HP3"))
    rates = [float(p["read_MBps"]) for p in parts]
    cycles = [float(p["read_latency_avg_cycles"]) for p in parts]
    mean = sum(r * c for r, c in zip(rates, cycles, strict=True)) / sum(rates)
    assert float(whole["read_latency_avg_cycles"]) == pytest.approx(mean, rel=1e-3)
    for part, rate, latency in zip(parts, rates, cycles, strict=True):
        in_flight = latency * rate * 1e6 / 128 / books.PL_HZ["ultra96"]
        assert float(part["reads_in_flight"]) == pytest.approx(in_flight, rel=1e-3)
        assert float(part["max_read_inactivity_cycles"]) == books.quiet(128, part["port"], 3)


def test_the_columns_are_those_of_the_transcribed_dataset(tmp_path):
    from axiometer.base import data

    path = data.find_external("zynq_usp_axi_speedtest/ultra96__base_100mhz.csv")
    if path is None:
        pytest.skip("the dataset is not here: set AXIOMETER_REFERENCE")
    with path.open(newline="") as file:
        theirs = next(csv.reader(file))
    ours = list(imported(tmp_path, written("long_table", tmp_path))[0])
    assert [name for name in ours if name != "mapping"] == theirs


def test_the_table_can_be_compared_with(tmp_path):
    target = written("long_table", tmp_path)
    imported(tmp_path, target)
    table = Reference.load(tmp_path / "out" / target)
    assert len(table.rows) == len(SETS) * len(BURSTS)
    board = Platform.load("ultra96")
    point = {"ports": "HP0+HP3", "burst_bytes": 128, "pl_mhz": 100, "mode": "mixed"}
    found = table.match(single(board, point).values)
    expected = sum(books.rate(w, SETS[1], 128, p, 2) for w in ("read", "write") for p in SETS[1])
    assert found.figures["mean"] == pytest.approx(expected, abs=1e-3)
    assert table.match(single(board, point | {"mapping": "bank-row-column"}).values) is None


def test_the_name_of_a_workbook_has_its_subject(tmp_path, capsys):
    folder = tmp_path / "set"
    books.long_table(folder / "AXI_ZCU102_Base_300MHZ_ReadOnly.xlsx", SETS, BURSTS, ("read",))
    books.long_table(folder / "AXI_Ultra96_300MHZ_WriteOnly.xlsx", SETS, BURSTS, ("write",))
    books.long_table(folder / "AXI_Ultra96_Random.xlsx", SETS, BURSTS)
    books.long_table(folder / "AXI_ZCU102_Bank_Row_Column.xlsx", SETS, BURSTS)
    (folder / "AXI_Ultra96_HP3SmartConnect_HP0.xlsx").write_text("not looked into")
    reads = imported(tmp_path, "zcu102__read_only_300mhz.csv")
    assert {(r["mode"], r["write_MBps"]) for r in reads} == {("read", "0.0")}
    with (tmp_path / "out" / "ultra96__write_only_300mhz.csv").open() as file:
        assert {
            (r["mode"], r["read_MBps"], r["reads_in_flight"]) for r in csv.DictReader(file)
        } == {("write", "0.0", "")}
    with (tmp_path / "out" / "ultra96__random_100mhz.csv").open() as file:
        assert {int(r["stride_bytes"]) - int(r["burst_bytes"]) for r in csv.DictReader(file)} == {
            69632
        }
    with (tmp_path / "out" / "zcu102__bank_row_column_300mhz.csv").open() as file:
        assert {r["mapping"] for r in csv.DictReader(file)} == {"bank-row-column"}
    printed = capsys.readouterr().err
    assert "HP3SmartConnect_HP0.xlsx: left out" in printed
    assert "cell T4: 'Comment' is an unknown heading: left out" in printed


R = "Results"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {(R, "D5"): "n/a"},
            "sheet 'Results', cell D5 is 'n/a', not what 'HP0 Write Speed (MB/s)'",
        ),
        ({(R, "E6"): -1}, "cell E6 is -1"),
        ({(R, "E6"): None}, "HP0 with bursts of 16 B: reads and writes have different repeats"),
        ({(R, "B6"): 17}, "cell B6 is 17, not a burst of 16 to 4096 bytes"),
        ({(R, "B6"): "sixteen"}, "cell B6 is 'sixteen', not a burst size"),
        ({(R, "C6"): 1}, "a second write of HP0 with bursts of 16 B"),
        ({(R, "A14"): "HP0-3"}, "can be two ports or a range"),
        ({(R, "A14"): "all"}, "cell A14 is 'all', not a set of ports"),
        ({(R, "A14"): "HP1"}, "a rate of HP0, but HP1 were used"),
        ({(R, "B4"): "Size"}, "no sheet has a heading of a burst size"),
    ],
)
def test_other_formats_are_refused_and_nothing_is_written(tmp_path, cli, change, message):
    good = tmp_path / "set" / "AXI_Ultra96_300MHZ.xlsx"
    books.long_table(good, SETS, BURSTS)
    path = tmp_path / "set" / "AXI_Ultra96_Base.xlsx"
    books.long_table(path, SETS, BURSTS, change=change)
    out = tmp_path / "out"
    printed = cli.refused("import", NAME, tmp_path / "set", "-o", out)
    assert message in printed
    assert "AXI_Ultra96_Base.xlsx" in printed
    assert not out.exists()


def test_totals_that_are_not_the_sum_of_their_ports_are_refused(tmp_path, cli):
    path = tmp_path / "AXI_Ultra96_Base.xlsx"
    books.wide(path, SETS, BURSTS, change={("Sheet", "J3"): 5.0})
    assert "but its ports add up to" in cli.refused(
        "import", NAME, tmp_path, "-o", tmp_path / "out"
    )


def test_reads_in_a_workbook_of_writes_are_refused(tmp_path, cli):
    path = tmp_path / "AXI_ZCU102_Base_300MHZ_WriteOnly.xlsx"
    books.long_table(path, SETS, BURSTS)
    assert "reads in a workbook without reads" in cli.refused(
        "import", NAME, tmp_path, "-o", tmp_path / "out"
    )


def test_other_mistakes(tmp_path, cli):
    empty = tmp_path / "empty"
    empty.mkdir()
    odd = tmp_path / "odd"
    books.long_table(odd / "AXI_Ultra96_Other.xlsx", SETS, BURSTS)
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "AXI_Ultra96_Base.xlsx").write_text("no workbook")
    twice = tmp_path / "twice"
    for folder in ("a", "b"):
        books.long_table(twice / folder / "AXI_Ultra96_Base.xlsx", SETS[:1], BURSTS[:1])
    for directory, message in (
        (empty, "there is no AXI_<board>_*.xlsx"),
        (odd, "is not a workbook of the published dataset"),
        (broken, "cannot be read as a workbook"),
        (twice, "exists twice"),
    ):
        assert message in cli.refused("import", NAME, directory, "-o", tmp_path / "out")
    target = tmp_path / "file"
    target.write_text("")
    books.long_table(tmp_path / "set" / "AXI_Ultra96_Base.xlsx", SETS[:1], BURSTS[:1])
    assert "cannot be written" in cli.refused(
        "import", NAME, tmp_path / "set", "-o", target, status=1
    )


def test_headings():
    for text, quantity, statistic in (
        ("Avg. Read Latency", "latency", None),
        ("Read latency max", "latency", "max"),
        ("Max Read AXI inactivity: clock cycles", "inactivity", None),
        ("Average max inactivity", "inactivity", "mean"),
        ("HP2 Write Speed: MB/s", "write", None),
        ("Read throughput std. dev.", "read", "std"),
        ("Total (read + write) MB/s", "total", None),
        ("Burst Size", "burst", None),
        ("colour", None, None),
    ):
        found = headings.understand(text)
        assert (found.quantity, found.statistic) == (quantity, statistic), text
    for text, ports in (
        ("HP0,1", ("HP0", "HP1")), ("S_AXI_HP3_FPD", ("HP3",)), ("HP013", ("HP0", "HP1", "HP3")),
        ("HP1 & HP2", ("HP1", "HP2")), ("HP0 128 B", ("HP0",)), ("none", ()),
    ):  # fmt: skip
        assert headings.ports(text) == ports, text
    with pytest.raises(ValueError, match="range"):
        headings.ports("HP1 to HP3")


def test_bursts_without_a_unit_are_inferred_from_their_sizes_or_refused(tmp_path):
    from axiometer.imports import zynq_usp

    path = tmp_path / "AXI_Ultra96_Base.xlsx"
    name, conditions = zynq_usp.WORKBOOKS[path.stem]
    books.long_table(path, SETS, BURSTS, change={(R, "B4"): "Burst"})
    assert {r["burst_bytes"] for r in zynq_usp.read(path, conditions)} == set(BURSTS)
    books.long_table(path, SETS, [16, 128], change={(R, "B4"): "Burst"})
    with pytest.raises(AxiometerError, match="bytes or beats"):
        zynq_usp.read(path, conditions)
