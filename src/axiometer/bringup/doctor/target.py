"""The interface of a target for checks."""

from __future__ import annotations

from typing import Protocol

from axiometer.runs.agent.client import Client


class NotThere(Exception):  # noqa: N818 (not an error of the target, which lacks the thing)
    """The target lacks the requested thing. `why` and `remedy` are for people."""

    def __init__(self, why: str, remedy: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.remedy = remedy


class BusError(Exception):
    """Nothing answered at an address; this process survived the access."""

    def __init__(self, address: int, why: str = "nothing answers there") -> None:
        super().__init__(f"{address:#010x}: {why}")
        self.address = address
        self.why = why


class Target(Protocol):
    """A board or its substitute.

    name: for people. simulated: a simulation, which an unanswered access cannot stop, without
    registers of a processor system, and with its own time. recorded: a copy of a board's registers
    and files, so that reads touch nothing.
    """

    name: str
    simulated: bool
    recorded: bool

    def read(self, path: str) -> str:
        """The text of a file of /proc, /sys or /dev/... by its full path. NotThere if there is no
        such file or it cannot be read."""
        ...

    def list(self, path: str) -> list[str]:
        """The names in a directory, sorted. NotThere as for `read`."""
        ...

    def read32(self, address: int) -> int:
        """A 32-bit register, read once. BusError if nothing answers; NotThere if the target has no
        access to registers. Read registers of the fabric only after the checks of clocks, resets
        and bridges: an unanswered access may stop a board until it is powered off."""
        ...

    def agent(self) -> Client:
        """The agent of the target, started if necessary; one client for all checks. NotThere if
        there is none."""
        ...

    def close(self) -> None:
        """Ends the started programs."""
        ...
