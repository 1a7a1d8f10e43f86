"""Checks of clocks: the rate that runs against the rate that was requested or written."""

from __future__ import annotations

from collections.abc import Iterator

from axiometer.designs import ps_facts
from axiometer.designs.checks.finding import ADVICE, MISTAKE, Finding
from axiometer.designs.clock_rates import differs, is_far, neighbours
from axiometer.designs.model import Design

MISTAKEN = 0.02  # a larger relative deviation is a mistake, a smaller one advice
UNUSED = " Nothing in the design uses it."


def not_as_asked(design: Design) -> Iterator[Finding]:
    """A clock whose requested rate the PLL and its dividers cannot make."""
    for clock in design.clocks:
        if not is_far(clock) or clock.asked_mhz is None:
            continue
        between = neighbours(clock)
        choice = f"{between[0]:.6g} or {between[1]:.6g} MHz" if between else "another rate"
        facts = ps_facts.system(design.chip).clocks.get(clock.name, {})
        off = abs(clock.mhz / clock.asked_mhz - 1)
        yield Finding(
            "clock-not-as-asked",
            MISTAKE if off > MISTAKEN and clock.used else ADVICE,
            clock.name,
            f"{clock.name} runs at {clock.mhz:.6g} MHz ({clock.source}), but "
            f"{clock.asked_mhz:.6g} MHz was requested.{'' if clock.used else UNUSED}",
            f"Request {choice}, the nearest that this PLL makes"
            + (f" ({facts['setting']})." if "setting" in facts else "."),
            ((f"{clock.name}.mhz", clock.asked_mhz),),
        )


def not_as_written(design: Design) -> Iterator[Finding]:
    """A clock whose rates in the initialisation and in the hardware handoff differ."""
    for clock in design.clocks:
        if differs(clock):
            yield Finding(
                "clock-not-as-written",
                MISTAKE if clock.used else ADVICE,
                clock.name,
                f"{clock.name} is {clock.mhz:.6g} MHz by {clock.source}, but "
                f"{clock.file_mhz:.6g} MHz in the block design.{'' if clock.used else UNUSED}",
                "Export hardware handoff and initialisation of the same design again.",
                ((f"{clock.name}.mhz", clock.file_mhz),),
            )
