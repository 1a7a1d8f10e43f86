"""Runs DMA transfers on a design under co-simulation, and checks all that can be checked.

The agent moves the data and tells what the hardware counted; the simulation tells what the chip
saw. Where both know something, both must agree.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from functools import cache
from types import ModuleType
from typing import Any

from axiometer import data
from axiometer.agent import replies as agent
from axiometer.agent.client import Client
from axiometer.agent.replies import Block, Buffer
from axiometer.cosim.process import Cosim
from axiometer.errors import RUN_FAILED, AxiometerError

# MODE of axm_dma_top that has both directions.
DUPLEX = 0
# PL clocks from the handshake of the write that starts a DMA engine to its first address.
START_CLOCKS = 2
# What fills buffers, and what sources and sinks make and expect, unless told otherwise.
SEED = 0xC35AA500
# A run is given up after so long of simulated, and of real time.
LIMIT_MS = 600_000
WALL_S = 24 * 3600.0


class Bench:
    """A co-simulated design with a job of DMA transfers, as `spec` describes them.

    spec: of `model_spec.build`; port n of it is port n of the design. burst_beats: of all bursts.
    """

    def __init__(self, cosim: Cosim, spec: Mapping[str, Any], burst_beats: int) -> None:
        self._cosim = cosim
        self._spec = spec
        self._beats = burst_beats
        self._client = Client(cosim.transport)
        self._client.hello()
        self._design = self._client.capabilities()
        self._engines = [self._block(agent.DMA, s["port"]) for s in spec["streams"]]
        self._buffers = [self._allocate(s) for s in spec["streams"]]
        self._configure()

    def run(self, start: Mapping[str, Any]) -> dict[str, Any]:
        """One repeat: the chip's books as the model's binding gives them, bytes as the engines
        reported them, and `counters`, what the agent read from monitors and sniffer.

        AxiometerError if a transfer failed, if data are wrong, or if two who counted the same
        came to different figures.
        """
        places = self._fill()
        self._client.arm()
        arrivals = [
            ((engine.block << 12) + _submit(stream["direction"]), launch - START_CLOCKS)
            for engine, stream, launch in zip(
                self._engines, self._spec["streams"], start["launch"], strict=True
            )
        ]
        self._cosim.start(start, start["launch"], arrivals)
        outcome = self._client.run(timeout_ms=LIMIT_MS, wall_s=WALL_S)
        if outcome.state != "done":
            raise _broken(f"a transfer ended with {outcome.state}: {self._client.errors()}")
        if wrong := self._cosim.violation():
            raise _broken(f"the design broke a rule of AXI: {wrong}")
        result = self._cosim.result()
        counters = self._client.counters()
        for stream, books, told in zip(
            self._spec["streams"], result["streams"], outcome.streams, strict=True
        ):
            books["bytes"] = told["bytes"]
            self._compare(stream, books, counters)
        self._check_data(places, counters)
        result["counters"] = counters
        return result

    # ---- the job -------------------------------------------------------------------------

    def _block(self, kind: int, port: int) -> Block:
        found = self._design.find(kind, port)
        if not found:
            raise _broken(f"the design has no block of type {kind} at port {port}")
        return found[0]

    def _allocate(self, stream: Mapping[str, Any]) -> Buffer:
        size = -(-stream["bytes"] // 4096) * 4096
        return self._client.allocate(size, align=4, address=stream["base"])

    def _configure(self) -> None:
        self._client.new_job()
        for stream, engine, buffer in zip(
            self._spec["streams"], self._engines, self._buffers, strict=True
        ):
            self._client.stream(
                engine.block,
                stream["direction"],
                buffer,
                bytes=stream["bytes"],
                beats=self._beats,
                outstanding=stream["outstanding"],
            )
            if stream["partner"] >= 0 and stream["direction"] == "read":
                block = self._block(agent.LOOPBACK, stream["port"]).block
                limit = stream["loopback_bursts"] * self._beats
                self._client.setting("loopback", block, limit=limit)
            elif stream["direction"] == "read":
                block = self._block(agent.SINK, stream["port"]).block
                self._client.setting("sink", block, check=1)
            elif stream["partner"] < 0:
                block = self._block(agent.SOURCE, stream["port"]).block
                self._client.setting("source", block)

    # ---- data ----------------------------------------------------------------------------

    def _fill(self) -> list[int]:
        """Fills what is read, empties what is written. For each stream, the word at which its
        source stands, which goes on where the run before left it; 0 if it has none."""
        stand = {c["block"]: c["beats"] for c in self._client.counters() if c["kind"] == "source"}
        places = []
        for stream, buffer in zip(self._spec["streams"], self._buffers, strict=True):
            if stream["direction"] == "read":
                self._client.fill(buffer, "stream", SEED)
            else:
                self._client.fill(buffer, "value", 0)
            sources = self._design.find(agent.SOURCE, stream["port"])
            beats = stand[sources[0].block] if sources else 0
            places.append(beats * self._design.data_bytes // 4 % 2**32)
        return places

    def _check_data(self, places: list[int], counters: list[dict[str, Any]]) -> None:
        """A loop-back brings what was read, which is what a source would have sent."""
        for stream, buffer, place in zip(self._spec["streams"], self._buffers, places, strict=True):
            what = f"port {stream['name']}, {stream['direction']}"
            if stream["direction"] == "write":
                size = stream["bytes"] // 4 * 4
                if wrong := self._client.check(buffer, "stream", SEED, place=place, bytes=size):
                    raise _broken(f"{what}: {wrong} words in memory are wrong")
                continue
            for sink in self._design.find(agent.SINK, stream["port"]):
                errors = next(c["errors"] for c in counters if c["block"] == sink.block)
                if errors:
                    raise _broken(f"{what}: the sink found {errors} wrong beats")

    # ---- counts --------------------------------------------------------------------------

    def _compare(
        self, stream: Mapping[str, Any], books: Mapping[str, Any], counters: list[dict[str, Any]]
    ) -> None:
        """Monitor, sniffer and chip have seen the same bursts, beats and latencies."""
        what = f"port {stream['name']}, {stream['direction']}"
        beats = -(-stream["bytes"] // self._design.data_bytes)
        latencies = [latency for latency, _ in books["latency"]]
        seen = {"bursts": books["bursts"], "beats": beats, "latency_sum": books["latency_sum"]}
        # The chip's histogram is exact below 512 clocks.
        if latencies and latencies[-1] < 512:
            seen |= {"latency_min": latencies[0], "latency_max": latencies[-1]}
        mine = self._block(agent.MONITOR, stream["port"]).block
        _same(
            f"{what}: the monitor", _counter(counters, block=mine, half=stream["direction"]), seen
        )
        sniffer = self._design.find(agent.SNIFFER)[0].block
        slot = _counter(counters, block=sniffer, slot=self._slot(stream))
        _same(f"{what}: the sniffer", slot, {"bursts": books["bursts"], "beats": beats})

    def _slot(self, stream: Mapping[str, Any]) -> int:
        """Which slot of the sniffer sees a stream: rtl/tops/axm_dma_top.sv."""
        if self._design.variant == DUPLEX:
            return 2 * stream["port"] + (stream["direction"] == "write")
        return stream["port"]


def _counter(counters: list[dict[str, Any]], **which: Any) -> dict[str, Any]:
    """The first of the agent's counter lines that has these values."""
    return next(c for c in counters if all(c.get(key) == want for key, want in which.items()))


def _same(who: str, counted: Mapping[str, Any], seen: Mapping[str, Any]) -> None:
    differ = {k: (counted[k], v) for k, v in seen.items() if counted[k] != v}
    if differ:
        text = ", ".join(f"{key} {mine}, not {chips}" for key, (mine, chips) in differ.items())
        raise _broken(f"{who} and the chip counted differently: {text}")


@cache
def _dma_registers() -> ModuleType:
    """The generated register map of the DMA engine."""
    file = data.directory("regs") / "generated" / "dma.py"
    spec = importlib.util.spec_from_file_location("axiometer_regs_dma", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _submit(direction: str) -> int:
    """Offset of the register whose write starts a transfer."""
    registers = _dma_registers()
    return (registers.RD_SUBMIT if direction == "read" else registers.WR_SUBMIT).OFFSET


def _broken(what: str) -> AxiometerError:
    return AxiometerError(
        f"the co-simulation is wrong: {what}",
        remedy="this is a fault of Axiometer; please report it with the experiment file",
        status=RUN_FAILED,
    )
