"""Counts what a monitor is to count, from the signals of each clock; shares nothing with the RTL.

The classes are written down here from docs: one function that looks at the state of the bus.
"""

from __future__ import annotations

from collections import deque

CLASSES = ("DATA", "IDLE", "ADDRESS", "WAIT", "STALL", "RESPONSE")


class Side:
    def __init__(self):
        self.flying: deque[tuple[int, int, int]] = deque()  # clock of the address, beats, size
        self.beats_due = 0  # addresses less complete bursts of data
        self.within = False  # a burst's data is in its middle
        self.reset()

    def reset(self) -> None:
        self.count = dict.fromkeys(CLASSES, 0)
        self.bursts = self.bytes_exact = self.latency_sum = 0
        self.histogram = [0] * 15
        self.shortest, self.longest = 0x7FFF, 0
        self.quiet, self.most_quiet = None, 0

    def classify(self, *, moved, stalled, refused, asked, due, wants) -> str:
        if moved:
            return "DATA"
        if stalled:
            return "STALL"
        if refused:
            return "ADDRESS"
        if due:
            return "WAIT"
        if self.flying or asked:
            return "RESPONSE"
        return "WAIT" if wants else "IDLE"

    def book(self, kind: str) -> None:
        self.count[kind] += 1
        if kind == "DATA":
            if self.quiet is not None:
                self.most_quiet = max(self.most_quiet, min(self.quiet, 0x7FFF))
            self.quiet = 0
        elif self.quiet is not None:
            self.quiet += 1

    def end(self, now: int, counts: bool) -> None:
        if not self.flying:  # a fault of the slave
            return
        began, beats, size = self.flying.popleft()
        if not counts:
            return
        latency = min(now - began, 0x7FFF)
        self.bursts += 1
        self.bytes_exact += beats << size
        self.latency_sum += latency
        self.histogram[min(latency.bit_length() - 1, 14)] += 1
        self.shortest, self.longest = min(self.shortest, latency), max(self.longest, latency)

    def forget(self) -> None:
        """As if nothing were in flight."""
        self.flying.clear()
        self.beats_due, self.within = 0, False

    def state(self) -> dict:
        return {
            **self.count,
            "CYCLES": sum(self.count.values()),
            "BURSTS": self.bursts,
            "NARROW": self.bytes_exact,
            "LATENCY_SUM": self.latency_sum,
            "HISTOGRAM": tuple(self.histogram),
            "MIN": self.shortest,
            "MAX": self.longest,
            "INACTIVITY": self.most_quiet,
        }


class Scoreboard:
    def __init__(self, keep: bool = True):
        self.read, self.write = Side(), Side()
        self.now = 0
        self.keep = keep
        self.clear_at_start = False
        self.was_running = False
        self.history: dict[int, tuple[dict, dict]] = {}

    def reset(self) -> None:
        self.read.reset()
        self.write.reset()
        self.history = {}

    def clock(self, s: dict) -> None:
        read, write = self.read, self.write
        running_read = s.get("run_read", s.get("running"))
        running_write = s.get("run_write", s.get("running"))
        running = running_read or running_write
        if running and not self.was_running and self.clear_at_start:
            self.reset()
        self.was_running = running
        if self.keep and running:
            # The state before this clock, found by the clocks counted so far.
            key = max(sum(read.count.values()), sum(write.count.values()))
            self.history[key] = (read.state(), write.state())
        ar, r = s["arvalid"] and s["arready"], s["rvalid"] and s["rready"]
        aw, w = s["awvalid"] and s["awready"], s["wvalid"] and s["wready"]
        b = s["bvalid"] and s["bready"]
        if running_read:
            read.book(
                read.classify(
                    moved=r,
                    stalled=s["rvalid"] and not r,
                    refused=s["arvalid"] and not ar,
                    asked=s["arvalid"],
                    due=read.within,
                    wants=s["read_wants"],
                )
            )
        if running_write:
            write.book(
                write.classify(
                    moved=w,
                    stalled=s["wvalid"] and not w,
                    refused=s["awvalid"] and not aw,
                    asked=s["awvalid"],
                    due=write.within or write.beats_due > 0,
                    wants=s["write_wants"],
                )
            )
        if ar:
            read.flying.append((self.now, s["arlen"] + 1, s["arsize"]))
        if aw:
            write.flying.append((self.now, s["awlen"] + 1, s["awsize"]))
        if r:
            read.within = not s["rlast"]
            if s["rlast"]:
                read.end(self.now, running_read)
        if w:
            write.within = not s["wlast"]
        write.beats_due += bool(aw) - bool(w and s["wlast"])
        if b:
            write.end(self.now, running_write)
        self.now += 1


def from_registers(read_word, regs, prefix: str) -> dict:
    """One direction of a snapshot, in the form of Side.state(). `read_word` maps offset to word."""

    def value(name: str) -> int:
        lo = getattr(regs, f"COUNTERS_{prefix}_{name}_LO").OFFSET
        return read_word[lo] | read_word[lo + 4] << 32

    histogram = getattr(regs, f"COUNTERS_{prefix}_HISTOGRAM").OFFSET
    spread = read_word[getattr(regs, f"COUNTERS_{prefix}_LATENCY").OFFSET]
    state = {name: value(name) for name in (*CLASSES, "CYCLES", "BURSTS", "LATENCY_SUM", "BYTES")}
    state["HISTOGRAM"] = tuple(
        read_word[histogram + 8 * k] | read_word[histogram + 8 * k + 4] << 32 for k in range(15)
    )
    state["MIN"], state["MAX"] = spread & 0xFFFF, spread >> 16
    state["INACTIVITY"] = read_word[getattr(regs, f"COUNTERS_{prefix}_INACTIVITY").OFFSET]
    return state
