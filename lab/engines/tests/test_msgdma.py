"""mSGDMA as its user guide (683130) has it used, and what it forbids."""

from __future__ import annotations

from engine_model import BASE, Step

FROM, TO = BASE + 0x10_0000, BASE + 0x20_0000
SEND, RECEIVE, COPY = 0x00, 0x80, 0x100  # the cores
STATUS, CONTROL, FILL, RESPONSES, NUMBERS = 0x00, 0x04, 0x08, 0x0C, 0x10
DESCRIPTOR, RESPONSE = 0x20, 0x40
BUSY, EMPTY, FULL, NO_RESPONSE, STOPPED, RESETTING = 1, 2, 4, 8, 32, 64
STOPPED_EARLY, IRQ = 256, 512
STOP, RESET, STOP_EARLY, INTERRUPTS = 1, 2, 8, 16
SOP, EOP, ON_EOP = 1 << 8, 1 << 9, 1 << 12
DONE, EARLY, GO = 1 << 14, 1 << 15, 1 << 31


def given(core: int, source: int, target: int, count: int, control: int) -> list[Step]:
    """An extended descriptor, its number the last of the words but strides and high addresses."""
    words = (source, target, count, 9, 0x0001_0001, 0, 0, control)
    return [(core + DESCRIPTOR + 4 * n, word) for n, word in enumerate(words)]


def sent(source: int, count: int, more: int = 0) -> list[Step]:
    return given(SEND, source, 0, count, SOP | EOP | GO | more)


def received(target: int, room: int, more: int = DONE) -> list[Step]:
    return given(RECEIVE, 0, target, room, ON_EOP | GO | more)


SMALL = "msgdma,length=16,realign=0,depth=8"
BEFORE: dict[str, list[Step]] = {}
BROKEN = [
    (SMALL, "go-missing", given(SEND, FROM, 0, 64, EOP)),
    (SMALL, "field-missing", [*sent(FROM, 64), (SEND + DESCRIPTOR + 28, EOP | GO)]),
    (SMALL, "length-zero", [*sent(FROM, 0), (SEND + CONTROL, RESET)]),
    (SMALL, "length-wide", sent(FROM, 0x10008)),
    (SMALL, "address-unaligned", sent(FROM + 4, 64)),
    (SMALL, "address-wide",
     [(DESCRIPTOR, 0), (DESCRIPTOR + 8, 64), (DESCRIPTOR + 20, 1), (DESCRIPTOR + 28, GO)]),
    (SMALL, "descriptor-reserved", sent(FROM, 64, 1 << 26)),
    (SMALL, "not-modelled", sent(FROM, 64, 1 << 10)),
    (SMALL, "fifo-full",  # nothing comes: one is at work, then eight wait
     [*9 * received(TO, 64), ("until", RECEIVE, FULL), *received(TO, 64)]),
    (SMALL, "response-full",  # twice the depth, and one
     17 * [*received(TO, 64), *sent(FROM, 64), 200]),
    (SMALL, "response-empty", [("read", RECEIVE + RESPONSE)]),
    (SMALL, "during-reset", [(CONTROL, RESET), (CONTROL, INTERRUPTS)]),
    (SMALL, "reserved-bit", [(CONTROL, 1 << 8)]),
    (SMALL, "register-unknown", [(FILL, 0)]),
]  # fmt: skip


def test_packets(made):
    engine, sizes, sent = made("msgdma,fifo=64"), (1, 8, 13, 4096, 65535), []
    assert engine.get(SEND) == EMPTY | NO_RESPONSE
    engine.put(RECEIVE + CONTROL, STOP)
    for n, count in enumerate(sizes):
        sent.append(engine.fill(FROM + n * 0x1_0000, count, n))
        engine.do(*received(TO + n * 0x1_0000, 65536))
        engine.do(*given(SEND, FROM + n * 0x1_0000, 0, count, SOP | EOP | GO))
    assert engine.get(RECEIVE + FILL) == 0x0005_0005
    engine.do((RECEIVE + CONTROL, INTERRUPTS), ("until", RECEIVE, IRQ))
    assert engine.interrupt
    engine.until(RECEIVE, EMPTY, gone=BUSY)
    engine.put(RECEIVE, IRQ)
    assert not engine.interrupt and engine.get(RECEIVE + RESPONSES) == len(sizes)
    for n, data in enumerate(sent):
        assert (engine.get(RECEIVE + RESPONSE), engine.get(RECEIVE + RESPONSE + 4)) == (
            len(data),
            0,
        )
        assert engine.bytes(TO + n * 0x1_0000, len(data)) == data
    assert engine.get(RECEIVE + RESPONSES) == 0 and engine.broken() == {}


def test_a_packet_longer_than_its_descriptor(made):
    """It ends the descriptor early, and stops the core if it is to."""
    engine = made("msgdma")
    packet = engine.fill(FROM, 100, 1)
    engine.put(RECEIVE + CONTROL, INTERRUPTS | STOP_EARLY)
    engine.do(*received(TO, 60, EARLY), *received(TO + 60, 60, 0), *sent(FROM, 100))
    engine.until(RECEIVE, IRQ | STOPPED | STOPPED_EARLY)
    assert (engine.get(RECEIVE + RESPONSE), engine.get(RECEIVE + RESPONSE + 4)) == (60, 1 << 8)
    engine.put(RECEIVE + CONTROL, 0)
    engine.until(RECEIVE, 0, gone=BUSY)
    assert (engine.get(RECEIVE + RESPONSE), engine.get(RECEIVE + RESPONSE + 4)) == (40, 0)
    assert engine.bytes(TO, 100) == packet and engine.broken() == {}


def test_without_an_end_a_descriptor_takes_its_whole_length(made):
    engine = made("msgdma")
    engine.do(*given(RECEIVE, 0, TO, 60, GO), *sent(FROM, 40), 1000)
    assert engine.get(RECEIVE + RESPONSES) == 0
    engine.do(*sent(FROM, 20), 1000)
    assert engine.get(RECEIVE + RESPONSE) == 60 and engine.broken() == {}


def test_copies_stop_and_reset(made):
    engine = made("msgdma")
    data = engine.fill(FROM, 70_000, 1)
    engine.do((COPY + CONTROL, STOP), *given(COPY, FROM, TO, 70_000, GO), 20_000)
    assert engine.get(COPY) & (STOPPED | BUSY) == STOPPED | BUSY and engine.word(TO) == 0
    engine.put(COPY + CONTROL, 0)
    engine.until(COPY, 0, gone=BUSY)
    assert engine.bytes(TO, len(data)) == data and engine.get(COPY + NUMBERS) == 0x0009_0009
    engine.do(*given(COPY, FROM, TO, 70_000, GO), (COPY + CONTROL, RESET))
    assert engine.get(COPY) & RESETTING
    engine.run(100)
    assert engine.get(COPY) == EMPTY | NO_RESPONSE and engine.broken() == {}
