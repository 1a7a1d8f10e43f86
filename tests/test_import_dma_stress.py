"""Vieira's scripts of stream sizes: read, never run."""

import csv

import pytest

from axiometer.__main__ import main
from axiometer.base import data
from axiometer.experiment import Experiment
from axiometer.imports import dma_stress
from axiometer.published.reference import Reference

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
def test_what_is_not_as_published_is_told_by_its_line(tmp_path, capsys, old, new, message):
    assert old in SCRIPT
    path = tmp_path / "intel_var_stream_size.m"
    path.write_text(SCRIPT.replace(old, new, 1))
    assert run(tmp_path) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_other_mistakes(tmp_path, capsys):
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
