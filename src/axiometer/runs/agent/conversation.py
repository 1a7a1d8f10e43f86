"""A conversation with an agent over a line that may damage, lose or cut data.

A command with an incomplete answer is sent again under its number; an agent that has executed it
answers again without executing it twice. The missing lines of a long answer are requested again.
See docs/hosts.md, "When the line is bad". Not for: the commands' meaning (`client.py`).
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Protocol

from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.runs.agent import protocol
from axiometer.runs.agent.replies import AgentError, Line, refused, typed

ATTEMPTS = 30  # of a command or its answer, without one more whole line
MOST_LINES = 100_000  # of one answer; the longest has a line for each record of a sniffer
QUIET_S = 0.25  # after this silence a damaged answer has ended
FIRST_S, LONGEST_S = 2.0, 30.0  # of silence, before a retry on a lossy line; doubled each time
POLL_S = 0.5  # between questions whether a run has ended, if its answer was lost
REOPEN_S = 30.0  # for a cut line to return

Keys = Mapping[str, int | str]
Answer = tuple[list[Line], Line]
"""The values of the `more` lines of an answer, and of its last line."""

# These change nothing: repeated under another number, so that lines of two answers do not mix.
_READING = {"capabilities", "result", "counters", "records", "errors", "environment"}


class Transport(Protocol):
    """Carries lines: send one (with its end), receive one (without; None: no whole line in that
    time), close. `lossy`: it may lose lines. LineLostError if it is cut; a transport that can be
    opened again has `reopen()`."""

    lossy: bool

    def send(self, line: bytes) -> None: ...
    def receive(self, timeout_s: float) -> bytes | None: ...
    def close(self) -> None: ...


class LineLostError(AxiometerError):
    """The line to the agent was cut."""


class SilentAgentError(AxiometerError):
    """The agent does not answer."""


class RestartedError(AxiometerError):
    """The agent has restarted and lost its set-up."""


class _Damaged(Exception):  # noqa: N818 (it stays here)
    """The answer is incomplete."""


class _Unread(Exception):  # noqa: N818 (it stays here)
    """The agent could not read the command, and did not execute it."""


class _Silence(Exception):  # noqa: N818 (it stays here)
    """The agent sent nothing for a while."""


class Conversation:
    """Commands and their answers over a transport. timeout_s: for an answer."""

    def __init__(self, transport: Transport, timeout_s: float = 30.0) -> None:
        self.transport = transport
        self.timeout_s = timeout_s
        self.damaged = 0  # incomplete answers and commands
        self._number = 0
        self._session = 0
        self._coming_back = False

    def close(self) -> None:
        """End the conversation; a local agent ends."""
        self.transport.close()

    def hello(self) -> Line:
        """Begin; returns the agent's identity. AxiometerError if it speaks another protocol
        version."""
        self._session = 0  # a question that fails leaves none
        session = secrets.randbits(63) + 1
        values = self.ask("hello", "", {"session": hex(session)})[1]
        if values.get("protocol") != protocol.VERSION:
            raise AxiometerError(
                f"the agent speaks protocol {values.get('protocol')}, "
                f"this program {protocol.VERSION}",
                remedy="build the agent from the sources of this program",
                status=RUN_FAILED,
            )
        self._session = session
        return values

    def check_session(self) -> None:
        """RestartedError if the agent has restarted since the last `hello`; SilentAgentError,
        LineLostError."""
        try:
            values = self.ask("hello", "", {})[1]
        except AgentError as error:
            if error.code == "busy":
                return  # our run is active
            raise
        if values.get("session") != self._session:
            raise RestartedError(
                "the agent has restarted",
                remedy="check whether the board restarted, and set everything up again",
                status=RUN_FAILED,
            )

    def call(
        self, verb: str, part: str = "", *, timeout_s: float | None = None, **values: int | str
    ) -> Answer:
        """Like `ask`, with the keys as arguments."""
        return self.ask(verb, part, values, timeout_s)

    def send(self, verb: str) -> None:
        """Send a command without waiting for its answer."""
        self.transport.send(protocol.encode(self._next(), verb))

    def ask(self, verb: str, part: str, values: Keys, timeout_s: float | None = None) -> Answer:
        """Send a command; returns the values of its `more` lines, and of its last line.

        AgentError if the agent refuses it. SilentAgentError after `timeout_s`, LineLostError;
        RestartedError if the line returns with a restarted agent.
        """
        command = f"{verb} {part}".strip()
        seconds = self.timeout_s if timeout_s is None else timeout_s
        limit = time.monotonic() + seconds
        more: list[Line] = []
        number, failures, wait = self._next(), 0, FIRST_S
        again = False
        while True:
            had = len(more)
            keys = {**values, "skip": had} if had else values
            try:
                if again and verb in _READING:
                    self._catch_up(limit)
                    number = self._next()
                again = True
                self.transport.send(protocol.encode(number, verb, part, keys))
                alive = min(limit, time.monotonic() + wait) if self.transport.lossy else limit
                return more, self._answer(number, command, alive, more)
            except _Unread:
                failures += 1
                why = f"the agent cannot read {verb!r}: the line damages commands"
            except _Damaged as damage:
                failures = failures + 1 if len(more) == had else 1
                why = f"the agent's answer to {command!r} is damaged: {damage}"
            except _Silence:
                if not self.transport.lossy or time.monotonic() >= limit:
                    raise self._silent(command, seconds) from None
                wait = min(2 * wait, LONGEST_S)
                continue
            except LineLostError as lost:
                if not self._session:
                    raise  # nobody has greeted: another attempt would end alike
                self._come_back(lost)
                continue
            except AgentError as error:
                if error.code == "repeated" and verb == "run":
                    return self._result(limit)
                raise
            self.damaged += 1
            if failures >= ATTEMPTS:
                raise AxiometerError(
                    why,
                    remedy="check cable and baud rate; nothing else may write to the line",
                    status=RUN_FAILED,
                )

    def _catch_up(self, until: float) -> None:
        """Wait until the agent has sent all requested lines: a slow agent that gets requests for
        long answers again and again would fall behind for good."""
        wait = FIRST_S
        while self.transport.lossy and time.monotonic() < until:
            number = self._next()
            self.transport.send(protocol.encode(number, "hello"))
            alive = min(until, time.monotonic() + wait)
            while (left := alive - time.monotonic()) > 0:
                line = self.transport.receive(left)
                if line is not None and _is_of(line, number):
                    return
            wait = min(2 * wait, LONGEST_S)

    def _next(self) -> int:
        self._number = (self._number + 1) % 2**32
        return self._number

    def _result(self, limit: float) -> Answer:
        """The answer to a started run, after its end."""
        while True:
            try:
                return self.ask("result", "", {})
            except AgentError as error:
                if error.code != "busy" or time.monotonic() >= limit:
                    raise
            time.sleep(POLL_S)

    def _silent(self, command: str, seconds: float) -> SilentAgentError:
        # End a partly sent line, so that the agent reads the next command.
        self.transport.send(b"\n")
        return SilentAgentError(
            f"the agent did not answer {command!r} in {seconds:g} s",
            remedy="wait longer (a large simulation takes its time), or restart the agent",
            status=RUN_FAILED,
        )

    def _come_back(self, lost: LineLostError) -> None:
        """Open the line again. LineLostError if that takes too long, RestartedError if the agent at
        its end has restarted."""
        reopen = getattr(self.transport, "reopen", None)
        if reopen is None or self._coming_back:
            raise lost
        until, pause = time.monotonic() + REOPEN_S, POLL_S
        self._coming_back = True
        try:
            while True:
                try:
                    reopen()
                    self.check_session()
                    return
                except LineLostError:
                    if time.monotonic() >= until:
                        raise
                    time.sleep(pause)
                    pause = min(2 * pause, LONGEST_S)
        finally:
            self._coming_back = False

    def _answer(self, number: int, command: str, until: float, more: list[Line]) -> Line:
        """The last line of the answer to `number`; lines before it are added to `more`."""
        damage = ""
        while True:
            left = until - time.monotonic()
            line = self.transport.receive(max(min(left, QUIET_S) if damage else left, 0.0))
            if line is None:
                if damage:
                    raise _Damaged(damage)
                raise _Silence
            if damage and time.monotonic() > until:
                raise _Damaged(damage)
            try:
                reply = protocol.decode(line)
                values = Line() if reply.kind == "error" else typed(reply.values)
            except protocol.StrangeLine as strange:
                raise broken(command, strange) from None
            except protocol.DamagedLine as damaged:
                damage = damage or str(damaged)
                if self.transport.lossy and command in _READING:
                    raise _Damaged(damage) from None  # the rest is requested again
                continue
            if reply.number is None:
                raise _Damaged(damage) if damage else _Unread
            if reply.number != number:
                continue  # the answer to an abandoned command, or to `stop`
            if reply.kind == "error":
                raise refused(command, reply)
            if reply.kind == "more":
                # Lines after a gap have no known place: they are requested again.
                more += [] if damage else [values]
            elif damage or values.pop("lines", len(more)) != len(more):
                raise _Damaged(damage or "one of its lines is lost")
            else:
                return values
            if len(more) > MOST_LINES:
                raise AxiometerError(
                    f"the agent's answer to {command!r} does not end after {MOST_LINES} lines",
                    remedy="build the agent from the sources of this program",
                    status=RUN_FAILED,
                )


def _is_of(line: bytes, number: int) -> bool:
    """Whether a line belongs to the answer to `number`."""
    try:
        return protocol.decode(line).number == number
    except protocol.DamagedLine:
        return False


def broken(command: str, error: protocol.DamagedLine) -> AxiometerError:
    """The error for an answer that no agent gives."""
    return AxiometerError(
        f"the agent's answer to {command!r} is damaged: {error}",
        remedy="check the line to the agent; nothing else may write to it",
        status=RUN_FAILED,
    )


@contextmanager
def whole(command: str) -> Iterator[None]:
    """Turn an incomplete answer to `command` into an error with a remedy."""
    try:
        yield
    except protocol.DamagedLine as error:
        raise broken(command, error) from None
