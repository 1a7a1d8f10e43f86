"""Relaxations of the chip: ports, paths, controller and DRAM. As in `workload.py`. Tables and keys
are the model's (docs/keys.md); keys that a scenario's tables lack are not added."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from axiometer.answer.analysis.paces import TIMES
from axiometer.answer.relax.workload import Records, in_fabric
from axiometer.experiment.values import Values
from axiometer.simulate.scenario import Scenario
from axiometer.simulate.stream import Stream

Change = Callable[[int], object]
"""The new value of a figure."""


def _twice(most: int) -> Change:
    return lambda value: max(value, min(most, value * TIMES))


def _set(value: object) -> Change:
    return lambda _: value


def _tables(
    scenario: Scenario,
    ports: Mapping[str, Change] | None = None,
    paths: Mapping[str, Change] | None = None,
    controller: Mapping[str, Change] | None = None,
) -> Scenario | None:
    """The scenario with changes of some of its tables; None if nothing changes."""
    made = replace(
        scenario,
        ports=tuple(port.having(ports or {}) for port in scenario.ports),
        paths=tuple(path.having(paths or {}) for path in scenario.paths),
        controller=scenario.controller.having(controller or {}),
    )
    return None if made == scenario else made


def wider_port(scenario: Scenario, records: Records) -> Scenario | None:
    """Ports of the fabric whose data channels are twice as wide, where bursts fill them."""
    filled: dict[int, int] = {}
    for s in scenario.streams:
        filled[s.port] = min(s.burst_bytes, filled.get(s.port, 1024))
    outside = {s.port for s in scenario.streams if s.outside}
    ports = tuple(
        port.having({"width_bytes": _twice(filled.get(number, 0))})
        if in_fabric(scenario, port.name) and number not in outside
        else port
        for number, port in enumerate(scenario.ports)
    )
    wider = {"beat_bytes": lambda n: n * TIMES}
    sources = tuple(
        s.having("gp", **wider).having("port", **wider) if s.at_port else s
        for s in scenario.sources
    )
    if (ports, sources) == (scenario.ports, scenario.sources):
        return None
    turns = (
        replace(s, turn=s.turn and s.turn / TIMES) if in_fabric(scenario, s.name) else s
        for s in scenario.streams
    )
    return replace(scenario, ports=ports, sources=sources, streams=tuple(turns))


def faster_pl(scenario: Scenario, records: Records) -> Scenario | None:
    """The PL at twice the clock; gaps between bursts last as long as before."""
    values: Values = {**scenario.values, "pl_mhz": scenario.values["pl_mhz"] * TIMES}
    measure = scenario.measure
    if measure is not None:
        measure = replace(measure, settle=measure.settle * TIMES, block=measure.block * TIMES)

    def faster(s: Stream) -> Stream:
        if s.outside or (not s.background and not in_fabric(scenario, s.name)):
            return s
        return replace(
            s,
            gap_cycles=s.gap_cycles * TIMES,
            pace=s.pace and s.pace * TIMES,
            stop=s.stop * TIMES if s.stop > 0 else s.stop,
            pl_mhz=s.pl_mhz * TIMES if s.pl_mhz else None,
        )

    # Periods are relative: the DRAM's twice as long is everything else's half as long.
    clocks = replace(scenario.clocks, ddr=scenario.clocks.ddr * TIMES)
    ports = tuple(
        replace(port, period=TIMES * (port.period or scenario.clocks.pl))
        if port.name in scenario.platform.memory_ports
        else port
        for port in scenario.ports
    )
    return replace(
        scenario,
        values=values,
        clocks=clocks,
        ports=ports,
        streams=tuple(map(faster, scenario.streams)),
        measure=measure,
        sources=tuple(s.scaled(TIMES, but="pl") for s in scenario.sources),
    )


def deeper_fifo(scenario: Scenario, records: Records) -> Scenario | None:
    """Ports' data FIFOs that hold twice as much."""
    return _tables(scenario, ports={"fifo_bytes": _twice(2**20)})


def more_issued(scenario: Scenario, records: Records) -> Scenario | None:
    """Ports that issue twice as many parts."""
    limits = {"issue_commands": _twice(64), "inflight_parts": _twice(64)}
    made = _tables(scenario, ports=limits) or scenario
    more = dict.fromkeys(("acceptance_read", "acceptance_write"), lambda n: n * TIMES)
    made = replace(made, sources=tuple(s.having("port", **more) for s in made.sources))
    return None if made == scenario else made


def wider_path(scenario: Scenario, records: Records) -> Scenario | None:
    """Paths that carry twice as much in a clock and have twice as much in flight."""
    return _tables(
        scenario,
        paths={
            "inflight": _twice(64),
            "queue_parts": _twice(64),
            "column_clocks": lambda clocks: clocks // TIMES,
            "clock_bytes": _twice(2**20),
            "part_clocks": lambda clocks: clocks // TIMES,
        },
    )


def more_entries(scenario: Scenario, records: Records) -> Scenario | None:
    """Read and write queues with twice the places, at most as many as the model supports."""
    apart = scenario.controller.low_latency_entries
    most = (48, 48) if apart is None else (64 - apart, 64)
    changes = zip(("read_entries", "write_entries"), map(_twice, most), strict=True)
    return _tables(scenario, controller=dict(changes))


_ROWS = ("tRCD", "tRP", "tRAS", "tRRD", "tFAW", "tRTP", "tWR")


def open_rows(scenario: Scenario, records: Records) -> Scenario | None:
    """A DRAM that opens and closes rows at no cost."""
    return _timing(scenario, {**dict.fromkeys(_ROWS, _set(1)), "tRC": _set(2), "tRRD_L": _zero})


def _zero(value: int) -> int:
    return min(value, 1)


def no_turnaround(scenario: Scenario, records: Records) -> Scenario | None:
    """A DRAM bus that turns around at no cost, as nearly as commands allow."""
    if len({s.direction for s in scenario.streams}) < 2:
        return None
    least = scenario.dram.timing.tCCD + 2
    changes = {"tWTR": _set(1), "tWTR_L": _zero, "CL": _set(1), "CWL": _set(1)}
    return _timing(scenario, {**changes, "read_to_write": _set(least)})


def no_refresh(scenario: Scenario, records: Records) -> Scenario | None:
    """A DRAM that needs a refresh in milliseconds, not microseconds."""
    return _timing(scenario, {"tREFI": _set(2**20)})


def faster_dram(scenario: Scenario, records: Records) -> Scenario | None:
    """A DRAM whose bus carries twice as much in a clock; rows and latencies stay."""

    def half(clocks: int) -> int:
        return max(1, clocks // TIMES) if clocks else 0

    faster = _timing(scenario, {"tCCD": half, "tCCD_L": half})
    if faster is None:
        return None
    return replace(faster, dram=replace(faster.dram, burst_clocks=half(faster.dram.burst_clocks)))


def _timing(scenario: Scenario, changes: Mapping[str, Change]) -> Scenario | None:
    timing = scenario.dram.timing
    made = timing.having(changes)
    same = made == timing
    return None if same else replace(scenario, dram=replace(scenario.dram, timing=made))


def all_of_class(traffic: str, qos: int) -> Callable[[Scenario, Records], Scenario | None]:
    """The traffic of all ports in one class."""

    def act(scenario: Scenario, records: Records) -> Scenario | None:
        return _tables(scenario, ports={"traffic": _set(traffic), "qos": _set(qos)})

    return act


def unthrottled(scenario: Scenario, records: Records) -> Scenario | None:
    """No port is throttled while few places of a queue are free."""
    return _tables(scenario, paths={"throttled": _set(False)})
