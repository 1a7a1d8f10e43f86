"""The changes that a user can make to a point. Each is simulated before an answer advises it, or
reports that nothing helps.

A change is keys of an experiment, of a master, and figures of the platform (registers that boot
code programs); or reads and writes one after the other. To try one more, add a function to `KINDS`.
Relaxations of masters (`USERS`) are the user's too, though some need another engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from axiometer.answer.analysis import collect
from axiometer.answer.analysis.paces import TIMES
from axiometer.answer.relax import workload
from axiometer.answer.relax.table import RELAXATIONS, Relaxation
from axiometer.answer.trials import knobs, made
from axiometer.answer.trials.trial import Change
from axiometer.base import clocks
from axiometer.base.errors import AxiometerError
from axiometer.experiment import changes, listed, master_keys
from axiometer.experiment.directions import ONE_WAY
from axiometer.experiment.keys import PLACEMENTS
from axiometer.experiment.values import Master
from axiometer.platform import MAPPINGS, limits
from axiometer.simulate.scenario import Scenario

CHIPS = frozenset(
    {"fifo", "issue", "path", "queue", "rows", "turnaround", "refresh", "dram_saturated"}
)
"""Causes in the chip: their names alone do not show what a user could change."""
USERS = frozenset({"asked", "master", "burst", "uneven", "placement", "qos", "throttling"})
"""Causes that a user can relax."""
BY_HAND = frozenset({"placement", "uneven", "throttling"})
"""Those of `USERS` that a user can relax further than keys of a point do."""
MEMORY = ("dram_saturated", "rows", "turnaround", "refresh", "placement", "queue", "qos")
"""Causes of which at least one has a gain where the DRAM limits: if neither a faster bus nor a bus
without delays helps, another order of its commands does not help either."""
IN_FLIGHT = limits.most_of_key("outstanding_read")
"""The most bursts in flight that a master can be given."""
LEAST_LAUNCH = 0.01
"""Share of a transfer's time for its start, below which larger transfers gain little."""


@dataclass(frozen=True, eq=False)
class Made:
    """A change, and the scenarios with it; two run one after the other."""

    change: Change
    scenarios: tuple[Scenario, ...]


class _Kind(NamedTuple):
    """cause: that it remedies; shown_by: causes, one of whose relaxations must have a gain for the
    kind to be tried (none: it is always tried). of: the changes of a point, given the best of these
    gains; first: only the first possible change is tried."""

    cause: str
    shown_by: tuple[str, ...]
    of: Callable[[Scenario, float], Iterator[dict[str, object]]]
    first: bool = False


def of(
    scenario: Scenario,
    worth: Callable[[str], float | None],
    wanted: Callable[[str], bool] = lambda cause: True,
    point: bool | None = None,
    taken: frozenset[str] = frozenset(),
) -> Iterator[Made]:
    """The changes of a whole scenario (not a shortened one). worth: the gain of relaxing a cause,
    None where there is none; wanted: whether to try changes against a cause; point: whether it is
    a point (`made.is_point`; None: evaluated here); taken: ports that something else uses."""
    seen = scenario.document()
    point = made.is_point(scenario) if point is None else point
    for kind in KINDS:
        if not wanted(kind.cause):
            continue
        shown = [gain for cause in kind.shown_by if (gain := worth(cause)) is not None]
        gain = max(shown, default=0.0)
        if (kind.shown_by and not shown) or not (point or kind.cause in ("mapping", "settings")):
            continue
        for keys in kind.of(scenario, gain):
            if not keys or taken & set(_ports(keys)):
                continue
            try:
                other = made.having(scenario, keys)
            except AxiometerError:  # out of the register's range, or no such point
                continue
            if other.document() != seen:
                yield Made(Change(keys, kind.cause), (other,))
                if kind.first:
                    break
    if point and wanted("direction") and worth("turnaround") is not None:
        yield from _one_direction(scenario)


def _ports(keys: Mapping[str, object]) -> Iterator[object]:
    """The ports that settings name."""
    for name, value in keys.items():
        if name == "ports" or name.endswith(".port"):
            yield from value if isinstance(value, list) else [value]


Changes = Iterator[dict[str, object]]


def by_hand(scenario: Scenario) -> Iterator[Change]:
    """Relaxations that a user can make, though no key states them."""
    for relaxation in RELAXATIONS:
        if relaxation.cause in BY_HAND and relaxation.act(scenario, ()) is not None:
            apart = workload.bytes_apart(scenario) >> 10
            moved = f"in software: start each buffer {apart} KiB beyond a multiple of its size"
            how = moved if relaxation.cause == "placement" else ""
            act = partial(_relaxed, relaxation)
            yield Change({}, relaxation.cause, relaxation.name, how, act)


def _relaxed(of: Relaxation, scenario: Scenario) -> Scenario | None:
    return of.act(scenario, ())


def _placements(scenario: Scenario, _: float) -> Changes:
    for placement in PLACEMENTS:
        if placement != scenario.values["placement"]:
            yield {"placement": placement}


