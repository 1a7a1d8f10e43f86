"""A program whose standard input and output are the line: an agent, ssh, a terminal of a UART."""

from __future__ import annotations

from collections.abc import Sequence

from axiometer.base.errors import RUN_FAILED
from axiometer.runs.agent.conversation import LineLostError
from axiometer.runs.agent.pipe import Pipe

_REMEDY = "run the command yourself and read its messages"
_CLOSED = "the line is closed"


class ProcessLine:
    """command: started by the constructor, and again by `reopen`. lossy: data may be lost."""

    def __init__(self, command: Sequence[str], name: str, lossy: bool = False) -> None:
        self.command, self.name, self.lossy = list(command), name, lossy
        self._pipe: Pipe | None = self._start()

    def send(self, line: bytes) -> None:
        self._open().send(line)

    def receive(self, timeout_s: float) -> bytes | None:
        return self._open().receive(timeout_s)

    def close(self) -> None:
        """End the program, by a signal if necessary."""
        if self._pipe is not None:
            pipe, self._pipe = self._pipe, None
            pipe.close()

    def reopen(self) -> None:
        """Start the program again. AxiometerError if it cannot be started."""
        self.close()
        self._pipe = self._start()

    def _start(self) -> Pipe:
        return _Terminal(self.command, name=self.name, remedy=_REMEDY)

    def _open(self) -> Pipe:
        if self._pipe is None:
            raise LineLostError(_CLOSED, status=RUN_FAILED)
        return self._pipe


class _Terminal(Pipe):
    """A greeting or banner, of any length, may precede the agent's lines."""

    def _too_long(self) -> None:
        return None
