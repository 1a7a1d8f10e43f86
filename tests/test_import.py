"""Import of public datasets in their published form. The workbooks are written here."""

import csv

import openpyxl
import pytest

import speedtest_workbooks as books
from axiometer.__main__ import main
from axiometer.base import data
from axiometer.experiment import Experiment
from axiometer.experiment.points import single
from axiometer.imports import DATASETS, dma_stress, zynq7000
from axiometer.platform import Platform
from axiometer.published.reference import Reference

NAME = "zynq7000-time-measurements"


def workbook(directory, change=None, sheet=zynq7000.SHEET):
    """A workbook in the published layout; the rate in a cell follows from its place."""
    book = openpyxl.Workbook()
    page = book.active
    page.title = sheet
    page["D5"] = "Caches OFF, memcpy"
    for *_, columns in zynq7000.SERIES:
        for mhz, column in columns.items():
            for direction, first in zynq7000.FIRST_ROW.items():
                for offset in range(len(zynq7000.SIZES)):
                    page[f"{column}{first + offset}"] = mhz + offset + (direction == "RD") / 2
    for cell, value in (change or {}).items():
        page[cell] = value
    directory.mkdir(parents=True, exist_ok=True)
    book.save(directory / zynq7000.WORKBOOK)


def test_a_workbook_becomes_a_table_that_can_be_compared_with(tmp_path, monkeypatch, capsys):
    workbook(tmp_path / "set" / "results")
    monkeypatch.setenv("AXIOMETER_REFERENCE", str(tmp_path / "here"))
    assert main(["import", NAME, str(tmp_path / "set")]) == 0
    target = tmp_path / "here" / zynq7000.TARGET
    assert str(target) in "".join(capsys.readouterr())
    with target.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 1680
    assert len({row["cell"] for row in rows}) == 1680
    found = [r for r in rows if (r["cell"], r["method"]) == ("BM31", "dmac")]
    assert [(r["os"], r["direction"], r["fpga_mhz"], r["size_bytes"]) for r in found] == [
        ("linux(Linaro)", "RD", "225", "4")
    ]
    assert float(found[0]["rate_MBps_1e6"]) == pytest.approx(226.5 * 1.048576, abs=1e-5)
    settings = {"ports": "GP1", "master": "ps_dma", "mode": "pl_to_ps", "os": "linux"}
    settings |= {"pl_mhz": 225, "transfer_bytes": 4, "io": "copy"}
    point = single(Platform.load("zedboard"), settings)
    row = Reference.load(target).match(point.values)
    assert row.figures["mean"] == pytest.approx(226.5 * 1.048576, abs=1e-5)


def test_the_layout_is_that_of_the_transcribed_dataset():
    from axiometer.base import data

    path = data.find_external(zynq7000.TARGET)
    if path is None:
        pytest.skip("the dataset is not here: set AXIOMETER_REFERENCE")
    with path.open(newline="") as file:
        cells = {
            row["cell"]: (row["os"], row["method"], row["direction"], row["cache"],
                          int(row["fpga_mhz"]), int(row["size_bytes"]))
            for row in csv.DictReader(file)
        }  # fmt: skip
    ours = {
        f"{column}{first + offset}": (system, method, direction, cache, mhz, size)
        for system, method, cache, columns in zynq7000.SERIES
        for mhz, column in columns.items()
        for direction, first in zynq7000.FIRST_ROW.items()
        for offset, size in enumerate(zynq7000.SIZES)
    }
    assert ours == cells


@pytest.mark.parametrize(
    ("change", "sheet", "message"),
    [
        ({"D9": None}, "Hoja1", "cell D9 of Hoja1 is None, not a rate"),
        ({"BC50": "n/a"}, "Hoja1", "cell BC50"),
        ({"D9": -1}, "Hoja1", "not a rate"),
        ({}, "Sheet1", "has no sheet 'Hoja1' but Sheet1"),
    ],
)
def test_other_formats_are_refused(tmp_path, cli, change, sheet, message):
    workbook(tmp_path, change, sheet)
    assert message in cli.refused("import", NAME, tmp_path, "-o", tmp_path / "x.csv")
    assert not (tmp_path / "x.csv").exists()


def test_other_mistakes(tmp_path, cli, monkeypatch):
    monkeypatch.delenv("AXIOMETER_REFERENCE", raising=False)
    (tmp_path / zynq7000.WORKBOOK).write_text("no workbook")
    empty = tmp_path / "empty"
    empty.mkdir()
    for words, message in (
        (["zynq7000", str(tmp_path)], "known datasets: zynq7000-time-measurements"),
        ([NAME, str(tmp_path / "nowhere")], "there is no directory"),
        ([NAME, str(empty), "-o", "x.csv"], f"there is no {zynq7000.WORKBOOK}"),
        ([NAME, str(tmp_path)], "-o FILE"),
        ([NAME, str(tmp_path), "-o", "x.csv"], "cannot be read as a workbook"),
    ):
        assert message in cli.refused("import", *words)


