"""Relaxations of masters: their settings, their demand and their starts. Each returns another
scenario, or None where the scenario has nothing to relax; `records` are the scenario's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from axiometer.answer.analysis.paces import TIMES
from axiometer.base.record import Record
from axiometer.experiment import listed
from axiometer.experiment.values import Values
from axiometer.platform import limits
from axiometer.simulate import in_flight, program
from axiometer.simulate.model_tables import Cpu
from axiometer.simulate.scenario import Scenario
from axiometer.simulate.sources import Source
from axiometer.simulate.stream import Stream

Records = Sequence[Record]
MOST_OUTSTANDING = limits.most_of_key("outstanding_read")
"""The most outstanding bursts of a stream that the model supports."""
MOST_BURST = 4096
"""Bytes: no burst crosses a 4 KiB boundary (AXI)."""
UNWAITING = 8
"""Bursts in flight of a master that waits for no response."""


def each(
    scenario: Scenario,
    change: Callable[[Stream], Stream],
    of_sources: Callable[[Source], Source] = lambda source: source,
) -> Scenario | None:
    """The scenario with `change` applied to each stream except the chip's own masters', and
    `of_sources` to each source; None if none changes."""
    made = replace(
        scenario,
        streams=tuple(s if s.background else change(s) for s in scenario.streams),
        sources=tuple(map(of_sources, scenario.sources)),
    )
    return None if made == scenario else made


def without_demand(scenario: Scenario, records: Records) -> Scenario | None:
    """Every master requests as much as possible from beginning to end: no rate limit, and no gap
    except its own minimum."""
    least = _own_gaps(scenario)

    def change(s: Stream) -> Stream:
        start = s.start_us if s.start_us is None else 0.0
        return replace(s, gap_cycles=least.get(s.owner, 0), pace=None, stop=-1, start_us=start)

    return each(scenario, change)


def without_pauses(scenario: Scenario, records: Records) -> Scenario | None:
    """Masters of the processor's side need no time between bursts and have twice as many
    outstanding; their requested rates and gaps stay."""
    least = _own_gaps(scenario)

    def change(s: Stream) -> Stream:
        if s.outside or in_fabric(scenario, s.name):
            return s
        gap = 0 if s.gap_cycles == least.get(s.owner, 0) else s.gap_cycles
        return replace(_more_outstanding(s), gap_cycles=gap)

    def without_own_time(source: Source) -> Source:
        if source.at_port:
            return source
        return (
            source.having("cpu", loop_clocks=_none, clock_bytes=lambda _: Cpu.clock_bytes)
            .having("cache", prefetch_lines=_twice, line_buffers=_twice)
            .having("dmac", loop_clocks=_none, beat_clocks=_none, bursts_in_flight=_twice)
            .having("fabric", issue_cycles=lambda _: 1, outstanding=_twice)
        )

    return each(scenario, change, without_own_time)


def _twice(number: int) -> int:
    return number * TIMES


def _none(_: int) -> int:
    return 0


def _own_gaps(scenario: Scenario) -> dict[str | None, int]:
    """The least cycles between bursts of each master of the processor's side."""
    masters = listed.masters(scenario.values)
    if all(in_fabric(scenario, m["way"]) for m in masters):
        return {}
    free = listed.having(scenario.values, lambda _: {"rate_mbs": None, "gap_cycles": None})
    made = Scenario.of(scenario.platform, free)
    return {s.owner: s.gap_cycles for s in made.streams if s.gap_cycles}


def outstanding(scenario: Scenario, records: Records) -> Scenario | None:
    """Engines with twice as many outstanding bursts, if their ports accept them."""

    def more(stream: Stream) -> Stream:
        if stream.outside:
            return stream
        twice = _more_outstanding(stream)
        most = in_flight.at_port(
            scenario.platform, stream.name, stream.direction, twice.outstanding
        )
        return replace(twice, outstanding=max(stream.outstanding, most))

    def ahead(source: Source) -> Source:
        return source.having("fabric", outstanding=lambda n: n if n == 1 else n * TIMES)

    return each(scenario, lambda s: more(s) if in_fabric(scenario, s.name) else s, ahead)


def _more_outstanding(stream: Stream) -> Stream:
    return replace(stream, outstanding=min(MOST_OUTSTANDING, stream.outstanding * TIMES))


def in_fabric(scenario: Scenario, name: str) -> bool:
    """Whether `name` is a port of the fabric, with the PL's clock and width."""
    return name in scenario.platform.ports and scenario.platform.way(name).startswith("port.")


