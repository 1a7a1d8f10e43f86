"""Choice of master, buffer and port on the processor's side, by simulation.

Every function runs points on the model and compares them. Rates are MB/s (1e6 bytes a second),
sizes bytes. Settings are experiment keys, values as in a file. AxiometerError if a platform does
not describe its processor's side or a setting is not valid.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cmp_to_key

from axiometer.base.errors import AxiometerError
from axiometer.base.units import format_bytes, short_rate, significant
from axiometer.experiment import points
from axiometer.experiment.keys_processor import is_coherent, kind, masters_at
from axiometer.experiment.points import single
from axiometer.experiment.values import Values, known
from axiometer.platform import Platform
from axiometer.published import claims, measured
from axiometer.published.measured import Measurement
from axiometer.records import laws
from axiometer.runs.backends import model
from axiometer.simulate.transfer import starts_alike

REPEATS = 3
LARGEST = 2**21  # the largest transfer of the published measurements
LONG = 2**22
"""Bytes from which a rate depends on the size no more: caches are full, and a start is nothing."""
LARGEST_BUFFER = 2**18
DEPTHS = (1, 2, 4, 8, 16)
MASTERS = ("memcpy", "loop", "ps_dma")
SHARE = 0.9
"""Share of a ring's limit that a sufficient buffer reaches."""
USUAL_PACKET = 16384  # bytes, the default


@dataclass(frozen=True)
class Choice:
    """A choice with its simulated rate; `settings` are its keys, `measured` the rows that measured
    it."""

    name: str
    settings: dict[str, object]
    rate: float
    measured: Sequence[Measurement] = ()

    def beats(self, other: Choice) -> bool:
        """Whether it is faster, by measurements if both have them."""
        claim = claims.claim(other.rate, self.rate, other.measured, self.measured)
        return claim.gain > 0 if claim.both else self.rate > other.rate


@dataclass(frozen=True)
class RingSize:
    """A ring that reaches a share of its limit: the least buffer at this depth, or None if no
    buffer up to `LARGEST_BUFFER` does."""

    depth: int
    buffer: int | None
    rate: float


def choice(platform: Platform, name: str, settings: dict[str, object]) -> Choice:
    """The choice with these settings."""
    values = single(platform, settings).values
    rows = measured.of_point(platform, values)
    return Choice(name, settings, rate(platform, settings), rows)


def ranked(found: Sequence[Choice]) -> list[Choice]:
    """The choices, the fastest first."""

    def order(a: Choice, b: Choice) -> int:
        return b.beats(a) - a.beats(b)

    return sorted(found, key=cmp_to_key(order))


def rate(platform: Platform, settings: Mapping[str, object]) -> float:
    """The mean rate of the point with `settings`; of one beyond `LONG` bytes, that of `LONG`."""
    point = single(platform, {"repeats": REPEATS, **settings})
    size = known(point.values["transfer_bytes"])
    if point.values["master"] != "ring" and size > LONG:
        point = single(platform, {"repeats": REPEATS, **settings, "transfer_bytes": LONG})
    starts = 1 if starts_alike(platform, point.values) else REPEATS
    records = model.run_repeats(platform, point, 0, 0, starts)
    laws.check(platform, point, records)
    return statistics.fmean(record["total_MBps"] for record in records)


def _port(platform: Platform, wanted: str) -> str:
    """The first port of a kind; "" if there is none."""
    return next((port for port in platform.ports if kind(platform, port) == wanted), "")


def _ring_port(platform: Platform, coherent: bool) -> str:
    """The first port for a ring that keeps caches coherent, or does not; "" if there is none."""
    good = (p for p in platform.ports if "ring" in masters_at(platform, p))
    return next((p for p in good if is_coherent(platform, p) == coherent), "")


def masters(
    platform: Platform,
    size: int,
    mode: str,
    among: Sequence[str] = MASTERS,
    **settings: object,
) -> list[Choice]:
    """The described masters of the processor's side for a transfer of `size` in direction `mode`,
    the fastest first; those that cannot be simulated are left out. `settings` are further keys,
    such as os, pl_mhz, cache and memory_type. Under Linux the default is a driver with read and
    write, which copies (io). A setting without effect on one of the masters is that of the others.
    """
    usual = {"io": "copy"} if settings.get("os") == "linux" else {}
    port = str(settings.get("ports") or _port(platform, "gp-master"))
    known = [master for master in MASTERS if master in masters_at(platform, port)]
    common = {**usual, **settings, "ports": port, "mode": mode, "transfer_bytes": size}
    each = {m: points.with_effect(platform, {**common, "master": m}) for m in known}
    for name in settings:
        if known and not any(name in of for of in each.values()):
            single(platform, {**settings, "ports": port, "mode": mode, "master": known[0]})
    found, failed = [], None
    for master in (master for master in among if master in known):
        try:
            found.append(choice(platform, master, each[master]))
        except AxiometerError as error:
            failed = error
    if failed is not None and not found:
        raise failed
    return ranked(found)


