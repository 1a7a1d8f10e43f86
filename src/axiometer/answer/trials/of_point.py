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
from axiometer.base.errors import AxiometerError
from axiometer.experiment import changes, master_keys
from axiometer.experiment.keys import PLACEMENTS
from axiometer.platform import MAPPINGS
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
            ports = keys.get("ports")
            if isinstance(ports, list) and taken & set(ports):
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
    if spread and not master_keys.of(scenario.values):
        yield {"ports": spread}


def _more_ports(scenario: Scenario, _: float) -> Changes:
    """One port more: each free port, those on an unused path first."""
    if master_keys.of(scenario.values):
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
    yield from _doubled(scenario, "burst_bytes")


def _outstanding(scenario: Scenario, _: float) -> Changes:
    if master_keys.of(scenario.values):
        yield from _doubled(scenario, "outstanding")
        return
    own = (s for s in scenario.streams if not s.background)
    yield {f"outstanding_{s.direction}": min(63, TIMES * s.outstanding) for s in own}


def _widths(scenario: Scenario, _: float) -> Changes:
    """The widest port, with as many bytes in a burst and with as many beats."""
    facts, values = collect.facts(scenario.platform), scenario.values
    if master_keys.of(values):
        yield from _each(scenario, "width_bits", lambda now, port: _widest(facts.port_widths, port))
        return
    widest = min(_widest(facts.port_widths, port) for port in values["ports"])
    times = widest // values["width_bits"]
    if times > 1:
        yield {"width_bits": widest, "burst_bytes": values["burst_bytes"]}
        yield {"width_bits": widest, "burst_bytes": values["burst_bytes"] * times}


def _widest(widths: Mapping[str, tuple[int, ...]], port: str) -> int:
    return max(widths.get(port, (0,)))


def _clocks(scenario: Scenario, _: float) -> Changes:
    leaf = scenario.platform.leaf("clocks.pl_mhz")
    most = float("inf") if leaf.max is None else float(leaf.max)
    if master_keys.of(scenario.values):
        yield from _each(scenario, "pl_mhz", lambda now, _: min(most, TIMES * now))
        return
    yield {"pl_mhz": min(most, TIMES * scenario.values["pl_mhz"])}


def _no_gap(scenario: Scenario, _: float) -> Changes:
    if not master_keys.of(scenario.values):
        yield {"gap_cycles": 0}


def _classes(scenario: Scenario, _: float) -> Changes:
    if not master_keys.of(scenario.values):
        yield {"qos": "best_effort"}
        yield {"qos": "video"}


def _larger(scenario: Scenario, gain: float) -> Changes:
    """Transfers so large that the start takes `LEAST_LAUNCH` of the time."""
    size = scenario.values["transfer_bytes"]
    if size is not None and gain > 0:
        wanted = size * gain * (1 / LEAST_LAUNCH - 1)
        yield {"transfer_bytes": 1 << max(0, (int(wanted) - 1).bit_length())}


def _without_waiting(scenario: Scenario, _: float) -> Changes:
    masters = master_keys.of(scenario.values)
    yield {
        f"{master_keys.PREFIX}.{m['name']}.kind": f"{m['kind']}_improved"
        for m in masters
        if m["kind"] in master_keys.ONE_AT_A_TIME
    }


def _doubled(scenario: Scenario, key: str) -> Changes:
    """A key of each engine, or of the point, doubled."""
    if master_keys.of(scenario.values):
        yield from _each(scenario, key, lambda now, _: TIMES * now)
    else:
        now = dict(scenario.values)[key]
        assert isinstance(now, int)
        yield {key: TIMES * now}


def _each(scenario: Scenario, key: str, change: Callable[[float, str], float]) -> Changes:
    """A key changed in all masters that accept the new value."""
    found: dict[str, object] = {}
    for master in master_keys.of(scenario.values):
        now, port = dict(master).get(key), master["port"]
        if not isinstance(now, int | float) or port is None:
            continue
        name, other = f"{master_keys.PREFIX}.{master['name']}.{key}", change(now, port)
        if other != now and _right(scenario, {name: other}):
            found[name] = other
    if found:
        yield found


def _right(scenario: Scenario, change: Mapping[str, object]) -> bool:
    try:
        changes.made(scenario.platform, scenario.values, change)
    except AxiometerError:
        return False
    return True


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
    if master_keys.of(scenario.values) or scenario.values["mode"] != "mixed":
        return
    try:
        halves = tuple(made.having(scenario, {"mode": mode}) for mode in ("read", "write"))
    except AxiometerError:
        return
    yield Made(Change({}, "direction"), halves)
