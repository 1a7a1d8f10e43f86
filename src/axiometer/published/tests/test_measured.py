"""Tables of measurements: the rows of a point, the nearest ones, and where the tables come from."""

import subprocess
import sys

import pytest

import kit
from axiometer.base import data
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.published import measured
from axiometer.published.reference import Reference

PAIR = {"ports": "HP0+HP1"}


def rows(board, settings, overrides=None, find=measured.of_point):
    platform = Platform.load(board).with_overrides(overrides or {})
    return find(platform, single(platform, settings).values)


def test_a_row_that_is_the_point_is_found_with_what_was_published():
    (row,) = rows("zybo", PAIR)
    assert (row.total, row.figures["total_MBps_min"], row.differs) == (2236.12, 2212.38, ())
    assert (row.table.cite, row.table.board) == ("Vieira 2020, Table 3", "zybo")


def test_rates_of_each_port_come_with_it():
    settings = {"ports": "HP0+HP1", "pl_mhz": 300, "burst_bytes": 128}
    (row,) = rows("zcu102", settings)
    assert sum(of["total_MBps"] for of in row.by_port.values()) == pytest.approx(row.total, 1e-4)


@pytest.mark.parametrize(
    ("board", "settings", "overrides"),
    [
        ("zybo", {**PAIR, "gap_cycles": 8}, None),  # a condition that the table takes for granted
        ("zybo", PAIR, {"controller.starve_clocks": 8}),  # not the board that was measured
        ("zybo-z7", PAIR, None),
        ("zcu102", {"ports": "HP0", "pl_mhz": 300, "width_bits": 64, "burst_bytes": 128}, None),
        ("zedboard", {"ports": "HP0", "master": "ring", "os": "linux", "transfer_bytes": 64}, None),
    ],
)
def test_nothing_is_measured_of_a_point_that_differs(board, settings, overrides):
    assert rows(board, settings, overrides) == []


def test_the_nearest_rows_say_what_they_have_otherwise():
    near = rows("zcu102", {"ports": "HP0", "pl_mhz": 300, "burst_bytes": 136 * 16 + 16},
                find=measured.nearest)  # fmt: skip
    assert len(near) == measured.NEAREST
    assert near[0].differs == (("burst_bytes", 2176, 2192),)
    far = [measured.distance(row, "zcu102") for row in near]
    assert far == sorted(far)


def test_another_board_of_the_chip_is_near_and_another_chip_is_not():
    boards = {row.table.board for row in rows("zybo-z7", PAIR, find=measured.nearest)}
    assert boards == {"zybo"}
    assert rows("de10-nano", {"ports": "F2S"}, find=measured.nearest)[0].table.board == "de1-soc"


def test_every_table_is_of_a_board_that_there_is_and_says_who_measured():
    boards = Platform.boards()
    assert len(measured.tables()) > 20
    for table in measured.tables():
        assert table.like in boards, table.path.name
        assert table.source and table.cite, table.path.name


def test_every_row_can_be_compared_with():
    """Read as any table of figures is, which checks each row."""
    for table in measured.tables():
        assert Reference.load(table.path).rows


@pytest.mark.skipif(
    data.find_external("README.md") is None, reason="the datasets are not here: AXIOMETER_REFERENCE"
)
def test_the_tables_are_what_the_datasets_give():
    command = [sys.executable, "-m", "validate.measured"]
    done = subprocess.run(command, cwd=kit.ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
