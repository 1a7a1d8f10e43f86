"""What a check may ask a target for. Everything else of a target stays behind this."""

from __future__ import annotations

from typing import Protocol

from axiometer.runs.agent.client import Client


class NotThere(Exception):  # noqa: N818 (no fault of the target's: it has no such thing)
    """What was asked for cannot be had of this target. `why` is for people, `remedy` as well."""

    def __init__(self, why: str, remedy: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.remedy = remedy


class BusError(Exception):
    """Nothing answered at an address; the reader was spared."""

    def __init__(self, address: int, why: str = "nothing answers there") -> None:
        super().__init__(f"{address:#010x}: {why}")
        self.address = address
        self.why = why


class Target(Protocol):
    """A board, or what stands for one.

    name: for people. simulated: a register that nothing answers cannot stop it, it has no
    registers of a processor system, and its time is that of the simulation.
    recorded: its registers and files are a record of a board's: reading them touches nothing.
    """

    name: str
    simulated: bool
    recorded: bool

    def read(self, path: str) -> str:
        """The text of a file of /proc, /sys or /dev/... by its whole path. NotThere if it has none,
        or none that may be read."""
        ...

    def list(self, path: str) -> list[str]:
        """Names in a directory, sorted. NotThere as above."""
        ...

    def read32(self, address: int) -> int:
        """A 32-bit register, read once. BusError if nothing answers; NotThere if the target gives
        no registers. A register of the fabric may only be read behind the checks of clocks,
        resets and bridges: one that nothing answers may stop a board for good."""
        ...

    def agent(self) -> Client:
        """The agent of the target, started if it was not, as one client for all checks.
        NotThere if there is none."""
        ...

    def close(self) -> None:
        """Ends what was started."""
        ...
