"""An agent that is a program on this machine (the co-simulation): a pipe to and from it."""

from __future__ import annotations

import contextlib
import os
import select
import selectors
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence

from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.runs.agent.protocol import LINE_MAX

_CHUNK = 65536
_GRACE_S = 5.0
_SEND_S = 30.0  # until the agent has read what fits into no pipe
_SAID = 4096  # bytes of what it said last on stderr


class Pipe:
    """A running agent. What it says on stderr is kept for the case that it dies."""

    lossy = False

    def __init__(
        self,
        command: Sequence[str | os.PathLike[str]],
        env: Mapping[str, str] | None = None,
        *,
        name: str = "",
        line_max: int = LINE_MAX,
        remedy: str = "run it by hand to see what it says; if the fault stays, build it anew",
        cwd: str | os.PathLike[str] | None = None,
    ) -> None:
        """name: for people; the command unless given. line_max: bytes of a line that is received;
        a longer one is an error. remedy: when it ends by itself. cwd: where it runs."""
        self.command = [os.fspath(word) for word in command]
        self.name = name or f"the agent {self.command[0]}"
        self.line_max = line_max
        self.remedy = remedy
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 (closed in close)
        self._bytes = bytearray()
        self._seen = 0  # of these, without an end of a line
        try:
            process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._said,
                bufsize=0,
                env=None if env is None else dict(env),
                cwd=cwd,
            )
        except OSError as error:
            self._said.close()
            raise AxiometerError(
                f"{self.name} cannot be started: {error.strerror}",
                remedy="build it first, or give the path of an agent that can be run",
                status=RUN_FAILED,
            ) from None
        assert process.stdin is not None and process.stdout is not None  # as they were asked for
        self._process, self._to, self._from = process, process.stdin, process.stdout

    def send(self, line: bytes) -> None:
        """Sends one line, its end included. AxiometerError if the agent is dead, or deaf."""
        left = memoryview(line)
        limit = time.monotonic() + _SEND_S
        try:
            with selectors.DefaultSelector() as selector:
                selector.register(self._to, selectors.EVENT_WRITE)
                while left:
                    if not selector.select(max(limit - time.monotonic(), 0.0)):
                        raise AxiometerError(
                            f"{self.name} reads nothing any more",
                            remedy="start it anew",
                            status=RUN_FAILED,
                        )
                    # A pipe that can be written takes this much at once.
                    left = left[os.write(self._to.fileno(), left[: select.PIPE_BUF]) :]
        except (BrokenPipeError, ValueError):
            raise self._dead() from None

    def receive(self, timeout_s: float) -> bytes | None:
        """The next line without its end; None if none is whole in that time. AxiometerError if
        the agent is dead, or if the line is longer than `line_max`."""
        limit = time.monotonic() + timeout_s
        with selectors.DefaultSelector() as selector:
            selector.register(self._from, selectors.EVENT_READ)
            while True:
                end = self._bytes.find(b"\n", self._seen)
                if end >= 0:
                    line = bytes(self._bytes[:end])
                    del self._bytes[: end + 1]
                    self._seen = 0
                    return line
                self._seen = len(self._bytes)
                if self._seen > self.line_max:
                    raise AxiometerError(
                        f"{self.name} sends a line of more than {self.line_max} bytes",
                        remedy="what speaks there is no agent of this program: build it anew",
                        status=RUN_FAILED,
                    )
                left = limit - time.monotonic()
                if left <= 0 or not selector.select(left):
                    return None
                more = os.read(self._from.fileno(), _CHUNK)
                if not more:
                    raise self._dead()
                self._bytes += more

    def close(self) -> None:
        """Ends the agent: its line is closed; if it does not end by itself, it is killed."""
        with contextlib.suppress(OSError):
            self._to.close()
        try:
            self._process.wait(_GRACE_S)
        except subprocess.TimeoutExpired:
            self.kill()
        self._from.close()
        self._said.close()

    def kill(self) -> None:
        """Ends the agent at once."""
        self._process.kill()
        self._process.wait()

    def _dead(self) -> AxiometerError:
        try:
            status = self._process.wait(_GRACE_S)
        except subprocess.TimeoutExpired:
            self.kill()
            status = None
        how = "closed its line" if status is None else f"ended with status {status}"
        if status is not None and status < 0:
            how = f"was ended by signal {-status}"
        self._said.seek(max(self._said.seek(0, os.SEEK_END) - _SAID, 0))
        lines = self._said.read().decode(errors="replace").strip().splitlines()[-5:]
        said = ["".join(c if c.isprintable() else "?" for c in line) for line in lines]
        return AxiometerError(
            f"{self.name} {how}" + "".join(f"\n  {line}" for line in said),
            remedy=self.remedy,
            status=RUN_FAILED,
        )
