"""Whether the design that is loaded is the one that a point needs, and which port is which."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from axiometer.base.errors import AxiometerError
from axiometer.experiment.values import Values
from axiometer.platform import Platform, pl_clock
from axiometer.runs.agent.replies import Capabilities
from axiometer.runs.backends import rtl_tops
from axiometer.runs.cosim.design import Design

TOPS = {rtl_tops.DMA_TOP: 1, rtl_tops.TRAFFIC_TOP: 2}
"""Numbers of the tops that run here in the identification block (regs/id.rdl)."""
_SETTING = {rtl_tops.DMA_TOP: "MODE", rtl_tops.TRAFFIC_TOP: "MASTERS"}  # what `variant` is of them
CLOCK_SHARE = 0.001
"""How far the design's clock may be from the point's, as a share of it."""


@dataclass(frozen=True)
class Loaded:
    """The design on a board. ports: of the processor system, in the order of the design's."""

    about: Capabilities
    ports: tuple[str, ...]

    @property
    def name(self) -> str:
        """Equal for designs that say the same of themselves."""
        return hashlib.sha256(repr(self.about).encode()).hexdigest()[:12]

    def number(self, port: str) -> int:
        """The design's port at a port of the processor system. AxiometerError if it has none."""
        if port not in self.ports:
            raise AxiometerError(
                f"the design that is loaded is not at {port}",
                remedy=f"it is said to be at {'+'.join(self.ports)}: --ports says it otherwise",
            )
        return self.ports.index(port)


def loaded(about: Capabilities, platform: Platform, ports: Sequence[str] = ()) -> Loaded:
    """The design that an agent tells `about`; at `ports`, or at the platform's first ones."""
    known = tuple(ports) or tuple(platform.ports)[: about.ports]
    if len(known) != about.ports or len(set(known)) != len(known):
        raise AxiometerError(
            f"the design that is loaded has {about.ports} ports, {'+'.join(known)} are named",
            remedy="name them in the order of the project: --ports HP0+HP1",
        )
    return Loaded(about, known)


def lacks(found: Loaded, platform: Platform, values: Values) -> str | None:
    """Why a point cannot run on the design that is loaded, in words; None if it can."""
    try:
        wanted = rtl_tops.choose(platform, values)
    except AxiometerError as error:
        return error.message
    if wanted.top not in TOPS:
        return f"it needs {wanted.top}, which runs in the co-simulation only"
    about = found.about
    words = []
    if about.top != TOPS[wanted.top]:
        words.append(wanted.top)
    setting = _SETTING[wanted.top]
    if about.variant != (variant := _variant(wanted)) or about.top != TOPS[wanted.top]:
        words.append(f"{setting}={variant}")
    if about.data_bytes * 8 != wanted.width_bits:
        words.append(f"ports of {wanted.width_bits} bits (has {about.data_bytes * 8})")
    words += [f"a port at {port}" for port in values["ports"] if port not in found.ports]
    hz = clock_hz(platform, values)
    if abs(about.clock_hz - hz) > CLOCK_SHARE * hz:
        words.append(f"{hz / 1e6:g} MHz (has {about.clock_hz / 1e6:g})")
    return f"it needs another bitstream: {', '.join(words)}" if words else None


def clock_hz(platform: Platform, values: Values) -> float:
    """The clock that a board makes of the one that the point asks for."""
    made = pl_clock.of(platform, values["pl_mhz"])
    if made is None or made.nearest is None:
        return values["pl_mhz"] * 1e6
    return float(made.nearest.mhz) * 1e6


def _variant(wanted: Design) -> int:
    usual = 1 if wanted.top == rtl_tops.TRAFFIC_TOP else 0
    return dict(wanted.parameters).get(_SETTING[wanted.top], usual)
