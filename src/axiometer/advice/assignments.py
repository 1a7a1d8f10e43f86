"""Masters on ports: all assignments, and what advice may use of a board.

A direction of a port serves one master, or up to four through a multiplexer in the fabric if the
model has one (Zynq UltraScale+). With too many assignments, those that join the fewest masters come
first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from axiometer.advice.wanted_masters import Master
from axiometer.base.errors import AxiometerError
from axiometer.experiment import keys_qos
from axiometer.experiment.keys import MAX_BURST_BEATS
from axiometer.experiment.keys_processor import kind
from axiometer.experiment.keys_shared import MAX_MASTERS, runs_freely
from axiometer.platform import MAPPINGS, Platform

MOST_ASSIGNMENTS = 300  # beyond it only unavoidable sharing of multiplexers
EVEN = "best_effort"  # the class in which all ports are served alike


def assignments(
    platform: Platform, masters: Sequence[Master], ports: Sequence[str]
) -> list[tuple[str, ...]]:
    """Assignments of the masters to `ports` (none: all that are advised), those that join the
    fewest masters first; AxiometerError if there are none."""
    ports = ports or usual_ports(platform)
    most = MAX_MASTERS if runs_freely(platform) else 1
    directions = Counter(m.direction for m in masters)
    found: list[tuple[str, ...]] = []
    if max(directions.values()) <= most * len(ports):
        least = sum(max(0, n - len(ports)) for n in directions.values())
        for shared in range(least, len(masters) if most > 1 else least + 1):
            room = MOST_ASSIGNMENTS - len(found)
            ways = list(islice(_ways(platform, masters, ports, most, shared), room + 1))
            if found and len(ways) > room:
                break
            found += ways[:room]
    if not found:
        raise AxiometerError(
            f"{len(masters)} masters do not fit the {len(ports)} ports of "
            f"{platform.name}: {', '.join(ports)}",
            remedy=f"a direction of a port serves {most}: use fewer, or join masters in the "
            "fabric and give them as one",
        )
    return found


def _ways(
    platform: Platform,
    masters: Sequence[Master],
    ports: Sequence[str],
    most: int,
    shared: int,
    chosen: tuple[str, ...] = (),
) -> Iterator[tuple[str, ...]]:
    """All assignments that begin with `chosen` and in which `shared` masters join another on the
    same direction of a port, at most `most` on one."""
    if len(chosen) == len(masters):
        if shared == 0:
            yield chosen
        return
    ends = Counter((m.direction, p) for m, p in zip(masters, chosen, strict=False))
    for port in ports:
        there = ends[masters[len(chosen)].direction, port]
        left = shared - (there > 0)
        further = (*chosen, port)
        if there < most and left >= 0 and _first_of_its_like(platform, masters, further):
            yield from _ways(platform, masters, ports, most, left, further)


def _first_of_its_like(
    platform: Platform, masters: Sequence[Master], chosen: tuple[str, ...]
) -> bool:
    """Whether masters that differ only in name are in the order of ports: one of equal cases."""
    rank = platform.ports.index
    for i, port in enumerate(chosen):
        for j in range(i):
            same = replace(masters[j], name="") == replace(masters[i], name="")
            if same and rank(chosen[j]) > rank(port):
                return False
    return True


def usual_ports(platform: Platform) -> list[str]:
    """The ports on a path of the memory that advice may use: those with published rates, or all if
    there are none."""
    found = [port for port in platform.ports if kind(platform, port) == "hp"]
    never = platform.unvalidated(found)
    return [port for port in found if port not in never] or found


def usual_bursts(platform: Platform) -> tuple[int, ...]:
    """The assumed burst lengths of a master in bytes: powers of two from 64 up to the ports'
    limit."""
    most = 0
    for port in usual_ports(platform):
        beat = max(platform.wholes(f"port.{port}.widths")) // 8
        most = max(most, beat * platform.whole(f"port.{port}.burst_beats_max", MAX_BURST_BEATS))
    return tuple(2**n for n in range(6, 13) if 2**n <= most)


def usual_choices(platform: Platform) -> dict[str, list[object]]:
    """Settings that a designer may choose on `platform`: the mapping, and the class of traffic of
    each port and of all if the platform has such a setting (None: unchanged)."""
    default = platform.value("mapping.default")
    found: dict[str, list[object]] = {"mapping": [None, *(m for m in MAPPINGS if m != default)]}
    for port in platform.ports:
        if platform.has(f"qos.{port}.mode"):
            found["qos"] = [None, EVEN]
            found[f"qos.{port}.mode"] = [None, *keys_qos.CLASSES]
    return found
