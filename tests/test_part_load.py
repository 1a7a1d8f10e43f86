"""validate/part_load.py: rows become generators, and its table has all of them."""

import pytest

from axiometer.present.text import Style
from validate import part_load

ROWS = [
    {
        "scenario": "two",
        "port": port,
        "direction": direction,
        "asked_MBps": "200",
        "MBps": "200",
        "latency_mean": "40",
        "latency_min": "30",
        "latency_max": "50",
    }
    for port, direction in (("HP0", "read"), ("HP0", "write"))
]


def test_generators_get_their_requested_rates(monkeypatch):
    monkeypatch.setattr(part_load, "REPEATS", 1)
    found = list(part_load.rows(ROWS, 2**26))
    assert [(row.port, row.direction) for row in found] == [("HP0", "read"), ("HP0", "write")]
    for row in found:
        assert row.simulated["rate"] == pytest.approx(200, rel=0.01)
        assert row.measured == {"rate": 200, "mean": 40, "min": 30, "max": 50}
    printed = "\n".join(part_load.lines(found, Style()))
    assert "HP0 write" in printed
    assert "Mean absolute error: rates" in printed


def test_rows_that_are_not_here_are_left_out(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("AXIOMETER_REFERENCE", str(tmp_path))
    assert part_load.main() == 0
    assert "Left out" in capsys.readouterr().out
