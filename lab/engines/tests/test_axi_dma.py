"""AXI DMA as PG021's programming sequences use it, and what they forbid."""

from __future__ import annotations

import pytest
from engine_model import BASE, Step

FROM, TO = BASE + 0x10_0000, BASE + 0x20_0000
SEND_RING, RECEIVE_RING = BASE + 0x1000, BASE + 0x8000
SEND, RECEIVE = 0x00, 0x30  # the channels
CONTROL, STATUS, CURRENT, TAIL, TAIL_MSB = 0x00, 0x04, 0x08, 0x10, 0x14
ADDRESS, ADDRESS_MSB, LENGTH = 0x18, 0x1C, 0x28
RUN, RESET, HALTED, IDLE, THRESHOLD = 1, 4, 1, 2, 1 << 16
INTERNAL, DECODE, STALE = 1 << 4, 1 << 6, 1 << 8
IOC, DELAYED, ERROR = 1 << 12, 1 << 13, 1 << 14
END, START, COMPLETED = 1 << 26, 1 << 27, 1 << 31


def start(more: int = 0) -> list[Step]:
    """Both channels run."""
    return [(channel + CONTROL, RUN | THRESHOLD | more) for channel in (RECEIVE, SEND)]


def simple(channel: int, address: int, count: int) -> list[Step]:
    """Direct Register Mode, steps 3 and 4."""
    return [(channel + ADDRESS, address), (channel + LENGTH, count)]


def chains(more: int = 0) -> list[Step]:
    """Scatter/Gather Mode, all but the tails."""
    return [(RECEIVE + CURRENT, RECEIVE_RING), (SEND + CURRENT, SEND_RING), *start(more)]


def tail(channel: int, n: int) -> Step:
    return channel + TAIL, (SEND_RING if channel == SEND else RECEIVE_RING) + n * 0x40


def descriptor(ring: int, n: int, of: int, buffer: int, control: int) -> list[Step]:
    at = ring + n * 0x40
    words = {0x00: ring + (n + 1) % of * 0x40, 0x08: buffer, 0x18: control, 0x1C: 0}
    return [("word", at + offset, value) for offset, value in words.items()]


def first(control: int) -> list[Step]:
    """A chain of one descriptor is sent."""
    return [*descriptor(SEND_RING, 0, 4, FROM, control), *chains(), tail(SEND, 0)]


