import pytest
from flow import cocotb_run, tools

SOURCES = [tools.RTL / "lib/axm_equal.sv"]


@pytest.mark.parametrize("values", [{"WIDTH": 6, "GROUP": 2}, {"WIDTH": 7}, {"WIDTH": 1}])
def test_equal(values):
    cocotb_run.run("axm_equal", SOURCES, "cocotb_equal", values)


def test_mutant_is_found(tmp_path):
    text = SOURCES[0].read_text()
    assert text.count("WIDTH + GROUP - 1") == 1
    mutant = tmp_path / "axm_equal.sv"
    mutant.write_text(text.replace("WIDTH + GROUP - 1", "WIDTH"))  # forgets the rest
    with cocotb_run.fault_noticed():
        cocotb_run.run("axm_equal", [mutant], "cocotb_equal", {"WIDTH": 8})


def test_bad_width_fails():
    assert "must_be" in tools.fault("axm_equal", SOURCES, {"WIDTH": 0})
