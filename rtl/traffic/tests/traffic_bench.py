"""What the tests of the traffic generator share: registers, observation, a slave that can fail."""

from __future__ import annotations

import os
import random
from collections import deque

import cocotb
import traffic_predict as predict
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiLiteBus, AxiLiteMaster
from monitor_scoreboard import Scoreboard, from_registers
from regs.generated import traffic as regs

WIDTH = int(os.environ.get("DATA_W", "64")) // 8
AXI3 = os.environ.get("AXI3") == "1"
CROSSES = os.environ.get("CROSS_4K") == "1"
MOST = 16 if AXI3 else 256
SEED = 0x1234ABCD
READ, WRITE = 0, 1
CHANNELS = {
    "arvalid": "ar",
    "arready": "ar",
    "arlen": "ar",
    "araddr": "ar",
    "rvalid": "r",
    "rready": "r",
    "rlast": "r",
    "awvalid": "aw",
    "awready": "aw",
    "awlen": "aw",
    "awaddr": "aw",
    "wvalid": "w",
    "wready": "w",
    "wlast": "w",
    "bvalid": "b",
    "bready": "b",
}
SIZE = WIDTH.bit_length() - 1


class Bench:
    def __init__(self, dut, seed=1):
        self.dut, self.draw = dut, random.Random(seed)
        self.lite = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)
        self.board = Scoreboard()
        self.board.clear_at_start = True
        self.issued = {READ: [], WRITE: []}  # (address, beats)
        self.valid_at = {READ: [], WRITE: []}  # clocks in which an address became valid
        self.ended_at = {READ: [], WRITE: []}  # and in which bursts ended
        self.clock = 0
        self.run_clocks = {READ: [], WRITE: []}  # first and last clock of busy
        self.problems: list[str] = []

    async def begin(self):
        self.dut.start.value = 0
        cocotb.start_soon(Clock(self.dut.clk, 10, "ns").start())
        self.dut.rst.value = 1
        await ClockCycles(self.dut.clk, 5)
        self.dut.rst.value = 0
        cocotb.start_soon(self.watch())
        await self.put(regs.SEED.OFFSET, SEED)

    async def watch(self):
        """Samples every clock for the scoreboard, and checks that payload waits for ready."""
        dut = self.dut
        handles = {name: getattr(dut, f"m_axi_{name}") for name in CHANNELS}
        before: dict = {}
        # The generator's run is what `busy` of each direction says.
        busy = dut.run
        while True:
            await RisingEdge(dut.clk)
            s = {name: int(handle.value) for name, handle in handles.items()}
            running = int(busy.value)
            s |= {
                "arsize": SIZE,
                "awsize": SIZE,
                "read_wants": 0,
                "write_wants": 0,
                "run_read": running & 1,
                "run_write": running >> 1 & 1,
            }
            self.board.clock(s)
            for d, name in ((READ, "ar"), (WRITE, "aw")):
                if s[f"{name}valid"] and not before.get(f"held {name}"):
                    self.valid_at[d].append(self.clock)
                if s[f"{name}valid"] and s[f"{name}ready"]:
                    beats = s[f"{name}len"] + 1
                    self.issued[d].append((s[f"{name}addr"], beats))
                    crosses = s[f"{name}addr"] % 4096 + beats * WIDTH > 4096
                    if (crosses and not CROSSES) or beats > MOST:
                        self.problems.append(f"burst {s[f'{name}addr']:#x} of {beats}")
                if running >> d & 1:
                    self.run_clocks[d] = [*self.run_clocks[d][:1], self.clock]
            if s["rvalid"] and s["rready"] and s["rlast"]:
                self.ended_at[READ].append(self.clock)
            if s["bvalid"] and s["bready"]:
                self.ended_at[WRITE].append(self.clock)
            for channel in ("ar", "aw", "w"):
                payload = [
                    s[n] for n, c in CHANNELS.items() if c == channel and not n.endswith("ready")
                ]
                if channel == "w":
                    payload.append(int(dut.m_axi_wdata.value) if s["wvalid"] else 0)
                if before.get(f"held {channel}") and payload != before[channel]:
                    self.problems.append(f"{channel} changed while it waited")
                before[channel] = payload
                before[f"held {channel}"] = s[f"{channel}valid"] and not s[f"{channel}ready"]
            self.clock += 1

    async def get(self, offset):
        return await self.lite.read_dword(offset)

    async def put(self, offset, value):
        await self.lite.write_dword(offset, value)

    async def configure(self, direction, **c) -> dict:
        """Writes all words of a direction; returns the whole configuration."""
        config = {
            "base": 0x10000,
            "region": 0x4000,
            "stride": 0,
            "limit": 16,
            "beats": 16,
            "gap": 0,
            "outstanding": 8,
            "pattern": predict.CONTIGUOUS,
            "stop": predict.BURSTS,
            "check": 1,
            "pin": 0,
            "cache": 0b0011,
            "prot": 0b010,
            "qos": 5,
            "user": 1,
            **c,
        }
        first = regs.WRITE_BASE_LO.OFFSET if direction else regs.READ_BASE_LO.OFFSET
        step = predict.step_of(config, WIDTH)
        count, last = predict.tail(config, WIDTH)
        stop = predict.BURSTS if config["stop"] == predict.BYTES else config["stop"]
        if count == 0:
            stop, count = 1, 1  # nothing to do
        # A read's gap counts from its address.
        gap = config["gap"] + (config["beats"] - 1 if config["gap"] and direction == READ else 0)
        words = [
            config["base"] & 0xFFFFFFFF,
            config["base"] >> 32,
            predict.final(step, config["region"]),
            step,
            count - 1,
            config["beats"] - 1 | gap << 8 | config["outstanding"] << 24,
            int(config["pattern"] == predict.RANDOM) << 1
            | last - 1 << 24
            | stop << 2
            | config["check"] << 4
            | config["pin"] << 5
            | config["cache"] << 8
            | config["prot"] << 12
            | config["qos"] << 16,
            config["user"],
        ]
        order = list(enumerate(words))
        self.draw.shuffle(order)
        for k, value in order:
            await self.put(first + 4 * k, value)
        return config

    async def until(self, mask, wanted, most=20000):
        for _ in range(most):
            word = await self.get(regs.STATUS.OFFSET)
            if bool(word & mask) == wanted:
                return word
        raise AssertionError(f"STATUS {mask:#x} does not become {wanted}")

    async def start(self, read=False, write=False):
        await self.until(regs.STATUS.READY_MASK, True)
        for name in (READ, WRITE):
            self.issued[name], self.valid_at[name], self.run_clocks[name] = [], [], []
            self.ended_at[name] = []
        await self.put(regs.CONTROL.OFFSET, int(read) | int(write) << 1)

    async def done(self, most=20000):
        word = await self.until(
            regs.STATUS.READ_BUSY_MASK | regs.STATUS.WRITE_BUSY_MASK, False, most
        )
        assert not self.problems, self.problems
        return word

    async def errors(self, direction):
        """Count, names of the kinds, and address of the first error."""
        first = regs.WRITE_ERRORS.OFFSET if direction else regs.READ_ERRORS.OFFSET
        value = await self.get(first)
        names = {
            n[:-5]
            for n in dir(regs.READ_ERRORS)
            if n.endswith("_MASK") and n != "COUNT_MASK" and value & getattr(regs.READ_ERRORS, n)
        }
        address = await self.get(first + 4) | await self.get(first + 8) << 32
        return value & 0xFF, names, address

    async def compare(self):
        """A snapshot against the scoreboard."""
        await self.put(regs.CONTROL.OFFSET, regs.CONTROL.SNAPSHOT_MASK)
        await self.until(regs.STATUS.SNAPSHOT_PENDING_MASK, False)
        words = {offset: await self.get(offset) for offset in range(0x200, 0x3A0, 4)}
        for name, side in (("READ", self.board.read), ("WRITE", self.board.write)):
            got, want = from_registers(words, regs, name), side.state()
            want["BYTES"] = want["DATA"] * WIDTH
            del want["NARROW"]
            assert got == want, f"{name}:\n{got}\n{want}"
        return words

    def expect_bursts(self, direction, config):
        want = list(predict.bursts(config, WIDTH, direction == WRITE, SEED))
        assert self.issued[direction] == want, (self.issued[direction][:8], want[:8])


