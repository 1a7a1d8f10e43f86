"""Streams and ports of a list of masters (`experiment/listed.py`): the one maker of streams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from axiometer.base import clocks, pace
from axiometer.experiment import kinds
from axiometer.experiment.master_keys import (
    asked_mbs,
    directions,
    is_half,
    is_source,
    job_bytes,
    works_in_jobs,
)
from axiometer.experiment.values import Master, Qos, Values, known
from axiometer.platform import Platform
from axiometer.simulate import chip, dma_way, in_flight, jobs, machine, sources, vendor
from axiometer.simulate.model_tables import Port
from axiometer.simulate.placement import MIB, laid_out
from axiometer.simulate.stream import ENDLESS, Stream, split_pattern

# The largest default region of a master: rows and banks enough for any pattern.
_USUAL_REGION = 64 * MIB


def ports(
    platform: Platform, values: Values, masters: Sequence[Master], paths: Sequence[str]
) -> tuple[list[Port], dict[str, int]]:
    """The ports in use, each with its master's width and clock, and the clocks of the scenario."""
    by_way = {master["way"]: master for master in masters}
    rates = [by_way[name]["link_mhz"] for name in values["ports"]]
    ddr, (pl, *own) = clocks.periods(platform.value("clocks.ddr_mhz"), [values["pl_mhz"], *rates])
    found = []
    for name, period in zip(values["ports"], own, strict=True):
        port = _port(platform, by_way[name], paths, values.get("qos"))
        if period != pl and not is_source(by_way[name]):
            port = replace(port, period=period)
        found.append(port)
    return found, {"ddr": ddr, "pl": pl}


def _port(platform: Platform, master: Master, paths: Sequence[str], classes: Qos | None) -> Port:
    name, width = master["way"], master["width_bits"]
    if _is_engine(platform, master):
        return chip.port(platform, name, width, paths, classes)
    if master["kind"] == "neighbour":
        return chip.neighbour(platform, name, width, paths, platform.ports[0])
    if is_source(master):
        return sources.port(platform, master, paths)
    return dma_way.port(platform, master, paths)


def streams(platform: Platform, values: Values, masters: Sequence[Master]) -> tuple[Stream, ...]:
    """The streams in the order of the masters; the write half of a loop-back pair first, so that it
    is ready for data."""
    made: list[Stream] = []
    of_engine: dict[int, Master] = {}
    sizes = _sizes(platform, values, masters)
    bases = iter(_bases(platform, values, masters, sizes))
    numbers: dict[str, int] = {}
    for master in masters:
        if is_source(master):
            port, size = values["ports"].index(master["way"]), values["transfer_bytes"]
            own = [next(bases) for _ in directions(master)]
            made += sources.streams_of(platform, master, port, size, own, sizes[master["name"]])
            numbers.setdefault(master["way"], 0)
            continue
        ways = directions(master)
        number = numbers[master["way"]] = numbers.get(master["way"], -1) + 1
        for direction in reversed(ways) if master["direction"] == "pair" else ways:
            stream = _stream(
                *(platform, values, masters, master, direction),
                *(next(bases), sizes[master["name"]]),
            )
            of_engine[len(made)] = master
            made.append(
                stream.at_multiplexer(number if machine.of(platform).multiplexers else None)
            )
    for place, master in of_engine.items():
        other = _other_end(place, master, of_engine)
        joined = made[place].paired(other, *_ahead(platform, master))
        made[place] = joined.behind(
            _through(platform, master),
            platform.word("master.through", None),
            master["link_mhz"],
            master["width_bits"],
        )
    alone = [s.port for s in made if numbers[values["ports"][s.port]] == 0]
    return tuple(s.at_multiplexer(None) if s.port in alone else s for s in made)


def _other_end(place: int, master: Master, of_engine: Mapping[int, Master]) -> int:
    """The place of the other half of a stream in a loop-back; -1 for none."""
    if master["direction"] == "pair":
        return next(n for n, of in of_engine.items() if of is master and n != place)
    partner = master.get("partner")
    return next((n for n, of in of_engine.items() if of["name"] == partner), -1)


def _stream(
    platform: Platform,
    values: Values,
    masters: Sequence[Master],
    master: Master,
    direction: str,
    base: int,
    region: int,
) -> Stream:
    pattern, stride = split_pattern(master["pattern"])
    size, job = values["transfer_bytes"], _job(platform, master, direction)
    burst = _burst_bytes(platform, master, direction)
    whole = size or ENDLESS
    if works_in_jobs(master):  # the same number in each half: for the bytes read, or endless
        whole = _jobs_in(master, size) * job_bytes(master, direction)
    # A machine without an end to its runs always has a region to come back to.
    once = bool(size) and whole <= region and not machine.of(platform).measures_part
    all_in_sequence = once and pattern == "sequential"
    return Stream(
        port=values["ports"].index(master["way"]),
        name=master["way"],
        owner=master["name"],
        direction=direction,
        base=base,
        bytes=whole,
        region=0 if all_in_sequence else region,
        burst_bytes=burst,
        outstanding=outstanding(platform, masters, master, direction),
        gap_cycles=gap_cycles(platform, master, direction),
        start_cycles=vendor.start_cycles(master, direction) if master["engine"] else 0,
        pace=_pace(master, asked_mbs(master, direction), burst),
        turn=_pace(master, (master["turns"] or {}).get(direction), burst),
        pattern=pattern,
        stride=stride,
        job=job,
        address_cycles=_address_cycles(platform, master, direction),
        pl_mhz=master["link_mhz"],
        start_us=master["start_us"],
        stop=-1 if master["stop_us"] is None else round(master["stop_us"] * master["link_mhz"]),
    )