def longer_bursts(scenario: Scenario, records: Records) -> Scenario | None:
    """Engines with bursts of twice the length; their requested rates stay."""
    if scenario.accelerators is not None:
        return None

    def change(s: Stream) -> Stream:
        burst = s.burst_bytes * TIMES
        if (
            not in_fabric(scenario, s.name)
            or burst > MOST_BURST
            or (s.region and s.region < burst)
            or s.bytes < burst
        ):
            return s
        return replace(
            s,
            burst_bytes=burst,
            region=s.region // burst * burst,
            stride=max(s.stride, burst) if s.stride else 0,
            pace=s.pace and s.pace * TIMES,
            turn=s.turn and s.turn * TIMES,
            loopback_bursts=max(1, s.loopback_bursts // TIMES),
        )

    def longer(source: Source) -> Source:
        if not source.at_port:
            return source
        return source.having("fabric", burst_beats=lambda n: n if n == 1 else n * TIMES)

    return each(scenario, change, longer)


def undisturbed(scenario: Scenario, records: Records) -> Scenario | None:
    """The chip's own masters are idle."""
    own = tuple(s for s in scenario.streams if not s.background)
    return None if own == scenario.streams else replace(scenario, streams=own)


def uncoupled(scenario: Scenario, records: Records) -> Scenario | None:
    """The halves of loop-back pairs run independently."""
    return each(scenario, lambda s: s if s.job is not None else replace(s, partner=-1))


def without_waits(scenario: Scenario, records: Records) -> Scenario | None:
    """Masters that wait for each response wait for none."""

    def change(source: Source) -> Source:
        return source.having("fabric", outstanding=lambda n: UNWAITING if n == 1 else n)

    return each(scenario, lambda s: s, change)


def jobs_at_once(scenario: Scenario, records: Records) -> Scenario | None:
    """Jobs are prepared by the driver and computed at no cost."""

    def change(s: Stream) -> Stream:
        if s.job is None:
            return s
        return replace(s, job=replace(s.job, setup_cycles=0, place_cycles=0, compute_cycles=0))

    return each(scenario, change)


def by_rate(scenario: Scenario, records: Records) -> Scenario | None:
    """A run by size: the same bytes, divided by the streams' rates so that all end together."""
    if scenario.values["transfer_bytes"] is None or len(scenario.streams) < 2 or not records:
        return None
    own = [s for s in scenario.streams if not s.background]
    rates = [_rate(records, n) for n in range(len(own))]
    # The halves of a pair move equally many bytes.
    rates = [
        min(rates[n], rates[s.partner]) if s.partner >= 0 else rates[n] for n, s in enumerate(own)
    ]
    whole, total = sum(s.bytes for s in own), sum(rates)
    wanted = dict(zip(own, (whole * rate / total for rate in rates), strict=True))

    def change(s: Stream) -> Stream:
        return replace(s, bytes=max(1, round(wanted[s] / s.burst_bytes)) * s.burst_bytes)

    return each(scenario, change)


def _rate(records: Records, number: int) -> float:
    """Bytes a second of a stream while it runs, the mean over the records."""
    found = [record["streams"][number] for record in records]
    return sum(s["bytes"] / max(s["end_s"] - s["start_s"], 1e-9) for s in found) / len(found)


def bytes_apart(scenario: Scenario) -> int:
    """The distance at which buffers of all streams begin in different banks."""
    return max(1, scenario.dram.banks // max(1, len(scenario.streams))) * _bank_bytes(scenario)


def _bank_bytes(scenario: Scenario) -> int:
    """The distance of addresses in neighbouring banks, or groups of them."""
    dram = scenario.dram
    groups, bits = dram.bank_groups.bit_length() - 1, dram.bank_address_bits
    return 1 << bits[groups] if len(bits) > groups else dram.row_bytes


def moved_apart(scenario: Scenario, records: Records) -> Scenario | None:
    """Buffers that begin in different banks."""
    dram, apart = scenario.dram, bytes_apart(scenario)
    numbers = {s: n for n, s in enumerate(scenario.streams)}
    room = _bank_bytes(scenario) * dram.banks

    def change(s: Stream) -> Stream:
        shift = numbers[s] * apart % room
        region = s.region
        if s.base + shift + (region or s.bytes) > dram.bytes:
            region = (region - shift) // s.burst_bytes * s.burst_bytes
            if region <= 0:
                return s
        return replace(s, base=s.base + shift, region=region)

    return each(scenario, change) if len(scenario.streams) > 1 else None


def started_at_once(scenario: Scenario, records: Records) -> Scenario | None:
    """Starting transfers and detecting their end takes the processor no time."""
    platform = scenario.platform
    figures = dict.fromkeys(program.times(platform, scenario.values), 0)
    values: Values = {**scenario.values}
    if values["skew_us"]:
        values["skew_us"] = 0.0
    if not figures and values == scenario.values:
        return None
    return replace(scenario, platform=platform.with_overrides(figures), values=values)
