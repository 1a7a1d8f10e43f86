"""The designs that a file may mean where it leaves figures of masters open (`Master.unknown`)."""

from __future__ import annotations

from axiometer.base.errors import AxiometerError
from axiometer.designs import changes
from axiometer.designs.find_masters import BURST, STREAM_BITS, WIDTH
from axiometer.designs.model import DATA, Design, Master

NARROWEST = {WIDTH: 32, STREAM_BITS: 8, BURST: 1}
"""AXI4 masters of vendors' tools have at least 32 bits (UG1399, PG059), streams 8 (AMBA
AXI4-Stream), bursts a beat."""


def ends(design: Design) -> tuple[Design, ...]:
    """The designs with each open figure at its least and at its most, up to what the port carries;
    empty where none is open."""
    wanted = [m for m in design.masters if m.unknown and m.role == DATA]
    return (_at(design, wanted, True), _at(design, wanted, False)) if wanted else ()


def words(design: Design) -> list[str]:
    """What is open: "width_bits of dma.M_AXI", "stream_bits of 5 masters"."""
    whose: dict[str, list[str]] = {}
    for master in design.masters:
        for figure in master.unknown if master.role == DATA else ():
            whose.setdefault(figure, []).append(master.name)
    return [
        f"{figure} of {names[0] if len(names) == 1 else f'{len(names)} masters'}"
        for figure, names in whose.items()
    ]


def stated(design: Design) -> str:
    """How to state the first open figure; "" where none is open."""
    moving = (f"{m.name}.{of}" for m in design.masters if m.role == DATA for of in m.unknown)
    first = next(moving, "")
    return f"state it with --set {first}=" if first else ""


def _at(design: Design, masters: list[Master], least: bool) -> Design:
    for master in masters:
        port = design.port(master.ports[0])
        wide = port.width_bits or master.width_bits
        most = {WIDTH: wide, STREAM_BITS: wide, BURST: _beats(master)}
        for figure in master.unknown:
            value = NARROWEST[figure] if least else most[figure]
            try:
                design = changes.changed(design, f"{master.name}.{figure}", value)
            except (AxiometerError, KeyError):  # a width of the design's own: it stays
                continue
    return design


def _beats(master: Master) -> int:
    """Beats of the longest burst that reaches the port whole."""
    return max(1, master.routes[0].burst_bytes_max * 8 // master.width_bits)
