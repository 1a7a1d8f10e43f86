"""The agent's answers as values of Python; its refusals as exceptions with a remedy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.runs.agent import protocol
from axiometer.runs.agent.protocol import Reply

_WORDS = {"kind", "half", "state", "cause", "of", "target", "agent"}
_WORDS |= {"kernel", "model", "boot", "governor"}  # of `environment`
NO_PORT = 255
_REMEDIES = {
    "argument": "this is a fault of the program: report it with the command",
    "range": "give a value that this design supports; `capabilities` lists them",
    "bus": "check that the design is loaded and its clock runs",
    "dead": "restart the agent",
    "memory": "use smaller buffers, or give the target more DMA memory",
    "address": "let the agent choose the address, or one that is free and aligned",
    "magic": "load the Axiometer design, or give its address",
    "fabric": "load the bitstream first (STEPS.md of the project); Linux does not know of one that "
    "was loaded over JTAG: unbind and bind its driver of the FPGA manager",
    "version": "build agent and design from the same sources",
    "type": "load the design that has this block",
    "busy": "wait for the end of the present command, or use reset",
    "full": "free some, or use fewer",
    "empty": "allocate the buffer first",
    "state": "configure and arm a job first",
    "timeout": "use reset; if that also fails, load the design again",
    "unknown": "agent and client differ in version: build both from the same sources",
}


class Line(dict[str, int | str | list[int]]):
    """The values in a line of an answer; the key decides a value's type (`typed`)."""

    def number(self, key: str) -> int:
        value = self[key]
        assert isinstance(value, int), key
        return value

    def word(self, key: str) -> str:
        value = self[key]
        assert isinstance(value, str), key
        return value

    def numbers(self, key: str) -> list[int]:
        value = self[key]
        assert isinstance(value, list), key
        return value


class AgentError(AxiometerError):
    """The agent refused a command; `code` is the agent's code for the reason."""

    def __init__(self, message: str, code: str, remedy: str | None) -> None:
        super().__init__(message, remedy=remedy, status=RUN_FAILED)
        self.code = code

    def __reduce__(self) -> tuple[object, ...]:
        return AgentError, (self.message, self.code, self.remedy)


@dataclass(frozen=True)
class Block:
    """A block of the design."""

    block: int
    type: int
    port: int | None
    instance: int
    version: int
    caps: int
    caps2: int


@dataclass(frozen=True)
class Capabilities:
    """The design and its blocks."""

    clock_hz: int
    top: int
    ports: int
    data_bytes: int
    variant: int
    version: tuple[int, int, int]
    blocks: tuple[Block, ...]

    def find(self, type: int, port: int | None = None) -> list[Block]:
        """The blocks of that type, at `port` if given."""
        return [b for b in self.blocks if b.type == type and port in (None, b.port)]


@dataclass(frozen=True)
class Buffer:
    """DMA memory of the agent."""

    buffer: int
    address: int
    size: int


@dataclass(frozen=True)
class Run:
    """The result of a run. `state` is fault, timeout or stopped if any stream's is, else done."""

    state: str
    ns: int  # from the first start to the end of the last stream, by the target's clock
    clocks: int | None  # the same by the design's counter, including reading it
    overhead: int | None  # clocks between two consecutive readings of the counter
    armed: tuple[int, int] | None  # clocks and ns of the same time, from `arm` on
    streams: tuple[Line, ...]


def typed(values: dict[str, str]) -> Line:
    """The values with their types: numbers, lists for histograms, words."""
    out = Line()
    for key, text in values.items():
        if key == "histogram":
            out[key] = [protocol.number(word) for word in text.split(",") if word]
        elif key in _WORDS:
            out[key] = text
        else:
            out[key] = protocol.number(text)
    return out


def need(values: Line, *keys: str) -> Line:
    """`values`, checked for these keys. StrangeLine if one is missing: the other end is not an
    agent, or one of another version."""
    missing = [key for key in keys if key not in values]
    if missing:
        raise protocol.StrangeLine(f"{', '.join(missing)} is missing")
    return values


def refused(command: str, reply: Reply) -> AgentError:
    code = reply.values.get("code", "unknown")
    about = reply.values.get("about")
    where = "" if about is None else f" ({about})"
    text = reply.values.get("text", code)
    return AgentError(f"the agent refused {command!r}{where}: {text}", code, _REMEDIES.get(code))


def block_of(line: Line) -> Block:
    need(line, "block", "type", "port", "instance", "version", "caps", "caps2")
    port = line.number("port")
    return Block(
        block=line.number("block"),
        type=line.number("type"),
        port=None if port == NO_PORT else port,
        instance=line.number("instance"),
        version=line.number("version"),
        caps=line.number("caps"),
        caps2=line.number("caps2"),
    )


def design_of(more: Iterable[Line], line: Line) -> Capabilities:
    blocks = tuple(map(block_of, more))
    need(line, "major", "minor", "patch", "clock_hz", "top", "ports", "data_bytes", "variant")
    return Capabilities(
        clock_hz=line.number("clock_hz"),
        top=line.number("top"),
        ports=line.number("ports"),
        data_bytes=line.number("data_bytes"),
        variant=line.number("variant"),
        version=(line.number("major"), line.number("minor"), line.number("patch")),
        blocks=blocks,
    )


def buffer_of(line: Line) -> Buffer:
    need(line, "buffer", "address", "size")
    return Buffer(line.number("buffer"), line.number("address"), line.number("size"))


def _armed(values: Line) -> tuple[int, int] | None:
    if "armed_clocks" not in values:
        return None
    return values.number("armed_clocks"), need(values, "armed_ns").number("armed_ns")


def run_of(more: Iterable[Line], values: Line) -> Run:
    need(values, "state", "ns")
    return Run(
        state=values.word("state"),
        ns=values.number("ns"),
        clocks=values.number("clocks") if "clocks" in values else None,
        overhead=values.number("overhead") if "overhead" in values else None,
        armed=_armed(values),
        streams=tuple(need(stream, "stream", "state") for stream in more),
    )