def _through(platform: Platform, master: Master) -> str | None:
    """Blocks before the port of a master's streams that `dma_way` does not include."""
    return master.get("through") if _is_engine(platform, master) else None


def _job(platform: Platform, master: Master, direction: str) -> jobs.Job | None:
    of = vendor.job if master["engine"] else jobs.of
    return of(platform, master, direction)


def _burst_bytes(platform: Platform, master: Master, direction: str) -> int:
    if master["engine"]:
        return vendor.burst_bytes(platform, master, direction)
    return int(master["burst_bytes"])


def _jobs_in(master: Master, size: int | None) -> int:
    if size is None:
        return ENDLESS // max(job_bytes(master, way) for way in directions(master))
    return -(-size // job_bytes(master, "read"))


def gap_cycles(platform: Platform, master: Master, direction: str) -> int:
    """Idle cycles of its port between a master's bursts in one direction: the given number, but at
    least its engine's."""
    own = vendor.gap_cycles(platform, master, direction) if master["engine"] else 0
    return max(own, int(master["gap_cycles"] or 0))


def _pace(master: Master, rate: Fraction | float | None, burst: int) -> Fraction | None:
    """Cycles from burst to burst of `burst` bytes at `rate` MB/s; None if its port is the limit."""
    link = Fraction(master["width_bits"], 8) * Fraction(str(master["link_mhz"]))
    if rate is None or rate > link:
        return None
    return pace.of(rate, burst, master["link_mhz"])


def _address_cycles(platform: Platform, master: Master, direction: str) -> int:
    """Address cycles of a DMA's path at a port of the processor's side, as in `Stream`."""
    if _is_engine(platform, master) or master["kind"] == "neighbour" or direction == "read":
        return 0
    return dma_way.address_cycles(platform, master)


def outstanding(
    platform: Platform, masters: Sequence[Master], master: Master, direction: str
) -> int:
    """Outstanding bursts of one of `masters`; if its port has a limit, each of the port's engines
    has an equal part."""
    if master["kind"] == "neighbour":
        return int(platform.value(f"neighbour.{master['way']}.outstanding"))
    if not _is_engine(platform, master):
        most = dma_way.outstanding(platform, master, direction)
        return (
            min(most, vendor.outstanding(platform, master, direction)) if master["engine"] else most
        )
    own = (vendor.outstanding if master["engine"] else in_flight.kept)(platform, master, direction)
    beside = [directions(m) for m in masters if m["way"] == master["way"]]
    sharing = sum(direction in ways for ways in beside), sum(len(ways) for ways in beside)
    return in_flight.at_port(platform, known(master["port"]), direction, own, sharing)


def _is_engine(platform: Platform, master: Master) -> bool:
    """Whether the chip's file describes its port: engines, accelerators, rings at HP."""
    if master["engine"] or master["kind"] == "ring":
        return platform.way(master["way"]).startswith("port.")
    return kinds.of(master).stream


def _ahead(platform: Platform, master: Master) -> tuple[int, int]:
    """The capacity of a loop-back pair in bursts, and the cycles of a beat in it."""
    if not is_half(master):
        return 1, 0
    job = _job(platform, master, "read")
    if job is not None and master["engine"]:
        return job.loopback_bursts, vendor.loopback_cycles(platform, master)
    cycles = platform.value("master.loopback_cycles", 1)
    if job is not None:
        return job.loopback_bursts, cycles
    return jobs.bursts_ahead(platform, master["burst_bytes"]), cycles


# ---- places of the buffers -----------------------------------------------------------------------


def _sizes(platform: Platform, values: Values, masters: Sequence[Master]) -> dict[str, int]:
    """Bytes of each master's region, in each direction: whole bursts."""
    count = sum(len(directions(master)) for master in masters)
    room = platform.memory_bytes // count
    own = platform.value("master.region_MiB", _USUAL_REGION // MIB) * MIB
    usual = min(1 << (room.bit_length() - 1), own)
    found = {}
    for master in masters:
        burst = master["burst_bytes"]
        size = max((master["region"] or usual) // burst, 1) * burst
        if values["transfer_bytes"] and not master["region"]:
            size = -(-values["transfer_bytes"] // burst) * burst
        found[master["name"]] = size
    return found


def _bases(
    platform: Platform, values: Values, masters: Sequence[Master], sizes: Mapping[str, int]
) -> list[int]:
    """The base of each stream's buffer: from its master, or one after the other by the point's
    placement (`placement.laid_out`)."""
    alone = [
        size
        for master in masters
        for size in [sizes[master["name"]]] * len(directions(master))
        if master["base"] is None
    ]
    laid = iter(laid_out(platform, values["placement"], alone, _grains(masters)))
    found = []
    for master in masters:
        for half in range(len(directions(master))):
            base = master["base"]
            found.append(next(laid) if base is None else base + half * sizes[master["name"]])
    return found


def _grains(masters: Sequence[Master]) -> list[int]:
    """The burst of each stream without base: packed buffers begin at its multiples."""
    return [
        master["burst_bytes"]
        for master in masters
        for _ in directions(master)
        if master["base"] is None
    ]