def crossover(platform: Platform, mode: str, **settings: object) -> int | None:
    """The least size, to a multiple of 32 bytes, from which the DMA is faster than the processor's
    copy for all powers of two up to 2 MiB; None if there is none. AxiometerError if one of the two
    cannot be simulated at some size."""

    def dma_wins(size: int) -> bool:
        copy, dma = (
            masters(platform, size, mode, (one,), **settings)[0] for one in ("memcpy", "ps_dma")
        )
        return dma.beats(copy)

    sizes = [1 << n for n in range(1, LARGEST.bit_length())]
    first = None
    for size in reversed(sizes):
        if not dma_wins(size):
            break
        first = size
    if first is None or first == sizes[0]:
        return first
    low, high = first // 2, first
    while high - low > 32:
        middle = (low + high) // 2 // 32 * 32
        if middle <= low:
            break
        low, high = (low, middle) if dma_wins(middle) else (middle, high)
    return high


def _ring(platform: Platform, settings: Mapping[str, object]) -> dict[str, object]:
    port = _ring_port(platform, settings.get("cache_control") == "coherent")
    return {"ports": port, "master": "ring", "os": "linux", **settings}


def cache_control_ns(platform: Platform, size: int = 16384, **settings: object) -> float:
    """The cost of cache control in software, in ns for each byte of a packet of `size` bytes: to
    clean before sending and to invalidate before receiving, less the part that the DMA hides."""
    times = {}
    for control in ("explicit", "none"):
        ring = _ring(platform, {**settings, "cache_control": control, "transfer_bytes": size})
        times[control] = 1e3 / rate(platform, ring)  # ns a byte
    return times["explicit"] - times["none"]


def ring_limit(platform: Platform, **settings: object) -> float:
    """The rate of large packets in a deep ring, the limit of smaller and shallower ones."""
    largest = {"transfer_bytes": LARGEST_BUFFER, "ring_depth": DEPTHS[-1], **settings}
    return rate(platform, _ring(platform, largest))


def ring_sizes(
    platform: Platform, share: float = SHARE, depths: Iterable[int] = DEPTHS, **settings: object
) -> list[RingSize]:
    """For each depth the least buffer (a power of two from 64 bytes) whose rate is at least
    `share` (0 to 1) of the limit."""
    limit = ring_limit(platform, **settings)
    found = []
    for depth in depths:
        size, reached = 64, 0.0
        while size <= LARGEST_BUFFER:
            ring = {"transfer_bytes": size, "ring_depth": depth, **settings}
            reached = rate(platform, _ring(platform, ring))
            if reached >= share * limit:
                break
            size *= 2
        found.append(RingSize(depth, size if reached >= share * limit else None, reached))
    return found


def coherency(platform: Platform, size: int, **settings: object) -> list[Choice]:
    """A port with cache control in software and the coherent port, for packets of `size` bytes, the
    faster first."""
    found = []
    for name, control in (("HP with cache control", "explicit"), ("coherent port", "coherent")):
        keys = _ring(platform, {**settings, "cache_control": control, "transfer_bytes": size})
        found.append(choice(platform, name, keys))
    return ranked(found)


def words(platform: Platform, size: int, mode: str, **settings: object) -> list[str]:
    """The answers for transfers, as sentences: the fastest master, and the size where it
    changes."""
    best, *others = masters(platform, size, mode, MASTERS, **settings)
    listed = ", ".join(f"{c.name} {short_rate(c.rate)}" for c in others)
    lines = [
        f"For {format_bytes(size)} {_place(platform, best.settings)}, {best.name} is fastest: "
        f"{short_rate(best.rate)} MB/s{f' ({listed} MB/s)' if others else ''}."
    ]
    lines[0] += _measured((best, *others))
    if settings.get("os") == "linux" and "io" not in settings:
        lines[0] += " The DMA's driver copies, as with read and write."
    if not any(choice.name == "ps_dma" for choice in (best, *others)):
        return lines
    try:
        at = crossover(platform, mode, **settings)
    except AxiometerError:  # at some size one of the two cannot be simulated
        return lines
    if at is None:
        lines.append("The DMA is not faster at any size up to 2 MiB.")
    else:
        lines.append(f"From {format_bytes(at)} the DMA is faster than the processor's copy.")
    return lines


