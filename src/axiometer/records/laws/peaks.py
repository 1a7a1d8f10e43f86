"""Laws of peaks: no rate exceeds the ports, the paths and the DRAM's bus on its way."""

from __future__ import annotations

from collections.abc import Iterator

from axiometer.base.record import rate_of
from axiometer.records.laws.case import DIRECTIONS, ROUNDING, Case


def port(case: Case) -> Iterator[str]:
    of = case.record["by_port"] | (case.record.get("background") or {})
    for name, rates in of.items():
        beat_bytes, hz = case.link_of(name)
        peak = beat_bytes * hz * 1e-6
        for direction in DIRECTIONS:
            rate = rate_of(rates, direction)
            if rate > peak * (1 + ROUNDING):
                yield (
                    f"no faster than the port: {name} {direction} has {rate:.6g} MB/s; "
                    f"{8 * beat_bytes} bits at {hz * 1e-6:g} MHz are {peak:.6g}"
                )
    peak = case.beat_bytes * case.pl_hz * 1e-6
    side = case.record.get("processor")
    beats = side.get("beats") if side else None
    if beats and beats["MBps"] > peak * (1 + ROUNDING):
        rate = beats["MBps"]
        yield f"no faster than the port: beats have {rate:.6g} MB/s; its peak is {peak:.6g}"


def path(case: Case) -> Iterator[str]:
    if not case.at_memory:
        return
    on: dict[str, list[str]] = {}
    for name in case.values["ports"]:
        on.setdefault(case.platform.word(f"{case.platform.way(name)}.path"), []).append(name)
    for name, ports in on.items():
        width = case.platform.whole(f"path.{name}.width_bits", None)
        if width is None:
            continue
        mhz = case.mhz(f"path.{name}.clock_mhz")
        peak = width // 8 * mhz
        beside = case.background_on(name)
        for direction in DIRECTIONS:
            rate = sum(rate_of(case.record["by_port"][p], direction) for p in ports)
            rate += beside[direction] + case.past_payload(direction, ports)
            held = case.buffered(direction, ports) * (1 + case.neighbours_on(name))
            slack = held / case.elapsed * 1e-6 if case.free else 0.0
            if rate > (peak + slack) * (1 + ROUNDING):
                yield (
                    f"no faster than the path: {'+'.join(ports)} {direction} {rate:.6g} MB/s on "
                    f"{name}; {width} bits at {mhz:g} MHz are {peak:.6g}"
                )


def bus(case: Case) -> Iterator[str]:
    # Both edges of the clock.
    peak = case.platform.whole("dram.bus_bits") / 8 * 2 * case.ddr_hz * 1e-6
    rate = case.record["read_MBps" if case.combines else "total_MBps"]
    ways = DIRECTIONS[:1] if case.combines else DIRECTIONS
    rate += sum(case.past_payload(way, case.values["ports"]) for way in ways)
    rate += sum(case.background.values())
    held = case.buffered("write", case.values["ports"]) if case.at_memory else 0
    if case.free:
        held += case.buffered("read", case.values["ports"])
        held *= 1 + len(case.background)
    if rate > (peak + held / case.elapsed * 1e-6) * (1 + ROUNDING):
        yield f"no faster than the DRAM: {rate:.6g} MB/s in all; its bus has {peak:.6g}"