class Slave:
    """A slave in order that answers after `latency` clocks, and fails as `faults` say.

    faults: {"read": {number of burst: kind}, "write": {...}} with kinds slverr, decerr, early,
    missing, late, id, data, twice; hang: set of channels that do nothing while they are in it.
    """

    def __init__(self, dut, latency=5, seed=SEED):
        self.dut, self.latency, self.seed = dut, latency, seed
        self.faults: dict[str, dict[int, str]] = {"read": {}, "write": {}}
        self.hang: set[str] = set()
        self.reads = self.writes = 0
        self.beats: deque = deque()  # (clock, data, resp, last, id)
        self.answers: deque = deque()  # (clock, resp, id)
        cocotb.start_soon(self.run())

    def _read(self, clock, address, beats):
        kind = self.faults["read"].get(self.reads)
        self.reads += 1
        count = beats + (kind == "late")
        for k in range(count):
            value = int.from_bytes(predict.data(address + k * WIDTH, WIDTH, self.seed), "little")
            last = k == count - 1
            stray = kind == "late" and last  # comes when nobody waits any more
            self.beats.append(
                (
                    clock + self.latency + 60 * stray,
                    value ^ (1 << 9 if kind == "data" and k == 1 else 0),
                    {"slverr": 2, "decerr": 3}.get(kind, 0) if k == min(1, count - 1) else 0,
                    (last and kind != "missing") or (kind == "early" and k == count - 2),
                    int(kind == "id" and k == 0),
                )
            )

    def _written(self, clock):
        kind = self.faults["write"].get(self.writes)
        self.writes += 1
        for _ in range(2 if kind == "twice" else 1):
            self.answers.append(
                (clock + self.latency, {"slverr": 2, "decerr": 3}.get(kind, 0), int(kind == "id"))
            )

    async def run(self):
        dut = self.dut
        for name in ("arready", "awready", "wready", "rvalid", "bvalid"):
            getattr(dut, f"m_axi_{name}").value = 0
        clock = complete = addressed = 0
        while True:
            await RisingEdge(dut.clk)
            clock += 1
            moves = {
                c: int(getattr(dut, f"m_axi_{c}valid").value)
                and int(getattr(dut, f"m_axi_{c}ready").value)
                for c in ("ar", "aw", "w", "r", "b")
            }
            if moves["ar"]:
                self._read(clock, int(dut.m_axi_araddr.value), int(dut.m_axi_arlen.value) + 1)
            addressed += bool(moves["aw"])
            complete += bool(moves["w"] and int(dut.m_axi_wlast.value))
            while min(addressed, complete) > self.writes:
                self._written(clock)
            if moves["r"]:
                self.beats.popleft()
            if moves["b"]:
                self.answers.popleft()
            for c in ("ar", "aw", "w"):
                getattr(dut, f"m_axi_{c}ready").value = int(c not in self.hang)
            beat = bool(self.beats) and self.beats[0][0] <= clock and "r" not in self.hang
            dut.m_axi_rvalid.value = int(beat)
            if beat:
                _, value, resp, last, ident = self.beats[0]
                dut.m_axi_rdata.value = value
                dut.m_axi_rresp.value = resp
                dut.m_axi_rlast.value = int(last)
                dut.m_axi_rid.value = ident
            answer = bool(self.answers) and self.answers[0][0] <= clock and "b" not in self.hang
            dut.m_axi_bvalid.value = int(answer)
            if answer:
                dut.m_axi_bresp.value = self.answers[0][1]
                dut.m_axi_bid.value = self.answers[0][2]
