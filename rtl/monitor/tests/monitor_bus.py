"""Random AXI traffic on the watched signals of a monitor: legal, with pauses on every channel."""

from __future__ import annotations

import random
from collections import deque

from cocotb.triggers import RisingEdge


class Direction:
    """One direction of a port: addresses, beats and ends of bursts, in order for each ID.

    Times are drawn anew for each phase: `calm` clocks of full speed, then of random pauses.
    """

    def __init__(self, draw: random.Random, max_len: int = 16, ids: int = 1, limit: int = 64):
        self.draw, self.max_len, self.ids, self.limit = draw, max_len, ids, limit
        self.speed = dict.fromkeys(("address", "accept", "data", "take", "answer"), 1.0)
        self.stopped = False
        self.in_flight = 0

    def change(self) -> None:
        for name in self.speed:
            self.speed[name] = self.draw.choice((0.05, 0.3, 0.7, 1.0, 1.0, 1.0))

    def says(self, name: str) -> bool:
        return self.draw.random() < self.speed[name]


class Read(Direction):
    def __init__(self, dut, draw, **options):
        super().__init__(draw, **options)
        self.dut = dut
        self.bursts: deque[list[int]] = deque()  # [beats left, id]
        self.address = None
        self.beat = None

    def step(self, arvalid, arready, rvalid, rready) -> None:
        """Sets the signals of the next clock from the handshakes of this one."""
        dut = self.dut
        if arvalid and arready:
            self.bursts.append([self.address[0], self.address[1]])
            self.address = None
            self.in_flight += 1
        if rvalid and rready:
            if self.beat[0] == 1:
                self.in_flight -= 1
            self.beat = None
        if (
            self.address is None
            and not self.stopped
            and self.in_flight < self.limit
            and self.says("address")
        ):
            self.address = (self.draw.randint(1, self.max_len), self.draw.randrange(self.ids))
            dut.mon_axi_arlen.value = self.address[0] - 1
            dut.mon_axi_arid.value = self.address[1]
        if self.beat is None and self.bursts and self.says("data"):
            chosen = self.bursts[0]
            if self.ids > 1 and chosen[0] > 0:
                started = next((b for b in self.bursts if len(b) == 3), None)
                chosen = started or self.draw.choice(self.bursts)
                if len(chosen) == 2:
                    chosen.append(1)
            self.beat = (chosen[0], chosen[1])
            chosen[0] -= 1
            if not chosen[0]:
                self.bursts = deque(b for b in self.bursts if b is not chosen)
            dut.mon_axi_rlast.value = int(self.beat[0] == 1)
            dut.mon_axi_rid.value = self.beat[1]
        dut.mon_axi_arvalid.value = int(self.address is not None)
        dut.mon_axi_arready.value = int(self.says("accept"))
        dut.mon_axi_rvalid.value = int(self.beat is not None)
        dut.mon_axi_rready.value = int(self.says("take"))

    @property
    def idle(self) -> bool:
        return self.address is None and not self.in_flight


class Write(Direction):
    def __init__(self, dut, draw, **options):
        super().__init__(draw, **options)
        self.dut = dut
        self.addresses: deque[int] = deque()  # beats of bursts whose address is to be sent
        self.datas: deque[int] = deque()  # beats of bursts whose data is to be sent
        self.sent = self.accepted = self.answered = 0
        self.address = self.left = None
        self.answer = False

    def step(self, awvalid, awready, wvalid, wready, bvalid, bready) -> None:
        dut = self.dut
        if awvalid and awready:
            self.address = None
            self.accepted += 1
        if wvalid and wready:
            self.left = None
            if self.last:
                self.sent += 1
        if bvalid and bready:
            self.answer = False
            self.answered += 1
            self.in_flight -= 1
        if not self.stopped and self.in_flight < self.limit and self.says("address"):
            beats = self.draw.randint(1, self.max_len)
            self.addresses.append(beats)
            self.datas.append(beats)
            self.in_flight += 1
        if self.address is None and self.addresses and self.says("accept"):
            self.address = self.addresses.popleft()
            dut.mon_axi_awlen.value = self.address - 1
        if self.left is None and self.datas and self.says("data"):
            self.left = self.datas[0]
            self.datas[0] -= 1
            if not self.datas[0]:
                self.datas.popleft()
            self.last = self.left == 1
            dut.mon_axi_wlast.value = int(self.last)
        if (
            not self.answer
            and min(self.sent, self.accepted) > self.answered
            and self.says("answer")
        ):
            self.answer = True
        dut.mon_axi_awvalid.value = int(self.address is not None)
        dut.mon_axi_awready.value = int(self.says("accept"))
        dut.mon_axi_wvalid.value = int(self.left is not None)
        dut.mon_axi_wready.value = int(self.says("take"))
        dut.mon_axi_bvalid.value = int(self.answer)
        dut.mon_axi_bready.value = int(self.says("take"))

    @property
    def idle(self) -> bool:
        return not self.in_flight


async def drive(dut, read: Read, write: Write, scoreboard, draw: random.Random) -> None:
    """Runs both directions and shows every clock to the scoreboard."""
    names = [
        *("arvalid", "arready", "arid", "arlen", "arsize", "rvalid", "rready", "rlast", "rid"),
        *("awvalid", "awready", "awid", "awlen", "awsize", "wvalid", "wready", "wlast"),
        *("bvalid", "bready", "bid"),
    ]
    handles = {name: getattr(dut, f"mon_axi_{name}") for name in names}
    clock = 0
    while True:
        await RisingEdge(dut.clk)
        seen = {name: int(handle.value) for name, handle in handles.items()}
        seen["running"] = int(dut.running.value)
        seen["read_wants"] = int(dut.read_wants.value)
        seen["write_wants"] = int(dut.write_wants.value)
        scoreboard.clock(seen)
        if clock % 150 == 0:
            read.change()
            write.change()
        clock += 1
        dut.read_wants.value = int(draw.random() < 0.5)
        dut.write_wants.value = int(draw.random() < 0.5)
        read.step(*(seen[n] for n in ("arvalid", "arready", "rvalid", "rready")))
        write.step(
            *(seen[n] for n in ("awvalid", "awready", "wvalid", "wready", "bvalid", "bready"))
        )
