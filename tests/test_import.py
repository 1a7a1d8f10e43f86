"""Public datasets in their published form. The workbooks are written here."""

import csv

import pytest

from axiometer.__main__ import main
from axiometer.experiment.points import single
from axiometer.imports import DATASETS, zynq7000
from axiometer.platform import Platform
from axiometer.published.reference import Reference

openpyxl = pytest.importorskip("openpyxl")
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
