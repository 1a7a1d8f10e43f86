"""Routing a design: what goes around it, and what is read from a report.

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


def test_a_design_without_a_clock_is_refused():
    with pytest.raises(ValueError, match="0 ports named clk or aclk"):
        clock.wrapper("adder", {k: v for k, v in PORTS.items() if k != "clk"})


def step(kind, delay, net, to):
    return {"type": kind, "delay": delay, "net": net, "to": {"cell": to}}


def test_the_slowest_path_is_one_between_registers():
    inner = [
        step("clk-to-q", 0.5, "", "dut.x_TRELLIS_FF_Q"),
        step("routing", 1.25, "dut.x[3]", "dut.y_LUT4_Z"),
        step("logic", 0.25, "", "dut.y_LUT4_Z"),
        step("routing", 0.75, "dut.y", "dut.u.z_TRELLIS_FF_Q_DI_LUT4_Z"),
        step("setup", 0.0, "", "dut.u.z_TRELLIS_FF_Q_DI"),
    ]
    report = {
        "critical_paths": [
            {"from": "<async>", "to": "posedge clk", "path": []},
            {"from": "posedge clk", "to": "posedge clk", "path": inner},
        ]
    }
    assert clock.slowest(report) == clock.Slowest("x[3]", "u.z", 0.8, 2.0)


def test_speed_is_the_median():
    path = clock.Slowest("a", "b", 1.0, 1.0)
    assert clock.Speed({1: 90.0, 2: 70.0, 3: 80.0}, path).mhz == 80.0


def test_the_page_is_that_of_the_results(monkeypatch):
    """docs/rtl-results.md has a line for every design, written from clock.csv."""
    monkeypatch.syspath_prepend(str(tools.ROOT / "lab" / "bench" / "rtl"))
    sys.modules.pop("clock_table", None)
    import clock_table

    results = clock_table.kept()
    page = clock_table.page(results)
    text = (tools.ROOT / "docs" / "rtl-results.md").read_text()
    assert clock_table.marks.section(text, clock_table.COMMAND) == page
    name, _ = results.popitem()
    top, _, values = name.partition("; ")
    assert f"| `{top}` | {values} | not measured |" in clock_table.page(results)


def test_a_missing_tool_says_how_to_get_it(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(SystemExit, match="no-such-router is missing"):
        clock.program("no-such-router")
