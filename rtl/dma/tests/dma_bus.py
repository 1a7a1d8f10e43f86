"""The surroundings of a DMA engine under test: memory with chosen faults, streams, and the rules.

Everything moves by the clock: what the surroundings say in a clock is set after its rising edge,
what moves in it is read at its falling edge.
"""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass, field

from cocotb.triggers import FallingEdge, RisingEdge

PAGE = 4096


class Memory:
    """Sparse bytes; what was never written is a function of the address."""

    def __init__(self):
        self.written: dict[int, int] = {}

    @staticmethod
    def origin(address: int) -> int:
        return (address * 0x9E3779B1 >> 13) & 0xFF

    def get(self, address: int, count: int) -> bytes:
        return bytes(self.written.get(a, self.origin(a)) for a in range(address, address + count))

    def put(self, address: int, data: bytes) -> None:
        for place, byte in enumerate(data):
            self.written[address + place] = byte


@dataclass
class Fault:
    """What the slave does wrong with a burst. `extra` beats are added, or left out if negative."""

    resp: int = 0
    beat: int = 0  # the faulty beat of a read
    extra: int = 0
    no_last: bool = False
    last_at: int | None = None  # RLAST on this beat too
    wrong_id: int = 0


@dataclass
class Burst:
    address: int
    beats: int
    due: int  # the clock from which it is answered
    id: int
    number: int
    at: int = 0
    data: list = field(default_factory=list)


class Slave:
    """An AXI memory: answers in order, `latency` clocks after address (R) or last beat (B)."""

    HELD = {"ar": ("addr", "len", "id"), "aw": ("addr", "len", "id"), "w": ("data", "strb", "last")}

    def __init__(self, dut, latency=3, stall=0.0, seed=1):
        self.dut, self.latency, self.stall = dut, latency, stall
        self.draw = random.Random(seed)
        self.memory = Memory()
        self.width = len(dut.m_axi_wdata) // 8
        self.hang: set[str] = set()  # channels that do not move: AR, R, AW, W, B
        self.read_faults: dict[int, Fault] = {}
        self.write_faults: dict[int, Fault] = {}
        self.stray: list[tuple[str, int]] = []  # answers that nobody asked for: channel, ID
        self.reads, self.writes = deque(), deque()
        self.data, self.answers = deque(), deque()
        self.bursts: list[tuple] = []  # direction, address, beats, clock
        self.attributes: list[tuple] = []  # ... direction, ID, AxCACHE, AxPROT
        self.read_count = self.write_count = 0
        self.waiting: dict[str, list | None] = {}

    def _moves(self, channel):
        return channel not in self.hang and self.draw.random() >= self.stall

    def drive(self, clock):
        dut = self.dut
        dut.m_axi_arready.value = self._moves("AR")
        dut.m_axi_awready.value = self._moves("AW")
        dut.m_axi_wready.value = self._moves("W")
        offering = getattr(self, "r_offer", False)
        valid = bool(self.reads) and self.reads[0].due <= clock and (offering or self._moves("R"))
        if "R" in self.hang:
            valid = False
        self.r_offer = valid
        dut.m_axi_rvalid.value = valid
        if valid:
            burst = self.reads[0]
            fault = self.read_faults.get(burst.number, Fault())
            total = burst.beats + fault.extra
            place = burst.address + burst.at * self.width
            dut.m_axi_rdata.value = int.from_bytes(self.memory.get(place, self.width), "little")
            dut.m_axi_rresp.value = fault.resp if burst.at == fault.beat else 0
            last = burst.at == total - 1 and not fault.no_last or burst.at == fault.last_at
            dut.m_axi_rlast.value = last
            dut.m_axi_rid.value = burst.id ^ fault.wrong_id
        elif self.stray and self.stray[0][0] == "R":
            dut.m_axi_rvalid.value = 1
            dut.m_axi_rlast.value = 1
            dut.m_axi_rid.value = self.stray[0][1]
        offering = getattr(self, "b_offer", False)
        valid = (
            bool(self.answers) and self.answers[0].due <= clock and (offering or self._moves("B"))
        )
        if "B" in self.hang:
            valid = False
        self.b_offer = valid
        dut.m_axi_bvalid.value = valid
        if valid:
            fault = self.write_faults.get(self.answers[0].number, Fault())
            dut.m_axi_bresp.value = fault.resp
            dut.m_axi_bid.value = self.answers[0].id ^ fault.wrong_id
        elif self.stray and self.stray[0][0] == "B":
            dut.m_axi_bvalid.value = 1
            dut.m_axi_bid.value = self.stray[0][1]

    def _hold_still(self):
        """What is valid and not taken stays, and stays the same."""
        for channel, names in self.HELD.items():
            valid = int(getattr(self.dut, f"m_axi_{channel}valid").value)
            ready = int(getattr(self.dut, f"m_axi_{channel}ready").value)
            payload = [int(getattr(self.dut, f"m_axi_{channel}{name}").value) for name in names]
            if self.waiting.get(channel):
                assert valid, f"{channel}valid was withdrawn"
                assert payload == self.waiting[channel], f"{channel} changed while it waited"
            self.waiting[channel] = payload if valid and not ready else None

    def sample(self, clock):
        dut = self.dut
        self._hold_still()
        if dut.m_axi_rvalid.value and dut.m_axi_rready.value:
            if self.r_offer:
                burst = self.reads[0]
                burst.at += 1
                fault = self.read_faults.get(burst.number, Fault())
                if burst.at >= burst.beats + fault.extra:
                    self.reads.popleft()
                self.r_offer = False
            else:
                self.stray.pop(0)
        if dut.m_axi_bvalid.value and dut.m_axi_bready.value:
            if self.b_offer:
                self.answers.popleft()
                self.b_offer = False
            else:
                self.stray.pop(0)
        if dut.m_axi_arvalid.value and dut.m_axi_arready.value:
            self.reads.append(self._burst("ar", clock, self.read_count, clock + self.latency))
            self.read_count += 1
        if dut.m_axi_awvalid.value and dut.m_axi_awready.value:
            self.writes.append(self._burst("aw", clock, self.write_count, 0))
            self.write_count += 1
        if dut.m_axi_wvalid.value and dut.m_axi_wready.value:
            beat = (
                int(dut.m_axi_wdata.value),
                int(dut.m_axi_wstrb.value),
                int(dut.m_axi_wlast.value),
            )
            self.data.append((*beat, clock))
        while self.writes and self.data:
            self._write_beat()

    def _burst(self, channel, clock, number, due):
        dut = self.dut
        address = int(getattr(dut, f"m_axi_{channel}addr").value)
        beats = int(getattr(dut, f"m_axi_{channel}len").value) + 1
        assert address % self.width == 0
        assert address % PAGE + beats * self.width <= PAGE, f"burst at {address:#x} crosses 4 KiB"
        assert int(getattr(dut, f"m_axi_{channel}burst").value) == 1
        assert 1 << int(getattr(dut, f"m_axi_{channel}size").value) == self.width
        self.bursts.append((channel, address, beats, clock))
        ident, *made = (
            int(getattr(dut, f"m_axi_{channel}{name}").value) for name in ("id", "cache", "prot")
        )
        self.attributes.append((channel, ident, *made))
        return Burst(address, beats, due, ident, number)

    def _write_beat(self):
        burst = self.writes[0]
        value, strobes, last, clock = self.data.popleft()
        place = burst.address + burst.at * self.width
        data = value.to_bytes(self.width, "little")
        for lane in range(self.width):
            if strobes >> lane & 1:
                self.memory.put(place + lane, data[lane : lane + 1])
        burst.at += 1
        assert bool(last) == (burst.at == burst.beats), "wlast is wrong"
        if burst.at == burst.beats:
            burst.due = clock + self.latency
            self.answers.append(self.writes.popleft())


