"""Frames on `axm_master_top`: one simple master moves them, counter and sniffer watch.

The agent has no job for these masters, as they are no engines of a board's programs: they are set
up and started register by register, as the published systems did.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from axiometer.agent import replies as agent
from axiometer.agent.client import Client
from axiometer.cosim.bench import LIMIT_MS, broken, counter, same
from axiometer.cosim.process import Cosim
from axiometer.cosim.registers import registers

# PL clocks from the handshake of the write that starts a master to its first address.
START_CLOCKS = 3
SEED = 0x5AA5C33C
# PL clocks without a handshake after which the chip counts as hung.
HUNG = 65536
# PL clocks between two looks at a master that runs.
LOOK = 256
# The sniffer's bins: exact below the first, then the quarters of octaves.
EXACT_BINS, QUARTERS = 16, 4


@dataclass(frozen=True)
class Frame:
    """What came of a frame.

    books: the chip's, as the model's binding gives them. beats: what master and sniffer counted,
    as `beats` of a record, without its rate.
    """

    books: dict[str, Any]
    beats: dict[str, Any]


class MastersBench:
    """A co-simulated simple master with the one stream that `spec` describes.

    spec: of `model_spec.build`. burst_beats: of all bursts but those that 4 KiB cut. way_back: PL
    clocks from the port to the master, WAY_BACK of the top.
    """

    def __init__(
        self, cosim: Cosim, spec: Mapping[str, Any], burst_beats: int, way_back: int
    ) -> None:
        self.cosim = cosim
        self.way_back = way_back
        (self.stream,) = spec["streams"]
        self.burst_beats = burst_beats
        self.write = self.stream["direction"] == "write"
        self.client = Client(cosim.transport)
        self.client.hello()
        self.design = self.client.capabilities()
        self.map = registers("masters")
        self.master = self._block(self.map.BLOCK_TYPE, self.stream["port"])
        self.sniffer = self._block(agent.SNIFFER, None)
        size = -(-self.stream["bytes"] // 4096) * 4096
        self.buffer = self.client.allocate(size, align=4, address=self.stream["base"])

    def run(self, start: Mapping[str, Any]) -> Frame:
        """One frame from the chip's state `start`, whose launch must be START_CLOCKS.

        AxiometerError if the master found a fault, if data are wrong, or if two who counted the
        same came to different figures.
        """
        self._prepare()
        control = self.map.CONTROL
        address = (self.master << 12) + control.OFFSET
        self.cosim.start(start, start["launch"], [(address, 0)])
        self._put(
            control,
            control.START_MASK
            | self.write << control.WRITE_SHIFT
            | (not self.write) << control.CHECK_SHIFT
            | 3 << control.CACHE_SHIFT,
        )
        self._wait()
        if wrong := self.cosim.violation():
            raise broken(f"the design broke a rule of AXI: {wrong}")
        books, counters = self.cosim.result(), self.client.counters(self.sniffer)
        mine = 2 * self.stream["port"] + self.write
        slot = counter(counters, slot=mine)
        bins = {c["of"]: c["histogram"] for c in counters if c["slot"] == mine and "of" in c}
        self._check(books["streams"][0], slot)
        return Frame(books, {"count": slot["beats"], **self._between(slot, bins)})

    # ---- before and during -------------------------------------------------------------------

    def _prepare(self) -> None:
        """Memory, sniffer and master. No word that is written can be there before."""
        span = {"bytes": self.stream["bytes"]}
        before = ~SEED % 2**32 if self.write else SEED
        self.client.fill(self.buffer, "linear", before, **span)
        sniffer = registers("sniffer")
        for word in (0, sniffer.CTRL.RUN_MASK):
            self.client.write_register(self.sniffer, sniffer.CTRL.OFFSET, word)
        while not (
            self.client.read_register(self.sniffer, sniffer.STATUS.OFFSET)
            & sniffer.STATUS.ARMED_MASK
        ):
            self.cosim.idle(LOOK)
        base = self.stream["base"]
        self._put(self.map.ADDR_LO, base % 2**32)
        self._put(self.map.ADDR_HI, base >> 32)
        self._put(self.map.WORDS, self._words())
        self._put(self.map.BURST, self.burst_beats - 1)
        self._put(self.map.SEED, SEED)
        self._put(self.map.TIMEOUT, HUNG)

    def _wait(self) -> None:
        status = self.map.STATUS
        most = round(LIMIT_MS * 1e-3 * self.design.clock_hz)
        for _ in range(0, most, LOOK):
            self.cosim.idle(LOOK)
            word = self._get(status)
            if not word & status.BUSY_MASK or word & status.CAUSE_MASK:
                break
        else:
            raise broken(f"a frame did not end in {LIMIT_MS / 1000:g} s of its own time")
        if cause := (word & status.CAUSE_MASK) >> status.CAUSE_SHIFT:
            raise broken(f"a frame ended with {self.map.MasterCause(cause).name}")
        if word & status.CYCLES_SATURATED_MASK:
            raise broken("a frame is longer than the master can count")

    # ---- afterwards --------------------------------------------------------------------------

    def _check(self, books: Mapping[str, Any], slot: Mapping[str, Any]) -> None:
        """Data are right; master, sniffer and chip have seen the same."""
        if self.write:
            wrong = self.client.check(self.buffer, "linear", SEED, bytes=self.stream["bytes"])
        else:
            wrong = self._get(self.map.MISMATCHES)
        if wrong:
            raise broken(f"{wrong} words of a frame are wrong")
        words = self._words()
        same("the master", {"beats": self._get(self.map.MOVED)}, {"beats": words})
        seen = {"beats": words, "bursts": books["bursts"]}
        same("the sniffer", slot, seen)
        clocks = self._get(self.map.CYCLES)
        seen = books["end"] - books["launch"] + self.way_back
        same("the master", {"clocks": clocks}, {"clocks": seen + self._held(clocks - seen)})

    def _held(self, late: int) -> int:
        """By how many clocks the last beat or response may be late at the master: a plain one
        takes what is new one clock after it came, which a way back hides from the chip. Of a
        burst that is read, the clock is won back if the chip's beats have a gap."""
        improved = self._get(self.map.CAPS) & self.map.CAPS.IMPROVED_MASK
        if improved or not self.way_back:
            return 0
        return 1 if self.write else min(max(late, 0), 1)

    def _between(
        self, slot: Mapping[str, Any], bins: Mapping[str, list[int]]
    ) -> dict[str, dict[str, Any] | int | None]:
        """Clocks from beat to beat, 1 if the next comes in the next clock, and those of a frame.

        typ: the most frequent; of 16 clocks and more, the least of its bin. mean: None if the
        sniffer does not tell it.
        """
        counts = [sum(pair) for pair in zip_longest(bins["beats"], bins["gaps"], fillvalue=0)]
        cycles = self._get(self.map.CYCLES)
        if not sum(counts):
            return {"between": None, "cycles": cycles}
        least = min(slot[key] for key in ("beat_min", "gap_min") if key in slot)
        most = max(slot[key] for key in ("beat_max", "gap_max") if key in slot)
        fullest = max(range(len(counts)), key=counts.__getitem__)
        sums = [total(bins[of], slot, key) for of, key in (("beats", "beat"), ("gaps", "gap"))]
        between = {
            "min": least + 1,
            "typ": max(edge(fullest), least) + 1,
            "mean": None if None in sums else sum(sums) / sum(counts) + 1,
            "max": most + 1,
        }
        return {"between": between, "cycles": cycles}

    # ---- registers ---------------------------------------------------------------------------

    def _words(self) -> int:
        return -(-self.stream["bytes"] // self.design.data_bytes)

    def _block(self, kind: int, port: int | None) -> int:
        found = self.design.find(kind, port)
        if not found:
            raise broken(f"the design has no block of type {kind}")
        return found[0].block

    def _get(self, register: Any) -> int:
        return self.client.read_register(self.master, register.OFFSET)

    def _put(self, register: Any, value: int) -> None:
        self.client.write_register(self.master, register.OFFSET, value)


def edge(number: int) -> int:
    """The least value of one of the sniffer's bins (regs/sniffer.rdl)."""
    if number < EXACT_BINS:
        return number
    octave, quarter = divmod(number - EXACT_BINS, QUARTERS)
    return 2 ** (4 + octave) + quarter * 2 ** (2 + octave)


def total(bins: list[int], slot: Mapping[str, Any], key: str) -> int | None:
    """The sum of all values in one of the sniffer's histograms, `key`_min and `key`_max its range;
    None if some are in bins of several values and differ."""
    if not any(bins[EXACT_BINS:]):
        return sum(value * times for value, times in enumerate(bins))
    least, most = slot[f"{key}_min"], slot[f"{key}_max"]
    return least * sum(bins) if least == most else None