def test_every_dataset_has_the_parts_that_the_command_needs():
    import importlib

    for module in DATASETS.values():
        dataset = importlib.import_module(module)
        assert dataset.TITLE
        assert dataset.TARGET.endswith(".csv") or callable(dataset.tables)
        assert callable(dataset.read)


SPEEDTEST = "zynq-usp-axi-speedtest"
SETS = [("HP0",), ("HP0", "HP3")]
T = "TerminalOut"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({(T, "G5"): "n/a"}, "cell G5 is 'n/a', not a count"),
        ({(T, "M5"): 0}, "cell M5 is 0, not a runtime"),
        ({(T, "M5"): None}, "cell M5 is empty, not a count"),
        ({(T, "V5"): 3}, "cell V5 is 3, not 0: HP1 is none of HP0"),
        ({(T, "C5"): 1.5}, "cell C5 is 1.5, not a burst of 1 to 256 beats"),
        ({(T, "E5"): 2}, "cell E5 is 2, not as many beats as a write has"),
        ({(T, "D5"): 69648}, "cell D5 is 69648, not 16 B from burst to burst"),
        ({(T, "B5"): "_HP1"}, "cell B5 is '_HP1', not '_HP0'"),
        ({(T, "J2"): "Reads"}, "cell J2 is 'Reads', not one of Write, Read"),
        ({(T, "J2"): "Write"}, "cell J2 is 'Write', not a new counter of HP0"),
        ({(T, "J2"): None}, "lacks one of Write, Read, Runtime"),
        ({(T, "A7"): "Test_HP0"}, "cell B8 is '_HP0_HP3', not '_HP0'"),
        ({(T, "A7"): "Test_HP0", (T, "B8"): "_HP0", (T, "B9"): "_HP0"}, "is none of HP0"),
    ],
)
def test_counters_that_are_not_as_published_are_refused(tmp_path, cli, change, message):
    path = tmp_path / "set" / "AXI_Ultra96_Base.xlsx"
    books.terminal(path, SETS, [16, 128], books.PL_HZ["ultra96"], change=change)
    assert message in cli.refused("import", SPEEDTEST, tmp_path / "set", "-o", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_workbook_of_strides_says_so(tmp_path, capsys, cli):
    path = tmp_path / "set" / "AXI_Ultra96_Random.xlsx"
    books.terminal(path, SETS, [16, 128], books.PL_HZ["ultra96"], skipped=69632)
    assert main(["import", SPEEDTEST, str(tmp_path / "set"), "-o", str(tmp_path / "out")]) == 0
    with (tmp_path / "out" / "ultra96__random_100mhz.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["stride_bytes"] for row in rows} == {"69648", "69760"}
    capsys.readouterr()
    books.terminal(path, SETS, [16, 128], books.PL_HZ["ultra96"])
    assert "cell D5 is 16, not 69648 B from burst to burst" in cli.refused(
        "import", SPEEDTEST, tmp_path / "set", "-o", tmp_path / "out"
    )


WORKBOOKS = {
    "AXI_Ultra96_Base": "ultra96__base_100mhz.csv",
    "AXI_Ultra96_Random": "ultra96__random_100mhz.csv",
    "AXI_ZCU102_Base_300MHZ_WriteOnly": "zcu102__write_only_300mhz.csv",
}
# Of the transcription: half a unit of its last place may round either way. The latency of a whole
# configuration is pooled there over the repeats, here averaged: a share of 4e-5 at most.
NEAR = {"MBps": 1.01e-4, "read_latency": 1.01e-2, "reads_in_flight": 1.01e-3, "inactivity": 0.0}


@pytest.mark.parametrize("name", WORKBOOKS)
def test_the_published_workbooks_give_the_figures_of_the_transcription(name, tmp_path):
    book = data.find_external(f"workbooks/{name}.xlsx")
    table = data.find_external(f"zynq_usp_axi_speedtest/{WORKBOOKS[name]}")
    if book is None or table is None:
        pytest.skip("the published workbooks are not here: set AXIOMETER_REFERENCE")
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / book.name).symlink_to(book.resolve())
    assert main(["import", SPEEDTEST, str(tmp_path / "set"), "-o", str(tmp_path)]) == 0
    ours, theirs = (_rows(path) for path in (tmp_path / WORKBOOKS[name], table))
    assert ours.keys() == theirs.keys()
    assert len(ours) == 60 * (15 + 32)
    compared = 0
    for key, row in theirs.items():
        for column, cell in row.items():
            near = next((value for part, value in NEAR.items() if part in column), None)
            mine = ours[key][column]
            if near is None:
                assert mine == cell, (key, column)
            elif not mine:  # a table of writes: the transcription has 0 or nothing
                assert not cell or float(cell) == 0, (key, column)
            else:
                share = 4e-5 if "latency" in column and not key[2] else 0.0
                expected = pytest.approx(float(cell), abs=near, rel=share)
                assert float(mine) == expected, (key, column)
                compared += 1
    assert compared > 12 * len(theirs)


def _rows(path):
    with path.open(newline="") as file:
        return {(r["ports"], r["burst_bytes"], r["port"]): r for r in csv.DictReader(file)}


SCRIPT = """clearvars;
raw_data = [4	1600	1.5	1.25	1.75	0.0625
8	1600	3.5	3.25	3.75	0.125];

stream_size = raw_data(:,1)';
expected = raw_data(:,2)';
average = raw_data(:,3)';
minimum = raw_data(:,4)';
maximum = raw_data(:,5)';
deviation = raw_data(:,6)';
system('touch made_by_the_script');
"""


def run(directory):
    return main(["import", "dma-stress", str(directory), "-o", str(directory / "out")])


def test_a_script_becomes_a_table_that_is_compared_with(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "xilinx").mkdir()
    # Columns are what the script calls them, wherever they stand.
    swapped = SCRIPT.replace("(:,4)", "(:,?)").replace("(:,3)", "(:,4)").replace("?", "3")
    swapped = swapped.replace("1.5\t1.25", "1.25\t1.5").replace("3.5\t3.25", "3.25\t3.5")
    (tmp_path / "xilinx" / "var_stream_size.m").write_text(swapped)
    (tmp_path / "intel_var_stream_size.m").write_text(SCRIPT)
    assert run(tmp_path) == 0
    for name in dma_stress._TABLES.values():
        table = Reference.load(tmp_path / "out" / name)
        assert [(r.conditions["transfer_bytes"], r.figures["mean"]) for r in table.rows] == [
            (4, 1.5),
            (8, 3.5),
        ]
    board = Experiment.load("zybo-stream-size", ["transfer_bytes=8B"])
    table = Reference.load(tmp_path / "out" / dma_stress._TABLES["xilinx"])
    found = table.match(board.points()[0].values)
    assert (found.figures["min"], found.figures["max"], found.figures["std"]) == (3.25, 3.75, 0.125)
    assert not (tmp_path / "made_by_the_script").exists()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("raw_data = [", "data = [", "it has no raw_data"),
        ("average = raw", "mean = raw", "no line such as average = raw_data"),
        ("1.25", "1.55", ".m:2: 1.55, 1.5, 1.75 are not minimum, mean and maximum"),
        ("3.25", "-3.25", ".m:3: '-3.25' is not a figure"),
        ("3.25", "0", ".m:3: 0, 3.5, 3.75"),
        ("3.25", "nan", ".m:3: 'nan' is not a figure"),
        ("8\t", "2\t", ".m:3: a stream size is not above the previous one"),
        ("8\t", "", ".m:3: 5 figures, but column 6"),
        ("4\t", "4.5\t", ".m:2: a stream of 4.5 bytes"),
    ],
)
def test_a_damaged_script_is_refused_with_its_line(tmp_path, capsys, old, new, message):
    assert old in SCRIPT
    path = tmp_path / "intel_var_stream_size.m"
    path.write_text(SCRIPT.replace(old, new, 1))
    assert run(tmp_path) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_other_mistakes_of_stress_rows(tmp_path, capsys):
    assert run(tmp_path) == 2
    assert "there is no *var_stream_size*.m" in capsys.readouterr().err
    (tmp_path / "var_stream_size.m").write_text(SCRIPT)
    assert run(tmp_path) == 2
    assert "contains the maker of the chip" in capsys.readouterr().err
    (tmp_path / "var_stream_size.m").rename(tmp_path / "intel_var_stream_size.m")
    (tmp_path / "intel2_var_stream_size.m").write_text(SCRIPT)
    assert run(tmp_path) == 2
    assert "exists twice" in capsys.readouterr().err
    (tmp_path / "intel2_var_stream_size.m").unlink()
    (tmp_path / "intel_var_stream_size.m").write_text("raw_data = [" + "9" * 2**20)
    assert run(tmp_path) == 2
    assert "is larger than 1 MiB" in capsys.readouterr().err


def test_the_published_scripts_give_the_rows_of_the_transcription(tmp_path):
    scripts = data.find_external("workbooks/vieira_intel_var_stream_size.m")
    if scripts is None:
        pytest.skip("the published scripts are not here: set AXIOMETER_REFERENCE")
    found = dma_stress.tables(scripts.parent)
    assert len(found) == 2
    for name, rows in found.items():
        with data.find_external(f"dma_stress/{name}").open(newline="") as file:
            assert rows == list(csv.DictReader(file))
