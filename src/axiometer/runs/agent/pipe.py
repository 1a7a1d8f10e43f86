"""An agent that is a program on this machine (the co-simulation): a pipe to and from it."""

from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence

from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.runs.agent.conversation import LineLostError
from axiometer.runs.agent.descriptors import DescriptorLines
from axiometer.runs.agent.protocol import LINE_MAX

_GRACE_S = 5.0
_SAID = 4096  # bytes of the last messages on stderr


class Pipe(DescriptorLines):
    """A running agent. Its stderr is saved for the error if it dies."""

    lossy = False

    def __init__(
        self,
        command: Sequence[str | os.PathLike[str]],
        env: Mapping[str, str] | None = None,
        *,
        name: str = "",
        line_max: int = LINE_MAX,
        remedy: str = "run it yourself and read its messages; if the fault stays, rebuild it",
        cwd: str | os.PathLike[str] | None = None,
    ) -> None:
        """name: for messages; default: the command. line_max: longest received line in bytes; a
        longer one is an error. remedy: for an unexpected end. cwd: its working directory."""
        self.command = [os.fspath(word) for word in command]
        super().__init__(name or f"the agent {self.command[0]}", line_max)
        self.remedy = remedy
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 (closed in close)
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
                remedy="build it first, or give the path of an executable agent",
                status=RUN_FAILED,
            ) from None
        assert process.stdin is not None and process.stdout is not None  # both are PIPE
        self._process, self._to, self._from = process, process.stdin, process.stdout

    def close(self) -> None:
        """End the agent: close its line; kill it if it does not end by itself."""
        with contextlib.suppress(OSError):
            self._to.close()
        try:
            self._process.wait(_GRACE_S)
        except subprocess.TimeoutExpired:
            self.kill()
        self._from.close()
        self._said.close()

    def kill(self) -> None:
        """Kill the agent."""
        self._process.kill()
        self._process.wait()

    def _output(self) -> int:
        return self._to.fileno()

    def _input(self) -> int:
        return self._from.fileno()

    def _too_long(self) -> AxiometerError | None:
        return AxiometerError(
            f"{self.name} sends a line of more than {self.line_max} bytes",
            remedy="this is not an agent of this program: rebuild it",
            status=RUN_FAILED,
        )

    def _gone(self) -> LineLostError:
        try:
            status = self._process.wait(_GRACE_S)
        except subprocess.TimeoutExpired:
            self.kill()
            status = None
        how = "closed its line" if status is None else f"ended with status {status}"
        if status is not None and status < 0:
            how = f"was ended by signal {-status}"
        said = "" if self._said.closed else self._last_words()
        return LineLostError(
            f"{self.name} {how}{said}",
            remedy=self.remedy,
            status=RUN_FAILED,
        )

    def _last_words(self) -> str:
        self._said.seek(max(self._said.seek(0, os.SEEK_END) - _SAID, 0))
        lines = self._said.read().decode(errors="replace").strip().splitlines()[-5:]
        said = ["".join(c if c.isprintable() else "?" for c in line) for line in lines]
        return "".join(f"\n  {line}" for line in said)
