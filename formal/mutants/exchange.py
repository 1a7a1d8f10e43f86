"""Legal exchanges over a bus, clock by clock, that mutants then damage."""

from __future__ import annotations

import re
from pathlib import Path

BENCH = Path(__file__).parent / "axm_rules_replay.sv"


def fields() -> dict[str, int]:
    """The bench's signals and their widths, highest first."""
    body = BENCH.read_text().partition("struct packed {")[2].partition("}")[0]
    found = {}
    for high, names in re.findall(r"logic\s+(?:\[ *(\d+):0\] )?\s*([\w, ]+);", body):
        for name in names.split(","):
            found[name.strip()] = int(high or 0) + 1
    return found


# What an idle bus carries: legal payload, nothing valid.
IDLE = {
    **dict.fromkeys(("awid", "arid", "wid", "bid", "rid"), 1),
    **dict.fromkeys(("awaddr", "araddr"), 0x1000),
    **dict.fromkeys(("awsize", "arsize"), 2),
    **dict.fromkeys(("awburst", "arburst"), 1),
    **dict.fromkeys(("awcache", "arcache"), 3),
    "wstrb": 15,
    "tkeep": 15,
}


class Exchange:
    """Values of all signals in each of `length` clocks; reset in the first two."""

    def __init__(self, length: int = 32) -> None:
        self.clocks = [{"rst": int(t < 2), **IDLE} for t in range(length)]

    def set(self, clocks: range | list[int] | int, **values: int) -> Exchange:
        """Gives signals a value in some clocks, for a mutant or while an exchange is built."""
        for t in [clocks] if isinstance(clocks, int) else clocks:
            self.clocks[t].update(values)
        return self

    def move(self, channel: str, first: int, taken: int | None = None, **payload: int) -> Exchange:
        """Something is offered on a channel from clock `first` and taken in clock `taken`."""
        taken = first if taken is None else taken
        values = {f"{channel}{name}": value for name, value in payload.items()}
        self.set(range(first, taken + 1), **{f"{channel}valid": 1}, **values)
        return self.set(taken, **{f"{channel}ready": 1})

    def words(self) -> list[str]:
        """One number a clock in hex, as the bench reads it."""
        widths = fields()
        lines = []
        for values in self.clocks:
            word = 0
            for name, width in widths.items():
                value = values.get(name, 0)
                if not 0 <= value < 1 << width:
                    raise ValueError(f"{name} = {value} does not fit {width} bits")
                word = word << width | value
            lines.append(f"{word:x}")
        return lines


def full() -> Exchange:
    """A write and a read burst of four beats with waits on every channel, then one beat each."""
    e = Exchange()
    for channel in ("aw", "ar"):
        e.move(channel, 4, 6, len=3).move(channel, 16)
    e.move("w", 4, 5).move("w", 6).move("w", 7, 8).move("w", 9, last=1).move("w", 16, last=1)
    e.move("b", 11, 12).move("b", 18)
    e.move("r", 8, 9).move("r", 10).move("r", 11, 12).move("r", 13, 14, last=1).move(
        "r", 18, last=1
    )
    return e


def two() -> Exchange:
    """Two write and two read bursts of one beat, with different IDs, are open from clock 7 on."""
    e = Exchange()
    for channel in ("aw", "ar"):
        e.move(channel, 4, id=1).move(channel, 5, id=2)
    e.move("w", 4, last=1, id=1).move("w", 5, last=1, id=2)
    e.move("b", 8, 9, id=1).move("b", 11, id=2)
    return e.move("r", 8, 9, last=1, id=1).move("r", 11, last=1, id=2)


def lead() -> Exchange:
    """Data before their address: a burst of two beats, its address three clocks later."""
    e = Exchange(300)
    e.move("w", 4, 5).move("w", 6, last=1).move("aw", 9, len=1)
    return e.move("b", 12, 13)


def lite() -> Exchange:
    """A write and a read with waits on every channel."""
    e = Exchange()
    e.move("aw", 4, 6).move("w", 4, 5).move("b", 8, 9)
    return e.move("ar", 4, 6).move("r", 8, 9)


def stream() -> Exchange:
    """A packet of three beats; nothing is promised."""
    return Exchange().move("t", 4, 5).move("t", 6).move("t", 7, 8, last=1)


def slot(ask: str) -> Exchange:
    """A correct slot of the sniffer counts four addresses and four beats; then `ask` is read.

    ask: lengths, beats or records. Every request is for bin 1 (bursts of two beats, one clock
    between beats) and the first record; bins hold two bits.
    """
    values = {f"slot_{name}": int(name == ask) for name in ("lengths", "records")}
    e = Exchange().set(range(32), slot_word=1, slot_len=1, slot_address=0x1000, **values)
    e.set(range(32), beat_min=0xFFFF, gap_min=0xFFFF)
    e.set(3, slot_clear=1, slot_sweep=1).set(range(5, 17), slot_run=1)
    e.set([6, 10, 12, 14], slot_asked=1).set([6, 8, 10, 12], slot_beat=1).set(10, slot_last=1)
    for t in range(6, 32):
        e.set(t, slot_now=t - 6, distance=t - max(b for b in (5, 6, 8, 10, 12) if b < t) - 1)
    # An address in clock t is in its bin in t + 2; the bin is full with the third.
    e.set(range(8, 32), length_stored=1).set(range(12, 32), length_stored=2)
    e.set(range(14, 32), length_stored=3).set(15, full=1)
    # The third beat ends a burst, so that what is before the fourth is a gap.
    e.set(range(10, 32), beat_stored=1).set(range(12, 32), beat_stored=2)
    e.set(range(11, 13), between=1).set(range(7, 32), seen=1, recorded=1)
    e.set(range(11, 32), recorded=2)
    e.set(range(9, 32), beat_min=1, beat_max=1).set(range(13, 32), gap_min=1, gap_max=1)
    e.set(range(7, 32), record_stored=1 << 32 | 0x1000)
    answer = {"lengths": 3, "beats": 2, "records": 1 << 24}[ask]
    return e.set(range(18, 32), read_data=answer)
