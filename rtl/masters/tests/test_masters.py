import pytest
from flow import cocotb_run, fault, tools

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


MUTANTS = {
    "page": (
        "axm_master_engine.sv",
        "if (32'(to_page_end)",
        "if (1'b0 && 32'(to_page_end)",
        "pages",
    ),
    "gap": ("axm_master_engine.sv", "4'(GAP - 2)", "4'(GAP - 1)", "cycles_between_data"),
    "pattern": ("axm_master_engine.sv", "| 32'(4 * k)", "| 32'(0 * k)", "random_runs"),
    "mismatch": ("axm_master_engine.sv", "m_axi_rdata != pattern", "1'b0", "random_runs"),
    "last": (
        "axm_master_engine.sv",
        "good_r && m_axi_rlast != r_full",
        "1'b0",
        "wrong_last_and_id",
    ),
    "goes on after a fault": (
        "axm_master_engine.sv",
        "&& cause == '0;\n  wire room",
        ";\n  wire room",
        "error_responses",
    ),
    "time-out": (
        "axm_master_faults.sv",
        "!progress && timeout",
        "1'b0 && timeout",
        "hanging_slave",
    ),
    "cycles": ("axm_master_core.sv", "? 32'd1 :", "? 32'd0 :", "cycles_between_data"),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_mutant_is_found(name, tmp_path):
    file, old, new, testcase = MUTANTS[name]
    changed = fault.put(SOURCES, file.removesuffix(".sv"), old, new, tmp_path)
    with cocotb_run.fault_noticed():
        run("axm_master_full", {"IMPROVED": 1, "DATA_W": 64, "ID_W": 4}, changed, testcase)
