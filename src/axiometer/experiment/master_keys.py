"""The keys of `[[master]]` tables, and questions about a normalised master.

`kinds/` describes each kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Never, Protocol, TypeVar

from axiometer.base.errors import AxiometerError
from axiometer.experiment import key_names, kinds
from axiometer.experiment.directions import DIRECTIONS as DIRECTIONS
from axiometer.experiment.directions import ways
from axiometer.experiment.kinds import SIMPLE as SIMPLE
from axiometer.experiment.kinds.kind import PUBLISHED as PUBLISHED
from axiometer.experiment.kinds.processor import BUFFERS as BUFFERS
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
OWN = ("way", "link_mhz", "engine", "pieces", "turns")
"""Values of a master that no key sets: its path to the memory (the name of a port or a memory port)
and the clock there in MHz; the vendor's engine, or None; how many of its port's bursts make one of
that engine's bursts; the MB/s by direction that its turns at the port leave it, None where it has
the port to itself."""
KEYS = tuple(dict.fromkeys((*COMMON, *(key for keys in KINDS.values() for key in keys))))
SHORT = {"rate": "rate_mbs", "burst": "burst_bytes"}
"""Keys as a master in a line has them."""
# The two keys for the rate of a master.
EXCLUDES = {"rate_mbs": "gap_cycles", "gap_cycles": "rate_mbs"}

TAKEN_OVER = (
    *("ports", "mode", "width_bits", "burst_beats", "burst_bytes", "outstanding_read"),
    *("outstanding_write", "masters_per_port", "gap_cycles", "pattern", "through"),
)
"""Keys of a point that each master has itself."""
STAY = (
    *("pl_mhz", "transfer_bytes", "duration", "repeats", "background", "skew_us", "placement"),
    *("program", "mapping", "qos", "seed"),
)
"""Keys of a point that apply to all of its masters."""


def is_setting(name: str) -> bool:
    """Whether a key of a sweep or of --set is a master's: `master.NAME.KEY`. (A figure of the
    platform's table `master` has one part less.)"""
    return name.startswith(f"{PREFIX}.") and name.count(".") == 2


def split(name: str) -> tuple[str, str]:
    """NAME and KEY of `master.NAME.KEY`."""
    _, master, key = name.split(".")
    return master, key


def excluded(name: str) -> str | None:
    """The setting that excludes the setting `name`; None if none does."""
    master, key = split(name)
    return f"{PREFIX}.{master}.{EXCLUDES[key]}" if key in EXCLUDES else None


class Where(Protocol):
    """The place of a value (`keys.Given`)."""

    def error(self, message: str, remedy: str) -> AxiometerError:
        """An error with that place."""
        ...


def check(name: str, where: Where) -> None:
    """AxiometerError at `where` if masters have no such key."""
    _, key = split(name)
    if key not in KEYS:
        raise where.error(f"unknown key {key!r} of a master", key_names.remedy(key, KEYS))
    if key in COMMON:
        raise where.error(
            f"{key} of a master cannot be swept", "give another master another name and that value"
        )


class Frozen(dict[str, T]):
    """A mapping that cannot change; made from another mapping."""

    def _refuse(self, *_: object, **__: object) -> Never:
        raise TypeError("a master of a point cannot change: make another point")

    __setitem__ = __delitem__ = __ior__ = _refuse
    update = pop = popitem = clear = setdefault = _refuse

    def __reduce__(self) -> tuple[type[Frozen[T]], tuple[dict[str, T]]]:
        return Frozen, (dict(self),)


def of(values: Values) -> tuple[Master, ...]:
    """The masters of a point's values; () without `[[master]]` tables."""
    return tuple(values.get("masters") or ())


def directions(master: Master) -> tuple[str, ...]:
    """The directions in which a master moves data."""
    return ways(master["direction"])


def outstanding(master: Master, direction: str) -> int | None:
    """The outstanding bursts that a master is given; None: those of the platform's engines."""
    if master["outstanding"] is not None:
        return master["outstanding"]
    return master["num_read_outstanding" if direction == "read" else "num_write_outstanding"]


def is_half(master: Master) -> bool:
    """Whether a stream joins a master's reads to writes: its own, or those of its partner."""
    return master["direction"] == "pair" or master.get("partner") is not None


def works_in_jobs(master: Master) -> bool:
    """Whether a master's writes follow its reads, job by job: kinds in `JOBS`, and vendors' engines
    that copy (a job is a descriptor)."""
    copies = bool(master.get("engine")) and master["direction"] == "pair"
    return copies or kinds.of(master).jobs


def job_bytes(master: Master, direction: str) -> int:
    """Bytes that a job of a master moves in one direction."""
    if master.get("engine"):
        return known(master["descriptor_bytes"])
    if master["kind"] == "ring":
        return known(master["packet_bytes"])
    return known(master["bytes_in"] if direction == "read" else master["bytes_out"])


def is_source(master: Master) -> bool:
    """Whether a master requests each burst by itself (`simulate/sources.py`)."""
    return kinds.of(master).source


def asked_mbs(master: Master, direction: str) -> Fraction | None:
    """MB/s that a master requests in one direction; an accelerator's rate applies to the direction
    with more bytes. None: as fast as possible."""
    if master["rate_mbs"] is None:
        return None
    rate = Fraction(str(master["rate_mbs"]))
    if not works_in_jobs(master):
        return rate
    most = max(job_bytes(master, way) for way in ("read", "write"))
    return rate * job_bytes(master, direction) / most


def refuse(values: Values, who: str) -> None:
    """AxiometerError if a point has masters, which `who` cannot run."""
    if of(values):
        raise AxiometerError(f"{who} cannot run [[master]] tables", remedy="use --backend model")
