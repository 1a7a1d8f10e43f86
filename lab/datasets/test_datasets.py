"""Readers of public datasets against independent transcriptions of them (AXIOMETER_REFERENCE)."""

import csv
import sys
from pathlib import Path

import openpyxl
import pytest

from axiometer.base import data

sys.path.insert(0, str(Path(__file__).parent))
import dma_stress  # noqa: E402
import zynq7000  # noqa: E402
import zynq_usp  # noqa: E402

# Half a unit of the transcription's last place may round either way. The latency of a configuration
# is pooled there over the repeats, here averaged: a share of 4e-5 at most.
NEAR = {"MBps": 1.01e-4, "read_latency": 1.01e-2, "reads_in_flight": 1.01e-3, "inactivity": 0.0}


def transcribed(name):
    path = data.find_external(name)
    if path is None:
        pytest.skip(f"{name} is not here: set AXIOMETER_REFERENCE")
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def key(row):
    return row["ports"], int(row["burst_bytes"]), row["port"]


@pytest.mark.parametrize(
    "name", ["AXI_Ultra96_Base", "AXI_Ultra96_Random", "AXI_ZCU102_Base_300MHZ_WriteOnly"]
)
def test_workbooks_of_zynq_usp(name):
    conditions = zynq_usp.WORKBOOKS[name]
    theirs = {key(r): r for r in transcribed(f"{zynq_usp.TARGET}/{conditions.table}.csv")}
    ours = {
        key(r): r for r in zynq_usp.read(data.find_external(f"workbooks/{name}.xlsx"), conditions)
    }
    assert ours.keys() == theirs.keys() and len(ours) == 60 * (15 + 32)
    compared = 0
    for place, row in theirs.items():
        for column, cell in row.items():
            mine = ours[place][column]
            near = next((value for part, value in NEAR.items() if part in column), None)
            if near is None:
                assert str(mine) == cell, (place, column)
            elif mine == "":  # a table of writes: the transcription has 0 or nothing
                assert not cell or float(cell) == 0, (place, column)
            else:
                share = 4e-5 if "latency" in column and not place[2] else 0.0
                assert mine == pytest.approx(float(cell), abs=near, rel=share), (place, column)
                compared += 1
    assert compared >= 12 * len(theirs)


@pytest.mark.parametrize(
    ("cell", "value"), [("D4", 32), ("E4", 2), ("G4", "n/a"), ("H4", -1), ("B4", "_HP1")]
)
def test_a_workbook_that_is_not_as_published_is_refused(cell, value, tmp_path):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "TerminalOut"
    counters = [cell for name in zynq_usp.COUNTERS for cell in (name, None)]
    sheet.append([None] * 6 + ["HP0"])
    sheet.append([None] * 6 + counters)
    sheet.append(["Test_HP0"])
    sheet.append([None, "_HP0", 1, 16, 1, 16, 5, 6, 5, 6, 100, 100, 50, 60, 9, 9])
    book.save(tmp_path / "a.xlsx")
    conditions = zynq_usp.WORKBOOKS["AXI_Ultra96_Base"]
    whole, port = zynq_usp.read(tmp_path / "a.xlsx", conditions)
    assert port["read_MBps"] == whole["read_MBps"] == pytest.approx(5.5 * 16 * 0.99999999, abs=1e-4)
    sheet[cell] = value
    book.save(tmp_path / "a.xlsx")
    with pytest.raises(AssertionError):
        zynq_usp.read(tmp_path / "a.xlsx", conditions)


def test_the_workbook_of_zynq7000(tmp_path):
    rows = transcribed(f"{zynq7000.TARGET}/z7_ps_to_pl_main.csv")
    book = openpyxl.Workbook()
    book.active.title = zynq7000.SHEET
    for row in rows:
        book.active[row["cell"]] = float(row["rate_given"])
    book.save(tmp_path / zynq7000.WORKBOOK)
    (made,) = zynq7000.tables(tmp_path).values()
    ours = {row["cell"]: row for row in made}
    assert len(ours) == len(rows)
    for row in rows:
        mine = ours[row["cell"]]
        for column in ("os", "method", "direction", "cache", "fpga_mhz", "size_bytes"):
            assert str(mine[column]) == row[column]
        assert mine["rate_MBps_1e6"] == pytest.approx(float(row["rate_MBps_1e6"]), abs=2e-5)
    book.active["D9"] = "n/a"
    book.save(tmp_path / zynq7000.WORKBOOK)
    with pytest.raises(AssertionError, match="D9 is 'n/a'"):
        zynq7000.tables(tmp_path)


def test_scripts_of_dma_stress(tmp_path):
    theirs = {
        name: transcribed(f"{dma_stress.TARGET}/{name}") for name in dma_stress.TABLES.values()
    }
    scripts = data.find_external("workbooks/vieira_intel_var_stream_size.m")
    assert dma_stress.tables(scripts.parent) == theirs
    damaged = tmp_path / "a.m"
    damaged.write_text(scripts.read_text().replace("8\t", "2\t", 1))
    with pytest.raises(AssertionError):
        dma_stress.read(damaged)
