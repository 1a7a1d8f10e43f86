import pytest
from flow import cocotb_run, tools

ROOM = tools.RTL / "masters"
SOURCES = tools.sources("masters")


def run(top, values, sources=SOURCES, testcase=None):
    env = {
        "LITE": str(int(top == "axm_master_lite")),
        "IMPROVED": str(values["IMPROVED"]),
        "AXI3": str(values.get("AXI3", 0)),
    }
    cocotb_run.run(top, sources, "cocotb_masters", values, env=env, testcase=testcase)


@pytest.mark.parametrize("improved", [0, 1])
@pytest.mark.parametrize(
    "values",
    [
        {"DATA_W": 32, "AXI3": 1},
        {"DATA_W": 64, "ID_W": 6},
        {"DATA_W": 128, "ADDR_W": 40, "AXI3": 1},
        {"DATA_W": 256, "ADDR_W": 64, "ID_W": 8},
    ],
)
def test_master_full(improved, values):
    run("axm_master_full", {"IMPROVED": improved, **values})


@pytest.mark.parametrize("improved", [0, 1])
@pytest.mark.parametrize("values", [{"DATA_W": 32}, {"DATA_W": 64, "ADDR_W": 40}])
def test_master_lite(improved, values):
    run("axm_master_lite", {"IMPROVED": improved, **values})
