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

# What a line of counters has besides `block`, by its kind; a sniffer has lines of two forms.
_COUNTERS = {
    "monitor": ("half", "bursts", "beats", "bytes", "cycles", "latency_sum", "histogram"),
    "source": ("beats",),
    "sink": ("errors",),
    "loopback": ("held", "peak"),
    "sniffer": ("slot",),
}


class Client(Conversation):
    """Talks to one agent. Not for use by several threads at a time, except `stop`."""

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
        """What may change what is measured, as far as the target knows it: kernel, governor,
        temperature_mC, cpu_khz, …"""
        return self.call("environment")[1]

    def allocate(self, size: int, align: int | None = None, address: int | None = None) -> Buffer:
        """DMA memory: at the bus address `address`, or anywhere at a multiple of 4096."""
        given = {"align": align, "address": address}
        wanted = {key: hex(value) for key, value in given.items() if value is not None}
        values = self.ask("buffer", "allocate", {"size": size, **wanted})[1]
        with whole("buffer allocate"):
            return buffer_of(values)

    def free(self, buffer: Buffer) -> None:
        """Gives a buffer back; the job is forgotten."""
        self.call("buffer", "free", buffer=buffer.buffer)

    def fill(self, buffer: Buffer, pattern: str = "hash", seed: int = 0, **span: int) -> None:
        """Fills a buffer, or the part `offset`, `bytes`: value, ramp, hash or stream, by `seed`."""
        self.call("buffer", "fill", buffer=buffer.buffer, pattern=pattern, seed=seed, **span)

    def check(self, buffer: Buffer, pattern: str = "hash", seed: int = 0, **span: int) -> int:
        """How many 32-bit words of a buffer differ from what `fill` would write."""
        keys: Keys = {"buffer": buffer.buffer, "pattern": pattern, "seed": seed, **span}
        return self._one("wrong", "buffer", "check", keys)

    def compare(self, buffer: Buffer, other: Buffer, **span: int) -> int:
        """How many bytes of two buffers differ."""
        keys = {"buffer": buffer.buffer, "with": other.buffer, **span}
        return self._one("wrong", "buffer", "compare", keys)

    def new_job(self) -> None:
        """Forgets the job that there was."""
        self.call("configure", "new")

    def stream(self, block: int, half: str, buffer: Buffer, **settings: int) -> int:
        """Adds a DMA engine's half to the job: bytes, offset, beats, outstanding, …"""
        keys: Keys = {"block": block, "half": half, "buffer": buffer.buffer, **settings}
        return self._one("stream", "configure", "stream", keys)

    def traffic(self, block: int, half: str, buffer: Buffer, **settings: int | str) -> int:
        """Adds a direction of a traffic generator to the job: pattern, stop, limit, beats, …"""
        keys: Keys = {"block": block, "half": half, "buffer": buffer.buffer, **settings}
        return self._one("stream", "configure", "traffic", keys)

    def setting(self, what: str, block: int, **settings: int) -> None:
        """Sets a loopback (limit), source (seed, packet_bytes) or sink up for the job."""
        self.call("configure", what, block=block, **settings)

    def arm(self) -> None:
        """Writes the job into the design, except what starts it."""
        self.call("configure", "arm")

    def run(
        self, timeout_ms: int = 10000, on_fault: str = "stop", wall_s: float | None = None
    ) -> Run:
        """Starts the armed job and waits for its end, or for `timeout_ms` of the target's time.

        `wall_s`: how long to wait here; a simulation needs far longer than the target's time.
        """
        wait = self.timeout_s + timeout_ms / 1000 if wall_s is None else wall_s
        answer = self.call("run", timeout_s=wait, timeout_ms=timeout_ms, on_fault=on_fault)
        with whole("run"):
            return run_of(*answer)

    def result(self) -> Run:
        """What came of the last run, again."""
        answer = self.call("result")
        with whole("result"):
            return run_of(*answer)

    def stop(self) -> None:
        """Asks a run that is under way in another thread to end; does not wait."""
        self.send("stop")

    def counters(self, block: int | None = None) -> list[Line]:
        """What monitors, sniffers and stream blocks have counted; see docs/hosts.md."""
        lines = self.ask("counters", "", {} if block is None else {"block": block})[0]
        with whole("counters"):
            for line in lines:
                kind = need(line, "block", "kind").word("kind")
                need(line, *_COUNTERS.get(kind, ()))
                if kind == "sniffer":
                    need(line, *(("histogram",) if "of" in line else ("bursts", "beats")))
        return lines

    def records(self, block: int, slot: int) -> list[Line]:
        """The first transactions that a sniffer's slot has seen."""
        return self.call("records", block=block, slot=slot)[0]

    def errors(self) -> list[Line]:
        """The streams of the last run that failed, with cause and address."""
        lines = self.call("errors")[0]
        with whole("errors"):
            for line in lines:
                need(line, "stream", "block", "half", "address", "cause")
        return lines

    def read_register(self, block: int, offset: int) -> int:
        """A register of any block."""
        return self._one("value", "register", "read", {"block": block, "offset": offset})

    def write_register(self, block: int, offset: int, value: int) -> None:
        """Writes a register of any block."""
        self.call("register", "write", block=block, offset=offset, value=value)

    def reset(self, force: bool = False) -> None:
        """Ends all that is under way and frees all buffers. `force`: even on a dead bus."""
        self.call("reset", force=force)

    def _one(self, key: str, verb: str, part: str, values: Keys) -> int:
        """The number that one key of the answer's last line has."""
        answer = self.ask(verb, part, values)[1]
        with whole(f"{verb} {part}"):
            return need(answer, key).number(key)
