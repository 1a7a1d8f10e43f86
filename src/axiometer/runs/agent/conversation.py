"""A conversation with an agent over a line that may damage, lose or cut what it carries.

A command whose answer did not come whole is sent again with its number: the agent that has obeyed
it answers again and does not obey it twice. Of answers of several lines what is missing is asked
for. docs/hosts.md, "When the line is bad". Not for: what commands mean (`client.py`).
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

ATTEMPTS = 30  # of a command or its answer, without a whole line more
MOST_LINES = 100_000  # of one answer; the longest has a line for each record of a sniffer
QUIET_S = 0.25  # after so long nothing more comes of an answer that was damaged
FIRST_S, LONGEST_S = 2.0, 30.0  # of silence, until a lossy line is asked again; doubled each time
POLL_S = 0.5  # between questions whether a run has ended, whose answer was lost
REOPEN_S = 30.0  # for a line that was cut to come back

Keys = Mapping[str, int | str]
Answer = tuple[list[Line], Line]
"""The values of the `more` lines of an answer, and of its last line."""

# What changes nothing: asked again by another number, so that no line of both answers is mixed up.
_READING = {"capabilities", "result", "counters", "records", "errors", "environment"}


class Transport(Protocol):
    """What carries lines: send one (with its end), receive one (without; None: none is whole in
    that time), close. `lossy`: it may lose some. LineLostError if it is cut; one that can be opened
    again has `reopen()`."""

    lossy: bool

    def send(self, line: bytes) -> None: ...
    def receive(self, timeout_s: float) -> bytes | None: ...
    def close(self) -> None: ...


class LineLostError(AxiometerError):
    """The line to the agent was cut."""


class SilentAgentError(AxiometerError):
    """The agent does not answer any more."""


class RestartedError(AxiometerError):
    """The agent was started anew: it knows nothing of what was set up."""


class _Damaged(Exception):  # noqa: N818 (it stays here)
    """The answer did not come whole."""


class _Unread(Exception):  # noqa: N818 (it stays here)
    """The agent could not read the command, and did not obey it."""


class _Silence(Exception):  # noqa: N818 (it stays here)
    """Nothing came for a while."""


class Conversation:
    """Commands and their answers over a transport. timeout_s: for an answer."""

    def __init__(self, transport: Transport, timeout_s: float = 30.0) -> None:
        self.transport = transport
        self.timeout_s = timeout_s
        self.damaged = 0  # answers and commands that did not come whole
        self._number = 0
        self._session = 0
        self._coming_back = False

    def close(self) -> None:
        """Ends the conversation; a local agent ends."""
        self.transport.close()

    def hello(self) -> Line:
        """Begins: what agent this is. AxiometerError if it speaks another version."""
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
        """RestartedError unless this is the agent that the last `hello` spoke to, without a start
        since; SilentAgentError, LineLostError."""
        try:
            values = self.ask("hello", "", {})[1]
        except AgentError as error:
            if error.code == "busy":
                return  # our run is on
            raise
        if values.get("session") != self._session:
            raise RestartedError(
                "the agent was started anew",
                remedy="did the board restart? Set everything up again",
                status=RUN_FAILED,
            )

    def call(
        self, verb: str, part: str = "", *, timeout_s: float | None = None, **values: int | str
    ) -> Answer:
        """As `ask`, the keys as arguments."""
        return self.ask(verb, part, values, timeout_s)

    def send(self, verb: str) -> None:
        """Sends a command and does not wait for its answer."""
        self.transport.send(protocol.encode(self._next(), verb))

    def ask(self, verb: str, part: str, values: Keys, timeout_s: float | None = None) -> Answer:
        """Sends a command: the values of its `more` lines, and of its last line.

        AgentError if the agent refuses it. SilentAgentError after `timeout_s`, LineLostError;
        RestartedError if the line has come back to an agent that was started anew.
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
                why = f"the agent cannot read {verb!r}: the line to it damages what is sent"
            except _Damaged as damage:
                failures = failures + 1 if len(more) == had else 1
                why = f"the agent's answer to {command!r} is damaged: {damage}"
            except _Silence:
                if not self.transport.lossy or time.monotonic() >= limit:
                    raise self._silent(command, seconds) from None
                wait = min(2 * wait, LONGEST_S)
                continue
            except LineLostError as lost:
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
        """Waits until the agent has said all that it was asked for: a slow one that is asked for
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
        """The answer to a run that was obeyed, as soon as it has ended."""
        while True:
            try:
                return self.ask("result", "", {})
            except AgentError as error:
                if error.code != "busy" or time.monotonic() >= limit:
                    raise
            time.sleep(POLL_S)

    def _silent(self, command: str, seconds: float) -> SilentAgentError:
        # What is half sent is ended, so that the next command is read.
        self.transport.send(b"\n")
        return SilentAgentError(
            f"the agent did not answer {command!r} in {seconds:g} s",
            remedy="wait longer (a large simulation takes its time), or start it anew",
            status=RUN_FAILED,
        )

    def _come_back(self, lost: LineLostError) -> None:
        """Opens the line again. LineLostError if that cannot be done in time, RestartedError if an
        agent is at its end that was started anew."""
        reopen = getattr(self.transport, "reopen", None)
        if reopen is None or self._coming_back:
            raise lost
        until = time.monotonic() + REOPEN_S
        self._coming_back = True
        try:
            while True:
                try:
                    reopen()
                    if self._session:
                        self.check_session()
                    return
                except LineLostError:
                    if time.monotonic() >= until:
                        raise
                    time.sleep(POLL_S)
        finally:
            self._coming_back = False

    def _answer(self, number: int, command: str, until: float, more: list[Line]) -> Line:
        """The last line of the answer to `number`; those before it are added to `more`."""
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
                    raise _Damaged(damage) from None  # what follows is asked for again
                continue
            if reply.number is None:
                raise _Damaged(damage) if damage else _Unread
            if reply.number != number:
                continue  # the answer to a command that was given up, or to `stop`
            if reply.kind == "error":
                raise refused(command, reply)
            if reply.kind == "more":
                # What comes after a gap is asked for again: where in the answer is it?
                more += [] if damage else [values]
            elif damage or values.pop("lines", len(more)) != len(more):
                raise _Damaged(damage or "a line of it was lost")
            else:
                return values
            if len(more) > MOST_LINES:
                raise AxiometerError(
                    f"the agent's answer to {command!r} does not end after {MOST_LINES} lines",
                    remedy="build the agent from the sources of this program",
                    status=RUN_FAILED,
                )


def _is_of(line: bytes, number: int) -> bool:
    """Whether a line is of the answer to `number`."""
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
    """An answer to `command` that lacks something as an error with a remedy."""
    try:
        yield
    except protocol.DamagedLine as error:
        raise broken(command, error) from None