class Sink:
    """Takes the stream: a FIFO of `limit` beats that is emptied now and then and tells its room."""

    def __init__(self, dut, limit=256, drain=1.0, stall=0.0, seed=2):
        self.dut, self.limit, self.drain, self.stall = dut, limit, drain, stall
        self.draw = random.Random(seed)
        self.held = 0
        self.room = limit
        self.beats: list[tuple[int, int, bool]] = []  # data, keep, last

    def drive(self, _clock):
        self.room = self.limit - self.held
        self.dut.m_axis_room.value = self.room
        self.dut.m_axis_tready.value = self.draw.random() >= self.stall
        self.leave = self.held > 0 and self.draw.random() < self.drain

    def sample(self, _clock):
        dut = self.dut
        self.held -= self.leave
        if dut.m_axis_tvalid.value and dut.m_axis_tready.value:
            self.held += 1
            beat = (dut.m_axis_tdata.value, dut.m_axis_tkeep.value, dut.m_axis_tlast.value)
            self.beats.append((int(beat[0]), int(beat[1]), bool(beat[2])))
            assert self.held <= self.limit, "a beat came that there is no room for"

    def packets(self, width):
        """What came, as bytes: a list of packets, and what follows the last one."""
        packets, rest = [], b""
        for data, keep, last in self.beats:
            lanes = data.to_bytes(width, "little")
            rest += bytes(lanes[k] for k in range(width) if keep >> k & 1)
            if last:
                packets.append(rest)
                rest = b""
        return packets, rest


class Source:
    """Gives a stream: beats that become available now and then, with their counts."""

    def __init__(self, dut, width, rate=1.0, seed=3):
        self.dut, self.width, self.rate = dut, width, rate
        self.draw = random.Random(seed)
        self.coming = deque()  # data, keep, last
        self.there = deque()

    def give(self, data: bytes, last: bool):
        for place in range(0, len(data), self.width):
            part = data[place : place + self.width]
            final = last and place + self.width >= len(data)
            self.coming.append((int.from_bytes(part, "little"), (1 << len(part)) - 1, final))

    def drive(self, _clock):
        dut = self.dut
        if self.coming and self.draw.random() < self.rate:
            self.there.append(self.coming.popleft())
        self.avail = len(self.there)
        self.packets = sum(last for _, _, last in self.there)
        dut.s_axis_avail.value = self.avail
        dut.s_axis_packets.value = self.packets
        dut.s_axis_tvalid.value = bool(self.there)
        if self.there:
            data, keep, last = self.there[0]
            dut.s_axis_tdata.value = data
            dut.s_axis_tkeep.value = keep
            dut.s_axis_tlast.value = last

    def sample(self, _clock):
        if self.dut.s_axis_tvalid.value and self.dut.s_axis_tready.value:
            self.there.popleft()


async def run(dut, parts):
    """The loop of the clock, for ever; `parts` have drive(clock) and sample(clock)."""
    clock = 0
    while True:
        await RisingEdge(dut.clk)
        clock += 1
        for part in parts:
            part.drive(clock)
        await FallingEdge(dut.clk)
        for part in parts:
            part.sample(clock)
