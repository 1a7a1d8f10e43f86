#!/usr/bin/env python3
"""Faults put into the DMA engines one at a time: the random bench must meet each (`make validate`).

    faults.py            all of them
    faults.py packet     those with this in their name

Most are faults of counters and of stopping that these engines had, or nearly had.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

from flow import fault, tools  # noqa: E402

import run as bench  # noqa: E402

# What the fault is: variant, module, the text and what it becomes.
FAULTS = {
    "a copy's realigner gives its place back twice": (
        "copy-unaligned", "axm_dma_read", "issue_joined = first && skips;", "issue_joined = 1'b0;",
    ),
    "bytes behind a faulty beat count": (
        "copy-unaligned", "axm_dma_write", "pad || source_now[1] ? '0", "pad || data_user[1] ? '0",
    ),
    "bytes of a burst whose response was a fault count": (
        "apart-unaligned", "axm_dma_write", "good ? (32 - CUT)'(current_sent) : '0",
        "burst_end ? (32 - CUT)'(current_sent) : '0",
    ),
    "a packet that goes on behind the transfer does not end it": (
        "apart-unaligned", "axm_dma_unpack", "(out_end || (turned_keep & low) == '0)",
        "(turned_keep & low) == '0",
    ),
    "idle while the last bytes wait for the stream": (
        "apart-unaligned", "axm_dma_read", "dead || tail;", "dead;",
    ),
    "no burst allowed: it waits for ever": (
        "apart-unaligned", "axm_dma_bursts", "odd || blocked ||", "odd ||",
    ),
    "a copy with no burst allowed in the other half waits for ever": (
        "copy-unaligned", "axm_dma_engines",
        "wr_none || (COPY && rd_none)", "wr_none",
    ),
    "the second faulty beat's answer is mixed into the first one's": (
        "copy-unaligned", "axm_dma_write",
        "!source[1] && !pad && data_user[1] ? data_user : source;",
        "source | (!pad && data_user[1] ? data_user : 2'b00);",
    ),
    "behind a break the next transfer's lane is subtracted": (
        "apart-unaligned", "axm_dma_read", "shift_now = good ? here", "shift_now = take ? here",
    ),
    "a beat that leaves gives no place back when a burst is announced": (
        "copy-axi3-32", "axm_dma_buffer", "{places, 1'b1} + {taken, pop}",
        "{places, 1'b1} + {taken, pop && !announce}",
    ),
    "a beat that leaves gives two places back": (
        "copy-axi3-32", "axm_dma_buffer", "{places, 1'b1} + {taken, pop}",
        "{places, 1'b1} + {taken, pop} + (COUNT_W + 1)'({pop, 1'b0})",
    ),
    "a wrong ID's beats are counted as asked for": (
        "apart-128", "axm_dma_read", "- PENDING_W'(take && !none);", "- PENDING_W'(take && mine);",
    ),
    "bytes moved go on to the next transfer behind a fault": (
        "apart-128", "axm_dma_write", "if (rst || done_valid) moved <= '0;",
        "if (rst || ended) moved <= '0;",
    ),
    "an aborted transfer's fault is the next one's too": (
        "apart-128", "axm_dma_guard", "if (rst || ended || report || (dead && back)) first_fault",
        "if (rst || ended || (dead && back)) first_fault",
    ),
    "a transfer reported before it is dropped gives its place away": (
        "apart-unaligned", "axm_dma_queue", "out - in - COUNT_W'(early)", "out - in",
    ),
    "a copy drops transfers that its reading half still holds": (
        "copy-unaligned", "axm_dma_write", "running || (!PACKETS && keep_cmd)", "running",
    ),
    "a transfer that waits is reported twice": (
        "apart-128", "axm_dma_guard", 
        "reported_early <= none_left && cmd_held && !rst;",
        "reported_early <= 1'b0;",
    ),
    "descriptors fetched before an abort run behind it": (
        "rings-apart-32", "axm_dma_ring", "&& !bad_last && no_fault && !stop && !forget;",
        "&& !bad_last && !forget;",
    ),
    "an abort overlooks a ring that is switched off": (
        "rings-apart-32", "axm_dma_ring", "else if (stop || (forget && !idle))",
        "else if (enable && (stop || (forget && !idle)))",
    ),
    "a copy's ring overlooks an abort of the reading half": (
        "rings-copy-unaligned", "axm_dma_rings", "wr_dead || (COPY && rd_dead)", "wr_dead",
    ),
    "a fetch without a reading half has no size": (
        "rings-writes-128", "axm_dma_engines", "m_axi_arsize = 3'($clog2(DATA_W / 8));",
        "m_axi_arsize = '0;",
    ),
    "a write-back without a writing half writes to one address": (
        "rings-reads", "axm_dma_engines", "m_axi_awburst = 2'b01;", "m_axi_awburst = '0;",
    ),
    "a write-back has the attributes of the data": (
        "rings-apart-32", "axm_dma_share", "m_axi_awcache = ring_cache;",
        "m_axi_awcache = half_awcache;",
    ),
    "STATUS says nothing of fetches": (
        "rings-apart-32", "axm_dma", "wire wr_busy = wr_works || !wr_idle;",
        "wire wr_busy = wr_works;",
    ),
    "a ring goes on waiting when the bus was reset": (
        "rings-apart-32", "axm_dma_ring", "if (rst || clear || forget) begin\n      held",
        "if (rst || clear) begin\n      held",
    ),
    "a ring writes back behind a reset of the bus": (
        "rings-apart-32", "axm_dma_ring", ".rst(rst || clear || forget || discarding),",
        ".rst(rst || clear),",
    ),
    "a ring is off before the engine has ended its transfers": (
        "rings-apart-32", "axm_dma_ring", "&& !(discarding && engine_busy);", ";",
    ),
    "a ring waits for ever for a fetch without an end": (
        "rings-apart-32", "axm_dma_ring", "reading <= lost ? COUNT_W'(begun) :", "reading <=",
    ),
    "an age that is passed when TIME is set is never met": (
        "apart-128", "axm_dma_irq", "age >= {1'b0, time_limit};", "age == {1'b0, time_limit};",
    ),
    "a COUNT that falls below what waits is never met": (
        "apart-128", "axm_dma_irq", "raise = over || old;", "raise = old;",
    ),
    "a TIMEOUT that is passed when it is set is never met": (
        "apart-128", "axm_dma_irq", "period >= {1'b0, timeout_limit};",
        "period == {1'b0, timeout_limit};",
    ),
}  # fmt: skip


def meets(
    what: str, folder: Path, transfers: int = 20000, checks: bool = True, every: bool = False
) -> str:
    """What the bench says of an engine with this fault; empty if it does not meet it.

    checks: with the assertions that are bound to the engine, which may be faster. every: all small
    transfers (every.hpp) instead of random ones.
    """
    return said(*FAULTS[what], folder, transfers, checks, every)


def said(
    variant: str,
    stem: str,
    good: str,
    bad: str,
    folder: Path,
    transfers: int,
    checks: bool = True,
    every: bool = False,
    lenient: bool = False,
) -> str:
    """What the bench says of an engine in whose module `stem` the text `good` became `bad`.
    lenient: the slave does not check requests itself."""
    sources = fault.put(tools.sources("dma"), stem, good, bad, folder)
    program = bench.build(bench.VARIANTS[variant], sources, checks)
    try:
        if every:
            bench.every(program)
        else:
            bench.run(program, transfers, 1, lenient)
    except RuntimeError as error:
        return str(error)
    return ""


def _met(what: str) -> tuple[bool, str]:
    with tempfile.TemporaryDirectory() as folder:
        told = meets(what, Path(folder)).strip().splitlines()
    return bool(told), told[-1] if told else ""


def main() -> int:
    return fault.look(FAULTS, _met)


if __name__ == "__main__":
    sys.exit(main())
