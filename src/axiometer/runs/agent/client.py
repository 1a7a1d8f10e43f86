"""The commands of the agent as calls. Every failure is an AxiometerError with a remedy."""

from __future__ import annotations

from axiometer.runs.agent.conversation import Conversation, Keys, whole
from axiometer.runs.agent.replies import (
    Buffer,
    Capabilities,
    Line,
    Run,
    buffer_of,
    design_of,
    need,
    run_of,
)

# Keys of a line of counters besides `block`, by its kind; a sniffer has lines of two forms.
_COUNTERS = {
    "monitor": ("half", "bursts", "beats", "bytes", "cycles", "latency_sum", "histogram"),
    "source": ("beats",),
    "sink": ("errors",),
    "loopback": ("held", "peak"),
    "sniffer": ("slot",),
}


class Client(Conversation):
    """Commands to one agent. Only `stop` may be called from another thread."""

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- the commands ----------------------------------------------------------------------

    def capabilities(self) -> Capabilities:
        """The design: its clock, its ports, its blocks."""
        answer = self.call("capabilities")
        with whole("capabilities"):
            return design_of(*answer)

    def environment(self) -> Line:
        """Conditions that may change measurements, if the target can read them: kernel, governor,
        temperature_mC, cpu_khz, …"""
        return self.call("environment")[1]

    def allocate(self, size: int, align: int | None = None, address: int | None = None) -> Buffer:
        """Allocate DMA memory: at the bus address `address`, or anywhere at a multiple of 4096."""
        given = {"align": align, "address": address}
        wanted = {key: hex(value) for key, value in given.items() if value is not None}
        values = self.ask("buffer", "allocate", {"size": size, **wanted})[1]
        with whole("buffer allocate"):
            return buffer_of(values)

    def free(self, buffer: Buffer) -> None:
        """Free a buffer; the agent forgets the job."""
        self.call("buffer", "free", buffer=buffer.buffer)

    def fill(self, buffer: Buffer, pattern: str = "hash", seed: int = 0, **span: int) -> None:
        """Fill a buffer, or its part `offset`, `bytes`: value, ramp, hash or stream, by `seed`."""
        self.call("buffer", "fill", buffer=buffer.buffer, pattern=pattern, seed=seed, **span)

    def check(self, buffer: Buffer, pattern: str = "hash", seed: int = 0, **span: int) -> int:
        """The number of 32-bit words in a buffer that differ from those that `fill` would write."""
        keys: Keys = {"buffer": buffer.buffer, "pattern": pattern, "seed": seed, **span}
        return self._one("wrong", "buffer", "check", keys)

    def compare(self, buffer: Buffer, other: Buffer, **span: int) -> int:
        """The number of bytes that differ between two buffers."""
        keys = {"buffer": buffer.buffer, "with": other.buffer, **span}
        return self._one("wrong", "buffer", "compare", keys)

    def new_job(self) -> None:
        """Forget the previous job."""
        self.call("configure", "new")

    def stream(self, block: int, half: str, buffer: Buffer, **settings: int) -> int:
        """Add a DMA engine's half to the job: bytes, offset, beats, outstanding, …"""
        keys: Keys = {"block": block, "half": half, "buffer": buffer.buffer, **settings}
        return self._one("stream", "configure", "stream", keys)

    def traffic(self, block: int, half: str, buffer: Buffer, **settings: int | str) -> int:
        """Add a direction of a traffic generator to the job: pattern, stop, limit, beats, …"""
        keys: Keys = {"block": block, "half": half, "buffer": buffer.buffer, **settings}
        return self._one("stream", "configure", "traffic", keys)

    def setting(self, what: str, block: int, **settings: int) -> None:
        """Set up a loopback (limit), source (seed, packet_bytes) or sink for the job."""
        self.call("configure", what, block=block, **settings)

    def arm(self) -> None:
        """Write the job into the design, except for the start."""
        self.call("configure", "arm")

    def run(
        self, timeout_ms: int = 10000, on_fault: str = "stop", wall_s: float | None = None
    ) -> Run:
        """Start the armed job and wait for its end, or for `timeout_ms` of the target's time.

        `wall_s`: seconds to wait here; a simulation needs far longer than the target's time.
        """
        wait = self.timeout_s + timeout_ms / 1000 if wall_s is None else wall_s
        answer = self.call("run", timeout_s=wait, timeout_ms=timeout_ms, on_fault=on_fault)
        with whole("run"):
            return run_of(*answer)

    def result(self) -> Run:
        """The last run's result, once more."""
        answer = self.call("result")
        with whole("result"):
            return run_of(*answer)

    def stop(self) -> None:
        """Request the end of a run that another thread started; does not wait."""
        self.send("stop")

    def counters(self, block: int | None = None) -> list[Line]:
        """Counts of monitors, sniffers and stream blocks; see docs/hosts.md."""
        lines = self.ask("counters", "", {} if block is None else {"block": block})[0]
        with whole("counters"):
            for line in lines:
                kind = need(line, "block", "kind").word("kind")
                need(line, *_COUNTERS.get(kind, ()))
                if kind == "sniffer":
                    need(line, *(("histogram",) if "of" in line else ("bursts", "beats")))
        return lines

    def records(self, block: int, slot: int) -> list[Line]:
        """The first transactions in a sniffer's slot."""
        return self.call("records", block=block, slot=slot)[0]

    def errors(self) -> list[Line]:
        """The failed streams of the last run, with cause and address."""
        lines = self.call("errors")[0]
        with whole("errors"):
            for line in lines:
                need(line, "stream", "block", "half", "address", "cause")
        return lines

    def read_register(self, block: int, offset: int) -> int:
        """The value of a register of any block."""
        return self._one("value", "register", "read", {"block": block, "offset": offset})

    def write_register(self, block: int, offset: int, value: int) -> None:
        """Write a register of any block."""
        self.call("register", "write", block=block, offset=offset, value=value)

    def reset(self, force: bool = False) -> None:
        """Stop everything and free all buffers. `force`: even on a dead bus."""
        self.call("reset", force=force)

    def _one(self, key: str, verb: str, part: str, values: Keys) -> int:
        """The number under `key` in the answer's last line."""
        answer = self.ask(verb, part, values)[1]
        with whole(f"{verb} {part}"):
            return need(answer, key).number(key)
