"""Lines over file descriptors: what a pipe, a socket and a serial line have in common."""

from __future__ import annotations

import os
import select
import selectors
import time
from abc import ABC, abstractmethod

from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.runs.agent.protocol import LINE_MAX

_CHUNK = 65536
_SEND_S = 30.0  # until what is there takes what fits into no pipe


class DescriptorLines(ABC):
    """Sends to one descriptor, receives from one. name: for people. line_max: bytes of a line that
    is received; a longer one is cut, and so damaged."""

    def __init__(self, name: str, line_max: int = LINE_MAX) -> None:
        self.name = name
        self.line_max = line_max
        self._bytes = bytearray()
        self._seen = 0  # of these, without an end of a line
        self._cut = False  # what comes until the end of the line is left out

    @abstractmethod
    def _output(self) -> int:
        """Where it sends. ValueError if it is closed."""

    @abstractmethod
    def _input(self) -> int:
        """Where it receives. ValueError if it is closed."""

    @abstractmethod
    def _gone(self) -> AxiometerError:
        """The error for a line that was cut at the other end."""

    def _too_long(self) -> AxiometerError | None:
        """The error for a longer line than `line_max`, if it is one."""
        return None

    def _forget(self) -> None:
        """What had come of a line that is opened again means nothing."""
        self._bytes.clear()
        self._seen, self._cut = 0, False

    def send(self, line: bytes) -> None:
        """Sends one line, its end included. AxiometerError if the agent is dead, or deaf."""
        left = memoryview(line)
        limit = time.monotonic() + _SEND_S
        try:
            with selectors.DefaultSelector() as selector:
                selector.register(self._output(), selectors.EVENT_WRITE)
                while left:
                    if not selector.select(max(limit - time.monotonic(), 0.0)):
                        raise AxiometerError(
                            f"{self.name} reads nothing any more",
                            remedy="start it anew",
                            status=RUN_FAILED,
                        )
                    # What can be written takes this much at once.
                    left = left[os.write(self._output(), left[: select.PIPE_BUF]) :]
        except (OSError, ValueError):
            raise self._gone() from None

    def receive(self, timeout_s: float) -> bytes | None:
        """The next line without its end; None if none is whole in that time. AxiometerError if
        the agent is dead."""
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
        """The next of the lines at hand."""
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
