"""Tests of the DMA engine: moves, faults, timing, rings; each on the variants that it concerns."""

import pytest
from flow import cocotb_run, tools

SOURCES = tools.sources("dma")
BOTH = {"ADDR_W": 40}
COPY = {"ADDR_W": 40, "COPY": 1}

MOVES = ["reads", "reads_with_pauses", "reads_without_last", "writes", "writes_with_pauses",
         "short_packets", "addresses_above_4_gib"]  # fmt: skip
REGISTERS = ["attributes_and_capabilities", "queue_is_never_overrun", "refuses_what_it_cannot_do",
             "interrupts", "what_is_not_there_is_refused"]  # fmt: skip


@pytest.mark.parametrize("width", [32, 64, 128, 256])
@pytest.mark.parametrize("axi3", [0, 1])
def test_moves(width, axi3):
    values = {**BOTH, "DATA_W": width, "AXI3": axi3}
    cocotb_run.run("axm_dma", SOURCES, "cocotb_dma", values, testcase=MOVES)


def test_registers():
    cocotb_run.run("axm_dma", SOURCES, "cocotb_dma", BOTH, testcase=REGISTERS)


@pytest.mark.parametrize("width", [32, 64, 128, 256])
def test_copies(width):
    values = {**COPY, "DATA_W": width, "AXI3": int(width == 32)}
    cocotb_run.run("axm_dma", SOURCES, "cocotb_dma", values, testcase=["copies"])


@pytest.mark.parametrize("width", [32, 64, 128, 256])
def test_unaligned(width):
    values = {**BOTH, "DATA_W": width, "UNALIGNED": 1}
    cocotb_run.run("axm_dma", SOURCES, "cocotb_dma", values, testcase=MOVES)


@pytest.mark.parametrize("width", [32, 256])
def test_unaligned_copies(width):
    values = {**COPY, "DATA_W": width, "UNALIGNED": 1}
    cocotb_run.run("axm_dma", SOURCES, "cocotb_dma", values, testcase=["copies"])


RINGS = ["reading_ring", "writing_ring", "both_rings_at_once", "interrupts_of_rings",
         "a_failed_transfer_is_written_back", "a_failed_fetch_stops_the_ring",
         "a_failed_write_back_stops_the_ring", "a_hanging_fetch_and_an_abort_stop_the_ring"]  # fmt: skip


@pytest.mark.parametrize("width", [32, 64, 128, 256])
def test_rings(width):
    values = {**BOTH, "DATA_W": width, "RINGS": 1}
    cocotb_run.run("axm_dma", SOURCES, "cocotb_dma_rings", values, testcase=RINGS)


@pytest.mark.parametrize("unaligned", [0, 1])
def test_copying_ring(unaligned):
    values = {**COPY, "RINGS": 1, "UNALIGNED": unaligned}
    cocotb_run.run("axm_dma", SOURCES, "cocotb_dma_rings", values, testcase=["copying_ring"])


FAULTS = ["bad_responses_to_reads", "bad_responses_to_writes", "broken_bursts",
          "answers_that_nobody_asked_for", "wrong_id_of_a_response",
          "hanging_slaves_that_answer_late", "hanging_slaves_that_are_reset",
          "no_time_out_without_a_limit", "abort_of_reads", "abort_of_writes"]  # fmt: skip
COPY_FAULTS = ["bad_responses_in_copies", "broken_bursts_in_copies", "hanging_slaves_in_copies",
               "abort_of_copies"]  # fmt: skip


def test_faults():
    cocotb_run.run("axm_dma", SOURCES, "cocotb_dma_faults", BOTH, testcase=FAULTS)


def test_faults_of_copies():
    cocotb_run.run("axm_dma", SOURCES, "cocotb_dma_faults", COPY, testcase=COPY_FAULTS)


RULES = ["reads_limited_by_outstanding", "reads_limited_by_room", "reads_of_one_beat",
         "reads_of_a_slow_slave", "writes_of_whole_bursts", "writes_limited_by_outstanding",
         "writes_of_one_beat", "writes_that_cut_through", "writes_to_a_slow_slave",
         "addresses_do_not_wait_for_ready"]  # fmt: skip


@pytest.mark.parametrize("unaligned", [0, 1])
def test_rules(unaligned):
    values = {**BOTH, "UNALIGNED": unaligned}
    cocotb_run.run("axm_dma", SOURCES, "cocotb_dma_rules", values, testcase=RULES)


RAM = ["reads_and_writes_at_full_speed", "reads_and_writes_with_pauses"]


@pytest.mark.parametrize("width", [32, 64, 128, 256])
def test_independent_memory(width):
    values = {**BOTH, "DATA_W": width, "UNALIGNED": 1, "AXI3": int(width <= 64)}
    cocotb_run.run("axm_dma", SOURCES, "cocotb_dma_ram", values, testcase=RAM)


def test_independent_memory_copies():
    cocotb_run.run("axm_dma", SOURCES, "cocotb_dma_ram", COPY, testcase=["copies_with_pauses"])