SG16 = "axi-dma-sg,length=16"
BEFORE = {
    SG16: [
        *(s for n in range(4) for s in descriptor(SEND_RING, n, 4, FROM, 64 | START | END)),
        *(s for n in range(4) for s in descriptor(RECEIVE_RING, n, 4, TO, 64)),
    ]
}
BROKEN = [
    ("axi-dma", "length-halted", [(SEND + LENGTH, 64)]),
    ("axi-dma", "length-zero", [*start(), (SEND + LENGTH, 0)]),
    ("axi-dma,length=14", "length-wide", [*start(), *simple(SEND, FROM, 0x4010)]),
    ("axi-dma", "length-busy", [*start(), *simple(RECEIVE, TO, 64), *simple(RECEIVE, TO, 64)]),
    ("axi-dma,realign=0", "address-unaligned", [*start(), *simple(SEND, FROM + 4, 64)]),
    ("axi-dma", "address-wide", [*start(), (SEND + ADDRESS_MSB, 1)]),
    ("axi-dma", "receive-space",
     [*start(), *simple(RECEIVE, TO, 63), *simple(SEND, FROM, 64),
      ("until", RECEIVE + STATUS, HALTED | ERROR | INTERNAL)]),
    ("axi-dma", "restart-early",  # not halted yet
     [*start(), *simple(SEND, FROM, 65535), (SEND + CONTROL, THRESHOLD), (SEND + ADDRESS, 0)]),
    ("axi-dma", "start-after-error",
     [*start(), *simple(SEND, 0x10, 64), 1000, (SEND + CONTROL, RUN | THRESHOLD)]),
    ("axi-dma", "during-reset", [(SEND + CONTROL, RESET), (SEND + CONTROL, RUN)]),
    ("axi-dma", "reserved-bit", [(SEND + CONTROL, RUN | 1 << 5 | THRESHOLD)]),
    ("axi-dma", "status-read-only", [(SEND + STATUS, IOC | HALTED)]),
    ("axi-dma", "register-unknown", [(SEND + TAIL, SEND_RING)]),  # there is no scatter-gather
    (SG16, "current-running", [*chains(), (SEND + CURRENT, SEND_RING)]),
    (SG16, "pointer-unaligned", [(SEND + CURRENT, SEND_RING + 32)]),
    (SG16, "tail-halted", [tail(SEND, 0)]),
    (SG16, "tail-outside", [*chains(), (SEND + TAIL, 0x40), (SEND + CONTROL, THRESHOLD)]),
    (SG16, "tail-completed",
     [*chains(), ("word", SEND_RING + 0x5C, COMPLETED), tail(SEND, 1),
      (SEND + CONTROL, THRESHOLD)]),
    (SG16, "descriptor-stale",
     [*chains(), ("word", SEND_RING + 0x1C, COMPLETED), tail(SEND, 1),
      ("until", SEND + STATUS, HALTED | ERROR | STALE)]),
    (SG16, "descriptor-empty",
     [*first(START | END), ("until", SEND + STATUS, HALTED | ERROR | INTERNAL)]),
    (SG16, "descriptor-wide", first(0x10040 | START | END)),
    (SG16, "descriptor-reserved", first(64 | START | END | 1 << 28)),
    (SG16, "frame-order", first(64 | END)),
    (SG16, "receive-space",
     [*descriptor(SEND_RING, 0, 4, FROM, 200 | START | END), *chains(), tail(RECEIVE, 1),
      tail(SEND, 0)]),
    (SG16, "current-missing", [*start(), tail(SEND, 0)]),
    (SG16, "threshold-zero", [(SEND + CONTROL, RUN)]),
    (SG16, "not-modelled", [(SEND + CONTROL, THRESHOLD | 1 << 4)]),
    (SG16, "register-unknown", [(SEND + LENGTH, 64)]),
]  # fmt: skip


def test_direct_register_mode(made):
    engine = made("axi-dma")
    engine.do(*start(IOC))
    for number, count in enumerate((1, 7, 8, 63, 64, 4096, 65535)):
        sent = engine.fill(FROM + number, count, number)
        engine.do(*simple(RECEIVE, TO + 3, 65536), *simple(SEND, FROM + number, count))
        engine.do(*(("until", channel + STATUS, IDLE | IOC) for channel in (RECEIVE, SEND)))
        assert engine.get(RECEIVE + LENGTH) == count
        assert engine.bytes(TO + 3, count) == sent
        for channel in (RECEIVE, SEND):
            assert engine.interrupt
            engine.put(channel + STATUS, IOC)
        assert not engine.interrupt
    assert engine.broken() == {}


@pytest.mark.parametrize("name", ["axi-dma-sg", "axi-dma-sg,fifo=64", "axi-dma-sg,address=64"])
def test_packets_of_several_descriptors(made, name):
    """In order, with their ends; a packet over receive descriptors, too, and all bytes arrive."""
    engine, of, sizes = made(name), 16, [1000 + n for n in range(16)]
    sent = []
    for n, count in enumerate(sizes):
        sent.append(engine.fill(FROM + n * 4096, count, n))
        mark = (START, END)[n % 2]  # two for a packet
        engine.do(*descriptor(SEND_RING, n, of, FROM + n * 4096, count | mark))
        engine.do(*descriptor(RECEIVE_RING, n, of, TO + n * 1500, 1500))
    engine.do(*chains(), tail(RECEIVE, of - 1), tail(SEND, of - 1))
    if "address=64" in name:
        engine.run()
        assert engine.word(RECEIVE_RING + 0x1C) == 0  # the upper word starts
        engine.do((RECEIVE + TAIL_MSB, 0), (SEND + TAIL_MSB, 0))
    engine.do(("until", SEND + STATUS, IDLE), ("until", RECEIVE + STATUS, IOC | IDLE))
    for n, (first, second) in enumerate(zip(sizes[::2], sizes[1::2], strict=True)):
        held, rest = (engine.word(RECEIVE_RING + (2 * n + k) * 0x40 + 0x1C) for k in (0, 1))
        assert held == COMPLETED | START | 1500
        assert rest == COMPLETED | END | first + second - 1500
        came = engine.bytes(TO + 3000 * n, first + second)
        assert came == sent[2 * n] + sent[2 * n + 1]
    for n, count in enumerate(sizes):
        assert engine.word(SEND_RING + n * 0x40 + 0x1C) == COMPLETED | count
    assert engine.broken() == {}


