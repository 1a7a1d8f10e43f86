#!/usr/bin/env python3
"""Faults that the assertions bound to our blocks (rtl/<room>/checks) must see in a simulation.

    python rtl/flow/damaged.py           all of them; part of `make validate`
    python rtl/flow/damaged.py fifo      those with this in their name

A row of DAMAGED puts one fault into one module and runs a test of its room; the assertion that is
named, and not only the test, has to fail. rtl/dma/random/faults.py has those of the DMA engines.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from flow import fault, tools  # noqa: E402

# What it is: room, top, test module, test, module, the text, what it becomes, the assertion.
DAMAGED = {
    "fifo: a word is pushed into a full one": (
        "lib", "axm_fifo", "cocotb_fifo", None,
        "axm_fifo", "in_ready  = count != COUNT_W'(DEPTH)", "in_ready  = 1'b1", "not_overrun",
    ),
    "loop-back: a beat is available a clock early": (
        "stream", "axm_stream_loopback", "cocotb_loopback", "keeps_packets_and_counts",
        "axm_stream_loopback", "COUNT_W'(came[FORWARD_CYCLES-1])",
        "COUNT_W'(came[FORWARD_CYCLES-2])", "conserved",
    ),
    "sink: a beat at a packet's end is not counted": (
        "stream", "axm_stream_sink", "cocotb_sink", "counts_and_checks",
        "axm_stream_sink", "beats <= beats + 1'b1;", "beats <= beats + 64'(!s_axis_tlast);",
        "one_each",
    ),
    "multiplexer: a response that waits is counted again": (
        "mux", "tb_mux", "cocotb_mux", "random_transfers",
        "axm_mux_write", "= m_bvalid && m_bready && known", "= m_bvalid && known", "conserved",
    ),
    "multiplexer: every beat ends a burst": (
        "mux", "tb_mux", "cocotb_mux", "random_transfers",
        "axm_mux_read", "m_rready && m_rlast && known", "m_rready && known", "conserved",
    ),
    "RAM: the count of beats goes on behind a burst": (
        "ram", "axm_ram_full", "cocotb_ram_full", None,
        "axm_ram_full", "w_beat <= w_last ? '0 : w_beat + 8'd1;", "w_beat <= w_beat + 8'd1;",
        "writes_at_rest",
    ),
    "traffic: beats of writing are counted on behind a burst": (
        "traffic", "axm_traffic", "cocotb_traffic", "limits",
        "axm_traffic_send", "if (ends) beat <= '0;", "if (ends && !wlast) beat <= '0;",
        "writes_at_rest",
    ),
    "traffic: one burst more than the limit": (
        "traffic", "axm_traffic", "cocotb_traffic", "outstanding_limit",
        "axm_traffic_issue", "in_flight_next != outstanding", "in_flight_next <= outstanding",
        "begins_in_limit",
    ),
    "masters: a burst is listed in every clock of its sending": (
        "masters", "axm_master_full", "cocotb_masters", "random_runs",
        "axm_master_engine", ".in_valid(state == SEND && !recorded)", ".in_valid(state == SEND)",
        "conserved",
    ),
    "tops: a fetch of descriptors in narrow beats": (
        "tops/dma", "axm_dma_top", "cocotb_dma_top", "descriptors",
        "axm_dma_engines", "m_axi_arsize = 3'($clog2(DATA_W / 8));", "m_axi_arsize = '0;",
        "whole_beats",
    ),
    "tops: a write-back to one address": (
        "tops/dma", "axm_dma_top", "cocotb_dma_top", "descriptors",
        "axm_dma_write", "m_axi_awburst = 2'b01;", "m_axi_awburst = 2'b00;", "incrementing",
    ),
    "tops: bursts longer than AXI3 has them": (
        "tops/dma", "axm_dma_top", "cocotb_dma_top", "transfer",
        "axm_dma_write", "AXI3 ? {4'd0, cfg_burst[3:0]} : cfg_burst", "8'd31", "not_too_long",
    ),
    "tops: bursts across 4 KiB": (
        "tops/dma", "axm_dma_top", "cocotb_dma_top", "transfer",
        "axm_dma_bursts", "crosses ? ~page[7:0] : cfg_burst", "cfg_burst", "in_page",
    ),
    "tops: an AxCACHE that there is not": (
        "tops/dma", "axm_dma_top", "cocotb_dma_top", "descriptors",
        "axm_dma_share", "m_axi_awcache = ring_cache;", "m_axi_awcache = 4'd8;", "known_cache",
    ),
    "tops: an attribute changes while its address waits": (
        "tops/dma", "axm_dma_top", "cocotb_dma_top", "transfer",
        "axm_dma_write", "m_axi_awprot = cfg_prot;", "m_axi_awprot = 3'(running);", "kept",
    ),
    "convolution: a burst above the limit": (
        "convolution", "axm_convolution", "cocotb_convolution", "order_of_bursts",
        "axm_convolution_write", "&& 7'(flying) < limit", "", "in_limit",
    ),
    "convolution: places are given back twice": (
        "convolution", "axm_convolution", "cocotb_convolution", "results",
        "axm_convolution_read", "consumed[s/2] ? COUNT_W'(4)", "consumed[s/2] ? COUNT_W'(8)",
        "in_places",
    ),
}  # fmt: skip
ENVIRONMENT = {
    "tops/dma": {"MODE": "2", "RINGS": "1"},
    "mux": {"N": "4", "TIMEOUT": "64"},
    "ram": {"AXI3": "0", "BYTES": "4096"},
    "masters": {"LITE": "0", "IMPROVED": "1", "AXI3": "0"},
}
PARAMETERS = {
    "tops/dma": {"MODE": 2, "RINGS": 1},
    "mux": {"TIMEOUT": 64},
    "traffic": {"OUTSTANDING": 64},
    "masters": {"IMPROVED": 1, "DATA_W": 64},
}


def sees(what: str) -> bool:
    """Whether the assertion fails in a simulation of the damaged module."""
    room, top, module, case, stem, good, bad, assertion = DAMAGED[what]
    folder = tools.source_list(room).parent / "tests"
    with tempfile.TemporaryDirectory() as work:
        sources = fault.put(tools.sources(room), stem, good, bad, Path(work))
        if top == "tb_mux":
            sources.append(folder / "tb_mux.sv")
        values = PARAMETERS.get(room, {})
        # The simulator prints the assertion; it runs in a process of its own, whose output is kept.
        call = (
            "import sys; sys.path.insert(0, sys.argv[1])\n"
            f"sys.path += {[str(folder), str(tools.RTL / 'monitor' / 'tests')]!r}\n"
            "from pathlib import Path\n"
            "from flow import cocotb_run\n"
            f"cocotb_run.run({top!r}, [Path(p) for p in sys.argv[2:]], {module!r}, {values!r},\n"
            f"    testcase={case!r}, env={ENVIRONMENT.get(room, {})!r},\n"
            f"    folder=Path({str(folder)!r}))\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", call, str(tools.RTL), *map(str, sources)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    said = done.stdout + done.stderr
    return f".{assertion}: 'assert' failed" in said


def main() -> int:
    return fault.look(DAMAGED, lambda what: (sees(what), DAMAGED[what][-1]))


if __name__ == "__main__":
    sys.exit(main())
