"""Whether a point can run on the loaded design, and the design's port for each port."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from axiometer.base.errors import AxiometerError
from axiometer.experiment.values import Master, Values
from axiometer.platform import Platform, pl_clock
from axiometer.runs.agent.replies import Capabilities
from axiometer.runs.backends import rtl_tops
from axiometer.runs.cosim.rtl_design import RtlDesign
from axiometer.runs.engines import vendor

VENDOR_TOP = 5
TOPS = {rtl_tops.DMA_TOP: 1, rtl_tops.TRAFFIC_TOP: 2}
"""Numbers of the tops that run here in the identification block (regs/id.rdl)."""
_SETTING = {rtl_tops.DMA_TOP: "MODE", rtl_tops.TRAFFIC_TOP: "MASTERS"}  # meaning of `variant`
CLOCK_SHARE = 0.001
"""Allowed deviation of the design's clock from the point's, as a share of the latter."""


@dataclass(frozen=True)
class Loaded:
    """The design on a board. ports: of the processor system, in the design's order."""

    about: Capabilities
    ports: tuple[str, ...]

    @property
    def name(self) -> str:
        """Equal for designs with equal descriptions."""
        return hashlib.sha256(repr(self.about).encode()).hexdigest()[:12]

    def number(self, port: str) -> int:
        """The design's port at a port of the processor system. AxiometerError if it has none."""
        if port not in self.ports:
            raise AxiometerError(
                f"the loaded design has no port at {port}",
                remedy=f"its ports are assumed at {'+'.join(self.ports)}; --ports corrects this",
            )
        return self.ports.index(port)


def loaded(about: Capabilities, platform: Platform, ports: Sequence[str] = ()) -> Loaded:
    """The design in an agent's answer `about`; at `ports`, default the platform's first."""
    known = tuple(ports) or tuple(platform.ports)[: about.ports]
    if len(known) != about.ports or len(set(known)) != len(known):
        raise AxiometerError(
            f"the loaded design has {about.ports} ports, but the names are {'+'.join(known)}",
            remedy="name them in the order of the project: --ports HP0+HP1",
        )
    return Loaded(about, known)


def lacks(found: Loaded, platform: Platform, values: Values) -> str | None:
    """The reason why a point cannot run on the loaded design, in words; None if it can."""
    if masters := vendor.asked(values):
        return _lacks_engines(found, platform, values, masters)
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
    return _other(found, platform, values, words)


def _lacks_engines(
    found: Loaded, platform: Platform, values: Values, masters: Sequence[Master]
) -> str | None:
    """`lacks` for a point whose masters are vendors' engines."""
    if values["transfer_bytes"] is None:
        return "vendors' engines move a number of bytes: give transfer_bytes"
    if len({master["port"] for master in masters}) < len(masters):
        return "a port has one engine: give each master another port"
    words = []
    for master in masters:
        if master["direction"] != "pair":
            return f"{master['name']}: the engine writes what it reads: give direction = 'pair'"
        if found.about.top != VENDOR_TOP or found.about.variant not in vendor.numbers(master):
            words.append(_engine(master))
        if found.about.data_bytes * 8 != master["width_bits"]:
            has = found.about.data_bytes * 8
            words.append(f"ports of {master['width_bits']} bits (has {has})")
    return _other(found, platform, values, list(dict.fromkeys(words)))


def _engine(master: Master) -> str:
    chained = {True: " with descriptors", False: " without descriptors"}
    own = chained.get(bool(master["scatter_gather"])) if master["engine"] != "msgdma" else ""
    return f"a design of {master['engine']}{own}"


def _other(found: Loaded, platform: Platform, values: Values, words: list[str]) -> str | None:
    """The need for another bitstream, from `words`, ports and clock; None if there is none."""
    words += [f"a port at {port}" for port in values["ports"] if port not in found.ports]
    hz = clock_hz(platform, values)
    if abs(found.about.clock_hz - hz) > CLOCK_SHARE * hz:
        words.append(f"{hz / 1e6:g} MHz (has {found.about.clock_hz / 1e6:g})")
    return f"it needs another bitstream: {', '.join(words)}" if words else None


def clock_hz(platform: Platform, values: Values) -> float:
    """The clock in Hz that a board makes for the clock of a point."""
    made = pl_clock.of(platform, values["pl_mhz"])
    if made is None or made.nearest is None:
        return values["pl_mhz"] * 1e6
    return float(made.nearest.mhz) * 1e6


def _variant(wanted: RtlDesign) -> int:
    usual = 1 if wanted.top == rtl_tops.TRAFFIC_TOP else 0
    return dict(wanted.parameters).get(_SETTING[wanted.top], usual)