def test_threshold_and_delay(made):
    engine = made("axi-dma-sg")
    for n in range(8):
        engine.do(*descriptor(SEND_RING, n, 8, FROM, 64 | START | END))
        engine.do(*descriptor(RECEIVE_RING, n, 8, TO, 64))
    engine.do((RECEIVE + CURRENT, RECEIVE_RING), (SEND + CURRENT, SEND_RING))
    engine.do((RECEIVE, RUN | IOC | DELAYED | 3 << 16 | 2 << 24), (SEND, RUN | THRESHOLD))
    engine.do(tail(RECEIVE, 7), tail(SEND, 1))  # two packets: fewer than the threshold
    engine.until(SEND + STATUS, IDLE)
    assert not engine.get(RECEIVE + STATUS) & IOC and not engine.interrupt
    assert engine.get(RECEIVE + STATUS) >> 16 & 0xFF <= 3
    engine.until(RECEIVE + STATUS, DELAYED)  # 2 times 125 clocks after the last
    assert engine.interrupt
    engine.put(RECEIVE + STATUS, DELAYED)
    assert not engine.interrupt
    engine.do(tail(SEND, 4), ("until", RECEIVE + STATUS, IOC))  # three more
    assert engine.word(RECEIVE_RING + 4 * 0x40 + 0x1C)
    engine.put(RECEIVE + STATUS, IOC)
    engine.run()  # nothing is left that the delay would wait for
    assert not engine.get(RECEIVE + STATUS) & (IOC | DELAYED)
    assert engine.broken() == {}


def test_stop_reset_and_start_again(made):
    engine = made("axi-dma,realign=0")
    assert engine.get(SEND + STATUS) == THRESHOLD | HALTED
    assert made("axi-dma-sg").get(RECEIVE + STATUS) == THRESHOLD | 8 | HALTED
    assert made("axi-dma-sg").get(SEND) == THRESHOLD | 2
    # It waits for a packet that does not come.
    engine.do(*start(), *simple(RECEIVE, TO + 8, 64), (RECEIVE, THRESHOLD))
    engine.do(("until", RECEIVE + STATUS, HALTED), (SEND, RESET))
    assert engine.get(SEND) & RESET
    engine.run(100)
    assert engine.get(SEND) & RESET == 0 and engine.get(SEND + STATUS) == THRESHOLD | HALTED
    sent = engine.fill(FROM, 64, 2)
    engine.do(*start(), *simple(RECEIVE, TO, 64), *simple(SEND, FROM, 64))
    engine.until(RECEIVE + STATUS, IDLE)
    assert engine.bytes(TO, 64) == sent and engine.broken() == {}


def test_memory_that_does_not_answer(made):
    engine = made("axi-dma")
    engine.do(*start(ERROR), *simple(SEND, 0x10, 64))
    engine.until(SEND + STATUS, HALTED | ERROR | DECODE)
    assert engine.interrupt and not engine.get(SEND) & RUN
    chained = made("axi-dma-sg")
    chained.do(*descriptor(SEND_RING, 0, 1, 0x10, 64 | START | END), *chains(), tail(SEND, 0))
    chained.until(SEND + STATUS, HALTED | ERROR | DECODE)
    assert chained.word(SEND_RING + 0x1C) & 1 << 30
    assert engine.broken() == chained.broken() == {}
