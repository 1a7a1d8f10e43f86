"""Routing a design: what goes around it, what is read from a report, and the page of results.

Whole routings take minutes: `make bench-clock`.
"""

import sys

import pytest
from flow import clock, tools

PORTS = {
    "clk": {"direction": "input", "bits": [2]},
    "a": {"direction": "input", "bits": [3, 4, 5]},
    "b": {"direction": "input", "bits": [6]},
    "sum": {"direction": "output", "bits": [7, 8, 9, 10]},
}


def test_every_port_gets_a_register():
    text = clock.wrapper("adder", PORTS)
    assert "adder dut(.clk(clk), .a(given[0+:3]), .b(given[3+:1]), .sum(got[0+:4]));" in text
    assert "reg [3:0] given;" in text and "reg [3:0] kept, chain;" in text
    with pytest.raises(ValueError, match="0 ports named clk or aclk"):
        clock.wrapper("adder", {k: v for k, v in PORTS.items() if k != "clk"})


def test_the_slowest_path_is_one_between_registers():
    steps = (
        ("clk-to-q", 0.5, "", "dut.x_TRELLIS_FF_Q"),
        ("routing", 1.25, "dut.x[3]", "dut.y_LUT4_Z"),
        ("logic", 0.25, "", "dut.y_LUT4_Z"),
        ("routing", 0.75, "dut.y", "dut.u.z_TRELLIS_FF_Q_DI_LUT4_Z"),
    )
    inner = [
        {"type": kind, "delay": delay, "net": net, "to": {"cell": to}}
        for kind, delay, net, to in steps
    ]
    paths = [
        {"from": "<async>", "to": "posedge clk", "path": []},
        {"from": "posedge clk", "to": "posedge clk", "path": inner},
    ]
    found = clock.slowest({"critical_paths": paths})
    assert found == clock.Slowest("x[3]", "u.z", 0.8, 2.0)


def test_the_page_is_that_of_the_results(monkeypatch):
    """docs/rtl-results.md has a line for every design, written from clock.csv."""
    monkeypatch.syspath_prepend(str(tools.ROOT / "lab" / "bench" / "rtl"))
    sys.modules.pop("clock_table", None)
    import clock_table

    page = clock_table.page(clock_table.kept())
    text = (tools.ROOT / "docs" / "rtl-results.md").read_text()
    assert clock_table.marks.section(text, clock_table.COMMAND) == page
