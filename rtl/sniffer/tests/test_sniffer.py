from pathlib import Path

import pytest
from flow import cocotb_run, fault, mlab, tools

SOURCES = tools.sources("sniffer")
BENCH = Path(__file__).parent / "tb_sniffer.sv"


@pytest.mark.parametrize(
    ("width", "address", "records", "bits"), [(64, 32, 64, 32), (32, 64, 8, 4), (256, 40, 128, 24)]
)
def test_sniffer(width, address, records, bits):
    values = {"DATA_W": width, "ADDR_W": address, "RECORDS": records, "COUNT_W": bits}
    cocotb_run.run("tb_sniffer", [*SOURCES, BENCH], "cocotb_sniffer", values)


def test_sniffer_in_mlabs(tmp_path):
    sources = [*mlab.sources(SOURCES, tmp_path), BENCH]
    cocotb_run.run("tb_sniffer", sources, "cocotb_sniffer", {"RECORDS": 16})


MUTANTS = {
    "a length in the wrong bin": ("{3'd4, value[3:2]}", "{3'd4, value[2:1]}"),
    "a gap counted as a pause inside a burst": ("between  <= last", "between  <= 1'b0"),
    "times one clock late": ("{now, len,", "{now + 1, len,"),
}


@pytest.mark.parametrize("what", MUTANTS)
def test_mutant_is_noticed(what, tmp_path):
    good, bad = MUTANTS[what]
    changed = fault.put(SOURCES, "axm_sniffer_slot", good, bad, tmp_path)
    with cocotb_run.fault_noticed():
        cocotb_run.run(
            "tb_sniffer", [*changed, BENCH], "cocotb_sniffer", {"RECORDS": 32},
            testcase="counts_what_the_scoreboard_counts",
        )  # fmt: skip
