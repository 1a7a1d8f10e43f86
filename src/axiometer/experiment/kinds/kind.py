"""A kind of master: the keys of its `[[master]]` table, its ports, and its fixed properties. The
file of each kind overrides what differs.

Not for: values of keys that many kinds share (`master_values.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from axiometer.base.errors import BadValueError
from axiometer.experiment.directions import ways
from axiometer.experiment.port_kinds import kind
from axiometer.experiment.values import Master, Values, known
from axiometer.platform import Platform, limits

Conflict = tuple[str, str, str]
"""The key, the message and the remedy if values of a point conflict."""
Known = Mapping[str, object]
"""Values of a master by their keys."""
Parse = Callable[[object, Platform, Master], object]
Usual = Callable[[Platform, Master], object]
# Keys of every stream of bursts.
STREAM = ("rate_mbs", "gap_cycles", "region", "base", "start_us", "stop_us")
PUBLISHED = ("port", "through", "direction", "pl_mhz", *STREAM)
"""Keys of the `axi_dma` of published rows; with other keys, the master is the vendor's engine."""
MASTER_BITS = 32
"""Data width of simple masters in the fabric, whatever the width of their port."""
MOST_BYTES = 2**26


class Kind:
    """A kind by its name; by default a master of the processor's side with its own memory port."""

    keys: tuple[str, ...] = ()
    """Keys of its `[[master]]` table; empty: only points have such a master."""
    at: tuple[str, ...] = ()
    """The kinds of ports at which it can work: "hp" is a port on a path of the memory model,
    "coherent" such a port whose path also keeps the caches coherent."""
    stream = False
    """Whether it is streams of bursts at a port that other streams may share."""
    jobs = False
    """Whether it works in jobs: each is read, computed or stored, and written."""
    source = False
    """Whether its next burst depends on when the last one was served."""
    by_processor = False
    word_bits: int | None = None
    """The width of its data, whatever the width of its port; None: its port's."""

    def __init__(self, name: str) -> None:
        self.name = name

    # ---- the master of a point -------------------------------------------------------------------

    def acts(self, platform: Platform, values: Values) -> tuple[str, ...]:
        """The keys of a point with such a master that have an effect on it, beside those of every
        point (`points.EVERY`)."""
        return ()

    def lacks(self, platform: Platform, port: str) -> str:
        """Missing facts of the chip's files for this master at a port, in words; "" if none."""
        return ""

    def conflict(self, values: Values, platform: Platform) -> Conflict | None:
        """The conflict among values of a point with such a master; None if there is none."""
        if len(values["ports"]) > 1:
            ports = f"{len(values['ports'])} ports for master {self.name!r}"
            return "ports", ports, "name one port"
        if values["transfer_bytes"] is None or values["transfer_bytes"] > MOST_BYTES:
            return (
                "transfer_bytes",
                f"master {self.name!r} moves a transfer of a given size, at most 64 MiB",
                "give transfer_bytes",
            )
        if self.word_bits and values["width_bits"] != self.word_bits:
            bits = f"master {self.name!r} is {self.word_bits} bits wide"
            return "width_bits", bits, "remove width_bits"
        return self._conflict(values, platform)

    def _conflict(self, values: Values, platform: Platform) -> Conflict | None:
        if len(ways(values["mode"])) > 1:
            return (
                "mode",
                f"master {self.name!r} moves data in one direction at a time",
                'give mode = "ps_to_pl" or mode = "pl_to_ps"',
            )
        return None

    # ---- a `[[master]]` table --------------------------------------------------------------------

    def ports(self, platform: Platform) -> list[str]:
        """The ports at which it may be; [] for kinds without a port."""
        return [p for p in platform.ports if "gp-master" in self.at and _into(platform, p)]

    def usual_port(self, platform: Platform) -> str | None:
        """The default port; None: the user must name one."""
        way = memory_port(platform, self.name)
        return way if way in platform.ports else self.ports(platform)[0]

    def way(self, platform: Platform, port: str | None) -> str:
        """Its path to the memory: the name of a port or a memory port."""
        return memory_port(platform, "processor" if self.by_processor else self.name, port)

    def directions(self, platform: Platform, own: Master) -> list[str]:
        """The directions in which it moves data, the default first."""
        return ["read", "write"]

    def wrong_direction(self, raw: str, platform: Platform, own: Master) -> BadValueError:
        """The error for another direction."""
        one = f"a master of kind {self.name} moves data in one direction: give read or write"
        return BadValueError(f"direction is {limits.shown(raw)}", one)

    def burst_bytes(self, platform: Platform, own: Master) -> int:
        """Bytes of its bursts at the memory, for kinds without the key: a cache line."""
        return platform.whole("processor.cache.line_bytes")

    def usual_burst(self, platform: Platform, own: Master) -> int:
        """The default bytes of its bursts, for kinds with the key."""
        raise NotImplementedError(self.name)

    def width_bits(self, platform: Platform, own: Master, way: str) -> int | None:
        """The width of its path in bits; None: the user gives it."""
        return platform.whole(f"memory_port.{way}.width_bits", None)

    def link_mhz(self, platform: Platform, own: Master) -> str:
        """The clock of its path: one of the processor's, or "pl", its own."""
        return platform.word(f"memory_port.{own['way']}.clock", None) or "pl"

    def follows(self, key: str, platform: Platform, own: Master) -> Known:
        """Values that follow from a master's `key`, beside its path and the path's clock."""
        if key == "burst_bytes":
            return {"burst_bytes": self.burst_bytes(platform, own), "pattern": "sequential"}
        return {}


class InFabric(Kind):
    """A master at a port of the fabric, which is its path to the memory."""

    def ports(self, platform: Platform) -> list[str]:
        found = (port for port in platform.ports if kind(platform, port) in self.at)
        return [port for port in found if platform.has(f"{platform.way(port)}.path")]

    def usual_port(self, platform: Platform) -> str | None:
        return None

    def way(self, platform: Platform, port: str | None) -> str:
        return known(port)


class Stream(InFabric):
    """Streams of bursts, described by the keys."""

    stream = True

    def ports(self, platform: Platform) -> list[str]:
        return [port for port in platform.ports if platform.has(f"port.{port}.path")]

    def width_bits(self, platform: Platform, own: Master, way: str) -> int | None:
        return None

    def link_mhz(self, platform: Platform, own: Master) -> str:
        return "pl"

    def follows(self, key: str, platform: Platform, own: Master) -> Known:
        return {}


def _into(platform: Platform, port: str) -> bool:
    return kind(platform, port) == "gp-master"


def memory_ports(platform: Platform, of_kind: str) -> list[str]:
    """The memory ports of a kind."""
    every = platform.memory_ports
    return [n for n in every if platform.word(f"memory_port.{n}.master", None) == of_kind]


def memory_port(platform: Platform, of_kind: str, port: str | None = None) -> str:
    """The memory port of a kind; with several DMA engines, the one that `port` reaches."""
    of = memory_ports(platform, of_kind)
    engine = platform.word(f"port.{port}.dmac", None)
    like = (n for n in of if engine and platform.word(f"memory_port.{n}.dmac", None) == engine)
    return next(like, of[0])
