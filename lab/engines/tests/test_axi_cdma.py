"""AXI CDMA as PG034's programming sequences use it, and what they forbid."""

from __future__ import annotations

from engine_model import BASE, Step

FROM, TO, RING = BASE + 0x10_0000, BASE + 0x20_0000, BASE + 0x1000
FABRIC, WINDOW = 0xC000_0000, 0x4_0000  # the fabric's memory, and where a processor sees it
CONTROL, STATUS, CURRENT, TAIL = 0x00, 0x04, 0x08, 0x10
SOURCE, TARGET, LENGTH = 0x18, 0x20, 0x28
RESET, SG, IDLE, THRESHOLD = 4, 8, 2, 1 << 16
INTERNAL, DECODE, STALE = 1 << 4, 1 << 6, 1 << 8
IOC, ERROR, COMPLETED = 1 << 12, 1 << 14, 1 << 31


def copied(source: int, target: int, count: int) -> list[Step]:
    """Simple CDMA."""
    return [(SOURCE, source), (TARGET, target), (LENGTH, count)]


def descriptor(n: int, count: int) -> list[Step]:
    at, place = RING + n * 0x40, n * 4096
    words = {0x00: at + 0x40, 0x08: FROM + place, 0x10: TO + place, 0x18: count}
    return [("word", at + offset, value) for offset, value in words.items()]


def chain(threshold: int = 1) -> list[Step]:
    return [(CONTROL, SG | IOC | ERROR | threshold << 16), (CURRENT, RING)]


NARROW = "axi-cdma,length=16,realign=0"
BEFORE = {NARROW: [step for n in range(4) for step in descriptor(n, 64)]}
BROKEN = [
    (NARROW, "busy-write", [*copied(FROM, TO, 65528), (SOURCE, 0)]),
    (NARROW, "length-zero", [*copied(FROM, TO, 0), ("until", STATUS, INTERNAL)]),
    (NARROW, "length-wide", copied(FROM, TO, 0x10008)),
    (NARROW, "address-unaligned", copied(FROM, TO + 4, 64)),
    (NARROW, "other-mode", [(TAIL, RING)]),
    (NARROW, "other-mode", [*chain(), (LENGTH, 8)]),
    (NARROW, "current-missing", [(CONTROL, SG | THRESHOLD), (TAIL, RING)]),
    (NARROW, "current-running", [*chain(), (TAIL, RING + 3 * 0x40), (CURRENT, RING)]),
    (NARROW, "tail-completed",  # long enough for the reset to come before it is fetched
     [*chain(), ("word", RING + 0x5C, COMPLETED), ("word", RING + 0x18, 0x8000),
      (TAIL, RING + 0x40), (CONTROL, RESET)]),
    (NARROW, "descriptor-stale",
     [*chain(), ("word", RING + 0x1C, COMPLETED), (TAIL, RING + 0x40),
      ("until", STATUS, IDLE | ERROR | STALE)]),
    (NARROW, "start-after-error",
     [*copied(FROM, 0x10, 64), ("until", STATUS, IDLE | ERROR), *copied(FROM, TO, 64)]),
    (NARROW, "threshold-zero", [(CONTROL, SG)]),
    (NARROW, "status-read-only", [(STATUS, IDLE)]),
    (NARROW, "reserved-bit", [(CONTROL, 1 | THRESHOLD)]),
]  # fmt: skip


def test_to_the_fabric_and_back(made):
    engine = made("axi-cdma")
    assert (engine.get(STATUS), engine.get(CONTROL)) == (THRESHOLD | 0xA, THRESHOLD | 2)
    engine.put(CONTROL, IOC | THRESHOLD)
    for count in (1, 9, 4096, 65536):
        sent = engine.fill(FROM + 5, count, count)
        engine.do(*copied(FROM + 5, FABRIC, count), ("until", STATUS, IDLE | IOC))
        assert engine.interrupt
        engine.put(STATUS, IOC)
        assert count < 4 or engine.get(WINDOW).to_bytes(4, "little") == sent[:4]
        engine.do(*copied(FABRIC, TO + 3, count), ("until", STATUS, IDLE | IOC), (STATUS, IOC))
        assert engine.bytes(TO + 3, count) == sent
    assert engine.broken() == {}


def test_a_chain_goes_on_where_its_tail_was(made):
    engine, sent = made("axi-cdma"), []
    for n in range(8):
        sent.append(engine.fill(FROM + n * 4096, 1000 + n, n))
        engine.do(*descriptor(n, 1000 + n))
    engine.do(*chain(4), (TAIL, RING + 2 * 0x40), ("until", STATUS, IDLE))
    assert not engine.get(STATUS) & IOC and engine.get(STATUS) >> 16 & 0xFF == 1
    engine.do((TAIL, RING + 7 * 0x40), ("until", STATUS, IDLE | IOC))
    assert engine.interrupt and engine.get(CURRENT) == RING + 7 * 0x40
    for n, data in enumerate(sent):
        assert engine.word(RING + n * 0x40 + 0x1C) == COMPLETED
        assert engine.bytes(TO + n * 4096, len(data)) == data
    assert engine.broken() == {}


def test_memory_that_does_not_answer_and_a_reset(made):
    engine = made("axi-cdma")
    engine.do((CONTROL, ERROR | THRESHOLD), *copied(FROM, 0x10, 64))
    engine.until(STATUS, IDLE | ERROR | DECODE)
    assert engine.interrupt
    engine.do((CONTROL, RESET), 100)
    assert engine.get(STATUS) == THRESHOLD | 0xA
    engine.do(*copied(FROM, TO, 64), ("until", STATUS, IDLE | IOC))
    assert engine.broken() == {}
