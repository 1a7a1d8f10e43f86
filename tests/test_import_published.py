"""The sheet of counters of the published workbooks, and the published files themselves."""

import csv

import pytest

import speedtest_workbooks as books
from axiometer.__main__ import main
from axiometer.base import data

NAME = "zynq-usp-axi-speedtest"
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
    pytest.importorskip("openpyxl")
    path = tmp_path / "set" / "AXI_Ultra96_Base.xlsx"
    books.terminal(path, SETS, [16, 128], books.PL_HZ["ultra96"], change=change)
    assert message in cli.refused("import", NAME, tmp_path / "set", "-o", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_workbook_of_strides_says_so(tmp_path, capsys, cli):
    pytest.importorskip("openpyxl")
    path = tmp_path / "set" / "AXI_Ultra96_Random.xlsx"
    books.terminal(path, SETS, [16, 128], books.PL_HZ["ultra96"], skipped=69632)
    assert main(["import", NAME, str(tmp_path / "set"), "-o", str(tmp_path / "out")]) == 0
    with (tmp_path / "out" / "ultra96__random_100mhz.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["stride_bytes"] for row in rows} == {"69648", "69760"}
    capsys.readouterr()
    books.terminal(path, SETS, [16, 128], books.PL_HZ["ultra96"])
    assert "cell D5 is 16, not 69648 B from burst to burst" in cli.refused(
        "import", NAME, tmp_path / "set", "-o", tmp_path / "out"
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
    assert main(["import", NAME, str(tmp_path / "set"), "-o", str(tmp_path)]) == 0
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
