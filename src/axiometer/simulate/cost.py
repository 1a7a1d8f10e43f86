"""An upper bound for the work of one repeat, before it begins.

`announced` bounds the clocks that a repeat simulates; `check` refuses a point that would take too
long. Not for: the time on a machine, or the cost of a point beside others (`runner`).
"""

from __future__ import annotations

from dataclasses import replace

from axiometer.base.errors import AxiometerError
from axiometer.experiment.values import known
from axiometer.simulate import program
from axiometer.simulate.scenario import Scenario
from axiometer.simulate.stream import Stream
from axiometer.simulate.transfer import Side

MOST_CLOCKS = 20_000_000_000
"""DRAM clocks of a run by duration: some tens of seconds on any board, minutes to an hour of work.
The longest in an experiment of Axiometer is a few million."""
MOST_TRANSFER_CLOCKS = 10**12
"""The bound of a run by size, which counts the worst case of every burst."""
MOST_ACCESSES = 2 * 10**9
"""Loads, stores and beats of a transfer on the processor's side."""


def announced(scenario: Scenario) -> int:
    """An upper bound of DRAM clocks for all repeats of the scenario."""
    platform, values, streams = scenario.platform, scenario.values, scenario.streams
    by = program.of(platform, values)
    apart = max(by.launch + by.jitter, values["skew_us"] or 0.0)
    starts = apart * len(streams) * platform.number("clocks.ddr_mhz")
    if values["transfer_bytes"] is None:
        ddr_hz = platform.number("clocks.ddr_mhz") * 1e6
        if scenario.measure is not None:  # ends without waiting for streams
            return round(known(values["duration_s"]) * ddr_hz)
        last = (replace(s, bytes=s.burst_bytes * s.outstanding) for s in streams)
        ending = sum(_stream(scenario, stream) for stream in last)
        return round(known(values["duration_s"]) * ddr_hz + starts + ending)
    return round(starts + sum(_stream(scenario, stream) for stream in streams))


def _stream(scenario: Scenario, stream: Stream) -> float:
    """Clocks of a stream if each of its bursts were alone, and met every possible delay."""
    port = scenario.ports[stream.port]
    path = scenario.paths[port.path]
    reads, burst = stream.direction == "read", stream.burst_bytes
    dram, controller = scenario.dram, scenario.controller
    cycles = stream.gap_cycles + burst / port.width_bytes + 1
    cycles += port.request_cycles_read if reads else port.request_cycles_write
    cycles += port.return_cycles + stream.loopback_cycles
    cycles += max(stream.pace or 0, stream.turn or 0)
    cycles += stream.address_cycles + stream.between_cycles
    if stream.job is not None:
        own = stream.job.setup_cycles + stream.job.place_cycles + stream.job.compute_cycles
        cycles += own / stream.job.bursts
    clocks = path.request_clocks_read if reads else path.request_clocks_write
    clocks += path.release_clocks_read if reads else path.release_clocks_write
    clocks += port.response_clocks + (controller.starve_clocks or 0)
    clocks += controller.min_non_critical_clocks or 0
    every: list[int] = list(vars(dram.timing).values())
    timing = sum(every) - dram.timing.tREFI
    columns = burst / dram.column_bytes + 2
    bursts = -(-stream.bytes // burst)
    per_cycle = scenario.clocks.pl / scenario.clocks.ddr
    # Refreshes take less than half of the time: the model checks tREFI against tRFC.
    return 2 * bursts * (cycles * per_cycle + clocks + columns * (timing + path.column_clocks))


def check(scenario: Scenario) -> None:
    """AxiometerError if a repeat would simulate too many clocks."""
    clocks, values = announced(scenario), scenario.values
    if values["transfer_bytes"] is None and clocks > MOST_CLOCKS:
        most = known(values["duration_s"]) * MOST_CLOCKS / clocks
        raise _refused(clocks, f"give a duration of at most {most:.3g}s")
    if clocks > MOST_TRANSFER_CLOCKS:
        raise _refused(clocks, "give a smaller transfer_bytes, longer bursts, or shorter times")


def check_transfer(of: Side) -> None:
    """`check` for the processor's side."""
    size = of.ring.buffer_bytes * of.ring.packets if of.ring else of.transfer.bytes
    # The smallest step of any routine or engine, and one access of each line.
    steps = min(4, of.cpu.access_bytes, of.dmac.beat_bytes if of.dmac else 4)
    accesses = size // steps + size // of.cache.line_bytes
    if accesses > MOST_ACCESSES:
        raise AxiometerError(
            f"this point would simulate {accesses:.1e} accesses",
            remedy="give a smaller transfer_bytes, or fewer processor.ring.packets",
        )


def _refused(clocks: int, remedy: str) -> AxiometerError:
    return AxiometerError(f"this point would simulate {clocks:.1e} clocks", remedy=remedy)
