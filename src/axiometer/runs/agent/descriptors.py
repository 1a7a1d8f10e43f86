"""Lines over file descriptors: the common part of a pipe, a socket and a serial line."""

from __future__ import annotations

import os
import select
import selectors
import time
from abc import ABC, abstractmethod

from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.runs.agent.protocol import LINE_MAX

_CHUNK = 65536
_SEND_S = 30.0  # for a reader to accept more than the pipe holds


class DescriptorLines(ABC):
    """Sends to one descriptor, receives from one. name: for messages. line_max: longest received
    line in bytes; a longer one is cut, and so damaged."""

    def __init__(self, name: str, line_max: int = LINE_MAX) -> None:
        self.name = name
        self.line_max = line_max
        self._bytes = bytearray()
        self._seen = 0  # bytes searched for the end of a line
        self._cut = False  # bytes up to the end of the line are dropped

    @abstractmethod
    def _output(self) -> int:
        """The descriptor for sending. ValueError if it is closed."""

    @abstractmethod
    def _input(self) -> int:
        """The descriptor for receiving. ValueError if it is closed."""

    @abstractmethod
    def _gone(self) -> AxiometerError:
        """The error for a line that the other end closed."""

    def _too_long(self) -> AxiometerError | None:
        """The error for a line above `line_max`; None to accept it."""
        return None

    def _forget(self) -> None:
        """Discard received bytes when the line is opened again."""
        self._bytes.clear()
        self._seen, self._cut = 0, False

    def send(self, line: bytes) -> None:
        """Send one line with its end. AxiometerError if the agent is dead, or does not read."""
        left = memoryview(line)
        limit = time.monotonic() + _SEND_S
        try:
            with selectors.DefaultSelector() as selector:
                selector.register(self._output(), selectors.EVENT_WRITE)
                while left:
                    if not selector.select(max(limit - time.monotonic(), 0.0)):
                        raise AxiometerError(
                            f"{self.name} no longer reads its input",
                            remedy="restart it",
                            status=RUN_FAILED,
                        )
                    # A writable descriptor accepts this much without blocking.
                    left = left[os.write(self._output(), left[: select.PIPE_BUF]) :]
        except (OSError, ValueError):
            raise self._gone() from None

    def receive(self, timeout_s: float) -> bytes | None:
        """The next line without its end; None if no whole line arrives in that time. AxiometerError
        if the agent is dead."""
        limit = time.monotonic() + timeout_s
        try:
            with selectors.DefaultSelector() as selector:
                selector.register(self._input(), selectors.EVENT_READ)
                while (line := self._next()) is None:
                    left = limit - time.monotonic()
                    if left <= 0 or not selector.select(left):
                        return None
                    more = os.read(self._input(), _CHUNK)
                    if not more:
                        raise self._gone()
                    self._bytes += more
                return line
        except (OSError, ValueError):
            raise self._gone() from None

    def _next(self) -> bytes | None:
        """The next received line."""
        while True:
            end = self._bytes.find(b"\n", self._seen)
            whole = end >= 0
            if not whole and len(self._bytes) <= self.line_max:
                self._seen = len(self._bytes)
                return None
            if not whole and (error := self._too_long()):
                raise error
            line = bytes(self._bytes[: end if whole else self.line_max + 1])
            del self._bytes[: end + 1 if whole else len(self._bytes)]
            self._seen = 0
            rest_of_one, self._cut = self._cut, not whole
            if not rest_of_one:
                return line
