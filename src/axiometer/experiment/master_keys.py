"""The keys of `[[master]]` tables, and what is asked of a master once they are normalised.

What each kind is, is in `kinds/`.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Never, Protocol, TypeVar

from axiometer.base.errors import AxiometerError, did_you_mean
from axiometer.experiment import kinds
from axiometer.experiment.kinds import SIMPLE as SIMPLE
from axiometer.experiment.kinds.kind import PUBLISHED as PUBLISHED
from axiometer.experiment.kinds.processor import OPERATIONS as OPERATIONS
from axiometer.experiment.values import Master, Values, known

T = TypeVar("T")
PREFIX = "master"
COMMON = ("name", "kind")
ONE_AT_A_TIME = ("lite", "full")
"""Simple masters that wait for each response."""
KINDS: Mapping[str, tuple[str, ...]] = {name: kind.keys for name, kind in kinds.TABLES.items()}
JOBS = tuple(name for name, kind in kinds.TABLES.items() if kind.jobs)
"""Kinds that work in jobs: each is read, computed or stored, and written."""
BY_PROCESSOR = tuple(name for name, kind in kinds.TABLES.items() if kind.by_processor)
"""Kinds that are one of the chip's processors."""
DIRECTIONS = ("read", "write", "pair", "both")
"""pair: the halves of a loop-back; both: a read and a write engine that know nothing of each
other."""
OWN = ("way", "link_mhz", "engine", "pieces", "turns")
"""What a master has besides what it is told: its way to the memory, a port's or a memory port's
name, and the clock there in MHz; the vendor's engine that it is, None if none, and of how many of
its port's bursts a burst of that engine is; MB/s by direction that its turns at the port leave it,
None where it has the port to itself."""
KEYS = tuple(dict.fromkeys((*COMMON, *(key for keys in KINDS.values() for key in keys))))
# The two ways to say how much a master asks for.
EXCLUDES = {"rate_mbs": "gap_cycles", "gap_cycles": "rate_mbs"}

TAKEN_OVER = (
    *("ports", "mode", "width_bits", "burst_beats", "burst_bytes", "outstanding_read"),
    *("outstanding_write", "masters_per_port", "gap_cycles", "pattern", "through"),
)
"""Keys of a point that its masters have each for itself."""
STAY = (
    *("pl_mhz", "transfer_bytes", "duration", "repeats", "background", "skew_us", "placement"),
    *("program", "mapping", "qos", "seed"),
)
"""Keys of a point that hold for all of its masters."""


def is_setting(name: str) -> bool:
    """Whether the key of a sweep or of --set is one of a master: `master.NAME.KEY`. (A figure of
    the platform's table `master` has one part less.)"""
    return name.startswith(f"{PREFIX}.") and name.count(".") == 2


def split(name: str) -> tuple[str, str]:
    """NAME and KEY of `master.NAME.KEY`."""
    _, master, key = name.split(".")
    return master, key


def excluded(name: str) -> str | None:
    """The setting that says the same as the setting `name` in another way; None if none does."""
    master, key = split(name)
    return f"{PREFIX}.{master}.{EXCLUDES[key]}" if key in EXCLUDES else None


class Where(Protocol):
    """Where somebody wrote a value (`keys.Given`)."""

    def error(self, message: str, remedy: str) -> AxiometerError:
        """An error that points there."""
        ...


def check(name: str, where: Where) -> None:
    """AxiometerError at `where` if masters have no such key."""
    _, key = split(name)
    if key not in KEYS:
        raise where.error(f"unknown key {key!r} of a master", did_you_mean(key, KEYS, "known keys"))
    if key in COMMON:
        raise where.error(f"{key} of a master cannot be swept", "write another [[master]] table")


class Frozen(dict[str, T]):
    """A mapping that nobody changes; made from another one."""

    def _refuse(self, *_: object, **__: object) -> Never:
        raise TypeError("a master of a point is not changed: make another point")

    __setitem__ = __delitem__ = __ior__ = _refuse
    update = pop = popitem = clear = setdefault = _refuse

    def __reduce__(self) -> tuple[type[Frozen[T]], tuple[dict[str, T]]]:
        return Frozen, (dict(self),)


def of(values: Values) -> tuple[Master, ...]:
    """The masters of a point's values; none where it has no `[[master]]` tables."""
    return tuple(values.get("masters") or ())


def directions(master: Master) -> tuple[str, ...]:
    """The directions in which a master moves data."""
    return {"read": ("read",), "write": ("write",)}.get(master["direction"], ("read", "write"))


def works_in_jobs(master: Master) -> bool:
    """Whether what a master writes follows what it reads, job by job: those of `JOBS`, and
    vendors' engines that copy, a descriptor each."""
    copies = bool(master.get("engine")) and master["direction"] == "pair"
    return copies or kinds.of(master).jobs


def job_bytes(master: Master, direction: str) -> int:
    """Bytes of a job that a master with jobs moves in one direction."""
    if master.get("engine"):
        return known(master["descriptor_bytes"])
    if master["kind"] == "ring":
        return known(master["packet_bytes"])
    return known(master["bytes_in"] if direction == "read" else master["bytes_out"])


def is_source(master: Master) -> bool:
    """Whether a master asks for each burst by itself (`simulate/sources.py`)."""
    return kinds.of(master).source


def asked_mbs(master: Master, direction: str) -> Fraction | None:
    """MB/s that a master asks for in one direction, of an accelerator its rate in the direction of
    more bytes; None: as fast as it can."""
    if master["rate_mbs"] is None:
        return None
    rate = Fraction(str(master["rate_mbs"]))
    if not works_in_jobs(master):
        return rate
    most = max(job_bytes(master, way) for way in ("read", "write"))
    return rate * job_bytes(master, direction) / most


def refuse(values: Values, who: str) -> None:
    """AxiometerError where a point has masters, for `who` cannot run them."""
    if of(values):
        raise AxiometerError(f"{who} has no [[master]] tables", remedy="use --backend model")
