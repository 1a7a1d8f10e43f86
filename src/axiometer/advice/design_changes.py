"""Changes of a design in the fabric: ports, bursts, widths and clocks of its masters.

The halves of a pair, joined by a stream, change together. Not for: the gain of a change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from axiometer.base.errors import AxiometerError
from axiometer.designs import changes
from axiometer.designs.checks.finding import setting, width_setting
from axiometer.designs.model import Design, Master, Port
from axiometer.designs.plan import MasterPlan, Plan, planned

if TYPE_CHECKING:
    from axiometer.platform import Platform

BEATS = (16, 32, 64, 128, 256)
MOST_OUTSTANDING = 16


@dataclass(frozen=True)
class Change:
    """A change in words, how to make it (parameters, registers), and the design, the platform and
    the distance of the buffers with it. Of changes of one `kind` only the best is shown."""

    words: str
    how: str
    design: Design
    platform: Platform
    apart_rows: int = 0
    kind: str = ""
    apply: Callable[[Change], Change] | None = None

    def applied(self, at: Change) -> Change:
        """The same change applied to `at`."""
        return at if self.apply is None else self.apply(at)


Maker = Callable[[Design], Design]


def made(
    start: Change, kind: str, words: str, how: str, apply: Callable[[Change], Change]
) -> Iterator[Change]:
    """The change, unless the design does not allow it."""
    try:
        found = apply(start)
    except (AxiometerError, KeyError):
        return
    yield replace(found, kind=kind, words=words, how=how, apply=apply)


def fabric_changes(start: Change) -> Iterator[Change]:
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
    yield from _port_widths(start, groups)
    yield from _clocks(start)


def _moves(start: Change, plan: Plan, of: MasterPlan, name: str) -> Iterator[Change]:
    """A master at each port that is unused in its directions."""
    master, source = of.master, of.port
    carried = {(of.at, way) for of in plan.masters for way in of.master.directions}
    for target in (*plan.design.ports, *plan.design.free_ports):
        at = target.platform_port
        usable = target.kind == source.kind and at in start.platform.ports
        another = at != source.platform_port
        if usable and another and all((at, way) not in carried for way in master.directions):
            yield from made(
                start,
                f"move {master.name}",
                f"move {name} from {source.name} to {target.name}",
                f"connect it to {target.interface}",
                _on_design(partial(_moved, master.name, target.name)),
            )


def _moved(master: str, port: str, design: Design) -> Design:
    return changes.moved(design, master, port)


def _bursts(start: Change, group: Sequence[Master], shown: str) -> Iterator[Change]:
    """Bursts up to the longest that reach the port undivided."""
    each = [(m, way, m.channels[way].burst_beats) for m in group for way in m.directions]
    now = min(beats for _, _, beats in each)
    most = min(m.routes[0].burst_bytes_max * 8 // m.width_bits for m in group)
    longer = [n for n in BEATS if now < n <= most]
    for beats in dict.fromkeys(longer[:1] + longer[-1:]):
        parameters = [setting(m, way, "burst_beats") for m, way, _ in each]
        keys = [(f"{m.name}.{way}.burst_beats", beats) for m, way, _ in each]
        yield from made(
            start,
            f"bursts {group[0].name}",
            f"raise the bursts of {shown} from {now} to {beats} beats",
            _parameters(parameters, beats),
            _on_design(_setter(keys)),
        )


def _outstanding(start: Change, group: Sequence[Master], shown: str) -> Iterator[Change]:
    """More outstanding bursts, if a parameter sets them."""
    each = [(m, way, m.channels[way].outstanding) for m in group for way in m.directions]
    parameters = [setting(m, way, "outstanding") for m, way, _ in each]
    kept = [n for _, _, n in each if n is not None]
    if len(kept) < len(each) or not all(parameters) or min(kept) >= MOST_OUTSTANDING:
        return
    wanted = min(4 * min(kept), MOST_OUTSTANDING)
    keys = [(f"{m.name}.{way}.outstanding", max(n or 0, wanted)) for m, way, n in each]
    yield from made(
        start,
        f"outstanding {group[0].name}",
        f"let {shown} have {wanted} outstanding bursts, not {min(kept)}",
        _parameters(parameters, wanted),
        _on_design(_setter(keys)),
    )


def _width(start: Change, group: Sequence[Master], shown: str) -> Iterator[Change]:
    """Masters as wide as their port."""
    bits = min(start.design.port(m.ports[0]).width_bits for m in group)
    now = min(m.width_bits for m in group)
    if now < bits:
        yield from made(
            start,
            f"width {group[0].name}",
            f"widen {shown} from {now} to {bits} bits",
            _parameters([setting(m, None, "width_bits") for m in group], bits),
            _on_design(_setter([(f"{m.name}.width_bits", bits) for m in group])),
        )


def _port_widths(start: Change, groups: Sequence[Sequence[Master]]) -> Iterator[Change]:
    """Ports with their masters at the next width of the platform; ports between which a pair moves
    data change together."""
    design = start.design
    for port in design.ports:
        own = [g for g in groups if any(m.ports[0] == port.name for m in g)]
        together = [p for p in design.ports if any(m.ports[0] == p.name for g in own for m in g)]
        if own and together[0] == port:
            yield from _port_width(start, together)


def _port_width(start: Change, together: Sequence[Port]) -> Iterator[Change]:
    now = min(p.width_bits for p in together)
    known = [_widths_of(start.platform, p) for p in together]
    wider = sorted(w for w in set.intersection(*known) if w > now)
    masters = [m for p in together for m in start.design.behind(p.name)]
    if not wider or any(m.width_bits > now for m in masters):
        return
    bits = wider[0]
    keys = [(f"{p.name}.width_bits", bits) for p in together]
    keys += [(f"{m.name}.width_bits", bits) for m in masters]
    names = "+".join(p.name for p in together)
    yield from made(
        start,
        f"width {names}",
        f"widen {names} and the masters behind it from {now} to {bits} bits",
        _parameters([width_setting(start.design, p) for p in together], bits),
        _on_design(_setter(keys)),
    )


def _widths_of(platform: Platform, port: Port) -> set[int]:
    name = port.platform_port
    return set(platform.wholes(f"port.{name}.widths")) if name in platform.ports else set()


def _clocks(start: Change) -> Iterator[Change]:
    """Ports at the fastest clock that a port of the design already has."""
    design = start.design
    used = {p.name: design.clock(p.clock) for p in design.ports if p.platform_port}
    fastest = max((c.mhz for c in used.values() if c), default=0)
    for name, clock in used.items():
        if clock and clock.mhz < fastest * 0.99:
            keys = [(f"{name}.clock_mhz", fastest)]
            keys += [(f"{m.name}.clock_mhz", fastest) for m in design.behind(name)]
            yield from made(
                start,
                f"clock {name}",
                f"clock {name} and its masters at {fastest:g} MHz, not {clock.mhz:g}",
                "like another port of the design; the fabric's timing must allow it",
                _on_design(_setter(keys)),
            )


def _setter(keys: Sequence[tuple[str, object]]) -> Maker:
    def apply(design: Design) -> Design:
        for key, value in keys:
            design = changes.changed(design, key, value)
        return design

    return apply


def _on_design(apply: Maker) -> Callable[[Change], Change]:
    return lambda at: replace(at, design=apply(at.design))


def _parameters(names: Sequence[str], value: int) -> str:
    known = dict.fromkeys(name for name in names if name)
    return ", ".join(f"{name} = {value}" for name in known) or "in its own code"
