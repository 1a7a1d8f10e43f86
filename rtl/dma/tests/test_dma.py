"""Tests of the DMA engine: moves, faults, timing, rings; each on the variants that it concerns.

What ends a transfer or a ring in every other way is drawn in test_dma_random.py."""

import pytest
from flow import cocotb_run, tools

SOURCES = tools.sources("dma")
MOVES = ["reads", "reads_with_pauses", "reads_without_last", "writes", "writes_with_pauses",
         "short_packets"]  # fmt: skip
REGISTERS = ["attributes_and_capabilities", "queue_is_never_overrun", "interrupts",
             "register_answers_wait_alone", "what_is_not_there_is_refused",
             "lengths_of_32_bits"]  # fmt: skip
FAULTS = ["broken_bursts", "answers_that_nobody_asked_for", "hanging_slaves_that_answer_late",
          "no_time_out_without_a_limit", "abort_of_reads", "abort_while_a_beat_waits",
          "a_cut_stream_is_known"]  # fmt: skip
RULES = ["reads_limited_by_outstanding", "reads_limited_by_room", "reads_of_one_beat",
         "reads_of_a_slow_slave", "writes_of_whole_bursts", "writes_limited_by_outstanding",
         "writes_of_one_beat", "writes_that_cut_through", "writes_to_a_slow_slave",
         "addresses_do_not_wait_for_ready"]  # fmt: skip
RINGS = ["reading_ring", "writing_ring", "descriptors_have_attributes_of_their_own",
         "a_failed_fetch_stops_the_ring", "a_failed_write_back_stops_the_ring",
         "a_ring_says_what_it_waited_for"]  # fmt: skip
RAM = ["reads_and_writes_at_full_speed", "reads_and_writes_with_pauses"]
OF_ANY_HALF = ["attributes_and_capabilities", "register_answers_wait_alone",
               "what_is_not_there_is_refused"]  # fmt: skip
ONE_HALF = {  # what runs on an engine without the other one, and what with rings besides
    "HAS_WRITE": (
        {
            "cocotb_dma": [*OF_ANY_HALF, "reads", "reads_with_pauses", "reads_without_last",
                           "queue_is_never_overrun", "interrupts"],
            "cocotb_dma_faults": ["broken_bursts", "abort_of_reads"],
            "cocotb_dma_rules": [name for name in RULES if name.startswith("reads")],
        },
        {"cocotb_dma_rings": [name for name in RINGS if name != "writing_ring"]},
    ),
    "HAS_READ": (
        {
            "cocotb_dma": [*OF_ANY_HALF, "writes", "writes_with_pauses", "short_packets"],
            "cocotb_dma_faults": ["abort_while_a_beat_waits", "a_cut_stream_is_known"],
            "cocotb_dma_rules": [name for name in RULES if name.startswith("writes")],
        },
        {"cocotb_dma_rings": ["writing_ring", "descriptors_have_attributes_of_their_own"]},
    ),
}  # fmt: skip


def run(cases: dict[str, list[str]], **values: int) -> None:
    """Test cases of several modules on one build, which takes longer than they do."""
    names = [name for chosen in cases.values() for name in chosen]
    values = {"ADDR_W": 40, **values}
    cocotb_run.run("axm_dma", SOURCES, list(cases), values, testcase=names)


def test_aligned():
    cases = {
        "cocotb_dma": MOVES + REGISTERS,
        "cocotb_dma_faults": FAULTS,
        "cocotb_dma_rules": RULES,
    }
    run(cases)


@pytest.mark.parametrize(("width", "axi3"), [(32, 1), (64, 1), (128, 0), (256, 0)])
def test_aligned_widths(width, axi3):
    run({"cocotb_dma": MOVES}, DATA_W=width, AXI3=axi3)


@pytest.mark.parametrize(("width", "axi3"), [(32, 0), (64, 0), (128, 1), (256, 1)])
def test_unaligned_and_rings(width, axi3):
    """On our memory and on one that is not ours."""
    cases = {
        "cocotb_dma": MOVES,
        "cocotb_dma_rings": RINGS,
        "cocotb_dma_ram": RAM,
    }
    run(cases, DATA_W=width, UNALIGNED=1, RINGS=1, AXI3=axi3)


@pytest.mark.parametrize("rings", [0, 1])
@pytest.mark.parametrize("missing", ONE_HALF)
def test_one_half(missing, rings):
    plain, with_rings = ONE_HALF[missing]
    run(plain | (with_rings if rings else {}), RINGS=rings, UNALIGNED=rings, **{missing: 0})


def test_unaligned_keeps_the_rules():
    cases = {
        "cocotb_dma": ["lengths_of_32_bits_at_any_address"],
        "cocotb_dma_rules": RULES,
        "cocotb_dma_faults": [*FAULTS, "a_beat_that_needs_no_stream_waits"],
    }
    run(cases, UNALIGNED=1)


@pytest.mark.parametrize(
    "values",
    [{"DATA_W": 64}, {"DATA_W": 128}, {"DATA_W": 32, "RINGS": 1, "UNALIGNED": 1, "AXI3": 1},
     {"DATA_W": 256, "RINGS": 1, "UNALIGNED": 1}],
)  # fmt: skip
def test_copies(values):
    cases = {
        "cocotb_dma": ["copies"],
        "cocotb_dma_faults": ["broken_bursts_in_copies"],
        "cocotb_dma_ram": ["copies_with_pauses"],
    }
    run(cases, COPY=1, **values)
