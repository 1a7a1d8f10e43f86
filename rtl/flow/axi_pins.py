"""AXI masters and slaves for cocotb that act clock by clock and note when what moved.

cocotbext-axi checks function; these check timing and misbehave on purpose. Clocks are counted from
the object's creation; `log[channel]` holds (clock, fields) of each handshake.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from types import SimpleNamespace

import cocotb
from cocotb.triggers import RisingEdge
from cocotbext.axi.axi_channels import (
    AxiARMonitor,
    AxiARSink,
    AxiARSource,
    AxiAWMonitor,
    AxiAWSink,
    AxiAWSource,
)

ADDRESS = ("id", "addr", "len", "size", "burst", "lock", "cache", "prot", "qos", "user")
FIELDS = {
    "aw": ADDRESS,
    "ar": ADDRESS,
    "w": ("id", "data", "strb", "last"),
    "b": ("id", "resp"),
    "r": ("id", "data", "resp", "last"),
}


for _kind in (AxiAWSource, AxiAWSink, AxiAWMonitor, AxiARSource, AxiARSink, AxiARMonitor):
    # cocotbext-axi has only AXI4's lock of one bit; ours has AXI3's two.
    _kind._signal_widths = {k: w for k, w in _kind._signal_widths.items() if not k.endswith("lock")}


def always(_clock: int) -> bool:
    return True


class Pins:
    """The signals of one port; those that it lacks read as 0 and ignore what is written."""

    def __init__(self, dut, prefix: str, clk=None):
        """dut: the scope of the signals; clk: its clock, if that is not in the scope."""
        self.clk = dut.clk if clk is None else clk
        self.log: dict[str, list] = {name: [] for name in FIELDS}
        self.clock = 0
        self.signals = {
            channel: {
                name: getattr(dut, f"{prefix}_{channel}{name}", None)
                for name in (*FIELDS[channel], "valid", "ready")
            }
            for channel in FIELDS
        }

    def get(self, channel: str, name: str) -> int:
        signal = self.signals[channel][name]
        return 0 if signal is None else int(signal.value)

    def put(self, channel: str, **values: int) -> None:
        for name, value in values.items():
            signal = self.signals[channel][name]
            if signal is not None:
                signal.value = value % (1 << len(signal))

    def moved(self, channel: str) -> SimpleNamespace | None:
        """The fields of a handshake in this clock, which is also logged."""
        if not (self.get(channel, "valid") and self.get(channel, "ready")):
            return None
        fields = SimpleNamespace(**{name: self.get(channel, name) for name in FIELDS[channel]})
        self.log[channel].append((self.clock, fields))
        return fields

    async def until(self, channel: str, number: int, clocks: int = 20000) -> None:
        """Waits until so many handshakes were seen; fails if that takes too long."""
        for _ in range(clocks):
            if len(self.log[channel]) >= number:
                return
            await RisingEdge(self.clk)
        raise AssertionError(f"{len(self.log[channel])} of {number} on {channel}")


class Sender:
    """Puts queued words on a channel, valid until taken; `when(clock)`: whether one may begin."""

    def __init__(self, pins: Pins, channel: str):
        self.pins, self.channel = pins, channel
        self.queue: deque = deque()  # (first clock in which it may be valid, fields)
        self.when: Callable[[int], bool] = always
        self.valid = False
        pins.put(channel, valid=0)

    def reset(self) -> None:
        """Forgets what is queued and takes VALID back."""
        self.queue.clear()
        self.valid = False
        self.pins.put(self.channel, valid=0)

    def step(self) -> None:
        """After the edge: what was taken in this clock goes, the next comes."""
        pins = self.pins
        if self.valid and pins.get(self.channel, "ready"):
            self.queue.popleft()
            self.valid = False
        if not self.valid:
            if self.queue and self.queue[0][0] <= pins.clock + 1 and self.when(pins.clock):
                pins.put(self.channel, valid=1, **self.queue[0][1])
                self.valid = True
            else:
                pins.put(self.channel, valid=0)


class PinMaster(Pins):
    """Sends what is queued with `read` and `write`; `ready(channel)` of R and B by functions."""

    def __init__(self, dut, prefix: str, data_w: int, clk=None):
        super().__init__(dut, prefix, clk)
        self.bytes = data_w // 8
        self.senders = {name: Sender(self, name) for name in ("aw", "w", "ar")}
        self.ready: dict[str, Callable[[int], bool]] = {"b": always, "r": always}
        self.task = cocotb.start_soon(self._run())

    def _request(self, addr: int, beats: int, ident: int, burst: int, size: int | None) -> dict:
        size = self.bytes.bit_length() - 1 if size is None else size
        return {"id": ident, "addr": addr, "len": beats - 1, "size": size, "burst": burst}

    def read(self, addr, beats=1, ident=0, burst=1, size=None) -> None:
        self.senders["ar"].queue.append((0, self._request(addr, beats, ident, burst, size)))

    def write(self, addr, words, ident=0, burst=1, size=None, strobes=None) -> None:
        request = self._request(addr, len(words), ident, burst, size)
        self.senders["aw"].queue.append((0, request))
        for k, word in enumerate(words):
            strobe = strobes[k] if strobes else (1 << self.bytes) - 1
            self.beat(word, strobe, k == len(words) - 1, ident)

    def beat(self, data, strobe, last, ident=0) -> None:
        fields = {"id": ident, "data": data, "strb": strobe, "last": int(last)}
        self.senders["w"].queue.append((0, fields))

    async def _run(self) -> None:
        self.put("r", ready=int(self.ready["r"](0)))
        self.put("b", ready=int(self.ready["b"](0)))
        while True:
            await RisingEdge(self.clk)
            for channel in FIELDS:
                self.moved(channel)
            for sender in self.senders.values():
                sender.step()
            for channel in ("r", "b"):
                self.put(channel, ready=int(self.ready[channel](self.clock)))
            self.clock += 1


class PinSlave(Pins):
    """A memory that answers in order: reads begin `read_latency` clocks after their address (not
    before the burst ahead has ended), responses come `write_latency` clocks after the last beat.

    `ready[channel](clock)` holds AW, W, AR back. `corrupt_r(fields, beat)` and `corrupt_b(fields)`
    may change a response, or return None to leave it out, or a list to send several.
    """

    def __init__(
        self,
        dut,
        prefix: str,
        data_w: int,
        read_latency: int = 1,
        write_latency: int = 1,
        clk=None,
    ):
        super().__init__(dut, prefix, clk)
        self.bytes = data_w // 8
        self.read_latency, self.write_latency = read_latency, write_latency
        self.memory: dict[int, int] = {}
        self.ready: dict[str, Callable[[int], bool]] = dict.fromkeys(("aw", "w", "ar"), always)
        self.senders = {name: Sender(self, name) for name in ("r", "b")}
        self.corrupt_r = self.corrupt_b = None
        self._addresses: deque = deque()  # bursts whose data are to come: [fields, beat]
        self._data: deque = deque()  # beats that came before their address
        self.task = cocotb.start_soon(self._run())

    def word(self, addr: int) -> int:
        """The bus word that holds `addr`."""
        base = addr - addr % self.bytes
        return sum(self.memory.get(base + k, 0) << (8 * k) for k in range(self.bytes))

    def forget(self) -> None:
        """As after a reset of the bus: what was announced is not answered any more."""
        self._addresses.clear()
        self._data.clear()
        for sender in self.senders.values():
            sender.reset()

    def _take_data(self) -> None:
        while self._addresses and self._data:
            burst, beat = self._addresses[0]
            w = self._data.popleft()
            base = burst.addr - burst.addr % self.bytes + beat * self.bytes
            for k in range(self.bytes):
                if w.strb >> k & 1:
                    self.memory[base + k] = w.data >> (8 * k) & 0xFF
            self._addresses[0][1] += 1
            if beat == burst.len:
                self._addresses.popleft()
                self._answer("b", [{"id": burst.id, "resp": 0}], self.write_latency)

    def _answer(self, channel: str, beats: list[dict], latency: int) -> None:
        corrupt = self.corrupt_r if channel == "r" else self.corrupt_b
        for k, fields in enumerate(beats):
            sent = fields
            if corrupt:
                sent = corrupt(fields, k) if channel == "r" else corrupt(fields)
            for one in sent if isinstance(sent, list) else [sent]:
                if one is not None:
                    self.senders[channel].queue.append((self.clock + latency, one))

    async def _run(self) -> None:
        for channel in ("aw", "w", "ar"):
            self.put(channel, ready=int(self.ready[channel](0)))
        while True:
            await RisingEdge(self.clk)
            if aw := self.moved("aw"):
                self._addresses.append([aw, 0])
            if w := self.moved("w"):
                self._data.append(w)
            self._take_data()
            if ar := self.moved("ar"):
                first = ar.addr - ar.addr % self.bytes
                beats = [
                    {
                        "id": ar.id,
                        "data": self.word(first + k * self.bytes),
                        "resp": 0,
                        "last": int(k == ar.len),
                    }
                    for k in range(ar.len + 1)
                ]
                self._answer("r", beats, self.read_latency)
            for channel in ("r", "b"):
                self.moved(channel)
            for sender in self.senders.values():
                sender.step()
            for channel in ("aw", "w", "ar"):
                self.put(channel, ready=int(self.ready[channel](self.clock)))
            self.clock += 1
