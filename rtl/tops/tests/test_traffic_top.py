import pytest
from flow import cocotb_run, tools

ROOM = tools.RTL / "tops"
SOURCES = tools.sources("tops/traffic")

CASES = [
    {"PORTS": 1, "MASTERS": 4, "DATA_W": 64, "AXI3": 1},
    {"PORTS": 4, "MASTERS": 1, "DATA_W": 32, "AXI3": 0},
    {"PORTS": 2, "MASTERS": 3, "DATA_W": 128, "REGISTERED": 1, "ADDR_W": 40},
]


@pytest.mark.parametrize("values", CASES)
def test_traffic_top(values):
    cocotb_run.run(
        "tb_traffic_top",
        [*SOURCES, ROOM / "tests/tb_traffic_top.sv"],
        "cocotb_traffic_top",
        values,
        env={key: str(values[key]) for key in ("PORTS", "MASTERS")},
    )
