from pathlib import Path

import pytest
from flow import cocotb_run, mlab, tools

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
