"""AXI Traffic Generator as PG125 has it used, and what it forbids."""

from __future__ import annotations

from engine_model import BASE, Step

FROM, TO = BASE + 0x10_0000, BASE + 0x20_0000
CONTROL, STATUS, ENABLES, PARAMETERS, COMMANDS, RAM = 0x00, 0x08, 0x0C, 0x1000, 0x8000, 0xC000
ON, DONE, VALID, BURST = 1 << 20, 1 << 31, 1 << 31, 3 << 12 | 1 << 10  # of 8 bytes, INCR
READ_RESPONSE, WRITE_RESPONSE = 1 << 17, 1 << 18
READS, WRITES = 0, 1


def command(
    side: int, n: int, address: int = 0, beats: int = 0, place: int = 0, more: int = 0
) -> list[Step]:
    """The nth command of a side: a burst of `beats`, 0: the end of the list. place: its third
    word. more: bits of its second word."""
    at = COMMANDS + side * 0x1000 + n * 16
    what = 0 if beats == 0 else VALID | BURST | (beats - 1) | more
    return [
        (PARAMETERS + side * 0x400 + n * 4, 0),
        (at, address),
        (at + 8, place),
        (at + 12, 0),
        (at + 4, what),
    ]


def generated(*of: int, more: int = 0) -> list[Step]:
    """A list of one write."""
    return [*command(WRITES, 0, *of, more=more), *command(WRITES, 1), (CONTROL, ON)]


NAME = "axi-traffic-gen"
BEFORE = {NAME: [*command(READS, 0), *command(WRITES, 0)]}
BROKEN = [
    (NAME, "ram-busy",
     [*command(WRITES, 0, TO, 16), *command(WRITES, 1), (CONTROL, ON), (RAM, 1)]),
    (NAME, "command-parameters",  # the third command's was never written
     [*command(WRITES, 0, TO, 1), *command(WRITES, 1, TO, 1),
      (COMMANDS + 0x1020, TO), (COMMANDS + 0x1028, 0), (COMMANDS + 0x1024, VALID | BURST),
      (COMMANDS + 0x1034, 0), (CONTROL, ON)]),
    (NAME, "descriptor-reserved", generated(TO, 16, more=1 << 24)),
    (NAME, "not-modelled", generated(TO, 16, 1 << 13)),
    (NAME, "place-unaligned", generated(TO, 16, 4)),
    (NAME, "burst-crosses", generated(TO + 4032, 16)),
    (NAME, "reserved-bit", [(STATUS, 1 << 8)]),
    (NAME, "register-unknown", [("read", PARAMETERS)]),

]  # fmt: skip


def test_lists_of_bursts(made):
    engine = made(NAME)
    read = engine.fill(FROM, 1024, 1)
    engine.do(*((RAM + 4 * n, 7 * n) for n in range(256)))
    for n in range(8):
        engine.do(*command(READS, n, FROM + n * 128, 16, 0x1000 + n * 128))
        engine.do(*command(WRITES, n, TO + n * 128, 16, n * 128))
    engine.do(*command(READS, 8), *command(WRITES, 8), (ENABLES, DONE), (CONTROL, ON))
    assert engine.get(CONTROL) & ON and not engine.interrupt
    engine.until(STATUS, DONE)
    assert engine.interrupt and not engine.get(CONTROL) & ON
    engine.put(STATUS, DONE)
    assert not engine.interrupt and engine.get(STATUS) == 0
    assert [engine.word(TO + 4 * n) for n in range(257)] == [*(7 * n for n in range(256)), 0]
    came = [engine.get(RAM + 0x1000 + 4 * n).to_bytes(4, "little") for n in range(256)]
    assert b"".join(came) == read and engine.broken() == {}


def test_memory_that_does_not_answer(made):
    engine = made(NAME)
    engine.do(*command(READS, 0, 0x1000, 16, 0x1000), *command(WRITES, 0, 0x1000, 16))
    engine.do(*command(READS, 1), *command(WRITES, 1))
    engine.do((ENABLES, READ_RESPONSE | WRITE_RESPONSE), (CONTROL, ON))
    engine.until(STATUS, DONE | READ_RESPONSE | WRITE_RESPONSE)
    assert engine.broken() == {}
