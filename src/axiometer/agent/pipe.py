"""An agent that is a program on this machine (the co-simulation): a pipe to and from it."""

from __future__ import annotations

import contextlib
import os
import selectors
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence

from axiometer.errors import RUN_FAILED, AxiometerError

_CHUNK = 65536
_GRACE_S = 5.0


class Pipe:
    """A running agent. What it says on stderr is kept for the case that it dies."""

    def __init__(
        self, command: Sequence[str | os.PathLike[str]], env: Mapping[str, str] | None = None
    ) -> None:
        self.command = [os.fspath(word) for word in command]
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 (closed in close)
        self._bytes = bytearray()
        try:
            self._process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._said,
                bufsize=0,
                env=None if env is None else dict(env),
            )
        except OSError as error:
            self._said.close()
            raise AxiometerError(
                f"the agent {self.command[0]} cannot be started: {error.strerror}",
                remedy="build it first, or give the path of an agent that can be run",
                status=RUN_FAILED,
            ) from None

    def send(self, line: bytes) -> None:
        """Sends one line, its end included. AxiometerError if the agent is dead."""
        try:
            self._process.stdin.write(line)
        except (BrokenPipeError, ValueError):
            raise self._dead() from None

    def receive(self, timeout_s: float) -> bytes | None:
        """The next line without its end; None if none is whole in that time."""
        limit = time.monotonic() + timeout_s
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            while True:
                line, end, rest = self._bytes.partition(b"\n")
                if end:
                    self._bytes = rest
                    return bytes(line)
                left = limit - time.monotonic()
                if left <= 0 or not selector.select(left):
                    return None
                more = os.read(self._process.stdout.fileno(), _CHUNK)
                if not more:
                    raise self._dead()
                self._bytes += more

    def close(self) -> None:
        """Ends the agent: its line is closed; if it does not end by itself, it is killed."""
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(_GRACE_S)
        except subprocess.TimeoutExpired:
            self.kill()
        self._process.stdout.close()
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
        self._said.seek(0)
        said = self._said.read().decode(errors="replace").strip().splitlines()[-5:]
        return AxiometerError(
            f"the agent {self.command[0]} {how}" + "".join(f"\n  {line}" for line in said),
            remedy="run it by hand to see what it says; if the fault stays, build it anew",
            status=RUN_FAILED,
        )