def _other_ports(scenario: Scenario, _: float) -> Changes:
    """As many ports on more paths."""
    ports = scenario.values["ports"] or ()
    spread = collect.facts(scenario.platform).spread(ports)
    if spread:
        free = [port for port in spread if port not in ports]
        moved = dict(zip((port for port in ports if port not in spread), free, strict=True))
        yield changes.of_ports(scenario.values, moved)


def _more_ports(scenario: Scenario, _: float) -> Changes:
    """One port more with the same masters, where they have no names of their own: each free port,
    those on an unused path first."""
    if not all(map(listed.has_ports_name, listed.masters(scenario.values))):
        return
    facts, ports = collect.facts(scenario.platform), scenario.values["ports"]
    used = {facts.port_paths.get(port) for port in ports}
    free = [port for port in facts.advised if port not in ports]
    free.sort(key=lambda port: facts.port_paths[port] in used)
    for port in free:
        yield {"ports": [*ports, port]}


def _mappings(scenario: Scenario, _: float) -> Changes:
    key = "mapping" if made.is_point(scenario) else made.MAPPING
    for mapping in MAPPINGS:
        if mapping != scenario.dram.mapping:
            yield {key: mapping}


def _settings(scenario: Scenario, _: float) -> Changes:
    for change in knobs.changes(scenario.platform, among="controller.*"):
        yield dict(change.keys)


def _bursts(scenario: Scenario, _: float) -> Changes:
    yield _each(scenario, lambda m: {"burst_bytes": TIMES * m["burst_bytes"]})


def _outstanding(scenario: Scenario, _: float) -> Changes:
    own: dict[str | None, int] = {}
    for stream in scenario.streams:
        own[stream.owner] = max(stream.outstanding, own.get(stream.owner, 0))
    yield _each(scenario, lambda m: {"outstanding": min(IN_FLIGHT, TIMES * own[m["name"]])})


def _widths(scenario: Scenario, _: float) -> Changes:
    """The widest port, with as many bytes in a burst and with as many beats."""
    widths = collect.facts(scenario.platform).port_widths

    def wider(master: Master, longer: bool) -> dict[str, object]:
        widest = max(widths.get(master["way"], (0,)))
        times = widest // master["width_bits"]
        more = {"burst_bytes": times * master["burst_bytes"]} if longer else {}
        return {"width_bits": widest, **more} if times > 1 else {}

    for longer in (False, True):
        yield _each(scenario, partial(wider, longer=longer))


def _clocks(scenario: Scenario, _: float) -> Changes:
    leaf = scenario.platform.leaf("clocks.pl_mhz")
    most = float("inf") if leaf.max is None else float(leaf.max)
    yield _each(
        scenario, lambda m: {"pl_mhz": clocks.number(clocks.exact(min(most, TIMES * m["pl_mhz"])))}
    )


def _no_gap(scenario: Scenario, _: float) -> Changes:
    yield _each(scenario, lambda m: {"gap_cycles": 0} if m["gap_cycles"] else {})


def _classes(scenario: Scenario, _: float) -> Changes:
    yield {"qos": "best_effort"}
    yield {"qos": "video"}


def _larger(scenario: Scenario, gain: float) -> Changes:
    """Transfers so large that the start takes `LEAST_LAUNCH` of the time."""
    size = scenario.values["transfer_bytes"]
    if size is not None and gain > 0:
        wanted = size * gain * (1 / LEAST_LAUNCH - 1)
        yield {"transfer_bytes": 1 << max(0, (int(wanted) - 1).bit_length())}


def _without_waiting(scenario: Scenario, _: float) -> Changes:
    waits = master_keys.ONE_AT_A_TIME
    yield _each(scenario, lambda m: {"kind": f"{m['kind']}_improved"} if m["kind"] in waits else {})


def _toward(way: str, _: Master) -> dict[str, object]:
    return {"direction": way}


def _each(
    scenario: Scenario, change: Callable[[Master], Mapping[str, object]]
) -> dict[str, object]:
    """The settings that change each master which has a port and accepts the new values."""
    return changes.of_each(
        scenario.platform, scenario.values, lambda m: change(m) if m["port"] else {}
    )


KINDS: tuple[_Kind, ...] = (
    _Kind("asked", ("asked",), _no_gap),
    _Kind("burst", ("burst",), _bursts),
    _Kind("master", ("master",), _outstanding),
    _Kind("in_turn", ("in_turn",), _without_waiting),
    _Kind("placement", MEMORY, _placements),
    _Kind("launch", ("launch",), _larger),
    _Kind("port", ("port",), _widths),
    _Kind("port", ("port",), _clocks),
    _Kind("port", ("port",), _more_ports, first=True),
    _Kind("path", (), _other_ports),
    _Kind("qos", ("qos",), _classes),
    _Kind("mapping", MEMORY, _mappings),
    _Kind("settings", MEMORY, _settings),
)


def _one_direction(scenario: Scenario) -> Iterator[Made]:
    """First the reads, then the writes, of independent engines that do both."""
    if any(m["direction"] != "both" for m in listed.masters(scenario.values)):
        return
    try:
        halves = tuple(
            made.having(scenario, _each(scenario, partial(_toward, way))) for way in ONE_WAY
        )
    except AxiometerError:
        return
    yield Made(Change({}, "direction"), halves)
