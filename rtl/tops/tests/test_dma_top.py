import pytest
from flow import area, cocotb_run, tools

SOURCES = tools.sources("tops/dma")
CASES = [
    {"MODE": 0, "DATA_W": 64, "AXI3": 1, "RINGS": 1},
    {"MODE": 0, "DATA_W": 32, "AXI3": 0},
    {"MODE": 1, "DATA_W": 32, "AXI3": 0},
    {"MODE": 1, "DATA_W": 128, "AXI3": 1, "RINGS": 1, "UNALIGNED": 1},
    {"MODE": 2, "DATA_W": 128, "AXI3": 1, "UNALIGNED": 1},
    {"MODE": 2, "DATA_W": 32, "AXI3": 1, "RINGS": 1},
    {"MODE": 3, "DATA_W": 64, "AXI3": 0, "RINGS": 1, "UNALIGNED": 1},
]


@pytest.mark.parametrize("values", CASES)
def test_dma_top(values):
    env = {key: str(values.get(key, 0)) for key in ("MODE", "RINGS")}
    cocotb_run.run("axm_dma_top", SOURCES, "cocotb_dma_top", values, env=env)


def test_area():
    """One system of each family; `python -m flow.area tops` counts all anew."""
    sample = ({"PORTS": 4, "MODE": 1, "DATA_W": 32}, {"PORTS": 1, "MODE": 2, "DATA_W": 32})
    counted = []

    def only(design):
        counted.append(design["parameters"] in sample)
        return counted[-1]

    assert area.deviations("tops", only=only) == []
    assert sum(counted) == len(sample)
