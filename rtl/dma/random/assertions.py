#!/usr/bin/env python3
"""For every assertion in rtl/dma/checks a fault that it is the first to see (`make validate`).

    assertions.py            all of them
    assertions.py write      those with this in their name

The fault is put into a module, and random transfers run until the simulation stops at an assertion;
the slave of the bench does not check requests itself, as it would be faster.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

from flow import fault, tools  # noqa: E402

import faults  # noqa: E402

# Checks, assertion: variant, module, the text and what it becomes.
FAULTS = {
    "buffer.announced": (
        "copy-unaligned", "axm_dma_read", "issue_joined = first && skips;",
        "issue_joined = first;",
    ),
    "buffer.conserved": (
        "copy-axi3-32", "axm_dma_buffer", "{taken, pop}", "{taken, pop && !announce}",
    ),
    "buffer.promised": (
        "copy-unaligned", "axm_dma_read", "room = m_axis_room[0];", "room = 1'b1;",
    ),
    "buffer.all_free": (
        "copy-unaligned", "axm_dma_read", "issue_joined = first && skips;",
        "issue_joined = 1'b0;",
    ),
    "dma.reads_as_set": (
        "rings-apart-32", "axm_dma_share", "m_axi_arcache = ring_cache;",
        "m_axi_arcache = half_arcache;",
    ),
    "dma.writes_as_set": (
        "rings-apart-32", "axm_dma_share", "m_axi_awprot = ring_prot;",
        "m_axi_awprot = ~ring_prot;",
    ),
    "dma.interrupts_a_clock_later": (
        "apart-128", "axm_dma", "to_hw_IRQ_STATUS_DONE && to_hw_IRQ_ENABLE_DONE",
        "to_hw_IRQ_STATUS_DONE && !to_hw_IRQ_ENABLE_DONE",
    ),
    "guard.at_rest": (
        "apart-128", "axm_dma_guard", "&& bus_idle && !suspect;", "&& bus_idle;",
    ),
    "guard.no_old_fault": (
        "apart-128", "axm_dma_guard", "if (rst || ended || report || (dead && back)) first_fault",
        "if (rst || report || (dead && back)) first_fault",
    ),
    "guard.not_below_none": (
        "apart-128", "axm_dma_guard", "else if (begun != closed) open",
        "else if (closed && !begun) open",
    ),
    "guard.begins_alive": (
        "apart-128", "axm_dma_read", "begun = issue && last && !dead;", "begun = issue && last;",
    ),
    "guard.drops_what_waits": (
        "apart-128", "axm_dma_guard", "pop = none_left && !cmd_held;",
        "pop = none_open && !cmd_held;",
    ),
    "guard.reports_when_stopped": (
        "apart-128", "axm_dma_guard", "draining = dead && (!bus_idle || suspect);",
        "draining = !bus_idle || suspect;",
    ),
    "list.not_overrun": (
        "copy-axi3-32", "axm_dma_queues", ".WIDTH(COMMAND_W + LOW_W), .DEPTH(QUEUE)",
        ".WIDTH(COMMAND_W + LOW_W), .DEPTH(QUEUE / 4)",
    ),
    "queue.places": (
        "apart-unaligned", "axm_dma_queue", "out - in - COUNT_W'(early)", "out - in",
    ),
    "queue.not_full": (
        "apart-128", "axm_dma_queue", "accept = some;", "accept = 1'b1;",
    ),
    "queue.commands": (
        "apart-128", "axm_dma_queue", ".out_valid(command_valid),", ".out_valid(),",
    ),
    "queue.completions": (
        "apart-128", "axm_dma_queue", "waiting = 8'(unread);", "waiting = 8'(unread) & 8'd15;",
    ),
    "queue.asked_for": (
        "apart-128", "axm_dma_guard",
        "reported_early <= none_left && cmd_held && !rst;",
        "reported_early <= 1'b0;",
    ),
    "read.pointers": (
        "apart-128", "axm_dma_read", "PTR_W'(burst_end)", "PTR_W'(burst_end && !issue)",
    ),
    "read.begins_in_limit": (
        "apart-128", "axm_dma_read", "8'(in_flight) + 1'b1 == 8'(cfg_outstanding)",
        "8'(in_flight) == 8'(cfg_outstanding)",
    ),
    "read.address_kept": (
        "apart-128", "axm_dma_read", "!m_axi_arready && !rst && !drop_all;",
        "!m_axi_arready && !rst && !drop_all && !dead;",
    ),
    "read.at_rest": (
        "apart-128", "axm_dma_read", "if (rst || drop_all || burst_end) beat",
        "if (rst || burst_end) beat",
    ),
    "read.nothing_offered": (
        "apart-unaligned", "axm_dma_read", "dead || tail;", "dead;",
    ),
    "read.none_refused": (
        "apart-128", "axm_dma_read", "assign done_bytes = {moved_now, SHIFT'(0)};",
        "assign done_bytes = {moved_now, SHIFT'(reject)};",
    ),
    "read.none_moved": (
        "apart-128", "axm_dma_read", "if (rst || done_valid) moved", "if (rst || ended) moved",
    ),
    "read.no_room_leaks": (
        "apart-128", "axm_dma_read", "- PENDING_W'(take && !none);", "- PENDING_W'(take && mine);",
    ),
    "read.none_begun": (
        "apart-unaligned", "axm_dma_read", "some_now && !done_valid", "some_now && !ended",
    ),
    "write.pointers": (
        "apart-128", "axm_dma_write", "PTR_W'(burst_end)", "PTR_W'(burst_end && !step)",
    ),
    "write.begins_in_limit": (
        "apart-128", "axm_dma_write", "8'(in_flight) + 1'b1 == 8'(cfg_outstanding)",
        "8'(in_flight) == 8'(cfg_outstanding)",
    ),
    "write.with_address": (
        "apart-128", "axm_dma_write", "m_axi_awvalid = go && !aw_done;",
        "m_axi_awvalid = go && !aw_done && running;",
    ),
    "write.address_kept": (
        "apart-128", "axm_dma_write", "m_axi_awvalid = go && !aw_done;",
        "m_axi_awvalid = go && !aw_done && !(w_done && quiesce);",
    ),
    "write.data_kept": (
        "apart-128", "axm_dma_write", "(quiesce && go && (take || !m_axi_wvalid))",
        "(quiesce && go)",
    ),
    "write.beat_in_burst": (
        "apart-128", "axm_dma_write", "m_axi_wlast = beat == len;",
        "m_axi_wlast = beat == len && !running;",
    ),
    "write.counted": (
        "apart-128", "axm_dma_write", "sent <= sent_now;", "sent <= sent_now + 1'b1;",
    ),
    "write.at_rest": (
        "apart-128", "axm_dma_write", "if (rst || done_valid) moved", "if (rst || ended) moved",
    ),
    "write.none_refused": (
        "apart-128", "axm_dma_write", "32'(sum(moved, more_moved)) << CUT;",
        "32'(sum(moved, more_moved)) << CUT | 32'(reject);",
    ),
    "write.nothing_kept": (
        "apart-unaligned", "axm_dma_write", ".over(begun)", ".over(1'b0)",
    ),
}  # fmt: skip


def labels() -> set[str]:
    """The assertions that there are."""
    found = set()
    for path in (tools.RTL / "dma" / "checks").glob("*_checks.sv"):
        checks = path.stem.removesuffix("_checks").rpartition("_")[2]
        names = re.findall(r"(\w+) :\s*assert property", path.read_text())
        found |= {f"{checks}.{name}" for name in names}
    return found


def first_seen(what: str) -> str:
    """The assertion that stops the engine with this fault; empty if none does."""
    with tempfile.TemporaryDirectory() as folder:
        said = faults.said(*FAULTS[what], Path(folder), 20000, lenient=True)
    pattern = r"axm_(?:dma_)?(\w+)_checks\.sv:\d+: Assertion failed in \S+\.(\w+): 'assert'"
    found = re.search(pattern, said)
    return f"{found[1]}.{found[2]}" if found else ""


def main() -> int:
    def notices(what: str) -> tuple[bool, str]:
        seen = first_seen(what)
        return seen == what, "" if seen == what else f"seen by {seen or 'none'}"

    return fault.look(FAULTS, notices)


if __name__ == "__main__":
    sys.exit(main())
