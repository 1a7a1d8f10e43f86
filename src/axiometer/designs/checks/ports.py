"""Checks of ports: suited to data, of the width that the design has, not shared while others are
free."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from axiometer.designs.checks import peaks
from axiometer.designs.checks.finding import (
    ADVICE,
    MISTAKE,
    QUESTION,
    Finding,
    Settings,
    data_routes,
    facts_of,
    free_like,
    width_setting,
)
from axiometer.designs.model import Design, Master, Port

GENERAL_BITS = 32  # data at a control port of this width or less is a mistake
MEMORY = "memory"


def undriven_port(design: Design) -> Iterator[Finding]:
    """Ports to the memory in use that no master of this file reaches."""
    if design.undriven:
        yield Finding(
            "undriven-port",
            QUESTION,
            design.undriven.split()[0],
            f"{design.undriven}.",
            "Give the files of the whole design, or add its masters to a design file.",
            no_rate="what drives them is not in this file",
        )


def data_at_general_port(design: Design) -> Iterator[Finding]:
    """A DMA at a port for control."""
    for master, _, port in data_routes(design):
        if port.kind == "general":
            better = _least_used(design)
            yield Finding(
                "dma-at-general-port",
                MISTAKE if port.width_bits <= GENERAL_BITS else ADVICE,
                master.name,
                f"{master.name} ({master.title}) moves data through {port.interface}, which "
                f"{facts_of(design, port).get('why', 'is made for control')}.",
                f"Connect it to {better.interface if better else 'a port for data'}.",
                ((f"{master.name}.port", better.name),) if better else (),
            )


def _least_used(design: Design) -> Port | None:
    """A free memory port, else the memory port with the fewest data masters."""
    free = [p for p in design.free_ports if p.kind == MEMORY and p.path]
    used = sorted((p for p in design.ports if p.kind == MEMORY), key=lambda p: _load(design, p))
    return next(iter([*free, *used]), None)


def _load(design: Design, port: Port) -> int:
    return len(design.behind(port.name))


def width_of_registers(design: Design) -> Iterator[Finding]:
    """A port whose registers set another width than the design has."""
    for port in design.ports:
        if port.set_bits is not None and port.set_bits != port.width_bits:
            yield Finding(
                "width-of-registers",
                MISTAKE,
                port.name,
                f"{port.interface} has {port.width_bits} bits in the design, but "
                f"{design.initialised} sets its registers to {port.set_bits}: data will be wrong.",
                f"Export the initialisation of this design again, or set the port's width "
                f"registers to {port.width_bits} bits.",
                as_is=((f"{port.name}.width_bits", port.set_bits),),
            )


def narrow_port(design: Design) -> Iterator[Finding]:
    """A port that is narrower than a master behind it and can be configured wider."""
    for port in design.ports:
        known = (m for m in design.behind(port.name) if not m.unknown)
        wider = [
            m for m in known if m.width_bits > port.width_bits and peaks.fills(design, m, port)
        ]
        most = _widest(design, port)
        if wider and port.kind != "general" and (most is None or port.width_bits < most):
            peak = max(m.width_bits for m in wider)
            widest = peak if most is None else min(peak, most)
            names = ", ".join(m.name for m in wider)
            setting = width_setting(design, port)
            yield Finding(
                "narrow-port",
                MISTAKE,
                port.name,
                f"{port.interface} has {port.width_bits} bits, {names} {peak}: the port carries "
                f"{port.width_bits * 100 // peak} % of the master's peak.",
                f"Set {setting} to {widest}." if setting else f"Make the port {widest} bits wide.",
                ((f"{port.name}.width_bits", widest),),
            )


def _widest(design: Design, port: Port) -> int | None:
    """The most bits that a port can be configured to; None if unknown."""
    facts = facts_of(design, port)
    most = facts.get("widest", facts.get("width"))
    return most if isinstance(most, int) else None


def crowded_port(design: Design) -> Iterator[Finding]:
    """Several masters of one direction at one port, which together ask for more than it carries,
    while ports of its kind are free."""
    for port in design.ports:
        if port.kind != MEMORY or not port.path:
            continue
        for direction in ("read", "write"):
            sharing = [m for m in design.behind(port.name) if direction in m.channels]
            free = free_like(design, port)
            if len(sharing) > 1 and free and peaks.overfill(design, sharing, port):
                names = ", ".join(m.name for m in sharing)
                yield Finding(
                    "crowded-port",
                    ADVICE,
                    port.name,
                    f"{names} share the {direction} channel of {port.interface}, while "
                    f"{_listed(p.interface for p in free)} free.",
                    f"Move {_movable(sharing)} to {free[0].interface}.",
                    _moved(sharing[-1:], free[0]),
                    is_for_rate=True,
                )


def shared_path(design: Design) -> Iterator[Finding]:
    """Two ports in use that share a path to the memory, and ask for more than one of them carries,
    while another path is free."""

    def behind(name: str, way: str) -> list[Master]:
        return [m for m in design.behind(name) if way in m.channels]

    used = [p for p in design.ports if p.kind == MEMORY and p.path and design.behind(p.name)]
    paths = {p.path for p in used}
    free = [p for p in design.free_ports if p.kind == MEMORY and p.path and p.path not in paths]
    for path in dict.fromkeys(p.path for p in used):
        sharing = [p for p in used if p.path == path]
        crowded = any(
            peaks.overfill(design, [m for p in sharing for m in behind(p.name, way)], sharing[0])
            for way in ("read", "write")
        )
        if len(sharing) > 1 and free and crowded:
            yield Finding(
                "shared-path",
                ADVICE,
                "+".join(p.name for p in sharing),
                f"{' and '.join(p.interface for p in sharing)} share one path to the memory "
                f"controller, while {_listed(p.interface for p in free)} free on another path.",
                f"Move the masters behind {sharing[-1].interface} to {free[0].interface}.",
                _moved(design.behind(sharing[-1].name), free[0]),
                is_for_rate=True,
            )


def _moved(masters: Sequence[Master], port: Port) -> Settings:
    """The settings that move masters and their partners to a port."""
    names = dict.fromkeys(name for m in masters for name in (m.name, m.partner) if name)
    return tuple((f"{name}.port", port.name) for name in names)


def _movable(sharing: list[Master]) -> str:
    """The last of the sharing masters, with its partner."""
    last = sharing[-1]
    return f"{last.name} and {last.partner}" if last.partner not in (None, last.name) else last.name


def _listed(names: Iterable[str]) -> str:
    words = list(names)
    return f"{words[0]} is" if len(words) == 1 else f"{', '.join(words)} are"
