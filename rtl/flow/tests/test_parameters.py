"""Every check of a parameter stops elaboration with a message, in three readers.

A wrong value for each check of each module; the message must be that of the module's file.
"""

import re

import pytest
from flow import readers, subset, tools
from flow.tests.test_readers import read

# Module: for each of its checks the parameters that it refuses.
WRONG: dict[str, list[dict[str, int]]] = {
    "axm_axil_demux": [{"ADDR_W": 12, "N": 1}, {"N": 17}, {"TIMEOUT": 3}],
    "axm_convolution": [{"LANES": 9}, {"BEATS": 96}, {"OUTSTANDING": 3}, {"ADDR_W": 31},
                        {"ID_W": 0}, {"USER_W": 0}],
    "axm_convolution_top": [{"PORTS": 5}, {"DATA_W": 64}, {"AXI3": 1}],
    "axm_counter": [{"CLOCK_HZ": 0}],
    "axm_dma": [{"HAS_READ": 0, "HAS_WRITE": 0}, {"DATA_W": 48}, {"ADDR_W": 65}, {"ID_W": 9},
                {"QUEUE": 3}, {"COPY": 1, "HAS_READ": 0}],
    "axm_dma_buffer": [{"DEPTH": 256}],
    "axm_dma_engines": [{"COPY": 1, "COUNT_W": 9}],
    "axm_dma_list": [{"DEPTH": 1}],
    "axm_dma_port": [{"MODE": 4}],
    "axm_dma_read": [{"DATA_W": 16}, {"ADDR_W": 31}, {"MAX_OUTSTANDING": 128}],
    "axm_dma_share": [{"ID_W": 1}],
    "axm_dma_top": [{"PORTS": 0}],
    "axm_dma_write": [{"DATA_W": 512}, {"ADDR_W": 65}, {"MAX_OUTSTANDING": 1}],
    "axm_equal": [{"GROUP": 0}],
    "axm_fifo": [{"DEPTH": 8192}],
    "axm_id": [{"BLOCKS": 65}, {"TOP": 256}, {"DATA_W": 4096}],
    "axm_master_core": [{"ADDR_W": 31}, {"DATA_W": 24}, {"ID_W": 9}],
    "axm_master_engine": [{"GAP": 16}, {"OUTSTANDING": 65}],
    "axm_master_full": [{"USER_W": 0}],
    "axm_master_top": [{"PORTS": 5}],
    "axm_monitor": [{"ID_W": 9}],
    "axm_monitor_core": [{"DATA_W": 96}],
    "axm_monitor_gather": [{"COUNT_W": 7}],
    "axm_monitor_tally": [{"ENTRIES": 3}],
    "axm_monitor_track": [{"OUTSTANDING": 3}],
    "axm_mux": [{"N": 9}, {"ADDR_W": 65}, {"DATA_W": 48}, {"ID_W": 9}, {"USER_W": 0},
                {"ORDER_DEPTH": 3}, {"LIMIT": 256}],
    "axm_mux_arbiter": [{"N": 1}],
    "axm_ram_full": [{"ADDR_W": 31}, {"DATA_W": 48}, {"ID_W": 17}, {"USER_W": 0}, {"BYTES": 96},
                     {"QUEUE": 65}],
    "axm_ram_lite": [{"DATA_W": 128}, {"BYTES": 32}, {"ADDR_W": 65}],
    "axm_ram_memory": [{"WORDS": 3}],
    "axm_shell": [{"BLOCKS": 2}, {"PORTS": 5}, {"READS": 0, "WRITES": 0}],
    "axm_skid": [{"WIDTH": 0}],
    "axm_slave_top": [{"PORTS": 2}, {"EXTRA_WRITE": 256}],
    "axm_sniffer": [{"SLOTS": 9}],
    "axm_sniffer_histogram": [{"BINS": 3}],
    "axm_sniffer_slot": [{"ADDR_W": 31}, {"RECORDS": 256}, {"COUNT_W": 33}],
    "axm_stream_loopback": [{"DATA_W": 48}, {"DEPTH": 8}, {"FORWARD_CYCLES": 65}],
    "axm_stream_sink": [{"DATA_W": 48}, {"COUNT_W": 33}],
    "axm_stream_source": [{"DATA_W": 48}, {"COUNT_W": 1}],
    "axm_traffic": [{"ADDR_W": 65}, {"DATA_W": 48}, {"ID_W": 0}, {"USER_W": 33}],
    "axm_traffic_top": [{"PORTS": 0}, {"MASTERS": 9}, {"ID_W": 1, "MASTERS": 2}],
    "axm_vendor": [{"LINES": 9}, {"ENGINE": 16}],
    "axm_vendor_top": [{"PORTS": 5}],
}  # fmt: skip

FILES = {path.stem: path for path in subset.files()}
# What each module is found with: its room's files, or for a top the list of that top.
SOURCES = {top: sources for top, (sources, _) in readers.DESIGNS.items()}


def sources_of(top):
    if top == "axm_dma_port":
        return SOURCES["axm_dma_top"]
    return SOURCES.get(top) or tools.sources(FILES[top].parent.name)


def checks(path):
    return re.findall(r"^\s*(axm_error_\w+) u_error", path.read_text(), re.M)


def test_each_check_has_a_wrong_value():
    there = {path.stem: len(checks(path)) for path in FILES.values() if checks(path)}
    assert {top: len(cases) for top, cases in WRONG.items()} == there


@pytest.mark.parametrize("reader", ["verilator", "icarus", "yosys"])
@pytest.mark.parametrize("top", WRONG)
def test_wrong_parameters_are_refused(reader, top):
    for values, name in zip(WRONG[top], checks(FILES[top]), strict=True):
        said = read(reader, top, sources_of(top), values)
        assert name in said, f"{values}: {said[-600:]}"
