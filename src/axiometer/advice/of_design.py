"""A design as the start of a search: its changes in the fabric (ports, bursts, widths and clocks of
its masters), the places of its buffers, and registers.

The halves of a pair, joined by a stream, change together. Not for: the gain of a change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from axiometer.answer.trials import knobs, made, of_point
from axiometer.answer.trials.trial import Change
from axiometer.base.errors import AxiometerError
from axiometer.base.record import Record
from axiometer.designs import changes, masters
from axiometer.designs.checks import peaks, port_use
from axiometer.designs.checks.finding import setting, width_setting
from axiometer.designs.find_masters import BURST, STREAM_BITS
from axiometer.designs.model import Design, Master, Port
from axiometer.designs.outcome import outcome
from axiometer.designs.plan import MasterPlan, Plan, planned
from axiometer.platform import MAPPINGS, Platform
from axiometer.simulate import cost
from axiometer.simulate.scenario import Scenario

BEATS = (16, 32, 64, 128, 256)
MOST_OUTSTANDING = 16


@dataclass(frozen=True)
class DesignStart:
    """A design on a platform. halves: the loads that must stay halves of pairs, as a pair with
    bursts of two sizes is not modelled."""

    design: Design
    platform: Platform
    halves: int = 0

    def having(self, keys: Mapping[str, object]) -> DesignStart:
        """The design with these keys, and figures of its platform. AxiometerError where it is
        impossible."""
        design, figures = self.design, {}
        for name, value in keys.items():
            if changes.is_of_design(design, name):
                design = _changed(design, name, value)
            else:
                figures[name] = value
        platform = self.platform.with_overrides(figures) if figures else self.platform
        return replace(self, design=design, platform=platform)

    def scenario(self) -> Scenario:
        """All its masters together. AxiometerError where they cannot be simulated."""
        own = masters.of(self.platform, planned(self.design))
        if len(own.joined) < self.halves:
            raise AxiometerError("the halves of a pair would have different bursts")
        scenario = Scenario.of(self.platform, own.point().values)
        cost.check(scenario)
        return scenario

    def rates(self, records: Sequence[Record]) -> dict[tuple[str, str], float]:
        """MB/s by master and direction, of the records of its scenario."""
        own = masters.of(self.platform, planned(self.design))
        shares = outcome(own, own.point().values, records).shares
        return {(share.load.master, share.load.direction): share.MBps for share in shares}

    def changes(self) -> Iterator[Change]:
        """All sensible changes."""
        yield from fabric_changes(self)
        used = {load.port for load in planned(self.design).loads}
        for knob in knobs.changes(self.platform):
            parts = next(iter(knob.keys)).split(".")
            if parts[0] != "qos" or parts[1] in used:
                yield knob
        for mapping in MAPPINGS:
            if mapping != self.platform.value(made.MAPPING):
                words, how = f"order the addresses by {mapping}", "registers of the address map"
                yield Change({made.MAPPING: mapping}, "mapping", words, how)
        yield from of_point.by_hand(self.scenario())


def start(design: Design, platform: Platform) -> DesignStart:
    """The start of a search."""
    return DesignStart(design, platform, masters.coupled(platform, planned(design)))


def _changed(design: Design, name: str, value: object) -> Design:
    try:
        return changes.changed(design, name, value)
    except KeyError:  # a port without facts
        raise AxiometerError(f"{name} cannot change") from None


def fabric_changes(start: DesignStart) -> Iterator[Change]:
    """All sensible changes of masters and ports."""
    plan = planned(start.design)
    masters, names = [of.master for of in plan.masters], plan.names()
    by_name = {m.name: m for m in masters}
    seen: set[str] = set()
    groups: list[list[Master]] = []
    for master in masters:
        if master.name not in seen:
            partner = by_name.get(master.partner or "")
            group = [master] if partner in (None, master) else [master, partner]
            seen |= {m.name for m in group}
            groups.append(group)
    for of in plan.masters:
        yield from _moves(start, plan, of, names[of.master.name])
    for group in groups:
        shown = " and ".join(names[m.name] for m in group)
        yield from _bursts(start, group, shown)
        yield from _outstanding(start, group, shown)
        yield from _width(start, group, shown)
    yield from _blocks(plan)
    yield from _port_widths(start, groups)
    yield from _clocks(start)


def _blocks(plan: Plan) -> Iterator[Change]:
    """Bridges before the ports that pass longer bursts, or more reads at a time."""
    ways = [(of.master, hop) for of in plan.masters for hop in of.master.routes[0].hops]
    for hop in dict.fromkeys(hop for _, hop in ways):
        behind = [m for m, other in ways if other.instance == hop.instance]
        own = max(c.burst_beats * m.width_bits // 8 for m in behind for c in m.channels.values())
        own = min(own, changes.BLOCK_KEYS["burst_bytes"])
        if hop.burst_bytes is not None and hop.burst_bytes < own:
            yield Change(
                {f"{hop.instance}.burst_bytes": own},
                "burst",
                f"let {hop.instance} pass bursts of {own} bytes, not {hop.burst_bytes}",
                port_use.block_setting(hop, "burst_beats", "burst_bits"),
            )
        reads = any("read" in m.directions for m in behind)
        if hop.reads is not None and hop.reads < MOST_OUTSTANDING and reads:
            wanted = min(4 * hop.reads, MOST_OUTSTANDING)
            yield Change(
                {f"{hop.instance}.reads": wanted},
                "master",
                f"let {hop.instance} pass {wanted} reads at a time, not {hop.reads}",
                port_use.block_setting(hop, "reads", "read_beats"),
            )


def _moves(start: DesignStart, plan: Plan, of: MasterPlan, name: str) -> Iterator[Change]:
    """A master at each port that is unused in its directions."""
    master, source = of.master, of.port
    carried = {(of.at, way) for of in plan.masters for way in of.master.directions}
    for target in (*plan.design.ports, *plan.design.free_ports):
        at = target.platform_port
        usable = target.kind == source.kind and at in start.platform.ports
        another = at != source.platform_port
        if usable and another and all((at, way) not in carried for way in master.directions):
            yield Change(
                {f"{master.name}.port": target.name},
                "port",
                f"move {name} from {source.name} to {target.name}",
                f"connect it to {target.interface}",
            )


def _bursts(start: DesignStart, group: Sequence[Master], shown: str) -> Iterator[Change]:
    """Bursts up to the longest that reach the port undivided."""
    if any(BURST in m.unknown for m in group):
        return
    each = [(m, way, m.channels[way].burst_beats) for m in group for way in m.directions]
    now = min(beats for _, _, beats in each)
    most = min(m.routes[0].burst_bytes_max * 8 // m.width_bits for m in group)
    longer = [n for n in BEATS if now < n <= most]
    for beats in dict.fromkeys(longer[:1] + longer[-1:]):
        parameters = [setting(m, way, "burst_beats") for m, way, _ in each]
        yield Change(
            {f"{m.name}.{way}.burst_beats": beats for m, way, _ in each},
            "burst",
            f"raise the bursts of {shown} from {now} to {beats} beats",
            _parameters(parameters, beats),
        )


def _outstanding(start: DesignStart, group: Sequence[Master], shown: str) -> Iterator[Change]:
    """More outstanding bursts, if a parameter sets them."""
    each = [(m, way, m.channels[way].outstanding) for m in group for way in m.directions]
    parameters = [setting(m, way, "outstanding") for m, way, _ in each]
    kept = [n for _, _, n in each if n is not None]
    if len(kept) < len(each) or not all(parameters) or min(kept) >= MOST_OUTSTANDING:
        return
    wanted = min(4 * min(kept), MOST_OUTSTANDING)
    yield Change(
        {f"{m.name}.{way}.outstanding": max(n or 0, wanted) for m, way, n in each},
        "master",
        f"let {shown} have {wanted} outstanding bursts, not {min(kept)}",
        _parameters(parameters, wanted),
    )


def _width(start: DesignStart, group: Sequence[Master], shown: str) -> Iterator[Change]:
    """Masters and their streams as wide as their port: what of them is narrower."""
    bits = min(start.design.port(m.ports[0]).width_bits for m in group)
    sides = [(m, key) for m in group for key in peaks.narrow(m, bits)]
    if not sides or any(key in m.unknown for m, key in sides):
        return
    now = min(peaks.narrowest(m) for m in group)
    streams = all(key == STREAM_BITS for _, key in sides)
    yield Change(
        {f"{m.name}.{key}": bits for m, key in sides},
        "port",
        f"widen {'the stream of ' * streams}{shown} from {now} to {bits} bits",
        _parameters([setting(m, None, key) for m, key in sides], bits),
    )


def _port_widths(start: DesignStart, groups: Sequence[Sequence[Master]]) -> Iterator[Change]:
    """Ports with their masters at the next width of the platform; ports between which a pair moves
    data change together."""
    design = start.design
    for port in design.ports:
        own = [g for g in groups if any(m.ports[0] == port.name for m in g)]
        together = [p for p in design.ports if any(m.ports[0] == p.name for g in own for m in g)]
        if own and together[0] == port:
            yield from _port_width(start, together)


def _port_width(start: DesignStart, together: Sequence[Port]) -> Iterator[Change]:
    now = min(p.width_bits for p in together)
    known = [_widths_of(start.platform, p) for p in together]
    wider = sorted(w for w in set.intersection(*known) if w > now)
    masters = [m for p in together for m in start.design.behind(p.name)]
    if not wider or any(m.width_bits > now or m.unknown for m in masters):
        return
    bits = wider[0]
    names = "+".join(p.name for p in together)
    yield Change(
        {f"{name}.width_bits": bits for name in (p.name for p in together)}
        | {f"{m.name}.width_bits": bits for m in masters},
        "port",
        f"widen {names} and the masters behind it from {now} to {bits} bits",
        _parameters([width_setting(start.design, p) for p in together], bits),
    )


def _widths_of(platform: Platform, port: Port) -> set[int]:
    name = port.platform_port
    return set(platform.wholes(f"port.{name}.widths")) if name in platform.ports else set()


def _clocks(start: DesignStart) -> Iterator[Change]:
    """Ports at the fastest clock that a port of the design already has."""
    design = start.design
    used = {p.name: design.clock(p.clock) for p in design.ports if p.platform_port}
    fastest = max((c.mhz for c in used.values() if c), default=0)
    for name, clock in used.items():
        if clock and clock.mhz < fastest * 0.99:
            names = (name, *(m.name for m in design.behind(name)))
            yield Change(
                {f"{of}.clock_mhz": fastest for of in names},
                "port",
                f"clock {name} and its masters at {fastest:g} MHz, not {clock.mhz:g}",
                "like another port of the design; the fabric's timing must allow it",
            )


def _parameters(names: Sequence[str], value: int) -> str:
    known = dict.fromkeys(name for name in names if name)
    return ", ".join(f"{name} = {value}" for name in known) or "in its own code"