def ring_words(
    platform: Platform, share: float = SHARE, size: int | None = None, **settings: object
) -> list[str]:
    """The answers for packets, as sentences: buffers and depths, cost of cache control, port. With
    `size` (bytes of a packet) also the rates of such packets at each depth."""
    limit = ring_limit(platform, **settings)
    ring_ = _ring(platform, {"transfer_bytes": LARGEST_BUFFER, **settings})
    lines = [
        f"Large packets in a deep ring {_place(platform, ring_)} reach {short_rate(limit)} MB/s."
    ]
    if size is not None:
        reached = [
            f"{short_rate(_packets(platform, size, depth, settings))} MB/s with {depth}"
            for depth in DEPTHS
        ]
        lines.append(f"Packets of {format_bytes(size)} reach {', '.join(reached)} outstanding.")
    for ring in ring_sizes(platform, share, DEPTHS, **settings):
        depth = f"{ring.depth} outstanding packet{'s' if ring.depth > 1 else ''}"
        if ring.buffer is None:
            lines.append(f"{depth}: no buffer reaches {share:.0%} of this rate.")
        else:
            lines.append(f"{depth}: buffers from {format_bytes(ring.buffer)} reach {share:.0%}.")
    rest = {name: value for name, value in settings.items() if name != "cache_control"}
    packet = USUAL_PACKET if size is None else size
    cost = cache_control_ns(platform, packet, **rest)
    of = _spaced(packet)
    lines.append(
        f"Cache control in software costs {significant(cost, 2)} ns a byte of a {of} packet."
    )
    if _ring_port(platform, True):
        better, worse = coherency(platform, packet, **rest)
        lines.append(
            f"For {of} packets: {better.name} {short_rate(better.rate)} MB/s, "
            f"{worse.name} {short_rate(worse.rate)} MB/s.{_measured((better, worse))}"
        )
    return lines


def _measured(found: Sequence[Choice]) -> str:
    """Their measurements, to follow the simulated rates."""
    said = [
        f"{of.name} {short_rate(row.rate)} MB/s ({row.table.cite}, {row.table.board})"
        for of in found
        if (row := measured.chosen(of.measured)) is not None
    ]
    return f" Measured: {', '.join(said)}." if said else ""


_WAYS = {
    "ps_to_pl": "from the memory to the PL",
    "pl_to_ps": "from the PL to the memory",
    "duplex": "in both directions",
}


def _place(platform: Platform, settings: Mapping[str, object]) -> str:
    """The direction, port, clock and operating system of all figures."""
    values = single(platform, dict(settings)).values
    ports, way = "+".join(values["ports"]), _WAYS[values["mode"]]
    system = {"linux": " under Linux"}.get(values["os"], "")
    return f"{way} by {ports} at {values['pl_mhz']:g} MHz{system}"


def _packets(platform: Platform, size: int, depth: int, settings: Mapping[str, object]) -> float:
    ring = {**settings, "transfer_bytes": size, "ring_depth": depth}
    return rate(platform, _ring(platform, ring))


def _spaced(size: int) -> str:
    """16 KiB, in the form for sentences."""
    return re.sub(r"(?<=\d)(?=[A-Za-z])", " ", format_bytes(size))


_OWN = ("ports", "mode", "master", "transfer_bytes", "duration", "repeats", "ring_depth")


def more(platform: Platform, key: Mapping[str, object], values: Values) -> list[str]:
    """Further sentences for a point (`key` as written, `values` normalised): for a transfer the
    other masters, for a ring its buffers and ports. [] for other points."""
    settings = {name: value for name, value in key.items() if name not in _OWN}
    if values["master"] in ("memcpy", "loop", "ps_dma"):
        ports = "+".join(values["ports"])
        size = known(values["transfer_bytes"])
        return words(platform, size, values["mode"], ports=ports, **settings)
    if values["master"] == "ring":
        settings.pop("os", None)
        return ring_words(platform, SHARE, None, **settings)
    return []
